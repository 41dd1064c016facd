"""Compiles files of random programs, runs them, and says what became of each program."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from source import print_file

HERE = pathlib.Path(__file__).resolve().parent
PASSED, REFUSED, FAILED = "passed", "refused", "failed"
COMPILE = ["-std=gnu17", "-O0", "-w", "-fwrapv", "-ffp-contract=off"]
# -fwrapv says that integers wrap: of what the sanitizer finds, that is no error.
SANITIZE = ["-g", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all",
            "-fno-sanitize=signed-integer-overflow,shift-base"]
SECONDS = 600


class Harness:
    def __init__(self, options):
        self.options = options
        self.compile = [options.cc, *COMPILE, f"-I{HERE}", f"-I{options.include}"]
        self.link = [options.runner, options.library, "-lm", "-lpthread", "-ldl"]
        if options.reference:
            self.compile += SANITIZE
        self.runs = ["--reference"] if options.reference else ["--device", options.device]

    def run(self, programs):
        """{name: (status, message)} of [(name, Program)]."""
        directory = tempfile.mkdtemp(prefix="teeny-random-")
        try:
            return self.run_in(directory, programs)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def run_in(self, directory, programs):
        source, binary = os.path.join(directory, "programs.c"), os.path.join(directory, "programs")
        with open(source, "w", encoding="ascii") as file:
            file.write(print_file(programs))
        built = subprocess.run([*self.compile, source, *self.link, "-o", binary], text=True,
                               stdin=subprocess.DEVNULL, capture_output=True, errors="replace")
        if built.returncode:
            return self.split(programs, built.stderr)
        return self.execute(directory, binary, [name for name, _ in programs])

    def split(self, programs, errors):
        """A file that the host compiler refuses: which of its programs is it?"""
        if len(programs) == 1:
            first = re.search(r"error: .*", errors)
            return {programs[0][0]: (FAILED, "cc: " + (first.group() if first else errors[-300:]))}
        half = len(programs) // 2
        return {**self.run(programs[:half]), **self.run(programs[half:])}

    def execute(self, directory, binary, names):
        environment = {**os.environ, "TEENYC_PATH": self.options.teenyc,
                       "TEENYC_CACHE_DIR": os.path.join(directory, "cache"), "TEENY_CPU_THREADS": "2"}
        results = {}
        while len(results) < len(names):
            command = [binary, *self.runs, "--first", str(len(results))]
            done = subprocess.run(command, env=environment, text=True, stdin=subprocess.DEVNULL,
                                  capture_output=True, errors="replace", timeout=SECONDS)
            for line in done.stdout.splitlines():
                name, status, *message = line.split(" ", 2)
                results[name] = (status, message[0] if message else "")
            if self.options.stop and any(status == FAILED for status, _ in results.values()):
                break
            if done.returncode and len(results) < len(names):
                reason = f"the program ended with {done.returncode}: {done.stderr[-300:]}"
                if done.returncode == 2:
                    raise RuntimeError(done.stderr)
                if done.returncode != 3:
                    results[names[len(results)]] = (FAILED, reason)
        return results
