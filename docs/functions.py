#!/usr/bin/env python3
"""Prints libteeny's public functions, by header, with the first sentence of what the header says of each.

A function without a comment of its own belongs to the comment before it.
"""

import pathlib
import re

HEADERS = pathlib.Path(__file__).resolve().parent.parent / "include/teeny"
PIECE = re.compile(r"/\*(?P<comment>.*?)\*/|^TEENY_API (?P<declaration>[^;]*);", re.S | re.M)
SENTENCE = re.compile(r"(.+?[.;:])(?:\s|$)", re.S)


def plain(comment):
    return " ".join(line.strip().removeprefix("*").strip() for line in comment.splitlines()).strip()


def functions_of(text):
    """Pairs of a name and the sentence that tells of it."""
    last = ""
    for piece in PIECE.finditer(text):
        if piece["comment"] is not None:
            last = plain(piece["comment"])
            continue
        name = re.search(r"(teeny_\w+)\(", piece["declaration"])[1]
        sentence = SENTENCE.match(last)
        yield name, (sentence[1] if sentence else last).rstrip(";:.")


for header in sorted(HEADERS.glob("*.h")):
    functions = list(functions_of(header.read_text()))
    if functions:
        print(f"teeny/{header.name}")
    for name, sentence in functions:
        print(f"  {name:<30} {sentence}")
