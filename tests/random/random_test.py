#!/usr/bin/env python3
"""Random programs: teenyc's cpu results against the same programs as plain C, bit by bit.

    random_test.py --teenyc PROGRAM --library libteeny.a --runner librandom_runner.a
                   [--seed FIRST] [--count N] [--without FEATURE,...] [--stop] [--reference]

Prints what the programs contained, each failing program made small with its seed, and last `N passed,
N failed`; a program that uses what teenyc refuses as not built yet is neither, and is counted apart.
Exit status 1 where one failed. --reference runs only the plain C, under sanitizers: what they find is
a mistake of the generator's.
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys
import time
from collections import Counter

from generator import FEATURES, generate
from harness import FAILED, PASSED, REFUSED, Harness
from histogram import Histogram
from minimise import minimise
from print_kernel import print_kernel

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
PROGRAMS_A_FILE = 50
SHOWN_FAILURES = 5


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--include", default=str(INCLUDE))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--without", default="", help=f"of {', '.join(FEATURES)}")
    parser.add_argument("--stop", action="store_true", help="at the first failure, as it is")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--minimise-seconds", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def run_file(harness, seeds, features):
    programs = [(f"k{seed}", generate(seed, features)) for seed in seeds]
    results = harness.run(programs)
    return [(program, *results[name]) for name, program in programs if name in results]


def show_failure(harness, program, message, seconds):
    print(f"\nseed {program.seed}: {message}")
    if seconds:
        program, message = minimise(harness, program, message, seconds)
        print(f"made small in {seconds:.0f} s at most: {message}")
    print("\n" + print_kernel(program, f"k{program.seed}") + "\n", flush=True)


def main():
    options = parse()
    without = [each for each in options.without.split(",") if each]
    unknown = [each for each in without if each not in FEATURES]
    if unknown:
        sys.exit(f"there is no feature {unknown[0]}: {', '.join(FEATURES)}")
    features = [each for each in FEATURES if each not in without]
    harness = Harness(options)
    histogram, counts, refusals, failures = Histogram(), Counter(), Counter(), []
    begin = time.monotonic()
    end = options.seed + options.count
    files = [range(first, min(first + PROGRAMS_A_FILE, end))
             for first in range(options.seed, end, PROGRAMS_A_FILE)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run_file, harness, seeds, features) for seeds in files]
        for each in concurrent.futures.as_completed(waiting):
            if each.cancelled():
                continue
            for program, status, message in each.result():
                counts[status] += 1
                histogram.add(program)
                if status == REFUSED:
                    refusals[message] += 1
                if status == FAILED:
                    failures.append((program, message))
            if failures and options.stop:
                for other in waiting:
                    other.cancel()
    seconds = time.monotonic() - begin
    print("\n".join(histogram.lines()))
    for message, count in refusals.most_common():
        print(f"refused {count}: {message}")
    failures.sort(key=lambda failure: failure[0].seed)
    limit = 0 if options.stop else options.minimise_seconds
    for program, message in failures[:SHOWN_FAILURES]:
        show_failure(harness, program, message, limit)
    for program, message in failures[SHOWN_FAILURES:]:
        print(f"seed {program.seed}: {message}")
    print(f"seeds {options.seed} to {end - 1} in {seconds:.0f} s, {counts[REFUSED]} refused")
    print(f"{counts[PASSED]} passed, {counts[FAILED]} failed")
    return 1 if counts[FAILED] or not counts[PASSED] else 0


if __name__ == "__main__":
    sys.exit(main())
