"""Tests of code generation: what teenyc prints, checked by FileCheck. See tests/passes/lit.cfg.py."""

import os

config.suite = "codegen"
config.source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.source_root, "..", "passes", "lit.cfg.py"))
config.excludes = ["kernels", "triton"]
