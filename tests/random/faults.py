#!/usr/bin/env python3
"""Plants each fault of faults/ in a copy of the frontend, and sees that the sample finds it.

    faults.py --source DIR --library libteeny.a --runner librandom_runner.a [--build DIR]
              [--count N] [--only PATTERN] [random_test's options]
    faults.py --source DIR --apply-only [--cc COMPILER] [--cxx COMPILER]

A fault is a patch, what it does wrong in its first line. One that no longer applies, does not build, or
is not found among the first N programs is a failure; so is a sample that fails without a fault.
--build keeps the build of the copy in DIR. --apply-only only sees that the copy can be configured and
that the patches apply. Prints each fault with the number of the program that found it and how, and last
`N passed, N failed`.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COPIED = ["src", "include", "cmake", "docs", "CMakeLists.txt", "LICENSE", "NOTICE"]


def run(command, **more):
    return subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          errors="replace", **more)


def require(done, what):
    if done.returncode:
        sys.exit(f"{what}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


class Copy:
    """A copy of the sources, configured."""

    def __init__(self, source, directory, compilers):
        self.tree = os.path.join(directory, "source")
        self.build = os.path.join(directory, "build")
        self.teenyc = os.path.join(self.build, "bin", "teenyc")
        shutil.rmtree(self.tree, ignore_errors=True)
        os.makedirs(self.tree)
        for name in COPIED:  # as new files: an earlier build of the copy may be of a fault
            inside = os.path.join(source, name)
            if os.path.isdir(inside):
                shutil.copytree(inside, os.path.join(self.tree, name), copy_function=shutil.copy)
            elif os.path.exists(inside):
                shutil.copy(inside, self.tree)
        require(run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build,
                     "-DTEENY_BUILD_TESTS=OFF", *compilers]), "the copy is not configured")

    def make(self):
        return run(["ninja", "-C", self.build, "teenyc"])

    def patch(self, fault, *options):
        with open(fault, encoding="utf-8") as text:
            return subprocess.run(["patch", "-s", "-p1", "-d", self.tree, *options], stdin=text,
                                  text=True, capture_output=True)


def search(options, rest, teenyc):
    """The line of the seed that fails, or None."""
    command = [sys.executable, str(HERE / "random_test.py"), "--teenyc", teenyc, "--library",
               options.library, "--runner", options.runner, "--count", str(options.count), "--stop"]
    done = run([*command, *rest])
    found = re.search(r"^seed (\d+: .*)", done.stdout, re.M)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return found.group(1) if found else None


def try_fault(copy, fault, options, rest):
    """What went wrong with the test, or None; and what found the fault."""
    applies = copy.patch(fault, "--dry-run")
    if applies.returncode:
        return "does not apply: " + applies.stdout.strip(), None
    if options.apply_only:
        return None, "applies"
    copy.patch(fault)
    try:
        built = copy.make()
        if built.returncode:
            return "does not build:\n" + built.stdout[-2000:], None
        found = search(options, rest, copy.teenyc)
        if not found:
            return f"was not found by {options.count} programs", None
        return None, f"found by program {found}"
    finally:
        copy.patch(fault, "-R")


def prepare(options, rest, directory):
    """The copy, whose compiler passes the sample as long as it has no fault."""
    compilers = [f"-DCMAKE_C_COMPILER={options.cc}", f"-DCMAKE_CXX_COMPILER={options.cxx}"]
    copy = Copy(options.source, options.build or directory, compilers)
    if options.apply_only:
        return copy
    require(copy.make(), "the copy does not build")
    failure = search(options, rest, copy.teenyc)
    if failure:
        sys.exit(f"without a fault, program {failure}")
    return copy


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--library")
    parser.add_argument("--runner")
    parser.add_argument("--apply-only", action="store_true")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--cxx", default="clang++-22")
    parser.add_argument("--build")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", default="")
    options, rest = parser.parse_known_args()
    rest += ["--cc", options.cc]
    with tempfile.TemporaryDirectory(prefix="teeny-faults-") as directory:
        copy = prepare(options, rest, directory)
        passed = failed = 0
        for fault in sorted((HERE / "faults").glob("*.patch")):
            if not re.search(options.only, fault.stem):
                continue
            begin = time.monotonic()
            wrong, found = try_fault(copy, fault, options, rest)
            passed += not wrong
            failed += bool(wrong)
            print(f"{fault.stem}: {wrong or found} ({time.monotonic() - begin:.0f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
