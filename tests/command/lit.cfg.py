"""Tests of the teeny command: its subcommands, their output and exit status.

Needs a directory with teeny and teenyc and one with LLVM's tools, from lit.site.cfg.py, or, to run lit on
the sources as they lie, from the parameters --param teeny_tools=DIR --param llvm_tools=DIR.
"""

import os
import sys

import lit.formats

config.name = "command"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-command"))
)

tools = [
    lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", "")),
    lit_config.params.get("llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")),
]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment.get("PATH", "")])

# The compiler of this build, and a cache of the tests' own; no driver, whatever this machine has.
config.environment["TEENYC_PATH"] = os.path.join(tools[0], "teenyc")
config.environment["TEENYC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
config.environment["TEENY_LIBCUDA_PATH"] = "/nonexistent/libcuda.so"
config.environment["HOME"] = config.test_exec_root

# `%exits N COMMAND`: the command ends with this very status.
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(
    ("%exits", "sh " + os.path.join(config.test_source_root, "../driver/Inputs/exits"))
)
