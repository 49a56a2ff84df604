# SPDX-License-Identifier: GPL-2.0
# A probe whose condition reads globals is armed while the condition is true, as the kernel's own
# lists show; each hit checks the condition as well.
# Each: what arms these probes differs between kernels.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
cat >steps <<'END'
. "$TOP/testsuite/expect.sh"
entry() { grep -q "^$1 " /sys/kernel/debug/tracing/enabled_functions; }
returning() { grep -q " $1+0x" /sys/kernel/debug/kprobes/list; }
not() { ! "$@"; }
until_is() { wait_for "$*" "$@"; }
read_both() { for _ in $(seq "$1"); do cat /proc/loadavg /proc/version >/dev/null; done; }
turn() { cat /proc/uptime >/dev/null; }
on() { turn; until_is entry loadavg_proc_show; until_is returning version_proc_show; }
off() { until_is not entry loadavg_proc_show; until_is not returning version_proc_show; }
entry loadavg_proc_show && echo 'armed too early'
read_both 4
on
read_both 5
# Both are still armed.
turn
read_both 3
off
on
read_both 2
turn
off
until_is entry meminfo_proc_show
until_is not entry meminfo_proc_show
until_is entry meminfo_proc_show
# Another owner's kprobe, disabled, at a place where ours is not: only that one is marked.
[ ! -e "$1" ] || echo 'p:other version_proc_show' >"$1"
sleep 1.5
END
events=/sys/kernel/tracing/kprobe_events
"$PROBERUN" -v "$MODULE" -c "exec bash /run/steps $events" >out 2>said ||
	fail 'the session' out said
[ ! -e $events ] || echo >$events
[ "$(cat out)" = '7 7 1' ] || fail 'counts' out said
grep -q "site kernel version_proc_show+0x[0-9]*: off by its condition, by kretprobe $" said ||
	fail "its state" said
