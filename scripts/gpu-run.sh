#!/bin/bash
# gpu-run.sh DIR [PATTERN]: checks and times a bundle of gpu-bundle.sh on this machine's GPU, or the parts
# of it whose names match the pattern.
# Every part says `right` or `WRONG` in the table at the end.
set -u
gpu=$(cd "${1:-build/gpu}" && pwd)
pattern=${2:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xJf "$gpu/cache.tar.xz"
chmod -R go-w "$work/cache" && chmod 700 "$work/cache"
xz -dc "$gpu/teenyc.xz" > "$work/teenyc" && chmod +x "$work/teenyc"
tests=$(cd "$(dirname "$0")/../tests" && pwd)
declare -a table
failed=0

part() { # name, command...
    local name=$1 start status
    [[ $name =~ $pattern ]] || return
    shift
    start=$(date +%s%N)
    echo "== $name: $*"
    "$@"
    status=$?
    [ $status = 0 ] || failed=$((failed + 1))
    table+=("$(printf '%-34s %-6s %8d ms' "$name" "$([ $status = 0 ] && echo right || echo WRONG)" \
        $((($(date +%s%N) - start) / 1000000)))")
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
# The cache alone: no teenyc is known here.
export TEENYC_CACHE_DIR=$work/cache
part "sweep, cached, no teenyc" env -u TEENYC_PATH "$gpu/bin/vector_add_sweep" cuda:0
part "sweep of sm_80 PTX" env -u TEENYC_PATH "$gpu/bin/vector_add_sweep" cuda:0 sm_80
part "compiled ahead, no teenyc" env -u TEENYC_PATH TEENY_NO_COMPILE=1 TEENY_LOG=info \
    "$gpu/bin/embed-app" cuda:0
export TEENYC_PATH=$work/teenyc
part "sweep on the CPU there" "$gpu/bin/vector_add_sweep" cpu
part "the teeny command" "$tests/command/gpu_check.sh" "$gpu/bin"
part "conform" "$gpu/bin/conform" --device cuda --threads "$(nproc)"
part "conform, PTX for sm_75" "$gpu/bin/conform" --device cuda --target sm_75 --threads "$(nproc)"
part "random programs" python3 "$tests/random/random_test.py" --teenyc "$TEENYC_PATH" \
    --library "$gpu/lib/libteeny.a" --runner "$gpu/lib/librandom_runner.a" --device cuda --count 300 \
    --jobs "$(nproc)" --minimise-seconds 20
part "Triton's files" python3 "$tests/triton/run_on_gpu.py" --teenyc "$TEENYC_PATH"
for example in "$gpu"/bin/[0-9]*; do
    part "$(basename "$example")" "$example"
    for tool in memcheck racecheck; do
        part "$(basename "$example"), $tool" \
            compute-sanitizer --tool $tool --error-exitcode 9 "$example"
    done
done
part "math functions" "$gpu/bin/math_ulp" cuda:0 --same-bits "$tests/math/sampled.txt"
for function in exp exp2 rsqrt; do
    part "math, all of $function" "$gpu/bin/math_ulp" cuda:0 --all --only $function \
        --instruction-bits "$tests/math/measured-h200.txt"
done
part "streams, events, graphs" "$gpu/bin/gpu_check" cuda:0
part "streams, memcheck" env GPU_CHECK_WITH_TOOL=1 compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 9 \
    "$gpu/bin/gpu_check" cuda:0
part "streams and graphs of torch" python3 "$tests/streams/torch_check.py" "$gpu/lib/libstreams-torch.so"
part "launches and loads" "$gpu/bin/bench-launch"
part "whole programs" "$gpu/bin/bench-program" cuda:0
part "beside Triton and torch" python3 "$tests/../bench/gpu/bench.py" \
    --library "$gpu/lib/libbench-gpu.so" --json "${OUT:-$work}/bench.json"
if [ ${#table[@]} = 0 ]; then
    echo "no part matches '$pattern'"
    exit 1
fi
echo
printf '%s\n' "${table[@]}"
exit $((failed != 0))
