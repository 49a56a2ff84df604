# SPDX-License-Identifier: GPL-2.0
# A flight recorder tells of the hit that found no room, before which nothing is complete, and of
# snapshots that nobody got; a reason of several lines is in one line; without hits, it says so, and
# a session that does not record refuses a snapshot.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1

"$PROBERUN" --flight=1 --flight-every=86400 -v "$MODULE" >out 2>one.said &
session=$!
wait_armed one
./flight 1 100 >/dev/null
wait_for 'the snapshot' has_line out 100
head='^--- snapshot 1 on [^ ]*: a\\x0a--- snapshot 9 on b: the last [0-9.]* s, from [0-9-]* '
head+='[0-9:.]*, [0-9]* hits, complete from [0-9:.]*, without the output of 1 hit for which '
head+='there was no room ---$'
grep -q -e "$head" out || fail 'the head' out
sed '1,/^--- complete from here on ---$/d' out | cmp -s - <(seq 51 100) || fail 'the records' out
! grep -q E_FLIGHT one.said || fail 'too early' one.said

# It is too soon for these. A later snapshot is not complete before the lost hit either, but tells
# nothing twice.
./flight 1 10 >/dev/null
./flight 1 10 >/dev/null
kill -USR2 $session
wait_for 'the second snapshot' has_line out '--- snapshot 2 on *: SIGUSR2: *'
last_is() { [ "$(tail -n 1 out)" = "$1" ]; }
wait_for 'its records' last_is 10
grep '^--- snapshot 2' out | grep 'complete from .* ---$' |
	grep -v 'without the output' |
	grep -q '; before it, 2 snapshots were asked for too soon ---$' ||
	fail 'the second head' out
./flight 1 10 >/dev/null
kill -INT $session
wait $session || fail 'the status' one.said
grep -q 'after the last snapshot, 1 more was requested too soon, and not taken \[E_FLIGHT\]' \
	one.said || fail 'what was not taken' one.said

"$PROBERUN" --flight=1 -c true "$MODULE" >out 2>said || fail 'without hits' said
grep -q 'E_NO_HITS' said && ! grep -q E_FLIGHT said || fail 'without hits' said

name=$("$PROBERUN" -F "$MODULE" 2>said) || fail '-F' said
! "$PROBERUN" --snapshot "$name" 2>said || fail 'a session that does not record'
grep -q "the session '$name' does not record: it has no --flight \[E_SESSION\]" said ||
	fail 'a session that does not record' said
"$PROBERUN" --stop "$name" >/dev/null 2>&1 || fail '--stop'
