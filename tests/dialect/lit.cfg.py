"""Tests of the dialects: MLIR text through teeny-opt, checked by FileCheck.

Needs a directory with teeny-opt and one with LLVM's tools, from lit.site.cfg.py, or, to run lit on
the sources as they lie, from the parameters --param teeny_tools=DIR --param llvm_tools=DIR.
"""

import os

import lit.formats

config.name = "dialect"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-dialect"))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])
