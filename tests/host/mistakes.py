#!/usr/bin/env python3
"""Who refuses which mistake: every case of mistakes.txt under every compiler, beside what it says.

    mistakes.py --teenyc PROGRAM --include DIRECTORY [--only PATTERN]
    mistakes.py --page

teenyc's first error, and what belongs to a host compiler's first, must name the line of the mistake. A
compiler that is not installed is skipped, with a line that says so. --page prints docs/host-check.md from
mistakes.txt, which the test shows to be so.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TEMPLATE = """#include <teeny/kernel.h>
static i32 of_the_file = 3;
static f32 function_of_the_file(f32 x) {{ return x + (f32)of_the_file; }}
TEENY_KERNEL(k, (f32 *out, const f32 *x, const i32 *q, const u32 *u, f16 *h, bf16 *b, bool *flags,
                 i32 *count, i32 n, f32 f, bf16 bs, bool flag), META(BLOCK = 64), {{
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x, i);
    tl_tile(f16, BLOCK) hv = tl_load(h, i);
    tl_tile(bf16, BLOCK) bv = tl_load(b, i);
    tl_tile(i64, BLOCK) w = tl_zeros(i64, BLOCK);
    i64 wide = n;
{body}
}});
f32 keep_the_function(f32 x);
f32 keep_the_function(f32 x) {{ return function_of_the_file(x); }}
"""

FILE = "#include <teeny/kernel.h>\n{body}\n"

LAUNCH = """#include <teeny/kernel.h>
#include <teeny/teeny.h>
TEENY_KERNEL(k, (f32 *out, const f32 *x, const i32 *q, const u32 *u, f16 *h, bf16 *b, bool *flags,
                 i32 *count, i32 n, f32 f, bf16 bs, bool flag), META(BLOCK = 64), {{ out[0] = f; }});
teeny_status host(teeny_stream *stream, teeny_function *function, teeny_grid grid, i32 n, i64 wide,
    void *device, f32 *of_f32, const f32 *of_const_f32, i32 *of_i32, bf16 bs);
teeny_status host(teeny_stream *stream, teeny_function *function, teeny_grid grid, i32 n, i64 wide,
    void *device, f32 *of_f32, const f32 *of_const_f32, i32 *of_i32, bf16 bs)
{{
    teeny_status status = TEENY_OK;
{body}
    (void)stream, (void)function, (void)grid, (void)n, (void)wide, (void)device, (void)of_f32;
    (void)of_const_f32, (void)of_i32, (void)bs;
    return status;
}}
"""

CPP = """#include <teeny/teeny.h>
TEENY_KERNEL_DECLARE(k, (f32 *out, const f32 *x, i32 n), META(BLOCK = 64));
teeny_status host(teeny_stream *stream, teeny_function *function, teeny_grid grid, i32 n, i64 wide,
    void *device, f32 *out, const f32 *x);
