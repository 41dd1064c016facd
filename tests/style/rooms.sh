#!/bin/sh
# rooms.sh SOURCE BUILD: libraries and C++ stay in the folders that DESIGN gives them.
set -eu
cd "$1"
status=0
if ! git rev-parse --is-inside-work-tree >/dev/null; then
    echo "skipped: what belongs to the project is asked of git"
    exit 77
fi
check() { # words, folders that may have them, what it is
    hits=$(git grep -lE "$1" -- '*.c' '*.h' '*.cpp' '*.hpp' | grep -vE "$2" || true)
    [ -z "$hits" ] && return
    printf '%s outside of its room:\n%s\n' "$3" "$hits"
    status=1
}
check '#include *[<"]llvm-c/' '^(src/codegen|tests)/' 'llvm-c'
check '#include *[<"]clang(-c)?/' '^src/frontend/clang/' 'clang'
check '#include *[<"]jansson' '^src/command/' 'jansson'
check '\bCU(result|device|context|module|function|stream)\b' '^(src/runtime/cuda|tests|bench)/' 'the CUDA driver'
check '\bgetenv\(' '^(tests|bench|examples)/' 'getenv, which a program with other rights must not trust,'
# The teeny command is libteeny's: it sees nothing of the compiler.
check_folder() { # folder, words, what it is
    hits=$(git grep -lE "$2" -- "$1" || true)
    [ -z "$hits" ] && return
    printf '%s in %s:\n%s\n' "$3" "$1" "$hits"
    status=1
}
check_folder src/command '#include *[<"](analysis|codegen|dialect|driver|frontend|math|passes|llvm|mlir|clang)(-c)?/' \
    'a part of the compiler'
cpp=$(git ls-files '*.cpp' '*.cc' '*.cxx' | grep -vE '^(src/dialect|src/frontend/clang|tests/cxx)/' || true)
if [ -n "$cpp" ]; then
    printf 'C++ outside of its rooms:\n%s\n' "$cpp"
    status=1
fi
dynamic=$(readelf -d "$2/bin/teeny")
foreign=$(printf '%s\n' "$dynamic" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(lib[cm]\.so|ld-linux)' || true)
if [ -n "$foreign" ]; then
    printf '%s needs more than libc and libm:\n%s\n' "$2/bin/teeny" "$foreign"
    status=1
fi
exit $status
