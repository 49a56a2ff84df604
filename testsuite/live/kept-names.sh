# SPDX-License-Identifier: GPL-2.0
# Lists of the running kernel that take long to read are read once, or once a boot; after that they
# come from the cache.
set -u
export PROBEC_CACHE=/run/kept-names
mkdir -p "$PROBEC_CACHE"
kept=$PROBEC_CACHE/symbols
fail() { echo "$*"; exit 1; }
analyse() { "$PROBEC" --debuginfo= -p2 -e "probe kernel.function(\"$1\") {}" >/tmp/out 2>&1; }
refuse() { ! analyse "$1" && grep -q "$2" /tmp/out ||
	{ cat /tmp/out; fail "not refused: $1: $2"; }; }
# Remove a function from a cached list.
without() { # LIST BOOT
	local file head
	file=$(echo "$kept"/*."$1")
	sed -i -e 1d -e '/^vfs_read$/d' "$file"
	head="probec-names 2 $2 $(stat -c %s "$file")"
	while [ $((${#head} % 8)) != 7 ]; do head="$head "; done
	sed -i "1i $head" "$file"
}
boot=$(cat /proc/sys/kernel/random/boot_id)

analyse vfs_read || { cat /tmp/out; fail 'vfs_read'; }
[ "$(ls "$kept" | sed 's/^[0-9a-f]*//' | sort | tr '\n' ' ')" = '.symbols .traceable ' ] ||
	fail "kept: $(ls "$kept")"
sed 1d "$kept"/*.traceable | LC_ALL=C sort -c || fail 'traceable: not in order'
sed 1d "$kept"/*.traceable >/tmp/kept
grep -v ' ' /sys/kernel/tracing/available_filter_functions | LC_ALL=C sort | cmp - /tmp/kept ||
	fail 'traceable: not the kernel'\''s'
# BTF is opened only when a script uses a parameter.
"$PROBEC" --debuginfo= -p2 -e 'probe kernel.function("vfs_read") { println($count) }' >/tmp/out \
	2>&1 || { cat /tmp/out; fail '$count'; }
tail -c "$(stat -c %s /sys/kernel/btf/vmlinux)" "$kept"/*.btf | cmp - /sys/kernel/btf/vmlinux ||
	fail 'btf: not the kernel'\''s'
[ -s "$(echo "$kept"/*.functions)" ] || fail 'the order of functions is not kept'
"$PROBEC" --debuginfo= -p2 -e 'probe kernel.function("vfs_read") { println($count) }' >/tmp/again \
	2>&1 || fail 'from the cache'
cmp /tmp/out /tmp/again || fail 'from the cache: something else'

without traceable "$boot"
refuse vfs_read 'not in the kernel.s list of functions that can be traced'
analyse vfs_write || fail 'vfs_write'
# After the next boot the list is read from the kernel again and cached.
without traceable 00000000-0000-0000-0000-000000000000
analyse vfs_read || { cat /tmp/out; fail 'of another boot'; }
grep -qx vfs_read "$kept"/*.traceable || fail 'not kept again'
# Symbol names do not change with a boot; a truncated list is not used.
without symbols -
refuse vfs_read 'has no function'
truncate -s -1 "$kept"/*.symbols
analyse vfs_read || fail 'symbols that are cut'
