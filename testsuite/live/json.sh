# SPDX-License-Identifier: GPL-2.0
# A session as a stream of JSON objects: prints, histograms, globals, messages, figures; a full
# disk; a pipe without a reader.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
before=$(date +%s)
"$PROBERUN" -t --format json -c 'dd if=/dev/zero of=/dev/null bs=83 count=50 status=none' \
	"$MODULE" >o 2>e || fail 'status' e
[ ! -s e ] || fail 'messages are not in the stream' e
after=$(date +%s)
! grep -vn '^{"type":"[a-z]*",.*"time":[0-9]*\.[0-9]\{9\}.*}$' o || fail 'not an object a line' o
if command -v jq >/dev/null; then jq -e . o >/dev/null || fail 'jq does not read it' o; fi
grep -o '"time":[0-9]*' o | tr -d '"time:' |
	awk -v a="$before" -v b="$after" '$1 < a || $1 > b { exit 1 }' ||
	fail "not between $before and $after" o

has() { grep -qF -e "$1" o || fail "no $1" o; }
has \
	'"text":"42 two\twords\n","args":[{"expr":"6 * 7","value":42},{"expr":"sprintf(\"two\\t%s\", \"words\")","value":"two\twords"}]'
has \
	'{"expr":"@hist_log(h)","value":{"buckets":[{"low":0,"high":0,"count":1},{"low":1,"high":1,"count":1},{"low":2,"high":3,"count":2},{"low":4,"high":7,"count":4},{"low":8,"high":15,"count":2}],"min":0,"max":9}}'
has "\"value\":\"$(printf '\303\251 \357\277\275')\",\"hex\":\"c3a920ff\"}"
has '"text":"careful"}'
has \
	'"name":"n","keys":["dd",83],"value":{"count":50,"min":83,"avg":83,"max":83,"sum":4150,"histogram":{"buckets":[{"low":64,"high":127,"count":50}],"min":83,"max":83}}}'
has '"name":"total","keys":[],"value":50}'
has '"name":"word","keys":[],"value":"a\"b\\"}'
has '"name":"none","keys":[],"value":{"count":0}}'
[ \
	"$(grep -c '^{"type":"print","probe":"kernel.function(\\"vfs_write\\")","cpu":[0-9]*,.*{"expr":"$count","value":83}]}$' o)" = 50 ] ||
	fail 'not 50 hits' o
grep \
	-q '^{"type":"error","probe":"end","cpu":null,.*"id":"E_SCRIPT","file":"json.kp","line":19,"col":13,"text":"at \\"last\\""}$' o ||
	fail 'no error' o
grep \
	-q '^{"type":"timing",.*{"probe":"kernel.function(\\"vfs_write\\")","file":"json.kp","line":12,"col":7,"hits":[0-9]*,.*"by":"ftrace"' o ||
	fail 'no timing' o
tail -n 1 o | grep \
	-q '^{"type":"summary",.*"status":0,"hits":[0-9]*,"errors":1,"lost":0,"lost_bytes":0,"not_stored":0,"skipped":{' || fail 'no summary' o
[ "$(grep -c '"type":"summary"' o)" = 1 ] || fail 'not one summary' o

# The errors and messages at the end are the same, also if the stream cannot be written.
mkdir -p full
mount -t tmpfs -o size=4k tmpfs full
for format in text json csv; do
	timeout 60 "$PROBERUN" --format $format -o full/o -c \
		'dd if=/dev/zero of=/dev/null bs=83 count=5000 status=none' "$MODULE" >said 2>&1 &&
		fail "$format on a full disk: status 0" said
	grep -q 'could not be written: No space left on device \[E_IO\]' said ||
		fail "$format on a full disk" said
	unloaded "$format on a full disk"
	rm full/o
	timeout 60 "$PROBERUN" --format $format "$MODULE" 2>said | head -c 1 >/dev/null
	[ "${PIPESTATUS[0]}" = 0 ] || fail "$format without a reader: status ${PIPESTATUS[0]}" said
	! grep -q E_IO said || fail "$format without a reader" said
	unloaded "$format without a reader"
done
umount full
