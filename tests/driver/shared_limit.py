#!/usr/bin/env python3
"""What teenyc says about kernels that need more shared memory than there is, taken at its word.

    shared_limit.py --teenyc PROGRAM

Each kernel of Inputs/shared_limit.c is compiled with META that are too large. The error must name the
bytes and the limit, the notes what is kept there and where, in words of the kernel's source, and the
last note META with which the kernel fits: with those it must compile, and need as many bytes as said.
"""

import argparse
import pathlib
import re
import subprocess
import sys

INPUT = pathlib.Path(__file__).resolve().parent / "Inputs/shared_limit.c"
SECONDS = 100
ERROR = re.compile(r":\d+:1: error: this kernel needs (\d+) bytes of shared memory, and (\w+) has "
                   r"(\d+) for a program\n")
ADVICE = re.compile(r":\d+:1: note: smaller tiles fit: with((?: -D \w+=\d+)+) it needs (\d+) bytes\n")
INTERNAL = re.compile(r"\b(?:tt|ttg|ttng|arith|scf|cf|llvm)\.\w+|#\w+<")
KNOWN = "--specialise 0=16,1=16,2=16,3=16"

# The kernel and its options, and what a note says at the text of the kernel's line.
CASES = [
    ("reduction --target sm_75 -D A=256 -D C=64",
     "tl_argmax passes partial results of f32[256,4,64] between warps through", "tl_argmax"),
    ("reduction --target sm_90a -D A=512 -D C=64",
     "tl_argmax passes partial results of f32[512,4,64] between warps through", "tl_argmax"),
    ("conversion --target sm_75 -D ROWS=512 -D COLUMNS=256",
     "rearranges f64[512,256] between threads through", "tl_store"),
    ("scaled --target sm_75 -D ROWS=512",
     "rearranges f64[512,256] between threads through", "tl_store"),
    ("product --target sm_90 -D M=256 -D K=256",
     "tl_dot keeps its factors, f32[256,256] and f32[256,256], in", "tl_dot"),
    ("product --target sm_75 -D M=256 -D K=64",
     "tl_dot keeps its factors, f32[256,64] and f32[64,256], in", "tl_dot"),
    (f"loop --target sm_90a -D BM=256 -D BN=256 -D BK=512 {KNOWN}",
     "keeps f16[256,512] for tl_dot, in", "tl_load(a"),
    ("loop --target sm_80 -D BM=512 -D BK=256 --num-warps 8",
     "keeps f16[512,256] for tl_dot, in", "tl_load(a"),
]


def compile_kernel(teenyc, arguments):
    words = [teenyc, str(INPUT), "--kernel", *arguments.split(), "--emit", "metadata"]
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)


def with_advice(arguments, advice):
    """The same options, with what the advice says in place of theirs."""
    for name in re.findall(r"-D (\w+)=", advice):
        arguments = re.sub(rf" -D {name}=\d+", "", arguments)
    return arguments + advice


def notes_at(said, text):
    """The messages of the notes whose caret stands under `text`."""
    found = []
    lines = said.splitlines()
    for message, line, caret in zip(lines, lines[1:], lines[2:]):
        at = caret.find("^")
        if ": note: " in message and at >= 0 and line[at:].startswith(text):
            found.append(message.split(": note: ")[1])
    return found


def fault(teenyc, arguments, wanted, text):
    """What is wrong with what is said, or None."""
    refused = compile_kernel(teenyc, arguments)
    said = refused.stderr
    error, advice = ERROR.search(said), ADVICE.search(said)
    if refused.returncode != 1 or not error or int(error[1]) <= int(error[3]):
        return f"it is not refused as too large:\n{said}"
    if INTERNAL.search(said):
        return f"a word that is none of the kernel's, {INTERNAL.search(said)[0]}:\n{said}"
    if not any(note.startswith(wanted) for note in notes_at(said, text)):
        return f"no note at `{text}` says `{wanted}`:\n{said}"
    if not advice:
        return f"there is no advice:\n{said}"
    taken = compile_kernel(teenyc, with_advice(arguments, advice[1]))
    if taken.returncode != 0:
        return f"with{advice[1]} it does not compile:\n{taken.stderr}"
    bytes_taken = int(re.search(r"shared-bytes = (\d+)", taken.stdout)[1])
    if bytes_taken != int(advice[2]) or bytes_taken > int(error[3]):
        return f"with{advice[1]} it takes {bytes_taken} bytes:\n{said}"
    if "REPEAT" in advice[1]:
        return f"REPEAT is no size:\n{said}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    teenyc = parser.parse_args().teenyc
    faults = [(case[0], fault(teenyc, *case)) for case in CASES]
    failed = [f"{arguments}: {text}" for arguments, text in faults if text]
    print("\n".join(failed))
    print(f"{len(CASES) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
