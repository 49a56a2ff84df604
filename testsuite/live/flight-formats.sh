# SPDX-License-Identifier: GPL-2.0
#@ needs: babeltrace2 python3
# Snapshots of a flight recorder in each format: where all of them are in one file whose records are
# counted or drawn together, each record is there once; with -S, files have a size and a number.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1

# record OPTION...: two snapshots, of ten and of twenty calls, and of one and of two stacks.
record() {
	rm -f one.said
	"$PROBERUN" --flight=1 -v "$@" "$MODULE" >out 2>one.said &
	session=$!
	wait_armed one
	for n in 1 2; do
		./flight 1 10 error >/dev/null
		kill -USR2 $session
		wait_for "snapshot $n" taken $n
	done
	kill -TERM $session
	wait $session || fail "$*: status $?" one.said
	wait_unloaded "$*"
}
taken() { grep -qs -- "snapshot $1 on \|\"number\":$1,\"reason\"" one.said out table.* small.*; }

record --format=csv
grep -x '[0-9][0-9]*' out | diff - <(seq 10; seq 10) >difference || fail 'CSV' difference out
record --format=folded
[ "$(grep -c ';' out)" -ge 1 ] && [ "$(sed -n 's/.*; *.* \([0-9]*\)$/\1/p' out |
	awk '{ n += $1 } END { print n }')" = 2 ] || fail 'folded' out one.said
record --format=perfetto
python3 - out <<'PY' || fail 'perfetto' out
import json, sys
events = json.load(open(sys.argv[1]))
events = events["traceEvents"] if isinstance(events, dict) else events
found = [e for e in events if e.get("ph") in ("i", "I", "X", "n")]
sys.exit(len(found) != 22)
PY
record --format=json
[ "$(grep -c '"type":"print"' out)" = 33 ] || fail 'JSON, where each snapshot is whole' out
record --format=csv -o table
[ "$(grep -cx '[0-9][0-9]*' table.1)" = 10 ] && [ "$(grep -cx '[0-9][0-9]*' table.2)" = 20 ] ||
	fail 'CSV in files' table.1 table.2
record --format=ctf -o trace
babeltrace2 trace >events 2>said && [ ! -s said ] || fail 'CTF' said
sed -n 's/.* text = "\([0-9]*\)\\n".*/\1/p' events | diff - <(seq 10; seq 10) >difference ||
	fail 'CTF' difference events
record -o small -S 1,2
{ [ ! -e small.0 ] && [ -e small.1 ] && [ -e small.2 ] && [ ! -e small.3 ]; } ||
	fail "the last two files: $(echo small.*)"
[ "$(grep -cx '[0-9][0-9]*' small.2)" = 20 ] || fail 'the last file' small.2
