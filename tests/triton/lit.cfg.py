"""Fidelity: what teeny prints goes through Triton 3.6.0 itself.

Needs teeny-opt, and a Python that has Triton: --param triton_python=PATH, else CMake's. Without Triton
the tests are unsupported; with TEENY_REQUIRE_TRITON=1 they fail.
"""

import os
import subprocess
import sys

config.name = "triton"
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))

required = os.environ.get("TEENY_REQUIRE_TRITON", "")
config.environment["TEENY_REQUIRE_TRITON"] = required

python = lit_config.params.get("triton_python", getattr(config, "triton_python", ""))
python = python or sys.executable
accept = f"{python} {os.path.join(config.test_source_root, 'accept.py')}"
config.substitutions.append(("%accept", accept))
version = subprocess.run(f"{accept} --version", shell=True, capture_output=True, text=True)
if version.stdout.strip() == "3.6.0" or required == "1":
    config.available_features.add("triton")
