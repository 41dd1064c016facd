#!/usr/bin/env python3
"""What teenyc takes for each kernel of the examples, by stage.

    compile_time.py BUILD [TARGET]

Milliseconds, the medians of 15 runs. `start` is the process until main() reads its arguments, `frontend`
clang and the lowering to tt, `passes` those of MLIR, `LLVM` its passes, `code` the machine code.
"""

import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNS = 15
STAGES = {
    "start": ("start",),
    "frontend": ("read", "clang", "lower"),
    "passes": ("passes",),
    "LLVM": ("llvm ir", "llvm passes"),
    "code": ("image", "asm"),
    "all": ("all stages",),
}


def kernels(teenyc):
    for file in sorted(ROOT.glob("examples/[0-9]*/*.c")):
        listed = subprocess.run([teenyc, "--list", "kernels", file], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            yield file, line.split()[0].split("(")[0]


def run(teenyc, file, kernel, target):
    """Milliseconds a line of --time; None where the target cannot be compiled for."""
    code = "image" if target == "cpu" else "ptx"
    command = [teenyc, file, "--kernel", kernel, "--target", target]
    command += ["--emit", code, "--time", "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True)
    times = {}
    for value, name in re.findall(r"^ *([0-9.]+) ms  (\w.*)$", done.stderr, re.M):
        times[name] = times.get(name, 0) + float(value)
    return times if done.returncode == 0 else None


def main():
    teenyc = f"{sys.argv[1]}/bin/teenyc"
    target = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    print(f"{'compile time, ' + target + ', ms':<24}" + "".join(f"{stage:>10}" for stage in STAGES))
    for file, kernel in kernels(teenyc):
        runs = [run(teenyc, file, kernel, target) for _ in range(RUNS)]
        if None in runs:
            print(f"{kernel:<24}  not built for this target yet")
            continue
        medians = [
            statistics.median(sum(times.get(name, 0) for name in names) for times in runs)
            for names in STAGES.values()
        ]
        print(f"{kernel:<24}" + "".join(f"{median:10.1f}" for median in medians))


if __name__ == "__main__":
    main()
