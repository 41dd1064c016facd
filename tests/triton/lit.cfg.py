"""Fidelity: what teeny prints goes through Triton 3.6.0 itself.

Needs what tests/dialect/lit.cfg.py needs, and a Python that has Triton: --param triton_python=PATH,
else CMake's. Without Triton the tests are unsupported; with TEENY_REQUIRE_TRITON=1 they fail.
"""

import os
import subprocess
import sys

import lit.formats

here = os.path.dirname(__file__)
config.name = "triton"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = here
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-triton"))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])

required = os.environ.get("TEENY_REQUIRE_TRITON", "")
config.environment["TEENY_REQUIRE_TRITON"] = required

python = lit_config.params.get("triton_python", getattr(config, "triton_python", ""))
python = python or sys.executable
accept = f"{python} {os.path.join(here, 'accept.py')}"
config.substitutions.append(("%accept", accept))
version = subprocess.run(f"{accept} --version", shell=True, capture_output=True, text=True)
if version.stdout.strip() == "3.6.0" or required == "1":
    config.available_features.add("triton")
