"""Tests of code generation: what teenyc prints, checked by FileCheck."""

import os

config.name = "codegen"
config.suffixes = [".ttir", ".ttgir", ".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))
config.excludes = ["kernels", "triton"]

assemble = os.path.join(config.test_source_root, "gpu", "assemble.sh")
config.substitutions.append(("%{assemble}", assemble))
