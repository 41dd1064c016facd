#!/bin/sh
# Rewrites the parts of the documentation that commands make, from a build.
set -eu
exec python3 "$(dirname "$0")/../docs/generate.py" --build "${1:-build}"
