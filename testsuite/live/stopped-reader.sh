# SPDX-License-Identifier: GPL-2.0
# A reader sleeps while the rings fill up: losses are counted exactly, and a reader
# that never wakes up can be killed.
# Once: the loader reads the rings.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cat >flood <<'END'
until [ -e go ]; do sleep 0.1; done
for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=77 count=40000 2>/dev/null & done
wait
echo >flooded
END
"$PROBERUN" -s 1 -o out -c 'bash flood' "$MODULE" 2>err &
pid=$!
wait_for 'a tick' grep -qs '^tick' out
kill -STOP "$pid"
echo >go
wait_for 'the flood' test -s flooded
kill -CONT "$pid"
wait "$pid" || fail "status $?" err
hits=$(sed -n 's/^hits //p' out)
printed=$(grep -c '^w 77$' out)
lost=$(sed -n 's/.*lost the output of \([0-9]*\) hits.*/\1/p' err)
echo "$hits hits, $printed printed, ${lost:-none} lost"
[ "$hits" = 160000 ] && [ "$((printed + ${lost:-0}))" = "$hits" ] || exit 1
[ "${lost:-0}" -gt 0 ] || fail 'the ring was never full: the test shows nothing'

rm out flooded
"$PROBERUN" -s 1 -o out -c 'bash flood' "$MODULE" 2>err &
pid=$!
wait_for 'a tick' grep -qs '^tick' out
kill -STOP "$pid"
wait_for 'the flood' test -s flooded
{ kill -KILL "$pid"; wait "$pid"; } 2>/dev/null
wait_unloaded 'killed while stopped'
