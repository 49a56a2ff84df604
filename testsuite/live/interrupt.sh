# SPDX-License-Identifier: GPL-2.0
# ^C and SIGTERM end a session in order: end probes run, the status is 0, nothing is left.
. "$TOP/testsuite/expect.sh"
for signal in INT TERM; do
	: >/tmp/o
	env --default-signal=INT "$PROBERUN" "$MODULE" >/tmp/o &
	pid=$!
	wait_for "$signal: a tick" grep -q tick /tmp/o
	cat /etc/hostname >/dev/null
	kill -s "$signal" "$pid"
	wait "$pid"
	status=$?
	grep -q '^end 1$' /tmp/o || fail "$signal: no end probe:" /tmp/o
	[ "$status" = 0 ] || fail "$signal: status $status"
	unloaded "$signal"
done
