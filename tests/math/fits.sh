#!/bin/sh
# fits.sh FITS.PY: the literals in src/math/ are those that the fits give. Skipped without mpmath.
set -eu
if ! python3 -c 'import mpmath' 2>/dev/null; then
    echo "skipped: no mpmath (pip install mpmath)"
    exit 77
fi
exec python3 -B "$1" --check
