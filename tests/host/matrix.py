#!/usr/bin/env python3
"""Files of kernels under every host compiler, standard and optimisation: no warning, no code.

    matrix.py --include DIRECTORY [--host FILE.c] FILE.c...

Nothing of a kernel may reach an object file: no function, no teeny_op_ symbol, only constant data. A
compiler that is not installed is skipped, with a line that says so. The last rows compile for another
processor; its C library is not needed, freestanding/ stands in for it. A file of --host launches
kernels, and so has code.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LAX = ["-flax-vector-conversions=integer"]
COMPILERS = {
    "gcc": ["gcc"],
    "clang-14": ["clang-14", *LAX],
    "clang-14 as it is": ["clang-14"],
    "clang-22": ["clang-22", *LAX],
    "clang-22 as it is": ["clang-22"],
}
FLAGS = [[f"-std={standard}", optimisation] for standard in ("c11", "gnu17")
         for optimisation in ("-O0", "-O3")] + [["-std=c2x", "-O1"]]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
CROSS = {
    target: ["clang-22", *LAX, f"--target={target}", "-nostdlibinc", "-isystem",
             str(HERE / "freestanding"), "-ffreestanding"]
    for target in ("aarch64-linux-gnu", "riscv64-linux-gnu")
}


def code_of(file):
    """The names of an object file's functions and the operations it would call."""
    listed = subprocess.run(["nm", file], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [row[-1] for row in rows if row[-2] in "TtWw" or "teeny_op_" in row[-1]]


def compile_one(command, flags, include, file, out, has_code):
    """None, or what was wrong."""
    done = subprocess.run([*command, *flags, *WARNINGS, "-I", include, "-c", file, "-o", out],
                          capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr.strip():
        return done.stderr
    code = [] if has_code else code_of(out)
    return f"code of kernels in the object file: {' '.join(code)}\n" if code else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", required=True)
    parser.add_argument("--host", action="append", default=[])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    rows = [(name, command, flags) for name, command in COMPILERS.items() for flags in FLAGS]
    rows += [(target, command, ["-std=c11", "-O1"]) for target, command in CROSS.items()]
    missing = sorted({row[1][0] for row in rows if not shutil.which(row[1][0])})
    for name in missing:
        print(f"{name} is not installed: skipped")

    failed, jobs = 0, []
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, command, flags in rows:
            for file in [*options.files, *options.host]:
                if command[0] in missing:
                    continue
                out = os.path.join(directory, f"{len(jobs)}.o")
                jobs.append((name, flags, file, pool.submit(
                    compile_one, command, flags, options.include, file, out, file in options.host)))
        for name, flags, file, job in jobs:
            if job.result() is None:
                continue
            failed += 1
            print(f"{name} {' '.join(flags)} {file}:\n{job.result()}")
    print(f"{len(jobs) - failed} passed, {failed} failed" +
          (f", {len(missing)} skipped" if missing else ""))
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
