#!/usr/bin/env python3
"""Runs the tests of a build and adds up what they counted.

    run.py --build DIR [--only PATTERN] [--soak]

Each test is one of CTest's. Output is shown where something failed or was skipped. The last line is
`N passed, N failed`, with `, N skipped` where that is not 0; the exit status is 1 if any failed.
Tests labelled `soak` run only with --soak, which runs nothing else.
"""

import argparse
import json
import re
import subprocess
import sys
import time

SKIPPED = 77

# What a harness prints: (pattern, which count it adds to).
LINES = [
    (re.compile(r"^\s+(?:Passed|Expectedly Failed)\s*: (\d+)", re.M), "passed"),
    (re.compile(r"^\s+(?:Failed|Unresolved|Timed Out|Unexpectedly Passed)\s*: (\d+)", re.M), "failed"),
    (re.compile(r"^\s+(?:Unsupported|Skipped)\s*: (\d+)", re.M), "skipped"),
    (re.compile(r"^\[  PASSED  \] (\d+) test", re.M), "passed"),
    (re.compile(r"^\[  FAILED  \] (\d+) test", re.M), "failed"),
    (re.compile(r"^\[  SKIPPED \] (\d+) test", re.M), "skipped"),
    (re.compile(r"^(\d+) passed, \d+ failed", re.M), "passed"),
    (re.compile(r"^\d+ passed, (\d+) failed", re.M), "failed"),
    (re.compile(r"^\d+ passed, \d+ failed, (\d+) skipped", re.M), "skipped"),
]


def count(output, status):
    """The counts of one test; one that failed without saying so has one failure."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for pattern, kind in LINES:
        counts[kind] += sum(int(each) for each in pattern.findall(output))
    if status == SKIPPED:
        counts["skipped"] = max(counts["skipped"], 1)
    elif status != 0:
        counts["failed"] = max(counts["failed"], 1)
    elif not any(counts.values()):
        counts["passed"] = 1
    return counts


def tests_of(build):
    """CTest's own list: name, command, labels, environment, directory, time limit."""
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"],
        check=True, capture_output=True, text=True,
    )
    for test in json.loads(listed.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        yield test["name"], test.get("command", []), properties


def run_one(command, properties):
    if not command:
        return "its program is not built\n", 1
    limit = float(properties.get("TIMEOUT", 600))
    environment = properties.get("ENVIRONMENT", [])
    prefix = ["env", *environment] if environment else []
    try:
        done = subprocess.run(
            prefix + command, cwd=properties.get("WORKING_DIRECTORY"), timeout=limit,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace",
        )
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        return f"{output}\ntimed out after {limit:.0f} s\n", 1
    except OSError as error:
        return f"{error}\n", 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--soak", action="store_true")
    options = parser.parse_args()

    total = {"passed": 0, "failed": 0, "skipped": 0}
    for name, command, properties in tests_of(options.build):
        is_soak = "soak" in properties.get("LABELS", [])
        if is_soak != options.soak or not re.search(options.only, name):
            continue
        start = time.monotonic()
        output, status = run_one(command, properties)
        counts = count(output, status)
        for kind in total:
            total[kind] += counts[kind]
        said = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)
        print(f"{name:<28} {said} ({time.monotonic() - start:.1f} s)", flush=True)
        if counts["failed"] or counts["skipped"]:
            print("".join(f"    {line}\n" for line in output.splitlines()), flush=True)

    closing = f"{total['passed']} passed, {total['failed']} failed"
    if total["skipped"]:
        closing += f", {total['skipped']} skipped"
    print(closing)
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
