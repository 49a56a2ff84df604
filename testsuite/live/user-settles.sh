# SPDX-License-Identifier: GPL-2.0
# However many places in programs are disarmed, at the end or because their condition became false,
# the session waits once until none of their handlers runs, as the kernel's own events count.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
tracing=/sys/kernel/tracing
events() { # WHAT: prints the sum of the waits whose names begin so
	awk -v what="$1" '$1 ~ "^" what { n += $2 } END { print n + 0 }' $tracing/kprobe_profile
}
if [ ! -e $tracing/kprobe_events ]; then
	mount -t tracefs nodev $tracing 2>/dev/null || fail 'no tracefs'
fi
for wait in uprobe_unregister_sync synchronize_rcu_tasks_trace synchronize_srcu synchronize_rcu; do
	grep -q " $wait\$" /proc/kallsyms && echo "p:waits/$wait $wait" >>$tracing/kprobe_events
done
echo 1 >$tracing/events/waits/enable
"$PROBERUN" -v "$MODULE" >out 2>said
status=$?
echo 0 >$tracing/events/waits/enable
cat $tracing/kprobe_profile >profile
syncs=$(events uprobe_unregister_sync) all=$(events '')
echo >$tracing/kprobe_events
[ "$status" = 0 ] && [ "$(cat out)" = 6 ] || fail 'the session' out said
sites=$(sed -n 's/.*: armed .* of \([0-9]*\) sites.*/\1/p' said)
[ "${sites:-0}" -gt 100 ] || fail 'few sites' said
# Three times the condition becomes false; the fourth wait is the end's.
[ "$syncs" -le 4 ] || fail "$syncs waits" profile
[ "$all" -lt $((sites / 2)) ] || fail "$all waits for $sites sites" profile
