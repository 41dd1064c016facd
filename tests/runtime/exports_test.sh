#!/bin/sh
# What libteeny shows: the shared library exports what the headers mark with TEENY_API and nothing
# else, the static one defines only names that begin with teeny_, and neither needs more than libc.
shared=$1 static=$2 headers=$3
failed=0

nm -D --defined-only "$shared" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort >exports.found
tr '\n' ' ' <"$headers/status.h" >exports.text
for header in device compile teeny; do
    tr '\n' ' ' <"$headers/$header.h" >>exports.text
done
grep -o 'TEENY_API [^;(]*(' exports.text | grep -o 'teeny_[a-z_0-9]*($' | tr -d '(' |
    sort >exports.expected
if ! diff exports.expected exports.found; then
    echo "exports of $shared differ from the headers"
    failed=1
fi

foreign=$(nm --defined-only "$static" 2>/dev/null |
    awk '$2 ~ /^[A-Z]$/ && $3 !~ /^teeny_/ { print $3 }' | grep -v '^DW.ref')
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
