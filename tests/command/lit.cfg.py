"""Tests of the teeny command: its subcommands, their output and exit status."""

import os

config.name = "command"
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(config.test_source_root, "..", "lit_suite.py"))

# The compiler of this build, and a cache of the tests' own; no driver, whatever this machine has.
config.environment["TEENYC_PATH"] = os.path.join(config.teeny_tools, "teenyc")
config.environment["TEENYC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
config.environment["TEENY_LIBCUDA_PATH"] = "/nonexistent/libcuda.so"
config.environment["HOME"] = config.test_exec_root

# Variables that say what the tests are about.
for name in ["TEENY_AUTO_DEVICE", "TEENY_LOG", "TEENY_NVTX", "XDG_DATA_HOME", "TEENY_CPU_THREADS",
             "TEENYC_CACHE_SIZE"]:
    config.environment.pop(name, None)

config.substitutions.append(("%{teenyc}", config.environment["TEENYC_PATH"]))
config.substitutions.append(("%{teeny}", os.path.join(config.teeny_tools, "teeny")))
config.substitutions.append(("%{stub_cuda}", getattr(config, "stub_cuda", "")))
