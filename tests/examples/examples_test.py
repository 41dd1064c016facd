#!/usr/bin/env python3
"""Runs every example, as a reader would, and holds its README and its verdict to it.

    examples_test.py BUILD

An example is a folder of examples/ with a program of the same name in BUILD/examples. For each:
- the program ends with 0 and prints what every output in its README shows, but for the values that
  belong to a machine (MEASURED);
- with a teenyc that gets the kernel wrong it ends with 1 and says WRONG, so its check is one;
- README.md lists it.
Ends with `N passed, N failed`.
"""

import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEASURED = ("device", "artifact", "rate", "error")
OUTPUT = re.compile(r"(?:^    \w+: .*\n)+", re.M)

# Runs teenyc on a kernel that has lost the sign of what it loads first.
FAULTY = """#!/bin/sh
case $1 in
*.c) sed -i '0,/= tl_load/s//= -tl_load/; t; 0,/tl_load/s//-tl_load/' "$1" ;;
esac
exec "%s" "$@"
"""


def run(program, teenyc, cache):
    environment = dict(os.environ, TEENYC_PATH=str(teenyc), TEENYC_CACHE_DIR=str(cache))
    environment.pop("TEENY_AUTO_DEVICE", None)
    return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=300)


def lines_of(text):
    """The `key: value` lines, the values that were measured left out."""
    pairs = [line.strip().partition(":") for line in text.splitlines()]
    return [f"{key}: {'...' if key in MEASURED else value.strip()}" for key, _, value in pairs]


def check_output(folder, program, teenyc, scratch):
    done = run(program, teenyc, scratch / "cache")
    if done.returncode != 0:
        return f"exit status {done.returncode}:\n{done.stdout}{done.stderr}"
    shown = [block for block in OUTPUT.findall((folder / "README.md").read_text()) if "device:" in block]
    for block in shown:
        if lines_of(block) != lines_of(done.stdout):
            return f"its README shows\n{block}it printed\n{done.stdout}"
    return None if shown else "its README shows no output"


def check_verdict(folder, program, teenyc, scratch):
    faulty = scratch / "teenyc"
    faulty.write_text(FAULTY % teenyc)
    faulty.chmod(faulty.stat().st_mode | stat.S_IXUSR)
    done = run(program, faulty, scratch / "faulty-cache")
    if done.returncode != 1 or "WRONG" not in done.stdout:
        return f"a wrong kernel passes ({done.returncode}):\n{done.stdout}{done.stderr}"
    return None


def check_listed(folder, program, teenyc, scratch):
    if f"(examples/{folder.name}/)" not in (ROOT / "README.md").read_text():
        return "README.md does not list it"
    return None


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    for folder in sorted((ROOT / "examples").glob("[0-9]*")):
        for check in (check_output, check_verdict, check_listed):
            with tempfile.TemporaryDirectory(prefix="teeny-examples-") as scratch:
                program = build / "examples" / folder.name
                wrong = check(folder, program, build / "bin/teenyc", pathlib.Path(scratch))
            if wrong:
                print(f"{folder.name}, {check.__name__}: {wrong}")
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
