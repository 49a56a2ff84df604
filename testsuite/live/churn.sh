# SPDX-License-Identifier: GPL-2.0
#@ slow
# proberun ends at random moments, in all ways, under load, twenty times: nothing is left.
. "$TOP/testsuite/expect.sh"
work() {
	until [ -e /tmp/churn.over ]; do
		dd if=/dev/zero of=/tmp/churn.$BASHPID bs=4k count=100 2>/dev/null
		find /usr/share/doc -maxdepth 1 >/dev/null
		/bin/true
	done
}
for _ in 1 2 3 4; do
	work &
done
RANDOM=7
ends=(INT KILL TERM "INT INT" "TERM KILL" HUP)
for i in $(seq 20); do
	"$PROBERUN" "$MODULE" >/tmp/churn.out 2>/tmp/churn.err &
	pid=$!
	sleep "$((RANDOM % 3)).$((RANDOM % 10))"
	for s in ${ends[i % 6]}; do
		sleep "0.$((RANDOM % 4))"
		kill -s "$s" "$pid" 2>/dev/null
	done
	wait "$pid" 2>/dev/null
	wait_unloaded "round $i (${ends[i % 6]})"
done
touch /tmp/churn.over
wait
