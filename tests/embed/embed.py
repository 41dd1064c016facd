#!/usr/bin/env python3
"""teenyc --emit c, to the end: programs built of what it wrote and of libteeny alone, and run.

    embed.py --teenyc PROGRAM --include DIRECTORY --lib DIRECTORY

The pair of files must pass every host compiler with all warnings, as C17 and, the header, as C++17;
wrong launches must not. The program runs on the devices cpu and emu with no teenyc in reach and
without leaving anything in a cache. A compiler that is not installed, or ptxas where it is missing, is
skipped, with a line that says so.
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import Runner

SOURCE = pathlib.Path(__file__).parent
LEVEL = "aarch64" if platform.machine() == "aarch64" else "x86-64"
TARGETS = f"sm_90a,sm_80,{LEVEL},emu"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# A scalar f16 is no parameter type for clang 14 on x86: its kernels are built without that one.
COMPILERS = {"gcc": [], "clang-22": [], "clang-14": ["vector_add"]}
CXX = {"gcc": "g++", "clang-22": "clang++-22"}

MISTAKES = {
    "an argument too few": "vector_add_launch(stream, grid, f, f, f)",
    "an argument too many": "vector_add_launch(stream, grid, f, f, f, 1, 1)",
    "a pointer to another type": "vector_add_launch(stream, grid, d, f, f, 1)",
    "a const pointer that is written to": "vector_add_launch(stream, grid, c, f, f, 1)",
    "a view of another rank": "add_blocks_launch(stream, grid, one, two, 0)",
    "no grid": "vector_add_launch(stream, f, f, f, 1)",
}
MISTAKE = """#include "kernels.h"
teeny_status wrong(teeny_stream *stream, teeny_grid grid, f32 *f, f64 *d, const f32 *c,
    tl_tensor(f32, 1) one, tl_tensor(f32, 2) two);
