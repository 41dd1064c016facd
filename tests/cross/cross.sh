#!/bin/sh
# cross.sh SOURCE BUILD: libteeny, static and shared, and all of its tests compile for 64-bit Arm without
# a warning; those that an emulator of a user's programs can run are right there.
set -eu
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: there is no $tool (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"
        exit 77
    fi
done
log=$2.log
{
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_TOOLCHAIN_FILE="$1/cmake/aarch64.cmake" \
        -DTEENY_BUILD_COMPILER=OFF && ninja -C "$2"
} >"$log" 2>&1 || {
    grep -E 'error|warning|FAILED' -A 8 "$log" || cat "$log"
    exit 1
}
exec python3 "$1/tests/run.py" --build "$2"
