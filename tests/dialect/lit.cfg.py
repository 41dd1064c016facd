"""Tests of the dialects: MLIR text through teeny-opt, checked by FileCheck."""

import os

config.name = "dialect"
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))
