#!/bin/sh
# assemble.sh TARGET: every kernel beside this file, and those that Triton made, through teenyc and
# ptxas, with the target's own PTX version and with the newest.
set -eu
target=$1
here=$(dirname "$0")
for file in "$here"/*.ttir "$here"/../../dialect/Inputs/add_1024.ttir "$here"/../../dialect/Inputs/add_1024.ttgir; do
    for kernel in $(sed -n 's/^ *tt.func public @\([a-z_]*\).*/\1/p' "$file"); do
        for version in "" "--ptx-version 9.0"; do
            # shellcheck disable=SC2086
            teenyc "$file" --kernel "$kernel" --target "$target" $version --emit ptx -o kernel.ptx
            ptxas -arch="$target" kernel.ptx -o kernel.cubin
        done
    done
done