teeny_status wrong(teeny_stream *stream, teeny_grid grid, f32 *f, f64 *d, const f32 *c,
    tl_tensor(f32, 1) one, tl_tensor(f32, 2) two)
{
    (void)stream, (void)grid, (void)f, (void)d, (void)c, (void)one, (void)two;
    return %s;
}
"""


def emit(runner, name, *more):
    return runner.check(f"emit {name}", [
        runner.options.teenyc, SOURCE / "kernels.c", "--target", TARGETS, "--emit", "c",
        "-o", runner.directory / f"{name}.c", *more])


def bare_environment(runner):
    """No teenyc, and a cache directory that is not there yet."""
    home = runner.directory / "nobody"
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "XDG_DATA_HOME": str(home), "PATH": str(home),
            "TEENYC_CACHE_DIR": str(runner.directory / "cache"), "TEENY_NO_COMPILE": "1"}


def run_program(runner, name, program):
    for device in ["cpu", "emu"]:
        runner.check(f"{name} on {device}", [program, device], "right", env=bare_environment(runner))
    runner.count(f"{name}: the cache", not (runner.directory / "cache").exists(), "was made")


def build_and_run(runner, compiler):
    include, library = f"-I{runner.options.include}", pathlib.Path(runner.options.lib)
    flags = [include, "-I.", "-O1", *STRICT]
    for standard in ["c17", "gnu17", "c11"]:
        runner.check(f"{compiler} {standard}", [
            compiler, f"-std={standard}", *flags, "-c", "kernels.c", "-o", f"{compiler}.o"])
    for kind, libraries in [("static", [library / "libteeny.a"]),
                            ("shared", [f"-L{library}", "-lteeny", f"-Wl,-rpath,{library}"])]:
        program = runner.directory / f"{compiler}-{kind}"
        built = runner.check(f"{compiler} {kind}", [
            compiler, "-std=c17", *flags, SOURCE / "app.c", "kernels.c", "-o", program, *libraries,
            "-lpthread"])
        if built:
            run_program(runner, f"{compiler} {kind}", program)


def build_and_run_cxx(runner, compiler):
    cxx, program = CXX[compiler], runner.directory / f"{compiler}-cxx"
    built = runner.check(f"{cxx}", [
        cxx, "-std=c++17", f"-I{runner.options.include}", "-I.", "-O1", *STRICT, "-x", "c++",
        SOURCE / "app.c", "-x", "none", f"{compiler}.o", "-o", program,
        pathlib.Path(runner.options.lib) / "libteeny.a", "-lpthread"])
    if built:
        run_program(runner, cxx, program)


def refuse_mistakes(runner, compiler):
    """A function's mistakes are warnings where C has it so; TEENY_LAUNCH's never are."""
    right = "vector_add_launch(stream, grid, f, f, f, 1)"
    for name, call in {"no mistake": right, **MISTAKES}.items():
        macro = re.sub(r"(\w+)_launch\(stream, ", r"TEENY_LAUNCH(\1, stream, ", call)
        for kind, text, more in [("function", call, ["-Werror"]), ("macro", macro, [])]:
            (runner.directory / "mistake.c").write_text(MISTAKE % text)
            done = runner.call([compiler, "-std=c17", f"-I{runner.options.include}", *more,
                                "-fsyntax-only", "mistake.c"])
            is_right = (done.returncode == 0) == (name == "no mistake")
            runner.count(f"{compiler}, {kind}: {name}", is_right,
                         f"exit status {done.returncode}\n{done.stdout}")


def compare_runs(runner):
    """The same bytes each time, from any directory."""
    emit(runner, "again", "--specialise", "*=16", "--specialise", "*=16,n=1", "--kernel", "vector_add")
    once = (runner.directory / "again.c").read_bytes()
    emit(runner, "again", "--specialise", "*=16", "--specialise", "*=16,n=1", "--kernel", "vector_add")
    runner.count("the same bytes", once == (runner.directory / "again.c").read_bytes(), "differ")


def embed_cubins(runner):
    ptxas = shutil.which("ptxas") or pathlib.Path("/usr/local/cuda/bin/ptxas")
    if not pathlib.Path(ptxas).exists():
        return runner.skip("cubins", "there is no ptxas")
    emit(runner, "cubins", "--embed", "cubin,ptx", "--kernel", "vector_add")
    text = (runner.directory / "cubins.c").read_text()
    runner.count("cubins", text.count('"cubin", ') == 2 and "{\n    127,69,76,70," in text, "are none")
    runner.check("cubins compile", [
        "gcc", "-std=c17", f"-I{runner.options.include}", *STRICT, "-c", "cubins.c"])


def compile_names(runner, compiler):
    """Names that C, C++ or the text itself have for something else; two headers of one name."""
    flags = [f"-I{runner.options.include}", "-I.", *STRICT]
    for directory, kernel in {"x": "launch", "y": "class"}.items():
        (runner.directory / directory).mkdir(exist_ok=True)
        runner.check(f"emit {directory}/names", [
            runner.options.teenyc, SOURCE / "names.c", "--kernel", kernel, "--target", TARGETS, "--emit", "c",
            "-o", f"{directory}/names.c"])
        runner.check(f"{compiler}: {directory}/names.c", [
            compiler, "-std=c17", *flags, "-c", f"{directory}/names.c", "-o", "names.o"])
    runner.check(f"{compiler}: names", [
        compiler, "-std=c17", *flags, "-fsyntax-only", SOURCE / "use_names.c"])
    runner.check(f"{CXX[compiler]}: names", [
        CXX[compiler], "-std=c++17", *flags, "-fsyntax-only", "-x", "c++", SOURCE / "use_names.c"])


def run_all(runner):
    for compiler, kernels in COMPILERS.items():
        if not shutil.which(compiler):
            runner.skip(compiler, "it is not installed")
        elif kernels:
            emit(runner, "kernels", "--kernel", *kernels)
            runner.check(f"{compiler}", [
                compiler, "-std=c17", f"-I{runner.options.include}", *STRICT, "-c", "kernels.c"])
        else:
            emit(runner, "kernels", "--specialise", "*=16")
            build_and_run(runner, compiler)
            build_and_run_cxx(runner, compiler)
            refuse_mistakes(runner, compiler)
            compile_names(runner, compiler)
    compare_runs(runner)
    embed_cubins(runner)


def main():
    parser = argparse.ArgumentParser()
    for name in ["teenyc", "include", "lib"]:
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    options.teenyc, options.include, options.lib = map(
        os.path.abspath, [options.teenyc, options.include, options.lib])
    with tempfile.TemporaryDirectory() as directory:
        runner = Runner(directory)
        runner.options = options
        run_all(runner)
    sys.exit(runner.finish())


if __name__ == "__main__":
    main()
