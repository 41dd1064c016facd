#!/bin/sh
# Installs what building and testing teeny needs, from Debian's packages, where it is missing.
# Prints what it does. Needs root, or sudo, only when something is missing.
set -eu

# build: the compilers and libraries of teenyc and libteeny
build="gcc g++ clang-22 lld-22 llvm-22-dev libmlir-22-dev mlir-22-tools libclang-22-dev cmake ninja-build
       libzstd-dev zlib1g-dev libxxhash-dev"
# test: the harnesses, the other host compilers, the sanitizers, the formatter and the linter, a
# compiler and an emulator for 64-bit Arm
test="llvm-22-tools libclang-rt-22-dev libcmocka-dev clang-14 python3 python3-venv clang-format-22
      clang-tidy-22 clangd gdb pkg-config mandoc gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

missing=""
for package in $build $test; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "dependencies: all installed"
    exit 0
fi

echo "dependencies: installing$missing"
root=""
[ "$(id -u)" = 0 ] || root="sudo"
$root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "dependencies: done"
