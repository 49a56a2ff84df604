# SPDX-License-Identifier: GPL-2.0
# --suppress-time-limits: loops continue, and end when the session does: in a begin probe at ^C and
# when proberun dies. End probes run to their end. Only a hit, during which its processor does
# nothing else, is ended after seconds.
. "$TOP/testsuite/expect.sh"
for signal in INT KILL; do
	: >/tmp/err
	"$PROBERUN" -v --suppress-time-limits "$MODULE" >/tmp/out 2>/tmp/err &
	pid=$!
	wait_for "$signal: started" grep -q started /tmp/err
	sleep 0.5
	kill -s $signal "$pid"
	wait "$pid" 2>/dev/null
	status=$?
	! grep error: /tmp/err || fail "$signal: an error" /tmp/out /tmp/err
	wait_unloaded "$signal"
	[ $signal = KILL ] || [ "$status" = 0 ] || fail "$signal: status $status" /tmp/out /tmp/err
	[ $signal = KILL ] || grep -qx 'end 2000000' /tmp/out ||
		fail "$signal: no end" /tmp/out /tmp/err
done
"$PROBERUN" --suppress-time-limits "$MODULE" where=1 -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=1 status=none' \
	>/tmp/out 2>/tmp/err
status=$?
[ "$status" = 1 ] && grep \
	-q 'no-limits.kp:6:76-87: error: .* one hit ran for seconds \[E_OVERLOAD\]$' /tmp/err ||
	fail "a hit: status $status" /tmp/out /tmp/err
wait_unloaded 'a hit'
