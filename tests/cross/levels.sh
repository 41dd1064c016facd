#!/bin/sh
# levels.sh PROGRAM: the level of processors that libteeny sees, on emulated ones that have it and
# ones that lack a part of it.
set -u
if ! command -v qemu-x86_64 >/dev/null; then
    echo "skipped: there is no qemu-x86_64 (Debian: qemu-user)"
    exit 77
fi
passed=0 failed=0
while read -r processor expected; do
    found=$(qemu-x86_64 -cpu "$processor" "$1" 2>/dev/null)
    if [ "$found" = "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$processor: level '$found', not $expected"
    fi
done <<EOF
qemu64 1
core2duo 1
Nehalem 2
Nehalem,-popcnt 1
Nehalem,-lahf-lm 1
SandyBridge 2
Haswell 3
Haswell,-movbe 2
Haswell,-abm 2
Haswell,-bmi2 2
Haswell,-avx2 2
Haswell,-avx 2
Haswell,-xsave 2
EOF
echo "$passed passed, $failed failed"
[ $failed = 0 ]
