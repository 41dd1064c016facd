#!/bin/sh
# demo.sh [BUILD]: runs the examples of a build, with the teenyc of that build, and prints a line for each of
# their results. All that an example says: TEENYC_PATH=build/bin/teenyc build/examples/02-softmax
set -eu
build=${1:-build}
TEENYC_PATH=$(cd "$build" && pwd)/bin/teenyc
export TEENYC_PATH
status=0
device=
for example in "$build"/examples/*; do
    [ -f "$example" ] && [ -x "$example" ] || continue
    failed=
    output=$("$example" 2>&1) || failed=1
    if [ -z "$device" ]; then
        device=$(printf '%s\n' "$output" | sed -n 's/^device: *//p')
        [ -z "$device" ] || echo "on $device"
    fi
    printf '%s\n' "$output" | awk -v name="$(basename "$example")" -F ': +' '
        $1 == "kernel" { kernels = kernels (kernels ? ", " : "") $2 }
        $1 == "size" { size = $2 }
        $1 == "rate" { rate = $2 }
        $1 == "error" {
            verdict = $2 ~ /WRONG/ ? "WRONG" : "right"
            printf "%-14s  %-26s  %-32s  %-23s  %s\n", name, kernels, size, rate, verdict
            kernels = ""
        }'
    [ -z "$failed" ] || { printf '%s failed:\n%s\n' "$(basename "$example")" "$output"; status=1; }
done
exit $status
