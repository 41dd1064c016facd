#!/bin/sh
# What libteeny shows: the shared library exports what the headers mark with TEENY_API and nothing
# else but the two names that gdb looks for, each with a version; the static one defines only names
# that begin with teeny_ and those two; neither needs more than libc, and stripped it stays small.
shared=$1 static=$2 headers=$3
failed=0

"${NM:-nm}" -D --defined-only --with-symbol-versions "$shared" |
    awk '$2 ~ /[A-Z]/ && $3 != "TEENY_0" { print $3 }' >exports.versioned
sed -n 's/@@TEENY_0$//p' exports.versioned | sort >exports.found
if grep -v '@@TEENY_0$' exports.versioned; then
    echo "these have no version, or another"
    failed=1
fi
cat "$headers"/*.h | tr '\n' ' ' >exports.text
printf '%s\n' __jit_debug_descriptor __jit_debug_register_code >exports.debugger
grep -o 'TEENY_API [^;(]*(' exports.text | grep -o 'teeny_[a-z_0-9]*($' | tr -d '(' |
    cat - exports.debugger | sort >exports.expected
if ! diff exports.expected exports.found; then
    echo "exports of $shared differ from the headers"
    failed=1
fi

foreign=$("${NM:-nm}" --defined-only "$static" 2>/dev/null |
    awk '$2 ~ /^[A-Z]$/ && $3 !~ /^teeny_/ { print $3 }' | grep -v '^DW.ref' |
    grep -vxFf exports.debugger)
if [ -n "$foreign" ]; then
    echo "$static defines names without teeny_: $foreign"
    failed=1
fi

needed=$("${READELF:-readelf}" -d "$shared" | awk '/NEEDED/ { print $NF }' | grep -v '^\[libc\.so\|^\[ld-linux')
if [ -n "$needed" ]; then
    echo "$shared needs $needed"
    failed=1
fi

"${STRIP:-strip}" -o exports.stripped "$shared" || failed=1
size=$(stat -c %s exports.stripped)
limit=200000
[ "${CROSS:-0}" = 0 ] || limit=300000 # for Arm: longer code, and up to 64 KB between the segments
if [ "$size" -ge $limit ]; then
    echo "$shared is $size bytes without its debug information, not below $limit"
    failed=1
fi
exit $failed
