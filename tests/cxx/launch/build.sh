# build.sh DIRECTORY: builds the example of docs/language.md in C and C++, and runs it on the CPU.
set -e
strict="-Wall -Wextra -Werror -Iinclude"
# shellcheck disable=SC2086 # a list of words
gcc -std=c11 $strict -c tests/cxx/launch/scale.c -o "$1/scale.o"
# shellcheck disable=SC2086 # a list of words
g++ -std=c++11 $strict tests/cxx/launch/main.cpp "$1/scale.o" "$BUILD/lib/libteeny.a" -lpthread -ldl -o "$1/app"
TEENYC_PATH=$BUILD/bin/teenyc TEENYC_CACHE_DIR=$1/cache TEENY_AUTO_DEVICE=cpu "$1/app"
rm -r "$1"
