#!/bin/sh
# bench.sh [BUILD]: the figures of the documentation, from a build. The CPU's are kernels beside loops in C
# (bench/cpu); a machine that does nothing else is needed to say much. The short tables come last.
set -eu
build=${1:-build}
here=$(dirname "$0")
TEENYC_PATH=$(cd "$build" && pwd)/bin/teenyc
# OpenMP's threads would go on spinning behind a loop, on the core that the kernel after it wants.
OMP_WAIT_POLICY=passive
export TEENYC_PATH OMP_WAIT_POLICY
"$build/bin/bench-launch" cpu
echo
"$build/bin/bench-program" cpu
echo
if [ -x "$build/bin/bench-cpu" ]; then
    echo "one thread"
    TEENY_CPU_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$build/bin/bench-cpu"
    echo
    echo "all cores: $(nproc)"
    "$build/bin/bench-cpu"
    echo
    "$here/../bench/cpu/scaling.py" "$build"
    echo
fi
"$here/../bench/cpu/compile_time.py" "$build"
