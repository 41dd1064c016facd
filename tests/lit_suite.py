"""What all suites of lit share: a suite's lit.cfg.py says what it is, loads this, and adds its own.

Needs config.name, config.suffixes and config.test_source_root from the suite; a directory with teeny's
programs and one with LLVM's tools from lit.site.cfg.py, or, to run lit on the sources as they lie, from
the parameters --param teeny_tools=DIR --param llvm_tools=DIR.
"""

import os
import shutil
import sys

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.excludes = ["Inputs"]
config.test_exec_root = lit_config.params.get(
    "exec_root", getattr(config, "exec_root", os.path.join(os.getcwd(), "lit-" + config.name))
)

config.teeny_tools = lit_config.params.get("teeny_tools", getattr(config, "teeny_tools", ""))
llvm_tools = lit_config.params.get(
    "llvm_tools", getattr(config, "llvm_tools", "/usr/lib/llvm-22/bin")
)
config.environment["PATH"] = os.pathsep.join(
    [config.teeny_tools, llvm_tools, config.environment.get("PATH", ""), "/usr/local/cuda/bin"]
)

# Tests that want ptxas are skipped where there is none.
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")

# `%exits N COMMAND`: the command ends with this very status.
exits = os.path.join(config.test_source_root, "..", "driver", "Inputs", "exits")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%exits", "sh " + exits))
