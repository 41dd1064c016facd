"""Tests of the teenyc command: its options, its output and its exit status."""

import os

config.name = "driver"
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))
