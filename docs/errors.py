#!/usr/bin/env python3
"""Every diagnostic of the frontend with an example that produces it, as a page or as a test.

    errors.py [--check] [TEENYC TABLES]

The table is src/frontend/diagnostics.def, as TABLES (teeny-tables) prints it; the example of an entry is
tests/frontend/errors/ID.c, in lower case, which teenyc is given as golden.py gives it its cases. Prints
docs/errors.md; with --check it prints what is wrong: an entry without an example, an example without an
entry, or one whose first error is not its entry's, with its note.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, str(ROOT / "tests/frontend"))
import golden

EXAMPLES = ROOT / "tests/frontend/errors"
# Words of the compiler's inside, which a C programmer need not know.
INTERNAL = re.compile(r"\b(SSA|dialect|encoding|layout|operand|block argument|vector_size|typeof_unqual|"
                      r"_Generic|(teeny_|TEENY_)(?!DEVICE|DECL|TYPE|KERNEL)\w+|(tt|ttg|arith|scf)\.\w+)\b")
DIRECTIVE = re.compile(r"%(?:ll)?[sdu]")
INTRODUCTION = """# Diagnostics

What `teenyc` says about a wrong kernel, and why. Errors name the user's own file, line and column; a note
behind the first error of a kind says the fix. The page is made from the table of the sources
(`src/frontend/diagnostics.def`): `...` stands for what a message is about, and each example was run.
`teenyc --check FILE.c` finds all of them without a GPU; [editor.md](editor.md) shows how to see them while
writing, [language.md](language.md) what a kernel may say.
"""


class Entry:
    def __init__(self, line):
        self.section, self.id, self.message, self.note, self.explanation = line.split("\t")
        self.example = EXAMPLES / f"{self.id.lower()}.c"

    def run(self, teenyc):
        self.output = golden.run(shutil.which(teenyc) or teenyc, self.example)

    def fault(self):
        """What is wrong with the example, or None."""
        parts = [re.escape(part) for part in DIRECTIVE.split(self.message)]
        said = re.search(r"error: (.*)\n", self.output)
        if not said or not re.fullmatch(".*".join(parts), said[1]):
            return f"its first error is not `{self.message}`"
        if self.note and f"note: {self.note}\n" not in self.output:
            return f"there is no note `{self.note}`"
        for text in (self.message, self.note, self.explanation, self.output):
            if self.id != "ENVIRONMENT_NAME" and INTERNAL.search(text):
                return f"`{INTERNAL.search(text)[0]}` is a word of the compiler's own"
        return None

    def describe(self):
        code = self.example.read_text()
        command = golden.COMMAND.search(code.encode())
        title = "*what clang says*" if self.message == "%s" else DIRECTIVE.sub("...", self.message)
        words = ["--check", self.example.name]
        if command:
            words = command[1].decode().split()
            code = golden.COMMAND.sub(b"", code.encode()).decode().rstrip() + "\n"
        return (f"\n### {self.id.lower()}\n\n> {title}\n\n{self.explanation}\n\n```c\n{code}```\n"
                f"```\n$ teenyc {' '.join(words)}\n{self.output}```\n")


def read_table(tables):
    done = subprocess.run([tables, "diagnostics"], capture_output=True, text=True, check=True)
    return [Entry(line) for line in done.stdout.splitlines()]


def check(entries, teenyc):
    faults = [f"{file}: there is no such entry" for file in EXAMPLES.glob("*.c")
              if file.stem.upper() not in {entry.id for entry in entries}]
    for entry in entries:
        if not entry.example.exists():
            faults.append(f"{entry.id}: there is no example {entry.example.name}")
            continue
        entry.run(teenyc)
        if entry.fault():
            faults.append(f"{entry.example.name}: {entry.fault()}\n{entry.output}")
    print("\n".join(faults))
    print(f"{len(entries) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or not entries else 0


def print_page(entries, teenyc):
    section = None
    print(INTRODUCTION, end="")
    for entry in entries:
        if entry.section != section:
            section = entry.section
            print(f"\n## {section}")
        entry.run(teenyc)
        print(entry.describe(), end="")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("teenyc", nargs="?", default="teenyc")
    parser.add_argument("tables", nargs="?", default="teeny-tables")
    options = parser.parse_args()
    entries = read_table(options.tables)
    return (check if options.check else print_page)(entries, options.teenyc)


if __name__ == "__main__":
    sys.exit(main())
