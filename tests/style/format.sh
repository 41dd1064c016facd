#!/bin/sh
# format.sh SOURCE BUILD: every C and C++ file is as clang-format writes it, but for those with kernels:
# it takes a capture macro's arguments for expressions, so they are formatted by hand.
set -eu
cd "$1"
git grep -LE '^TEENY_(KERNEL|DEVICE|DECL|TYPE|INSTANCE)\(' -- '*.c' '*.h' '*.cpp' '*.hpp' |
    xargs clang-format-22 --dry-run --Werror
