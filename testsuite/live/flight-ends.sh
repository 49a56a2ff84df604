# SPDX-License-Identifier: GPL-2.0
# A flight recorder whose proberun is killed: the guardian process ends the session, shows what was
# recorded, and removes the module, whatever was shown before and in whichever format.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1

# begin OPTION...: starts a session that records, as $session; then ten hits and a warning.
begin() {
	rm -f one.said
	"$PROBERUN" --flight=1 -v "$@" "$MODULE" >out 2>one.said &
	session=$!
	wait_armed one
	./flight 1 10 error >/dev/null
}
killed() {
	{ kill -KILL "$session"; wait "$session"; } 2>/dev/null
	wait_unloaded "$1"
}
last='on [^ ]*: proberun was killed: the last [0-9.]* s, from [0-9-]* [0-9:.]*, '
calls() { for i in $(seq 10); do echo "${1:-}call $i${2:-}"; done; }

begin
killed 'text'
{ echo begin; echo end; echo head; calls; } >wanted
sed "s/^--- snapshot 1 ${last}11 hits ---\$/head/" out | cmp -s - wanted || fail 'text' out
grep -qx 'WARNING: seen' one.said || fail 'a warning' one.said

# After another snapshot, which showed the warning; files of its own.
begin -o shots
kill -USR2 $session
wait_for 'the first snapshot' has_line shots.1 'call 10'
./flight 1 10 >/dev/null
killed 'files'
{ echo begin; } | cmp -s - shots.0 || fail 'the file before the first one' shots.0
{ echo head; calls; } >wanted
sed 's/^--- snapshot 1 .*SIGUSR2.*/head/' shots.1 | grep -vx end | cmp -s - wanted ||
	fail 'the first file' shots.1
{ echo head; calls; calls; } >wanted
sed "s/^--- snapshot 2 ${last}21 hits ---\$/head/" shots.2 | cmp -s - wanted ||
	fail 'the last file' shots.2
[ "$(grep -c 'WARNING: seen' one.said)" = 1 ] || fail 'a warning, twice' one.said

begin --format=json
killed 'JSON'
grep -q '"type":"snapshot",.*"number":1,"reason":"proberun was killed","hits":11,' out &&
	[ "$(grep -c '"text":"call ' out)" = 10 ] || fail 'JSON' out one.said

begin --format=csv -o table
killed 'CSV'
[ "$(cat table.0 table.1 2>/dev/null | grep -c '^[0-9]')" -ge 10 ] || fail 'CSV' table.0 table.1

# At any moment.
for delay in 0 0.02 0.1 0.3; do
	"$PROBERUN" --flight=1 "$MODULE" >out 2>&1 &
	session=$!
	sleep "$delay"
	killed "killed after $delay s"
done

# An orderly end: the guardian process shows nothing, and the output's reader is not kept waiting.
"$PROBERUN" --flight=1 -c './flight 1 10' "$MODULE" 2>/dev/null | cat >out
! grep -q 'was killed' out && grep -qx end out || fail 'an orderly end' out
