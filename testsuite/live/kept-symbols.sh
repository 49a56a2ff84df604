# SPDX-License-Identifier: GPL-2.0
#@ slow
# The first session of a boot reads the kernel's symbols and caches them for the others.
set -u
kept=/run/probec/kallsyms
fail() { echo "$*"; exit 1; }
session() \
	{ "$PROBEC" -e 'probe kernel.function("vfs_read") {} probe begin { println("there") exit() }' >/tmp/out 2>&1; }
works() { session && [ "$(cat /tmp/out)" = there ] || { cat /tmp/out; fail "$1"; }; }
rm -f "$kept"
trap 'rm -f "$kept"' EXIT

works 'the first session'
[ "$(stat -c '%a %u' "$kept")" = '600 0' ] || fail "$(ls -l "$kept")"
sed 1d "$kept" | cut -c 20- | LC_ALL=C sort -c || fail 'not in order'
sed 1d "$kept" | LC_ALL=C sort >/tmp/kept
# Linux 7.x has variables in code, which are kept as variables.
awk '/\t/ { exit } $3 == "_sdata" { data = 1 } data && $2 ~ /^[tTwW]$/ { $2 = "D" } { print }
	$3 == "_edata" { data = 0 }' /proc/kallsyms |
	LC_ALL=C sort | cmp - /tmp/kept || fail "not the kernel's"
cp "$kept" /tmp/whole
works 'the second session'
cmp "$kept" /tmp/whole || fail 'made again'

# Sessions use the cached file, ...
without() { sed -i 's/^\([0-9a-f]* . vfs_rea\)d$/\1_/' "$kept"; }
without
! session && grep -q "'vfs_read' is not among the symbols of the running kernel" /tmp/out ||
	{ cat /tmp/out; fail 'not used'; }
# ... except one of another boot, a truncated one, and one of another user.
sed -i '1s/2 [^ ]*/2 00000000-0000-0000-0000-000000000000/' "$kept"
works 'of another boot'
cmp "$kept" /tmp/whole || fail 'of another boot, not made again'
without
chmod 644 "$kept"
works 'that others can read'
cmp "$kept" /tmp/whole && [ "$(stat -c %a "$kept")" = 600 ] ||
	fail 'that others can read, not made again'
without
truncate -s -1 "$kept"
works 'that is cut'
without
chmod 755 /run/probec
works 'in a directory that others can enter'
chmod 700 /run/probec
