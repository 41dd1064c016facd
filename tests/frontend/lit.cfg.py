"""Tests of the frontend: C through teenyc, its tt text checked by FileCheck.

Needs a directory with teenyc and one with LLVM's tools, from lit.site.cfg.py, or, to run lit on the
sources as they lie, from the parameters --param teeny_tools=DIR --param llvm_tools=DIR.
"""

import os
import sys

import lit.formats

config.name = "frontend"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".test"]
config.excludes = ["Inputs", "diagnostics", "errors", "c_lexer_test.c"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-frontend"))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])

# `%ttir KERNEL`: the tt text of a kernel of the test's own file.
config.recursiveExpansionLimit = 3
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%ttir", "teenyc %s --target sm_80 --emit ttir --kernel"))
