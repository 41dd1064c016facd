"""Counts what a test finds by running commands: what passed, what failed and how, what was skipped
and why."""

import pathlib
import subprocess


class Runner:
    """Commands run in `directory`, which is the caller's."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.passed = self.failed = self.skipped = 0

    def call(self, command, **more):
        return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                              errors="replace", **{"cwd": self.directory, **more})

    def count(self, name, is_right, detail=""):
        self.passed += bool(is_right)
        self.failed += not is_right
        if not is_right:
            print(f"{name}: {detail}")
        return bool(is_right)

    def check(self, name, command, expected="", **more):
        """Counts a command that must succeed and print this."""
        done = self.call(command, **more)
        return self.count(name, done.returncode == 0 and done.stdout.strip() == expected,
                          f"{' '.join(map(str, command))}\nexit status {done.returncode}\n"
                          f"{done.stdout[-3000:]}")

    def output(self, name, command, **more):
        """Counts a command that must succeed; what it printed, or None."""
        done = self.call(command, **more)
        is_right = self.count(name, done.returncode == 0,
                              f"exit status {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout if is_right else None

    def skip(self, name, reason):
        self.skipped += 1
        print(f"{name}: skipped: {reason}")

    def finish(self):
        """Prints the line that tests/run.py reads; the exit status."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        print(f"{self.passed} passed, {self.failed} failed{skipped}")
        return 1 if self.failed or not self.passed else 0
