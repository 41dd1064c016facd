#!/bin/sh
# Runs the examples of a build, with the teenyc of that build.
set -eu
build=${1:-build}
TEENYC_PATH=$(cd "$build" && pwd)/bin/teenyc
export TEENYC_PATH
for example in "$build"/examples/*; do
    [ -f "$example" ] && [ -x "$example" ] || continue
    echo "== $(basename "$example")"
    "$example"
    echo
done
