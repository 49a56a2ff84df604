# SPDX-License-Identifier: GPL-2.0
# gfp_flag_name of vm.kmalloc, compared with the names that the kernel's own trace of the same
# allocations shows.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
tracing=/sys/kernel/tracing
[ -e $tracing/events/kmem/kmalloc ] || { echo 'no tracefs'; exit 77; }
cat >/tmp/gfp-load <<'SH'
cd /sys/kernel/tracing
: >trace
echo "common_pid == $$" >events/kmem/kmalloc/filter
echo 1 >events/kmem/kmalloc/enable
for name in /proc/self/maps /etc/passwd /proc/net/tcp /proc/self/environ; do
	while read -r line; do :; done <"$name"
done 2>/dev/null
exec 5<>/dev/udp/127.0.0.1/9
echo 0 >events/kmem/kmalloc/enable
echo 0 >events/kmem/kmalloc/filter
grep -o 'gfp_flags=[^ ]*' trace | sed 's/.*=//' | LC_ALL=C sort -u >/tmp/gfp-names
: >trace
SH
"$PROBERUN" -o /tmp/gfp-out -c 'exec bash /tmp/gfp-load' "$MODULE" 2>/tmp/gfp-said ||
	fail 'the session' /tmp/gfp-said
[ "$(wc -l </tmp/gfp-names)" -ge 2 ] || fail 'the kernel traced nothing' /tmp/gfp-names
grep -q 'GFP_KERNEL.*|' /tmp/gfp-names || fail 'no flags' /tmp/gfp-names
# The session sees the allocations before and after the trace as well.
LC_ALL=C sort -u /tmp/gfp-out | LC_ALL=C comm -13 - /tmp/gfp-names >/tmp/gfp-missing
[ ! -s /tmp/gfp-missing ] ||
	fail 'names that the session does not show' /tmp/gfp-missing /tmp/gfp-out
rm -f /tmp/gfp-*
