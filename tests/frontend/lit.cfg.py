"""Tests of the frontend: C through teenyc, its tt text checked by FileCheck."""

import os

config.name = "frontend"
config.suffixes = [".c", ".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))
config.excludes = ["Inputs", "diagnostics", "errors", "c_lexer_test.c"]

# `%ttir KERNEL`: the tt text of a kernel of the test's own file.
config.recursiveExpansionLimit = 3
config.substitutions.append(("%ttir", "teenyc %s --target sm_80 --emit ttir --kernel"))
