"""Tests of the teenyc command: its options, its output and its exit status.

Needs a directory with teenyc and one with LLVM's tools, from lit.site.cfg.py, or, to run lit on the
sources as they lie, from the parameters --param teeny_tools=DIR --param llvm_tools=DIR.
"""

import os
import sys

import lit.formats

config.name = "driver"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-driver"))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])

# `%exits N COMMAND`: the command ends with this very status.
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%exits", "sh " + os.path.join(config.test_source_root, "Inputs/exits")))
