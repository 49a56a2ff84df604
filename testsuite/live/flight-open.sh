# SPDX-License-Identifier: GPL-2.0
# A hit whose output has begun before the request and then finds no room is missing in that
# snapshot, which says so, and in no other one.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1

: >out
"$PROBERUN" --flight=1 -v "$MODULE" >out 2>open.said &
session=$!
wait_armed open
./flight 1 10 >/dev/null
wait_for 'the snapshot' has_line out '--- snapshot 1 *'
wait_for 'its records' has_line out 10
head=': by a hit that is open: .*, complete from .*, without the output of 1 hit for which'
grep '^--- snapshot 1' out | grep -q "$head" || fail 'the head' out
sed 1,2d out | cmp -s - <(seq 10) || fail 'the records' out

kill -USR2 $session
wait_for 'the second snapshot' has_line out '--- snapshot 2 on *: SIGUSR2: *'
! grep "^--- snapshot 2" out | grep -q "without the output" || fail 'the second head' out
kill -INT $session
wait $session || fail 'the status' open.said
