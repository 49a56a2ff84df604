# SPDX-License-Identifier: GPL-2.0
# Timers, clocks, counters and watchpoints whose condition is false are disarmed, as the kernel's
# list of timers and the processors' registers show, and count nothing; when it is true again they
# continue.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
processors=$(nproc)
: >out
# shellcheck disable=SC2317 # called by wait_for
{
timers() { [ "$(grep -c "$1" /proc/timer_list)" = "$2" ]; }
# The script prints the processor's registers; the last line has them.
on_each() { # watched|free
	local i
	for ((i = 0; i < processors; i++)); do
		taskset -c $i cat /proc/version >/dev/null
		sleep 0.05
		tail -n 1 out | grep -q "^$i $1 " || return 1
	done
}
more_than() { # COUNTS: each of them has grown beyond these
	local now before i
	cat /proc/version >/dev/null
	read -ra now < <(tail -n 1 out)
	read -ra before <<<"$1"
	for i in 2 3 4 5; do [ "${now[i]:-0}" -gt "${before[i]}" ] || return 1; done
}
}
write() { for _ in $(seq "$1"); do echo 0 >/proc/sys/kernel/panic; done; }
all_on() {
	wait_for 'a clock, and one on each processor' timers clock_hit $((processors + 1))
	wait_for 'a counter on each processor' timers perf_swevent_hrtimer "$processors"
	wait_for 'a watchpoint on each processor' on_each watched
}
all_off() {
	wait_for 'no clock' timers clock_hit 0
	wait_for 'no counter' timers perf_swevent_hrtimer 0
	wait_for 'no watchpoint' on_each free
}
turn() { cat /proc/uptime >/dev/null; }
"$PROBERUN" -v "$MODULE" >out 2>said &
session=$!
wait_for 'a beginning' on_each free
all_off
write 3
tail -n 1 out | grep -q ' free 0 0 0 0 0$' || fail 'hits before it is on' out
turn
all_on
write 3
wait_for 'hits' more_than '0 0 0 0 0 0 0'
on_each watched
tail -n 1 out | grep -q ' 3$' || fail 'not 3 writes' out
turn
all_off
on_each free
before=$(tail -n 1 out)
write 3
sleep 0.3
on_each free
[ "$(tail -n 1 out)" = "$before" ] || fail "hits while it is off, after $before" out
turn
all_on
write 2
wait_for 'hits again' more_than "$before"
on_each watched
tail -n 1 out | grep -q ' 5$' || fail 'not 5 writes' out
turn
all_off
kill -INT $session
wait $session || fail 'the session' said
for p in 'timer.us(700)' 'timer.profile' 'perf.type(1)' 'panic_timeout'; do
	grep -qF "$p" said || fail "no site of $p" said
	grep -F "$p" said | grep -q 'off by its condition' || fail "not off: $p" said
done
