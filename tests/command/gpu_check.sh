#!/bin/sh
# gpu_check.sh DIR: the teeny command on a machine with a GPU: DIR has teeny, and TEENYC_PATH names a teenyc.
# What is right must end with 0, what is wrong with 1; prints what each run prints. For scripts/gpu-run.sh.
set -u
teeny=$1/teeny
root=$(cd "$(dirname "$0")/../.." && pwd)
kernels=$root/tests/command/Inputs/kernels.c
failed=0

expect() { # status, words of teeny...
    wanted=$1
    shift
    echo "-- teeny $*"
    "$teeny" "$@"
    status=$?
    [ $status -eq "$wanted" ] && return
    echo "exit status $status instead of $wanted"
    failed=1
}

expect 0 info
add=$root/examples/01-vector-add/vector_add.c:vector_add
expect 0 run "$add" 'out=f32[1000]' 'x=f32[1000]:random' 'y=f32[1000]:arange' n=1000 --grid n/BLOCK --device cuda
expect 0 run "$add" 'out=f32[16777216]' 'x=f32[16777216]:random' 'y=f32[16777216]:arange' n=16777216 \
    --grid n/BLOCK --device cuda --bytes auto
expect 0 run "$root/examples/04-matmul/matmul.c:matmul_tensors" 'c=f16[1000,712]' 'a=f16[1000,520]:random' \
    'b=f16[520,712]:random' --grid 1000/BM,712/BN --device cuda --times 5
expect 0 run "$kernels:transpose" 'out=f16[50,40]' 'in=f16[40,50;64,1]:arange' --grid 2,4 --device cuda
expect 0 run "$kernels:scalars" 'out=f64[7]' b=1 u=200 l=-9000000000 h=0.1 g=0.1 f=0.1 d=0.1 --device cuda --print out
expect 0 run "$kernels:increment" 'x=i32[64]:arange' --device cuda --print x=3
expect 1 run "$kernels:past_the_end" 'out=i32[100]' n=100 --grid n/BLOCK --device cuda
expect 1 run "$kernels:before_the_begin" 'out=i16[64]' --device cuda
expect 1 run "$kernels:sum" 'out=f32[1]' 'x=f32[4096]:arange:-204700003:99991' --device cuda

# A profiler's ranges and names, told to a stub of one.
NVTX_INJECTION64_PATH=$1/stub_nvtx_injection.so NVTX_STUB_LOG=$1/nvtx.log
export NVTX_INJECTION64_PATH NVTX_STUB_LOG
rm -f "$NVTX_STUB_LOG"
expect 0 run "$kernels:increment" 'x=i32[64]' --device cuda --times 0 --check none
for line in 'domain teeny' 'device cuda:0' 'stream teeny cuda:0 stream 1' 'push launch increment' \
    'push compile increment' 'push load increment'; do
    grep -qxF "$line" "$NVTX_STUB_LOG" && continue
    echo "the profiler was not told: $line"
    failed=1
done
exit $failed