teeny_status host(teeny_stream *stream, teeny_function *function, teeny_grid grid, i32 n, i64 wide,
    void *device, f32 *out, const f32 *x)
{{
    teeny_status status = TEENY_OK;
{body}
    (void)stream, (void)function, (void)grid, (void)n, (void)wide, (void)device, (void)out, (void)x;
    return status;
}}
"""

LAX, NONE = "-flax-vector-conversions=integer", "-flax-vector-conversions=none"
COMPILERS = {
    "gcc": ["gcc"],
    "clang-14": ["clang-14", LAX],
    "clang-14-plain": ["clang-14"],
    "clang-14-none": ["clang-14", NONE],
    "clang-22": ["clang-22", LAX],
    "clang-22-plain": ["clang-22"],
    "clang-22-none": ["clang-22", NONE],
}
FLAGS = ["-std=gnu17", "-Wall", "-Wextra", "-c", "-o", os.devnull]
CPP_COMPILERS = ["g++", "clang++-14", "clang++-22"]
CPP_FLAGS = ["-std=c++17", *FLAGS[1:]]


class Case:
    def __init__(self, name, lines):
        self.name = name
        self.is_right = self.is_launch = self.is_cpp = False
        self.exceptions, self.elsewhere = set(), set()
        template, at = TEMPLATE, 1
        while lines:
            words = lines[0].split()
            if lines[0] == "right":
                self.is_right = True
            elif words[:2] == ["accepted", "by"] or words[:2] == ["refused", "by"]:
                self.exceptions = set(words[2:])
            elif words[:1] == ["at"]:
                at = int(words[1])
            elif words[:1] == ["elsewhere"]:
                self.elsewhere = set(words[1:])
            elif lines[0] == "file":
                template = FILE
            elif lines[0] == "launch":
                template, self.is_launch = LAUNCH, True
            elif lines[0] == "c++":
                template, self.is_cpp = CPP, True
            else:
                break
            lines = lines[1:]
        self.text = template.format(body="\n".join(lines))
        self.line = template.split("{body}")[0].count("\n") + at
        ends = [i for i in range(at, len(lines)) if lines[i - 1].endswith((";", "}", "{"))]
        self.last_line = self.line + (ends[0] if ends else len(lines)) - at

    def concerns(self, compiler):
        if self.is_cpp or compiler in CPP_COMPILERS:
            return self.is_cpp and compiler in CPP_COMPILERS
        return compiler != "teenyc" or not self.is_launch

    def names_line(self, errors):
        """Whether what a compiler said first, an error with its context, names the mistake's line."""
        parts = re.split(r"^(?=.+: (?:fatal )?error: )", errors, flags=re.M)
        first = "".join(parts[:2])
        lines = {int(line) for line in re.findall(r"^\S*\.(?:c|cpp):(\d+):", first, re.M)}
        return not lines.isdisjoint(range(self.line, self.last_line + 1))

    def is_expected(self, compiler, is_accepted):
        return is_accepted == (self.is_right != (compiler in self.exceptions))


def read_cases(path):
    parts = re.split(r"^== (.*)\n", path.read_text(), flags=re.M)
    return [Case(name, text.rstrip().split("\n")) for name, text in zip(parts[1::2], parts[2::2])]


COLUMNS = {
    "gcc": "gcc", "clang-14-plain": "clang 14", "clang-14": "clang 14 `integer`",
    "clang-14-none": "clang 14 `none`", "clang-22-plain": "clang 22", "clang-22": "clang 22 `integer`",
    "clang-22-none": "clang 22 `none`", "teenyc": "teenyc --check",
}
PAGE = """# What host compilers check

A kernel is C: the compiler that a program is built with checks it, and `teenyc --check` checks it for good.
The tables say who refuses what, of {right} right kernels and {wrong} with one mistake each. They are made
from `tests/host/mistakes.txt`, where the kernels are; `make check` runs every compiler over every one.

gcc is 12, without flags; clang is 14 and 22, without flags, with `-flax-vector-conversions=integer`, the
flag to use, and with `=none`. `none` sees more, and refuses right kernels where lanes of 8 or
64 bits meet a comparison. Where two tiles have one size in bytes clang mixes them by default. `teenyc --check`
refuses every mistake, at its line, and accepts every right kernel.
"""


def print_rows(cases, columns):
    print(f"\n| | {' | '.join(columns.values())} |\n|---|{'---|' * len(columns)}")
    for case in cases:
        cells = ["refused" if case.is_expected(name, False) else "**accepted**" for name in columns]
        print(f"| {case.name} | {' | '.join(cells)} |")
    refused = [sum(case.is_expected(name, False) for case in cases) for name in columns]
    print(f"| **of {len(cases)}** | {' | '.join(str(count) for count in refused)} |")


