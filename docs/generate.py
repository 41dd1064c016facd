#!/usr/bin/env python3
"""Writes the parts of the documentation that commands make.

    generate.py --build DIR [--check] [FILE.md ...]

A page says what stands in a code block by a comment before it:

    <!-- run: teenyc examples/01-vector-add/vector_add.c --target sm_90a --emit ttir | sed 's/ loc(.*//' -->
    ```mlir
    ...
    ```

The command runs in a shell at the root of the sources, with the build's programs on PATH; its output
replaces what is in the block. With --check nothing is written, and the exit status is 1 where a page
differs from what its commands print. `<!-- check: COMMAND -->` only has to succeed. A block of C behind
`<!-- kernels -->` must pass gcc, clang and `teenyc --check`. Blocks of C behind `<!-- steps -->` are put
into docs/steps.c, each as a function of its own, which must compile and run on cpu and emu. A page that begins with `<!-- page: COMMAND -->`
is, but for this line, all that the command prints.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- run: (?P<command>.*?) -->\n```(?P<language>\w*)\n)(?P<body>.*?)(```\n)", re.S)
PAGE = re.compile(r"\A<!-- page: (?P<command>.*?) -->\n")
KERNELS = re.compile(r"<!-- kernels -->\n```c\n(?P<code>.*?)```\n", re.S)
STEPS = re.compile(r"<!-- steps -->\n```c\n(?P<code>.*?)```\n", re.S)
CHECK = re.compile(r"<!-- check: (?P<command>.*?) -->", re.S)


def output_of(command, build):
    environment = dict(os.environ)
    programs = [f"{build}/bin", f"{build}/examples"]
    environment["PATH"] = os.pathsep.join([*programs, environment["PATH"]])
    environment["BUILD"] = str(build)
    environment["LC_ALL"] = "C"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=ROOT, env=environment,
        capture_output=True, text=True,
    )
    if done.returncode != 0:
        sys.exit(f"this command failed ({done.returncode}): {command}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_kernels(code, build):
    """Compiles a block of kernels as a reader would, and lets teenyc check it."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        if "#include" not in code:
            file.write("#include <teeny/kernel.h>\n")
        file.write(code)
        file.flush()
        flags = "-std=c11 -Wall -Wextra -Werror -Iinclude -fsyntax-only"
        output_of(f"gcc {flags} {file.name}", build)
        output_of(f"clang-22 -flax-vector-conversions=integer {flags} {file.name}", build)
        output_of(f"teenyc --check {file.name}", build)


def run_steps(pieces, build):
    """Compiles a page's steps into one program, and runs it."""
    functions = "\n".join(
        f"static void piece_{i}(void)\n{{\n{code}}}\n" for i, code in enumerate(pieces))
    calls = "".join(f"piece_{i}();\n" for i in range(len(pieces)))
    program = (ROOT / "docs/steps.c").read_text()
    program = program.replace("/* pieces */", functions).replace("/* calls */", calls)
    with tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "steps.c").write_text(program)
        output_of(
            f"gcc -std=gnu17 -Wall -Wextra -Werror -Iinclude {directory}/steps.c {build}/lib/libteeny.a"
            f" -lpthread -ldl -o {directory}/steps", build)
        for device in ("cpu", "emu"):
            output_of(
                f"TEENYC_PATH={build}/bin/teenyc TEENYC_CACHE_DIR={directory}/cache"
                f" TEENY_AUTO_DEVICE={device} {directory}/steps", build)


def with_outputs(text, build):
    def replace(match):
        body = output_of(match["command"], build)
        if body and not body.endswith("\n"):
            body += "\n"
        return f"{match[1]}{body}{match[5]}"

    page = PAGE.match(text)
    if page:
        return page[0] + output_of(page["command"], build)
    for match in CHECK.finditer(text):
        output_of(match["command"], build)
    for match in KERNELS.finditer(text):
        check_kernels(match["code"], build)
    pieces = [match["code"] for match in STEPS.finditer(text)]
    if pieces:
        run_steps(pieces, build)
    return BLOCK.sub(replace, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    pages = [pathlib.Path(page) for page in options.pages]
    if not pages:
        pages = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")])

    stale = 0
    for page in pages:
        old = page.read_text()
        new = with_outputs(old, build)
        if old == new:
            continue
        stale += 1
        if options.check:
            name = str(page)
            difference = difflib.unified_diff(
                old.splitlines(True), new.splitlines(True), name, f"{name} as its commands print it")
            sys.stdout.writelines(difference)
        else:
            page.write_text(new)
            print(f"wrote {page}")
    if options.check:
        print(f"{len(pages) - stale} passed, {stale} failed")
        return 1 if stale else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
