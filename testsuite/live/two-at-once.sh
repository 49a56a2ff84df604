# SPDX-License-Identifier: GPL-2.0
# One script runs in two sessions at once, and both see every hit.
. "$TOP/testsuite/expect.sh"
rm -f /tmp/go
work='until [ -e /tmp/go ]; do sleep 0.1; done; sleep 1; dd if=/dev/zero of=/dev/null bs=41 count=100 2>/dev/null; sleep 1'
"$PROBERUN" -c "$work" "$MODULE" >/tmp/a &
first=$!
"$PROBERUN" -c "$work" "$MODULE" >/tmp/b &
second=$!
both() { [ "$(grep -c '^probec_' /proc/modules)" = 2 ]; }
wait_for 'both modules' both
sleep 2
touch /tmp/go
wait "$first" || exit 1
wait "$second" || exit 1
[ "$(cat /tmp/a)" = 400 ] && [ "$(cat /tmp/b)" = 400 ] ||
	fail "$(cat /tmp/a) $(cat /tmp/b), not 400 400"