def print_page(cases):
    kernels = [case for case in cases if not case.is_launch and not case.is_cpp]
    wrong = [case for case in kernels if not case.is_right]
    right = [case for case in kernels if case.is_right]
    pairs = [case for case in wrong if case.name.startswith("pair ")]
    print(PAGE.format(right=len(right), wrong=len(wrong)), end="")
    print("\n## Tiles of one size in bytes")
    print_rows(pairs, COLUMNS)
    print("\n## All other mistakes in kernels")
    print_rows([case for case in wrong if case not in pairs], COLUMNS)
    print("\n## Mistakes in launches")
    print_rows([case for case in cases if case.is_launch and not case.is_right],
               {name: column for name, column in COLUMNS.items() if name != "teenyc"})
    print("\nA long or size_t for an i32 is no mistake in C: it is cut silently, as in any call; -Wconversion\n"
          "warns. C++ refuses it, unless it is a constant that fits.")
    print("\nIn C++ g++, clang++ 14 and clang++ 22 refuse all of:\n")
    for case in cases:
        if case.is_cpp and not case.is_right:
            print(f"- {case.name}")
    print("\n## Right kernels\n\nAccepted by all, but for those that are named:\n")
    for case in right:
        but = [COLUMNS[name] for name in COLUMNS if name in case.exceptions]
        print(f"- {case.name}" + (f": not by {', '.join(but)}" if but else ""))


def compilers_of(options):
    """Name to command, without the file."""
    found = {}
    for name, command in COMPILERS.items():
        if shutil.which(command[0]):
            found[name] = [*command, "-I", options.include, *FLAGS]
        else:
            print(f"{name} is not installed: skipped")
    for name in filter(shutil.which, CPP_COMPILERS):
        found[name] = [name, "-I", options.include, *CPP_FLAGS]
    found["teenyc"] = [options.teenyc, "--check"]
    return found


def is_accepted(compiler, command, file):
    done = subprocess.run([*command, file], capture_output=True, text=True, timeout=60)
    if compiler == "teenyc" and done.returncode not in (0, 1):
        raise RuntimeError(f"teenyc ends with {done.returncode}: {done.stderr}")
    return done.returncode == 0, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc")
    parser.add_argument("--include")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()

    cases = read_cases(pathlib.Path(__file__).with_name("mistakes.txt"))
    if options.page:
        print_page(cases)
        return 0
    cases = [case for case in cases if re.search(options.only, case.name)]
    compilers = compilers_of(options)
    passed, failed, refused = 0, 0, {name: 0 for name in compilers}

    def run(directory, number, compiler):
        case = cases[number]
        if not case.concerns(compiler):
            return None
        file = os.path.join(directory, f"{number}.{'cpp' if case.is_cpp else 'c'}")
        return is_accepted(compiler, compilers[compiler], file)

    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, case in enumerate(cases):
            suffix = "cpp" if case.is_cpp else "c"
            pathlib.Path(directory, f"{number}.{suffix}").write_text(case.text)
        jobs = {(number, compiler): pool.submit(run, directory, number, compiler)
                for number in range(len(cases)) for compiler in compilers}
        for number, case in enumerate(cases):
            for compiler in compilers:
                result = jobs[number, compiler].result()
                if result is None:
                    continue
                accepted, errors = result
                refused[compiler] += not accepted
                names_line = (accepted or case.is_right or
                              case.names_line(errors) == (compiler not in case.elsewhere))
                if case.is_expected(compiler, accepted) and names_line:
                    passed += 1
                    continue
                failed += 1
                print(f"{case.name}: {compiler} {'accepts' if accepted else 'refuses'} it" if names_line else
                      f"{case.name}: {compiler} and line {case.line}: not as said")
                print("".join(f"    {line}\n" for line in errors.splitlines()[:6]), end="")

    wrong = sum(not case.is_right for case in cases)
    print(f"{wrong} mistakes, refused by " +
          ", ".join(f"{name} {count}" for name, count in refused.items()))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
