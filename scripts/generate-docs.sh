#!/bin/sh
# Rewrites the parts of the documentation that commands make, from a build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-build}" && pwd)
if command -v gdb >/dev/null; then
    python3 "$root/tests/debug/debug_test.py" "$build/bin/debug_saxpy" "$root/tests/debug/saxpy.c" \
        "$build/bin/teenyc" "$build" --write
fi
exec python3 "$root/docs/generate.py" --build "$build"
