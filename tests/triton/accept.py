#!/usr/bin/env python3
"""Asks Triton 3.6.0 itself whether it takes what teeny prints.

    accept.py [--target sm_90] FILE.ttir|FILE.ttgir ...    compiles each file with Triton
    accept.py --version                                    prints the version of Triton found

Needs Triton's pip package, and neither torch nor a GPU. Prints a line a file, `accepted FILE: ...`
or `refused FILE: ...`, what Triton said on stderr, and exits 0 if all were accepted, 1 if not. Where
Triton 3.6.0 is missing it exits 77 (skipped), or 2 if TEENY_REQUIRE_TRITON=1 is set.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

WANTED = "3.6.0"
SECONDS_A_FILE = 300


def triton_version():
    """The version of the Triton installed beside this Python, or None."""
    from importlib import metadata

    try:
        return metadata.version("triton")
    except metadata.PackageNotFoundError:
        return None


def compile_here(path, target):
    """Compiles one file in this process; what a child process does."""
    import triton
    from triton.backends.compiler import GPUTarget

    capability = int(re.fullmatch(r"sm_(\d+)", target).group(1))
    kernel = triton.compile(path, target=GPUTarget("cuda", capability, 32))
    print(f"{kernel.metadata.name}, {len(kernel.asm['ptx'])} bytes of PTX")


def compile_apart(path, target):
    """Compiles one file in a process of its own: Triton may abort, or find it in its cache."""
    command = [sys.executable, os.path.abspath(__file__), "--here", "--target", target, path]
    with tempfile.TemporaryDirectory(prefix="teeny-triton-") as cache:
        try:
            return subprocess.run(
                command,
                env=dict(os.environ, TRITON_CACHE_DIR=cache),
                capture_output=True,
                text=True,
                timeout=SECONDS_A_FILE,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, "", "it took too long")


def accept(path, target):
    """Compiles one file and says how it went."""
    result = compile_apart(path, target)
    if result.returncode == 0:
        print(f"accepted {path}: {result.stdout.strip()}")
        return True
    sys.stderr.write(result.stderr)
    print(f"refused {path}: {reason(result)}")
    return False


def reason(result):
    """The first error that Triton reported, or else how its process ended."""
    errors = (line for line in result.stderr.splitlines() if "error" in line.lower())
    return next(errors, f"exit status {result.returncode}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--target", default="sm_90", help="the chip to compile for")
    parser.add_argument("--version", action="store_true", help="print Triton's version")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not re.fullmatch(r"sm_\d+", arguments.target):
        parser.error(f"--target wants sm_ and a number, not {arguments.target}")
    if not arguments.files and not arguments.version:
        parser.error("no file given")
    return arguments


def main():
    arguments = parse_arguments()
    found = triton_version()
    if arguments.version:
        print(found or "none")
        return 0
    if found != WANTED:
        print(f"skipped: needs Triton {WANTED}, found {found or 'none'}", file=sys.stderr)
        return 2 if os.environ.get("TEENY_REQUIRE_TRITON") == "1" else 77
    if arguments.here:
        compile_here(arguments.files[0], arguments.target)
        return 0
    verdicts = [accept(path, arguments.target) for path in arguments.files]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
