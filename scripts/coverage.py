#!/usr/bin/env python3
"""Which lines of src/frontend the tests run.

    coverage.py BUILD [--keep] [--lines]

BUILD was configured with -DTEENY_COVERAGE=ON, for gcc. Runs the suites that drive the frontend and prints a
table by file; --keep adds to what was counted before in place of starting anew, --lines prints the lines that
were not run.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = "^(frontend|host.mistakes|host.program|random|docs.errors|driver)"


def count_lines(objects):
    """File to its lines to how often each was run."""
    counted = {}
    with tempfile.TemporaryDirectory() as directory:
        notes = [str(each.resolve()) for each in sorted(objects.glob("*.gcno"))]
        subprocess.run(["gcov", "--json-format", *notes], cwd=directory, stdout=subprocess.DEVNULL,
                       check=True)
        for report in pathlib.Path(directory).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.open(report).read())["files"]:
                lines = counted.setdefault(file["file"], {})
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[number] = lines.get(number, 0) + line["count"]
    return counted


def ranges(numbers):
    """[3, 4, 5, 9] is "3-5 9"."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--lines", action="store_true")
    options = parser.parse_args()
    objects = options.build / "src/frontend/CMakeFiles/teeny_frontend.dir"
    if not options.keep:
        for each in objects.glob("*.gcda"):
            each.unlink()
        done = subprocess.run([sys.executable, ROOT / "tests/run.py", "--build", options.build,
                               "--only", SUITES])
        if done.returncode:
            return 1
    rows, all_run, all_lines = [], 0, 0
    for name, lines in sorted(count_lines(objects).items()):
        path = (options.build / name).resolve()
        if path.parent != ROOT / "src/frontend" or path.suffix != ".c":
            continue
        missed = [number for number, count in lines.items() if not count]
        rows.append((path.name, len(lines) - len(missed), len(lines), missed))
        all_run, all_lines = all_run + len(lines) - len(missed), all_lines + len(lines)
    for name, run, lines, missed in [*rows, ("src/frontend", all_run, all_lines, [])]:
        print(f"{name:<24}{run:>6} of {lines:>5} lines {100 * run / max(lines, 1):>6.1f} %" +
              (f"  {ranges(missed)}" if options.lines and missed else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
