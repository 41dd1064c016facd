#!/bin/sh
# gpu-bundle.sh BUILD: fills BUILD/gpu with what a machine with a GPU needs to check and time this
# build: programs, a kernel cache, and teenyc, packed. There: scripts/gpu-run.sh BUILD/gpu
set -eu
build=${1:-build}
gpu=$build/gpu
rm -rf "$gpu"
mkdir -p "$gpu/bin"
cp "$build"/bin/vector_add_sweep "$build"/bin/bench-launch "$build"/bin/math_ulp \
    "$build"/bin/conform "$build"/bin/embed-app "$build"/bin/gpu_check \
    "$build"/bin/bench-program "$build"/bin/teeny \
    "$build"/tests/runtime/nvtx/stub_nvtx_injection.so "$gpu/bin/"
find "$build/examples" -maxdepth 1 -type f -perm -u+x -exec cp {} "$gpu/bin/" \;
mkdir -p "$gpu/lib"
cp "$build"/lib/libbench-gpu.so "$build"/lib/libstreams-torch.so "$build"/lib/libteeny.a "$build"/lib/librandom_runner.a "$gpu/lib/"
strip "$gpu"/bin/* "$gpu"/lib/*.so
strip -o "$gpu/teenyc" "$build/bin/teenyc"
xz -T0 -3 "$gpu/teenyc"
TEENYC_PATH=$(cd "$build" && pwd)/bin/teenyc
TEENYC_CACHE_DIR=$gpu/cache
export TEENYC_PATH TEENYC_CACHE_DIR
for target in sm_80 sm_90; do
    "$build/bin/vector_add_sweep" --compile $target
done
for target in sm_90 sm_90a; do
    "$build/bin/compile_examples" $target
done
"$build/bin/gpu_check" --compile sm_90
tar -C "$gpu" -cJf "$gpu/cache.tar.xz" cache
rm -r "$gpu/cache"
du -sh "$gpu"
