# SPDX-License-Identifier: GPL-2.0
# The flight recorder: a snapshot has every hit of each processor from some moment on up to the
# trigger, none after it, in the order of time, however often the rings were overwritten; the
# program itself says how far each of its threads had come. Then the other ways to a snapshot: a
# signal, a background session, an error; the formats and files; and a session without any.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1

# check SNAPSHOT TRUTH: the records that are said to be complete are consecutive for each thread and
# end where the program says. (Before them, a thread that has moved to another processor may lack
# what was overwritten there.)
check() {
	awk '
		FNR == 1 { file++ }
		file == 1 { low[$1] = $2; high[$1] = $3; next }
		/^--- complete from here on ---$/ { whole = 1; next }
		$3 !~ /^[.]/ || !whole { next }
		$1 in last && $2 != last[$1] + 1 { print "after " last[$1] ": " $0; bad = 1 }
		{ last[$1] = $2; n++ }
		END {
			for (t in last)
				if (last[t] < low[t] || last[t] > high[t]) {
					print t ": " last[t] ", not " low[t] " to " high[t]
					bad = 1
				}
			if (n < 100) { print n " records"; bad = 1 }
			exit bad
		}' "$2" "$1"
}

for threads in ${THREADS:-1 2 5}; do
	"$PROBERUN" --flight=1 -c "./flight $threads 20000" "$MODULE" >out 2>said ||
		fail "$threads threads: status" said
	# Hits that come before the rings were read may lose their output, on a busy machine many.
	! grep -v -e 'rings of 1024 KiB \(were\|are\) full' -e '= raise --flight=MB' said >wrong ||
		fail "$threads threads: messages" wrong
	grep -E '^[0-9]+ [0-9]+ [0-9]+$' out >truth
	[ "$(wc -l <truth)" = "$threads" ] || fail 'the program' out
	[ "$(head -n 1 out)" = begin ] && [ "$(tail -n 1 out)" = end ] || fail 'begin and end' out
	head="^--- snapshot 1 on $(uname -n): number [0-9]+: the last [0-9.]+ s, "
	head+='from [0-9-]+ [0-9:.]+, [0-9]+ hits, complete from [0-9:.]+'
	grep -qE "$head(, [0-9]+ KiB of older ones overwritten meanwhile)? ---$" out ||
		fail 'the head' out
	hits=$(sed -n 's/.*, \([0-9]*\) hits.*/\1/p' out)
	[ "$hits" = "$(grep -c '\.\.\.$' out)" ] || fail "not $hits hits" out
	taken=$(sed -n 's/^taken after \([0-9]*\) calls$/\1/p' out)
	[ "$taken" -ge 20000 ] && tail -n 2 out | grep -q "^taken after $taken calls$" ||
		fail 'what the probe of snapshots prints' out
	check out truth >wrong || fail "$threads threads: $(head -n 3 wrong)"
	! grep -q never out || fail 'a timer' out
done

# In the order of time over all processors.
"$PROBERUN" --flight=1 --format=json -c './flight 5 20000' "$MODULE" >out 2>/dev/null || fail 'JSON'
sed -n 's/^{"type":"print",.*"time":\([0-9.]*\),"text":"[0-9]* [0-9]* .*/\1/p' out >times
[ "$(wc -l <times)" -gt 100 ] && sort -c times || fail 'not in the order of time'

# It goes back from the request, not from the last hit.
"$PROBERUN" --flight=1 -c './flight 1 10 late' "$MODULE" >out 2>said || fail 'a late request' said
has_line out '*: number *: the last [1-9]*' || fail 'how far it goes back' out

# A signal; nothing is read before.
"$PROBERUN" --flight=1 -v "$MODULE" >out 2>one.said &
session=$!
wait_armed one
./flight 1 10 >/dev/null
kill -USR2 $session
wait_for 'the snapshot of a signal' has_line out '--- snapshot 1 on *: SIGUSR2: *'
kill -INT $session
wait $session || fail 'the status of a session with a signal' one.said

# A background session, which is asked twice; each snapshot has a file of its own.
name=$("$PROBERUN" --flight=1 -F -o "$folder/shots" "$MODULE" 2>said) || fail '-F' said
"$PROBERUN" --snapshot "$name" >o 2>said || fail '--snapshot' said
[ ! -s o ] && [ ! -s said ] || fail '--snapshot says something' said
wait_for 'the first file' has_line shots.1 '--- snapshot 1 on *: proberun --snapshot: *'
"$PROBERUN" --snapshot "$name"
wait_for 'the second file' has_line shots.2 '--- snapshot 2 on *: proberun --snapshot: *'
[ "$(cat shots.0)" = begin ] || fail 'before the first one' shots.0
"$PROBERUN" --stop "$name" >/dev/null 2>&1 || fail '--stop'
! "$PROBERUN" --snapshot "$name" 2>said || fail 'a session that is gone'
grep -q 'there is no session.*\[E_SESSION\]' said || fail 'a session that is gone' said

# An error ends the session: what led to it is shown, once; JSON.
"$PROBERUN" --flight=1 --format=json -c './flight 1 10 error' "$MODULE" >out 2>said &&
	fail 'an error, and status 0' out
grep '"type":"snapshot",.*"host":"[^"]*","number":2,' out |
	grep -q '"reason":"the session ended with an error","hits":11,' ||
	fail 'JSON, at the end by an error' out
[ "$(grep -c 'led to an error' out)" = 1 ] || fail 'the error itself' out

# Nobody asks: that is said. Without --flight, snapshot() says what it needs.
"$PROBERUN" --flight -c './flight 1 0' "$MODULE" >out 2>said || fail 'with a snapshot' said
"$PROBERUN" --flight -T 1 -x $$ "$MODULE" >out 2>said || fail 'without hits' said
[ "$(cat out)" = $'begin\nend' ] && ! grep -q E_FLIGHT said || fail 'without hits' said
"$PROBERUN" --flight -c 'tail -c 1 /etc/passwd' "$MODULE" >out 2>said || fail 'no snapshot' said
! grep -q '[.][.][.]$' out && grep -q 'recorded, and no snapshot was taken \[E_FLIGHT\]' said ||
	fail 'no snapshot' said
"$PROBERUN" -c './flight 1 10' "$MODULE" >out 2>said || fail 'without --flight' said
[ "$(grep -c '\.\.\.$' out)" = 10 ] || fail 'without --flight' out
[ "$(cat said)" = 'WARNING: snapshot() needs a session that records (--flight)' ] ||
	fail 'snapshot() without --flight' said
"$PROBERUN" --flight-every=5 "$MODULE" >out 2>said && fail '--flight-every alone'
grep -q "'--flight-every': needs --flight \[E_OPTION\]" said || fail '--flight-every alone' said
