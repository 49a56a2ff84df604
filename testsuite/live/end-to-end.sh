# SPDX-License-Identifier: GPL-2.0
# The compiler on the running kernel itself: BTF from /sys, symbols from /proc, build, run; then
# again from the cache.
# Each: what arms these probes differs between kernels.
set -u
"$PROBEC" -v -e \
	'probe kernel.function("vfs_read") { n[execname()] <<< $count } probe timer.s(2) { exit() }' \
	-c 'cat /etc/hostname' >/tmp/o 2>/tmp/e || { cat /tmp/o /tmp/e; exit 1; }
grep -q '^n\["cat"\] @count=[1-9]' /tmp/o || { echo "no result:"; cat /tmp/o /tmp/e; exit 1; }
"$PROBEC" -v -e \
	'probe kernel.function("vfs_read") { n[execname()] <<< $count } probe timer.s(2) { exit() }' \
	-c 'cat /etc/hostname' >/tmp/o 2>/tmp/e || { cat /tmp/o /tmp/e; exit 1; }
grep -qi 'cache' /tmp/e || { echo "the second run was not cached:"; cat /tmp/e; exit 1; }
# A script run by its interpreter line, and one from standard input.
printf '#!/usr/bin/env -S %s\nprobe begin { println("from a file") exit() }\n' "$PROBEC" >/tmp/s.kp
chmod +x /tmp/s.kp
[ "$(/tmp/s.kp)" = 'from a file' ] || { echo "#! does not work"; exit 1; }
[ "$(echo 'probe begin { println(@1) exit() }' | "$PROBEC" - word)" = word ] ||
	{ echo "- does not work"; exit 1; }
