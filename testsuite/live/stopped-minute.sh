# SPDX-License-Identifier: GPL-2.0
#@ slow
# A reader is stopped for a minute while handlers and timers continue: afterwards the session works
# as before, losses are counted exactly, and nothing on the machine waited for the reader.
. "$TOP/testsuite/expect.sh"
cd /tmp
remember
# The command writes until it is told to stop, and prints how often it did.
cat >flood <<'SH'
n=0
until [ -e over ]; do dd if=/dev/zero of=/dev/null bs=77 count=1000 status=none; n=$((n + 1000)); \
	echo $n >written; done
until [ -e seen ]; do sleep 0.1; done
SH
"$PROBERUN" -s 1 -o out -c 'sh flood' "$MODULE" 2>said &
pid=$!
wait_for 'the first output' grep -qs '^w 77' out
kill -STOP "$pid"
before=$(cat written)
sleep 60
[ "$(cat written)" -gt "$((before + 10000))" ] ||
	fail 'the command waited for a reader that was stopped'
kill -CONT "$pid"
touch over
# The rest of the output arrives, and then there is room for new output.
n=$(grep -c '^tick' out)
wait_for 'output after the minute' sh -c "[ \$(grep -c '^tick' out) -gt $((n + 5)) ]"
touch seen
wait "$pid" || fail "status $?" said
hits=$(sed -n 's/^hits //p' out)
printed=$(grep -c '^w 77$' out)
# The last report counts all losses.
lost=$(sed -n 's/.*lost the output of \([0-9]*\) hits.*/\1/p' said | tail -n 1)
[ "$hits" = "$(cat written)" ] || fail "$(cat written) writes, $hits hits" said
[ "$((printed + ${lost:-0}))" = "$hits" ] && [ "${lost:-0}" -gt 0 ] ||
	fail "$hits hits, $printed printed, ${lost:-none} lost" said
ended_clean 'a stopped reader'
