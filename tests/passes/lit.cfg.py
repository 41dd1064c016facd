"""Tests of the passes: MLIR text through teenyc, checked by FileCheck."""

import os

config.name = "passes"
config.suffixes = [".ttir", ".ttgir", ".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))
