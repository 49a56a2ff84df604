# SPDX-License-Identifier: GPL-2.0
# A reader sleeps for a second while the rings fill up: losses are counted exactly, and a reader
# that never wakes up can be killed.
# Once: the loader reads the rings.
. "$TOP/testsuite/expect.sh"
flood='sleep 0.3; for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=77 count=40000 2>/dev/null & done; wait'
"$PROBERUN" -s 1 -o /tmp/stopped.out -c "$flood" "$MODULE" 2>/tmp/stopped.err &
pid=$!
wait_for 'a tick' grep -qs '^tick' /tmp/stopped.out
sleep 0.5
kill -STOP "$pid"
sleep 3
kill -CONT "$pid"
wait "$pid" || fail "status $?" /tmp/stopped.err
hits=$(sed -n 's/^hits //p' /tmp/stopped.out)
printed=$(grep -c '^w 77$' /tmp/stopped.out)
lost=$(sed -n 's/.*lost the output of \([0-9]*\) hits.*/\1/p' /tmp/stopped.err)
echo "$hits hits, $printed printed, ${lost:-none} lost"
[ "$hits" = 160000 ] && [ "$((printed + ${lost:-0}))" = "$hits" ] || exit 1
[ "${lost:-0}" -gt 0 ] || fail 'the ring was never full: the test shows nothing'

rm -f /tmp/stopped.out
"$PROBERUN" -s 1 -o /tmp/stopped.out -c "$flood" "$MODULE" 2>/tmp/stopped.err &
pid=$!
wait_for 'a tick' grep -qs '^tick' /tmp/stopped.out
kill -STOP "$pid"
sleep 2
{ kill -KILL "$pid"; wait "$pid"; } 2>/dev/null
wait_unloaded 'killed while stopped'
