#!/usr/bin/env python3
"""A program of C and C++ files that share kernels, built in every way that a program is.

    program.py --teenyc PROGRAM --include DIRECTORY --lib DIRECTORY [--only PATTERN]

program/ has kernels in two files with a helper in a header, and launches them from C and from C++17.
Each build is checked (what the kernels left in it) and run on the cpu device, with an empty cache and
teenyc, and with the filled cache and no teenyc at all. As a shared library the kernels are opened at
run time. A compiler or linker that is not installed is skipped, with a line that says so.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import Runner

SOURCE = pathlib.Path(__file__).with_name("program")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
C_FILES = ["kernels.c", "more_kernels.c", "engine.c", "describe.c", "main.c"]
LAX = "-flax-vector-conversions=integer"
SECTIONS = ["-ffunction-sections", "-fdata-sections"]
GC = ["-Wl,--gc-sections"]

TOOLCHAINS = {
    "gcc": (["gcc"], ["g++"]),
    "clang-14": (["clang-14", LAX], ["clang++-14"]),
    "clang-22": (["clang-22", LAX], ["clang++-22"]),
}

# name, toolchains, compile flags, link flags
BUILDS = [
    ("plain -O0", ["gcc", "clang-14", "clang-22"], ["-O0"], []),
    ("plain -O3", ["gcc", "clang-14", "clang-22"], ["-O3", "-g"], []),
    ("c11", ["gcc", "clang-22"], ["-O1", "-std=c11"], []),
    ("sections, ld", ["gcc", "clang-14", "clang-22"], ["-O2", *SECTIONS], ["-fuse-ld=bfd", *GC]),
    ("sections, gold", ["gcc", "clang-14", "clang-22"], ["-O2", *SECTIONS], ["-fuse-ld=gold", *GC]),
    ("sections, lld", ["gcc", "clang-14", "clang-22"], ["-O2", *SECTIONS], ["-fuse-ld=lld", *GC]),
    ("sections, lld, icf", ["clang-22"], ["-O2", *SECTIONS], ["-fuse-ld=lld", *GC, "-Wl,--icf=all"]),
    ("lto", ["gcc"], ["-O2", "-flto"], []),
    ("lto, lld", ["clang-22"], ["-O2", "-flto", *SECTIONS], ["-fuse-ld=lld", *GC]),
    ("no pie", ["gcc", "clang-22"], ["-O2", "-fno-pie"], ["-no-pie"]),
    ("address sanitizer", ["gcc"], ["-O1", "-g", "-fsanitize=address,undefined"],
     ["-fsanitize=address,undefined"]),
]
LINKERS = {"-fuse-ld=gold": "ld.gold", "-fuse-ld=lld": "ld.lld", "-fuse-ld=bfd": "ld.bfd"}


class Program(Runner):
    def __init__(self, options, directory):
        super().__init__(directory)
        self.options = options

    def environment(self, cache, teenyc):
        """Of a run: where teenyc is, or that there is none anywhere."""
        keep = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        home = self.directory / "nobody"
        home.mkdir(exist_ok=True)
        keep |= {"HOME": str(home), "XDG_DATA_HOME": str(home), "PATH": str(home), "TEENYC_CACHE_DIR":
                 str(self.directory / cache), "LD_LIBRARY_PATH": self.options.lib}
        return keep | ({"TEENYC_PATH": self.options.teenyc} if teenyc else {})

    def compile(self, name, command, flags, file, out):
        return self.check(f"{name}: {file}", [*command, *flags, *WARNINGS, "-I", self.options.include,
                                              "-c", str(SOURCE / file), "-o", out])

    def build(self, name, toolchain, flags, link):
        c, cpp = TOOLCHAINS[toolchain]
        standard = [] if any(flag.startswith("-std") for flag in flags) else ["-std=gnu17"]
        is_right = all([self.compile(name, c, [*flags, *standard], file, f"{file}.o")
                        for file in C_FILES])
        cpp_flags = [flag for flag in flags if not flag.startswith("-std")]
        is_right &= self.compile(name, cpp, [*cpp_flags, "-std=c++17", "-I", str(SOURCE)],
                                 "../../cxx/engine.cpp", "engine.cpp.o")
        objects = [f"{file}.o" for file in [*C_FILES, "engine.cpp"]]
        return is_right and self.check(f"{name}: link", [
            *cpp, *[flag for flag in flags if flag != LAX and not flag.startswith("-std")], *link,
            *objects, os.path.join(self.options.lib, "libteeny.a"), "-ldl", "-lpthread", "-lm",
            "-o", "program"])

    def run_build(self, name, toolchain, flags, link):
        c, cpp = TOOLCHAINS[toolchain]
        for tool in (c[0], cpp[0], *(LINKERS[flag] for flag in link if flag in LINKERS)):
            if not shutil.which(tool):
                return self.skip(name, f"{tool} is not installed")
        if not self.build(name, toolchain, flags, link):
            return None
        cache = "cache-" + re.sub(r"\W+", "-", name)
        self.check(f"{name}: records", ["./program", "describe"])
        self.check(f"{name}: run", ["./program"], env=self.environment(cache, True))
        self.check(f"{name}: run without teenyc", ["./program"], env=self.environment(cache, False))
        return None

    def plugins(self, toolchain, link):
        """Two shared libraries with the same kernels but for a value in META."""
        c, _ = TOOLCHAINS[toolchain]
        name = f"{toolchain}: shared libraries {' '.join(link)}"
        flags = [*c, "-O2", "-fPIC", *SECTIONS, *WARNINGS, "-I",
                 self.options.include]
        libraries = ["-L", self.options.lib, "-lteeny"]
        for bias in (1, 2):
            sources = [str(SOURCE / file) for file in ("kernels.c", "more_kernels.c", "engine.c")]
            if not self.check(f"{name}: plugin {bias}", [
                    *flags, f"-DPROGRAM_BIAS={bias}", "-shared", *link, *GC, *sources,
                    *libraries, "-o", f"plugin{bias}.so"]):
                return
        if not self.check(f"{name}: program", [*flags, str(SOURCE / "plugin_main.c"), *libraries,
                                               "-ldl", "-o", "plugin_main"]):
            return
        run = ["./plugin_main", "./plugin1.so", "./plugin2.so"]
        cache = f"cache-plugins-{toolchain}"
        self.check(f"{name}: run", run, env=self.environment(cache, True))
        self.check(f"{name}: run without teenyc", run, env=self.environment(cache, False))

    def wrong_kernel(self, toolchain):
        """What teenyc says comes back through libteeny, at the place in the file."""
        c, _ = TOOLCHAINS[toolchain]
        name = f"{toolchain}: a wrong kernel"
        if self.check(f"{name}: build", [
                *c, "-O1", *WARNINGS, "-Wno-infinite-recursion", "-I", self.options.include,
                str(SOURCE / "wrong.c"), os.path.join(self.options.lib, "libteeny.a"), "-ldl", "-lpthread",
                "-o", "wrong"]):
            self.check(f"{name}: run", ["./wrong"], env=self.environment("cache-wrong", True))

    def no_compiler(self):
        """With an empty cache and no teenyc the program says so, and does not crash."""
        done = self.call(["./program"], env=self.environment("cache-of-nothing", False))
        is_right = done.returncode == 1 and "TEENY_COMPILER_NOT_FOUND" in done.stdout
        self.count("no teenyc, no cache", is_right, f"exit status {done.returncode}\n{done.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        runner = Program(options, directory)
        for kind, toolchains, flags, link in BUILDS:
            for toolchain in toolchains:
                name = f"{toolchain}: {kind}"
                if re.search(options.only, name):
                    runner.run_build(name, toolchain, flags, link)
        if not options.only:
            runner.no_compiler()
            for toolchain in filter(shutil.which, TOOLCHAINS):
                runner.wrong_kernel(toolchain)
            for toolchain, link in (("gcc", []), ("gcc", ["-fuse-ld=gold"]),
                                    ("clang-22", ["-fuse-ld=lld"])):
                runner.plugins(toolchain, link)
    return runner.finish()


if __name__ == "__main__":
    sys.exit(main())
