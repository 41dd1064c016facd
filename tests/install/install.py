#!/usr/bin/env python3
"""What `make install` installs, used as a stranger would.

    install.py --build DIRECTORY

Installs into a new prefix, moves it elsewhere, and builds a project out of the tree against it by
pkg-config and by CMake, with gcc and clang, in C and C++, and the example of docs/deployment. The programs run on the cpu device: they find
the installed teenyc by themselves, or need none. A tool that is not installed is skipped, with a line
that says so.
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

PROJECT = pathlib.Path(__file__).parent / "project"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEVEL = "aarch64" if platform.machine() == "aarch64" else "x86-64"
HAS_PTXAS = shutil.which("ptxas") or pathlib.Path("/usr/local/cuda/bin/ptxas").exists()
EMBED = "cubin,ptx" if HAS_PTXAS else "ptx"
EXPECTED = """bin/teeny bin/teenyc lib/libteeny.a lib/libteeny.so lib/libteeny.so.0 lib/libteeny.so.0.1.0
    lib/cmake/teeny/teeny-config.cmake lib/cmake/teeny/teeny-config-version.cmake
    lib/cmake/teeny/teeny-kernels.cmake lib/cmake/teeny/teeny-targets.cmake
    lib/pkgconfig/teeny.pc lib/pkgconfig/teeny-clang.pc
    lib/teeny/toolchains/teenyc-0.1.0/bin/teenyc
    share/man/man1/teeny.1 share/man/man1/teenyc.1 share/doc/teeny/LICENSE share/doc/teeny/NOTICE""".split()
COMPILERS = {"gcc": ("g++", "teeny"), "clang-22": ("clang++-22", "teeny-clang")}


class Installation(Runner):
    def __init__(self, build, directory):
        super().__init__(directory)
        self.build, self.prefix = pathlib.Path(build).resolve(), self.directory / "moved"

    def run_program(self, name, program, **more):
        """With nothing in the environment that leads to a teenyc."""
        home = self.directory / "nobody"
        home.mkdir(exist_ok=True)
        cache = self.directory / f"cache of {name}"
        environment = {"HOME": str(home), "PATH": str(home), "TEENYC_CACHE_DIR": str(cache), **more}
        self.check(f"{name} runs", [program, "cpu"], "right", env=environment)


def install(runner):
    first = runner.directory / "first"
    runner.output("install", ["cmake", "--install", runner.build, "--prefix", first, "--strip"])
    first.rename(runner.prefix)
    dynamic = runner.output("the library", ["readelf", "-d", runner.prefix / "lib/libteeny.so.0.1.0"])
    runner.count("soname", "Library soname: [libteeny.so.0]" in (dynamic or ""), dynamic)
    for name in EXPECTED:
        runner.count(f"installed {name}", (runner.prefix / name).exists(), "is not there")
    headers = {each.name for each in (ROOT / "include/teeny").glob("*.h")}
    installed = {each.name for each in (runner.prefix / "include/teeny").iterdir()}
    runner.count("headers", headers == installed, f"{headers ^ installed}")
    pages = {each.name for each in (ROOT / "docs").glob("*.md")}
    installed = {each.name for each in (runner.prefix / "share/doc/teeny/docs").glob("*")}
    runner.count("pages", pages == installed, f"{pages ^ installed}")
    check_no_paths(runner, first)


def check_no_paths(runner, first):
    """Nothing knows where it was installed first, or built."""
    for path in sorted(runner.prefix.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.suffix == ".a":
            continue
        data = path.read_bytes()
        for foreign in [first, runner.build]:
            runner.count(f"{path.name} has no paths", str(foreign).encode() not in data,
                         f"{foreign} is in it")


def stage(runner):
    """DESTDIR is put before the prefix, and leaves no mark."""
    root = runner.directory / "stage"
    runner.output("install with DESTDIR", [
        "cmake", "--install", runner.build, "--prefix", "/usr", "--component", "development"],
        env={**os.environ, "DESTDIR": str(root)})
    runner.count("DESTDIR", (root / "usr/lib/pkgconfig/teeny.pc").exists(), "is not where it belongs")


def check_manual(runner):
    teenyc = (runner.prefix / "share/man/man1/teenyc.1").read_text().replace("\\-", "-")
    teeny = (runner.prefix / "share/man/man1/teeny.1").read_text().replace("\\-", "-")
    options = re.findall(r"--[a-z-]+", runner.output("teenyc's options", [runner.prefix / "bin/teenyc", "--list", "options"]) or "")
    runner.count("teenyc's options", len(options) > 10, f"are {options}")
    for option in options:
        runner.count("teenyc.1", option in teenyc, f"has no {option}")
    text = runner.output("teeny's help", [runner.prefix / "bin/teeny", "--help"]) or ""
    for line in text.splitlines():
        runner.count("teeny.1", line in teeny, f"has no line `{line}`")
    if not shutil.which("mandoc"):
        return runner.skip("the manual's form", "there is no mandoc")
    for page in ["teenyc.1", "teeny.1"]:
        found = runner.call(["mandoc", "-T", "lint", "-W", "warning", runner.prefix / "share/man/man1" / page])
        lines = [each for each in found.stdout.splitlines() if "missing date" not in each]
        runner.count(f"{page}'s form", not lines, "\n".join(lines))


def run_within_prefix(runner, compiler, program):
    """A program with libteeny.a is a part of the prefix wherever in it it lies, and of none elsewhere."""
    for place in ["bin", "libexec/app"]:
        within = runner.prefix / place / "static-app"
        within.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(program, within)
        runner.run_program(f"{compiler} static in {place.replace('/', ' ')}", within)
        within.unlink()
    done = runner.call([program, "cpu"], env={"HOME": "/nonexistent", "PATH": "/nonexistent",
                                              "TEENYC_CACHE_DIR": str(runner.directory / "none")})
    runner.count(f"{compiler} static elsewhere", done.returncode != 0 and "no teenyc was found" in done.stdout,
                 done.stdout)


def use_pkg_config(runner, compiler):
    if not shutil.which("pkg-config"):
        return runner.skip(f"pkg-config, {compiler}", "there is no pkg-config")
    cxx, package = COMPILERS[compiler]
    environment = {**os.environ, "PKG_CONFIG_PATH": str(runner.prefix / "lib/pkgconfig")}
    query = ["pkg-config", "--cflags", "--libs"]
    words = runner.output(f"pkg-config {package}", [*query, package], env=environment).split()
    static = runner.output("pkg-config --static", [*query, "--static", package], env=environment).split()
    strict = ["-Wall", "-Wextra", "-Werror"]
    objects = [runner.directory / "kernels.o"]
    cflags = [each for each in words if each.startswith(("-I", "-f"))]
    runner.check(f"{compiler} kernels.c", [
        compiler, "-std=c17", *strict, *cflags, "-c", PROJECT / "kernels.c", "-o", *objects])
    rpath = f"-Wl,-rpath,{runner.prefix}/lib"
    for kind, command in {
        "shared": [compiler, "-std=c17", PROJECT / "main.c", *objects, *words, rpath],
        "static": [compiler, "-std=c17", PROJECT / "main.c", *objects, "-Wl,-Bstatic", *static, "-Wl,-Bdynamic"],
        "c++": [cxx, "-std=c++17", "-I", PROJECT, "-x", "c++", PROJECT / "main.c", "-x", "none", *objects,
                *[each for each in words if not each.startswith("-f")], rpath],
    }.items():
        program = runner.directory / f"app-{kind}"
        if not runner.check(f"{compiler} {kind}", [*command, *strict, "-o", program]):
            continue
        if kind == "static":
            run_within_prefix(runner, compiler, program)
        else:
            runner.run_program(f"{compiler} {kind}", program)


def configure(runner, compiler, source, build, *more):
    return runner.call([
        "cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={runner.prefix}",
        f"-DCMAKE_C_COMPILER={compiler}",
        f"-DCMAKE_CXX_COMPILER={shutil.which(COMPILERS[pathlib.Path(compiler).name][0])}",
        f"-DLEVEL={LEVEL}", f"-DEMBED={EMBED.replace(',', ';')}", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror", *more])


def use_cmake(runner, compiler):
    source, build = runner.directory / f"project-{compiler}", runner.directory / f"build-{compiler}"
    shutil.copytree(PROJECT, source)
    done = configure(runner, compiler, source, build)
    if not runner.count(f"cmake, {compiler}", done.returncode == 0, done.stdout[-3000:]):
        return
    flags = (build / "build.ninja").read_text()
    runner.count(f"clang's flag, {compiler}",
                 ("-flax-vector-conversions=integer" in flags) == compiler.startswith("clang"), "is wrong")
    runner.count("not as system headers", "-isystem" not in flags, "they are")
    if runner.output(f"ninja, {compiler}", ["ninja", "-C", build]) is None:
        return
    runner.run_program(f"now, {compiler}", build / "now")
    runner.run_program(f"now in C++, {compiler}", build / "now_cxx")
    runner.run_program(f"ahead, {compiler}", build / "ahead", TEENY_NO_COMPILE="1")
    runner.run_program(f"of a library, {compiler}", build / "of_library", TEENY_NO_COMPILE="1")
    for name in ["names.v1.c", "names.v1.h", "names.v2.c", "names.v2.h"]:
        made = build / "many.teeny" / name
        runner.count(f"{name}, {compiler}", made.exists(), "was not made")
    runner.count(f"EMBED, {compiler}", f"--embed {EMBED} " in flags, "is not handed on")
    runner.check(f"nothing to do, {compiler}", ["ninja", "-C", build, "-n"],
                 f"ninja: Entering directory `{build}'\nninja: no work to do.")
    return source, build


def build_example(runner):
    """The project that docs/deployment.md shows."""
    build = runner.directory / "example"
    done = configure(runner, "gcc", ROOT / "docs/deployment", build)
    runner.count("cmake, the example", done.returncode == 0, done.stdout[-3000:])
    if runner.output("ninja, the example", ["ninja", "-C", build]) is None:
        return
    if LEVEL == "aarch64":
        return runner.skip("the example's run", "its image for the cpu is x86-64's")
    runner.check("the example runs", [build / "app"], "2997", env={
        "TEENY_AUTO_DEVICE": "cpu", "TEENY_NO_COMPILE": "1", "HOME": str(runner.directory)})


def follow_changes(runner, source, build):
    """A file that the kernels include is a reason to build, and its mistakes stop the build."""
    factor = source / "factor.h"
    right = factor.read_text()
    factor.write_text(right.replace("FACTOR = 3", "FACTOR = 4"))
    done = runner.output("an include changed", ["ninja", "-C", build]) or ""
    runner.count("what an include reaches is made again",
                 "Checking kernels of kernels.c" in done and "Compiling kernels of kernels.c" in done, done)
    done = runner.call([build / "ahead", "cpu"])
    runner.count("the new factor", done.returncode == 2, f"exit status {done.returncode}")
    factor.write_text(right)
    kernels = source / "kernels.c"
    kernels.write_text(kernels.read_text().replace("i < n);\n});", "i < n);\n    again: goto again;\n});"))
    done = runner.call(["ninja", "-C", build, "-k", "0"])
    line = 1 + kernels.read_text().splitlines().index("    again: goto again;")
    runner.count("a mistake's place", done.returncode != 0 and f"kernels.c:{line}:" in done.stdout,
                 done.stdout[-3000:])


def refuse_misuse(runner):
    for number, (files, targets, part) in enumerate([
            ("kernels.c", "sm_80", "take it off the sources of wrong"),
            ("no/such.c", "sm_80", "there is no file "),
            ("other/names.c;names.c", "sm_80", "other/names.c and "),
            ("kernels.c", "", "TARGETS names no target"),
    ]):
        done = configure(runner, "gcc", PROJECT, runner.directory / f"wrong{number}", f"-DWRONG={files}",
                         f"-DWRONG_TARGETS={targets}")
        words = " ".join(done.stdout.split())
        runner.count(f"{files} as kernels for '{targets}'", done.returncode != 0 and part in words, done.stdout[-3000:])
    bare = runner.directory / "bare"
    for component in ["runtime", "development"]:
        runner.output(f"install {component} alone", [
            "cmake", "--install", runner.build, "--prefix", bare, "--component", component])
    done = configure(runner, shutil.which("gcc"), PROJECT, runner.directory / "none",
                     f"-Dteeny_DIR={bare}/lib/cmake/teeny", "-DCMAKE_PREFIX_PATH=",
                     "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF", "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF",
                     "-DCMAKE_MAKE_PROGRAM=" + shutil.which("ninja"))
    words = " ".join(done.stdout.split())
    runner.count("no teenyc", done.returncode != 0 and "there is no teenyc: set TEENYC" in words,
                 done.stdout[-3000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        runner = Installation(options.build, pathlib.Path(directory).resolve())
        install(runner)
        stage(runner)
        check_manual(runner)
        built = None
        for compiler in COMPILERS:
            if not shutil.which(compiler):
                runner.skip(compiler, "it is not installed")
                continue
            use_pkg_config(runner, compiler)
            built = use_cmake(runner, compiler)
        if built:
            follow_changes(runner, *built)
        build_example(runner)
        refuse_misuse(runner)
    sys.exit(runner.finish())


if __name__ == "__main__":
    main()
