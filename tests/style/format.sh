#!/bin/sh
# format.sh SOURCE BUILD: every C and C++ file is as clang-format writes it.
set -eu
cd "$1"
git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format-22 --dry-run --Werror
