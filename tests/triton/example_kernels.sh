#!/bin/sh
# example_kernels.sh EXAMPLES OUT: puts the .ttir of every kernel of every example into the directory OUT,
# as KERNEL.ttir, and prints their names.
set -eu
rm -rf "$2"
mkdir -p "$2"
for file in "$1"/*/*.c; do
    for kernel in $(teenyc --list kernels "$file" | sed 's/[ (].*//'); do
        teenyc "$file" --kernel "$kernel" --target sm_90 --emit ttir -o "$2/$kernel.ttir"
        echo "$kernel"
    done
done
