"""Tests of the passes: MLIR text through teenyc, checked by FileCheck.

tests/codegen shares this configuration. Needs a directory with teenyc and one with LLVM's tools, from
lit.site.cfg.py, or, to run lit on the sources as they lie, from the parameters
--param teeny_tools=DIR --param llvm_tools=DIR. Tests that want ptxas are skipped where there is none.
"""

import os
import shutil

import lit.formats

config.name = getattr(config, "suite", "passes")
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ttir", ".ttgir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = getattr(config, "source_root", os.path.dirname(__file__))
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-" + config.name))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
search = os.pathsep.join(tools + [os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
config.environment["PATH"] = search
if shutil.which("ptxas", path=search):
    config.available_features.add("ptxas")
config.substitutions.append(("%{assemble}", os.path.join(config.test_source_root, "gpu", "assemble.sh")))
