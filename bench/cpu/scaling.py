#!/usr/bin/env python3
"""How the kernels of bench-cpu get faster with threads.

    scaling.py BUILD [PATTERN]

Runs bench-cpu with 1, 2, 4, ... threads, up to all cores, and prints for each case the time with one
thread and how many times faster the others are; `loops` is the same of the loop with all cores.
"""

import os
import subprocess
import sys

VARIABLES = ("TEENY_CPU_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
NAME_WIDTH = 22


def measure(build, pattern, threads):
    """The median times of kernel and loop in microseconds, by case."""
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", **{name: str(threads) for name in VARIABLES})
    command = [f"{build}/bin/bench-cpu", *pattern]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    times = {}
    for line in output.splitlines()[1:]:
        kernel, loop = line[NAME_WIDTH:].split()[:2]
        times[line[:NAME_WIDTH].strip()] = float(kernel), float(loop)
    return times


def main():
    build, pattern = sys.argv[1], sys.argv[2:3]
    cores = len(os.sched_getaffinity(0))
    counts = [1]
    while counts[-1] < cores:
        counts.append(min(2 * counts[-1], cores))
    times = {threads: measure(build, pattern, threads) for threads in counts}
    heads = "".join(f"  {threads:5}x" for threads in counts[1:])
    print(f"{'scaling over cores':<{NAME_WIDTH}}  {'1, us':>9}{heads}  {'loops':>6}")
    for name, (kernel, loop) in times[1].items():
        faster = "".join(f"  {kernel / times[threads][name][0]:6.2f}" for threads in counts[1:])
        print(f"{name:<{NAME_WIDTH}}  {kernel:9.1f}{faster}  {loop / times[cores][name][1]:6.2f}")


if __name__ == "__main__":
    main()
