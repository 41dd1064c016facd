#!/usr/bin/env python3
"""Prints random programs as the C file that runner.c runs: the kernel, and the same as plain C.

    generate.py --seed S [--count N] [--without FEATURE,...]
"""

import argparse

from generator import FEATURES, generate
from source import print_file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--without", default="")
    options = parser.parse_args()
    without = options.without.split(",")
    features = [each for each in FEATURES if each not in without]
    seeds = range(options.seed, options.seed + options.count)
    print(print_file([(f"k{seed}", generate(seed, features)) for seed in seeds]), end="")


if __name__ == "__main__":
    main()
