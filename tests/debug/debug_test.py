#!/usr/bin/env python3
"""gdb on a kernel of the cpu device: it stops, steps and prints at the user's own lines.

    debug_test.py PROGRAM SOURCE TEENYC BUILD [--write]

The session that docs/debugging.md shows is held to what gdb prints, or rewritten with --write. Each check is a run of gdb in batch mode on PROGRAM, built from SOURCE, whose lines are known by
their markers. gdb and teenyc run in BUILD, to which the compiler's file names are relative. Ends with `N passed, N failed`; 77 and a reason where there is no gdb.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SETTINGS = ["set pagination off", "set confirm off", "set width 0", "set debuginfod enabled off"]


class Session:
    def __init__(self, program, source, teenyc, build, scratch):
        self.program, self.teenyc, self.build, self.scratch = program, teenyc, build, scratch
        self.lines = pathlib.Path(source).read_text().splitlines()

    def line(self, marker):
        """The number of the line with this marker."""
        return 1 + next(i for i, line in enumerate(self.lines) if f"/* {marker} */" in line)

    def gdb(self, *commands, debug="1", program=None, pending=True):
        script = self.scratch / "commands"
        settings = SETTINGS + ["set breakpoint pending on"] * pending
        script.write_text("\n".join(settings + list(commands)) + "\n")
        environment = dict(os.environ, TEENYC_PATH=self.teenyc, TEENY_CPU_THREADS="1",
                           TEENYC_CACHE_DIR=str(self.scratch / "cache"), TEENY_DEBUG=debug,
                           HOME=str(self.scratch))
        done = subprocess.run(["gdb", "-nx", "-batch", "-x", script, program or self.program],
                              cwd=self.build, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
        return done.stdout


def expect(text, *patterns):
    """None where the patterns occur in this order, else what is missing."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.M).search(text, at)
        if not found:
            return f"no /{pattern}/ behind what was found before in\n{text}"
        at = found.end()
    return None


def check_breakpoint_by_name(session):
    text = session.gdb("break saxpy", "run", "backtrace")
    return expect(text, rf"^Thread .* hit Breakpoint 1, saxpy \(.*\) at .*saxpy.c:{session.line('first')}$",
                  rf"^{session.line('first')}\t.*first",
                  rf"^#0 +saxpy \(.*a=3, n=100\) at .*saxpy.c:{session.line('first')}$",
                  r"^#1 .* in saxpy_grid ", r"^#\d .* run_chunks ")


def check_breakpoint_by_line(session):
    place = session.line("turn")
    text = session.gdb("break saxpy", "run", f"break saxpy.c:{place}", "delete 1", "continue", "info line",
                       "backtrace 1")
    return expect(text, rf"^Thread .* hit Breakpoint 2, saxpy \(.*\) at .*saxpy.c:{place}$",
                  rf"^#0 +saxpy \(.*\) at .*saxpy.c:{place}$")


def check_breakpoint_stops_once(session):
    """A line that goes through a tile's elements is one stop: two turns in each of two programs."""
    text = session.gdb("break saxpy", "run", f"break saxpy.c:{session.line('turn')}", "delete 1", *["continue"] * 5)
    stops = len(re.findall(r"^Thread .* hit Breakpoint 2,", text, re.M))
    return None if stops == 4 else f"{stops} stops, not 4\n{text}"


def check_steps(session):
    """Line after line, a tile's line once, the loop's lines in each of its two turns."""
    text = session.gdb("break saxpy", "run", *["next"] * 9)
    numbers = [int(number) for number in re.findall(r"^(\d+)\t", text, re.M)]
    markers = ("first", "call", "places", "load", "loop", "turn", "loop", "turn", "loop", "store")
    expected = [session.line(marker) for marker in markers]
    return None if numbers == expected else f"next went to the lines {numbers}, not {expected}\n{text}"


def check_helper(session):
    """A helper is inlined, and has a frame all the same."""
    text = session.gdb("break saxpy", "run", "next", "step", "backtrace 2", "finish")
    return expect(text, rf"^squared \(.*\) at .*saxpy.c:{session.line('in the helper')}$",
                  r"^#0 +squared \(.*\) at ", rf"^#1 +saxpy \(.*\) at .*saxpy.c:{session.line('call')}$")


def check_parameters(session):
    text = session.gdb("break saxpy", "run", "print a", "print n", "print x[7]", "print *x@3", "ptype y",
                       "info args")
    return expect(text, r"^\$1 = 3$", r"^\$2 = 100$", r"^\$3 = 7$", r"^\$4 = \{0, 1, 2\}$",
                  r"^type = f32 \*$", r"^y = 0x", r"^a = 3$", r"^n = 100$")


def check_unreadable_source(session):
    """Where teenyc cannot read the file, all of the kernel is at the line that the host's compiler
    gave for it."""
    text = session.gdb("break saxpy", "run", "backtrace 1", "print a", program=f"{session.program}_moved")
    return expect(text, rf"^#0 +saxpy \(.*\) at .*saxpy.c:{session.line('first') - 1}$", r"^\$1 = 3$")


PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/debugging.md"
SESSION = re.compile(r"(<!-- session -->\n```\n)(.*?)(```\n)", re.S)
UNSTABLE = [
    (r"^\[.*\]$\n|^Using host libthread_db.*\n|^$\n", ""),
    (r'^Thread \d+ "\w[^"]*"', 'Thread 2 "teeny-cpu"'),
    (r"0x[0-9a-f]{6,}", "0x..."),
    (r"\S*/(?:[^\n]*/)?saxpy\.c", "saxpy.c"),
]


def stable(text):
    for pattern, replacement in UNSTABLE:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text


def transcript(session, shown):
    """What gdb prints for the commands of a session, with its prompts."""
    asked = re.findall(r"^\(gdb\) (.*)$", shown, re.M)
    script = [line for command in asked for line in (f"echo (gdb) {command}\\n", command)]
    return stable(session.gdb(*script, pending=False))


def check_page(session):
    shown = SESSION.search(PAGE.read_text())[2]
    printed = transcript(session, shown)
    return None if printed == stable(shown) else f"{PAGE} shows\n{shown}gdb printed\n{printed}"


def write_page(session):
    PAGE.write_text(SESSION.sub(
        lambda found: found[1] + transcript(session, found[2]) + found[3], PAGE.read_text()))


def check_end(session):
    """The code is forgotten where it is unmapped, and the program ends as it does without gdb."""
    text = session.gdb("break saxpy", "run", "delete", "continue")
    return expect(text, r"y\[99\] = 893$", r"exited normally")


def check_plain(session):
    """Without -g gdb knows no line of the kernel."""
    text = session.gdb("break saxpy", "run", debug="")
    return expect(text, r"y\[99\] = 893$", r"exited normally")


CHECKS = (check_breakpoint_by_name, check_breakpoint_by_line,
          check_breakpoint_stops_once, check_steps, check_helper, check_parameters, check_unreadable_source, check_page, check_end, check_plain)


def main():
    program, source, teenyc, build = sys.argv[1:5]
    if not shutil.which("gdb"):
        print("skipped: there is no gdb; scripts/install-dependencies.sh installs it")
        return 77
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="teeny-debug-") as scratch:
        session = Session(program, source, teenyc, build, pathlib.Path(scratch))
        if "--write" in sys.argv:
            write_page(session)
            return 0
        for check in CHECKS:
            wrong = check(session)
            if wrong:
                print(f"{check.__name__}: {wrong}")
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
