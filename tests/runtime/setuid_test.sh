#!/bin/sh
# setuid_test.sh PROBE: a program with another user's rights runs no compiler that its caller names,
# uses no directory of the caller's, and passes the caller's environment on to nobody.
set -eu
place=$(mktemp -d /tmp/teeny-setuid-XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 755 "$place"
own_cache=/tmp/teenyc_cache-65534
[ -e "$own_cache" ] || trap 'rm -rf "$place" "$own_cache"' EXIT

printf '#!/bin/sh\necho ran >> %s/ran\n' "$place" > "$place/teenyc"
chmod 755 "$place/teenyc"
mkdir -m 777 "$place/home" "$place/tmp"
export TEENYC_PATH="$place/teenyc" TEENYC_CACHE_DIR="$place/cache" HOME="$place/home" \
    XDG_DATA_HOME="$place/home" TMPDIR="$place/tmp" PATH="$place:$PATH" TEENY_LOG=info \
    TEENY_LIBCUDA_PATH="$place/libcuda.so" LD_PRELOAD=
cp "$1" "$place/probe"

fail() {
    echo "$1"
    cat "$place/output"
    exit 1
}

# The same program without other rights does all of that: the test can see it.
chmod 777 "$place"
"$place/probe" > "$place/output" 2>&1
grep -q '^sees TEENYC_PATH$' "$place/output" || fail "the probe does not see its environment"
[ -e "$place/ran" ] || fail "the probe does not run the compiler"
rm -rf "$place/ran" "$place/cache"
chmod 755 "$place"

if [ "$(id -u)" != 0 ]; then
    echo "skipped: to make a program of another user needs root"
    exit 77
fi
chown 65534:65534 "$place/probe"
chmod 4755 "$place/probe"
chmod 777 "$place"
"$place/probe" > "$place/output" 2>&1
if ! grep -q '^secure 1$' "$place/output"; then
    echo "skipped: this system gives no rights to programs (nosuid, or no new privileges)"
    exit 77
fi
grep '^sees' "$place/output" && fail "it takes notice of the caller's variables"
[ "$(sed -n '/^passes on:$/,/^TEENY_/p' "$place/output" | sed '1d;$d')" = "PATH=/usr/bin:/bin" ] ||
    fail "it passes on more than a PATH"
grep -q '^TEENY_COMPILER_NOT_FOUND' "$place/output" || fail "it finds a compiler"
[ ! -e "$place/ran" ] || fail "it runs the caller's compiler"
[ ! -e "$place/cache" ] || fail "it uses the caller's cache"
[ -z "$(ls -A "$place/home" "$place/tmp" | grep -v : )" ] || fail "it uses the caller's directories"
