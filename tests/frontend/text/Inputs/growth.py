"""growth.py COMMAND... SMALL LARGE: runs a command with a file and with one three times as large, and
fails where time or memory grow much more than that. What a run costs without the file counts not."""

import os
import subprocess
import sys

MOST = 4.5  # times the cost: linear is 3, quadratic 9
BASE = "growth_base.c"


def cost(command, file):
    """Seconds of processor time and KiB of memory, the least of three runs."""
    runs = []
    for _ in range(3):
        process = subprocess.Popen([*command, file])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status:
            sys.exit(f"{command} {file} failed: {status}")
        runs.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
    return tuple(min(each) for each in zip(*runs))


def main():
    *command, small, large = sys.argv[1:]
    with open(BASE, "w") as file:
        file.write("#include <teeny/kernel.h>\nTEENY_KERNEL(k, (f32 *p), META(), { p[0] = 1; });\n")
    base, one, three = (cost(command, each) for each in (BASE, small, large))
    for what, unit, before, first, last in zip(("time", "memory"), ("s", "KiB"), base, one, three):
        growth = (last - before) / max(first - before, 1e-9)
        print(f"{what}: {first:.3f} {unit}, {last:.3f} {unit}: {growth:.1f} times")
        floor = 0.03 if what == "time" else 4096  # less is noise
        if first - before > floor and growth > MOST:
            sys.exit(f"{what} grows {growth:.1f} times where the file grows 3 times")


main()
