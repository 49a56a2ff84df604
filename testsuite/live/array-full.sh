# SPDX-License-Identifier: GPL-2.0
# A full array loses new elements and reports this while it happens and at the end, with their
# number, the array's name and a hint; the session continues. A script that catches the error gets
# it.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
dd='dd if=/dev/zero of=/dev/null bs=29 count=100 status=none'
told="until grep -q \"array 'sums' is full: .* so far\" e; do sleep 0.1; done"
"$PROBERUN" "$MODULE" -o o -c "$dd; $told; $dd" 2>e || fail "status $?" o e
# The sum of the stored values: an element that was lost reads as 0.
grep -qx 'values 55' o || fail 'lost elements can be read' o e
grep -qx '10 10 50 10 10 190 245' o || fail 'not what there was room for' o e
for name in few:20:5 sums:190:11 names:190:12 pairs:190:13; do
	IFS=: read -r array n line <<<"$name"
	grep \
		-q "^array-full.kp:$line:.*: warning: array '$array' is full: $n new elements were not stored \[E_ARRAY_FULL\]$" e ||
		fail "$array: no total" e
done
! grep -q "'held'\|'last'" e || fail 'what was not lost' e
grep \
	-q "warning: array 'sums' is full: [1-9][0-9]* new elements so far not stored (.*MAXMAPENTRIES=N.*) \[E_ARRAY_FULL\]$" e ||
	fail 'not while it happened' e
grep -q '^ *= declare it with a size (global few\[N\]), or -D MAXMAPENTRIES=N' e ||
	fail 'no next step' e
"$PROBERUN" --format json "$MODULE" -o o -c "$dd" 2>e || fail 'status of json' e
grep \
	-q "^{\"type\":\"warning\",.*\"id\":\"E_ARRAY_FULL\",.*\"text\":\"array 'sums' is full: 90 new elements were not stored" o ||
	fail 'json: no warning' o
tail -n 1 o | grep -q '"not_stored":290,' || fail 'json: no sum' o
