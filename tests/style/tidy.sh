#!/bin/sh
# tidy.sh SOURCE BUILD: clang-tidy finds nothing in what we wrote in C.
set -eu
cd "$1"
git ls-files 'src/*.c' | xargs -P "$(nproc)" -n 8 clang-tidy-22 -p "$2" --quiet 2>/dev/null
