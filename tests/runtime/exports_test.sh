#!/bin/sh
# What libteeny shows: the shared library exports what the headers mark with TEENY_API and nothing
# else but the two names that gdb looks for, the static one defines only names that begin with teeny_
# and those two, and neither needs more than libc.
shared=$1 static=$2 headers=$3
failed=0

nm -D --defined-only "$shared" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort >exports.found
: >exports.text
for header in "$headers"/*.h; do
    tr '\n' ' ' <"$header" >>exports.text
done
printf '%s\n' __jit_debug_descriptor __jit_debug_register_code >exports.debugger
grep -o 'TEENY_API [^;(]*(' exports.text | grep -o 'teeny_[a-z_0-9]*($' | tr -d '(' |
    cat - exports.debugger | sort >exports.expected
if ! diff exports.expected exports.found; then
    echo "exports of $shared differ from the headers"
    failed=1
fi

foreign=$(nm --defined-only "$static" 2>/dev/null |
    awk '$2 ~ /^[A-Z]$/ && $3 !~ /^teeny_/ { print $3 }' | grep -v '^DW.ref' |
    grep -vxFf exports.debugger)
if [ -n "$foreign" ]; then
    echo "$static defines names without teeny_: $foreign"
    failed=1
fi

needed=$(readelf -d "$shared" | awk '/NEEDED/ { print $NF }' | grep -v '^\[libc\.so\|^\[ld-linux')
if [ -n "$needed" ]; then
    echo "$shared needs $needed"
    failed=1
fi
exit $failed
