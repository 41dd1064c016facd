#!/usr/bin/env python3
"""What teenyc says about wrong input, word for word.

    golden.py --teenyc PROGRAM [--update] DIRECTORY

Each file NAME.c of DIRECTORY is given to `teenyc --check`, or to what a line `// teenyc: OPTIONS`
says in its place, with DIRECTORY as the working directory. What comes out on standard error, and the
exit status where it is not 1, must be NAME.expected. --update writes those files anew: read the
difference before it is committed.
"""

import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

COMMAND = re.compile(rb"^// teenyc: (.*?)\r?$", re.M)
SECONDS = 60
FAULT = 70  # teenyc's own, which is never what is expected


def run(teenyc, case):
    words = ["--check", case.name]
    written = COMMAND.search(case.read_bytes())
    if written:
        words = shlex.split(written.group(1).decode())
    done = subprocess.run(
        [teenyc, *words], cwd=case.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, timeout=SECONDS,
    )
    said = done.stderr.decode(errors="surrogateescape")
    if done.returncode == FAULT:
        sys.exit(f"{case.name}: {said}")
    return said if done.returncode == 1 else f"{said}exit status {done.returncode}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()

    counts = {True: 0, False: 0}
    for case in sorted(options.directory.glob("*.c")):
        found = run(options.teenyc, case)
        golden = case.with_suffix(".expected")
        if options.update:
            golden.write_text(found, errors="surrogateescape")
        expected = golden.read_text(errors="surrogateescape") if golden.exists() else ""
        counts[found == expected] += 1
        if found != expected:
            lines = difflib.unified_diff(
                expected.splitlines(), found.splitlines(), str(golden), "found", lineterm="")
            print("\n".join(lines).encode(errors="replace").decode())
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] or not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
