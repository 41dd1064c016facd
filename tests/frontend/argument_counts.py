#!/usr/bin/env python3
"""Each operation called with fewer and with more arguments than it takes.

    argument_counts.py --teenyc PROGRAM

The operations are those of `teenyc --list ops`. For each, kernels call it with no argument, with one
less than the least and with one more than the most: teenyc must say once, at the operation's name, how
many it takes and how it is called, and nothing else.
"""

import argparse
import re
import subprocess
import sys
import tempfile

SECONDS = 60
USAGE = re.compile(r"(tl_(\w+)\(((?:[^()]|\([^()]*\))*)\))")
KERNEL = "TEENY_KERNEL({kernel}, (f32 *p), META(), {{ tl_tile(f32, 8) x = {call}; }});"


def limits(parameters):
    """The least and the most arguments; None where there is no most. "(i, ...)" is one."""
    flat = re.sub(r"\([^()]*\)", "block", parameters)
    required, _, optional = flat.partition("[")
    endless = "..." in flat
    count = lambda text: len([word for word in text.split(",") if word.strip(" []")])
    return count(required), None if endless else count(required) + count(optional)


def plural(number):
    return f"{number} argument" + ("" if number == 1 else "s")


def wanted(least, most):
    if most is None:
        return f"{plural(least)} or more"
    return plural(least) if least == most else f"{least} to {most} arguments"


def calls(usages):
    for usage, name, parameters in usages:
        least, most = limits(parameters)
        for count in sorted({0, least - 1} | ({most + 1} if most else set())):
            text = f"tl_{name} takes {wanted(least, most)}, not {count}: {usage}"
            yield f"{name}_with_{count}", f"tl_{name}({', '.join(['p'] * count)})", text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    teenyc = parser.parse_args().teenyc
    listed = subprocess.run([teenyc, "--list", "ops"], capture_output=True, text=True, check=True)
    made = list(calls(USAGE.search(line).groups() for line in listed.stdout.splitlines()))
    lines = ["#include <teeny/kernel.h>"]
    lines += [KERNEL.format(kernel=kernel, call=call) for kernel, call, text in made]
    failed = 0
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        print("\n".join(lines), file=file, flush=True)
        for number, (kernel, call, text) in enumerate(made, 2):
            done = subprocess.run([teenyc, "--check", file.name, "--kernel", kernel],
                                  capture_output=True, text=True, timeout=SECONDS)
            column = lines[number - 1].index(call) + 1
            expected = f"{file.name}:{number}:{column}: error: {text}"
            said = [line for line in done.stderr.splitlines() if "error:" in line]
            if done.returncode != 1 or said != [expected]:
                failed += 1
                print(f"{call}: expected\n{expected}\nfound\n{done.stderr}")
    print(f"{len(made) - failed} passed, {failed} failed")
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
