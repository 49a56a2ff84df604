# SPDX-License-Identifier: GPL-2.0
# Timers of the session thread whose condition is false do not wake it: the kernel counts how often
# it waited.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
: >out
"$PROBERUN" "$MODULE" >out 2>said &
session=$!
wait_for 'on and off' grep -q off out
comm=$(grep -o '^probec_[^ ]*' /proc/modules)
for p in /proc/[0-9]*; do
	! grep -qx "${comm:0:15}" "$p/comm" 2>/dev/null || thread=$p
done
[ -n "${thread:-}" ] || fail 'no thread'
waits() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "$thread/status"; }
rests() { # while a timer of a millisecond would have woken it 300 times
	local before
	before=$(waits)
	sleep 0.3
	[ "$(waits)" -le $((before + 2)) ]
}
wait_for 'a rest' rests
kill -INT $session
wait $session || fail 'the session' said
[ "$(cat out)" = $'on\noff\n200 1' ] || fail 'other hits' out
