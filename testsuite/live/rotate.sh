# SPDX-License-Identifier: GPL-2.0
# -o with -S: files of the given size with whole lines, of which the last ones remain; in the
# background as well.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
mkdir /run/rotate && cd /run/rotate || exit 1
"$PROBERUN" -s 64 --suppress-time-limits -o o -S 1,3 "$MODULE" >said 2>&1 || fail '-S 1,3' said
[ ! -s said ] || fail 'messages' said
[ ! -e o ] || fail 'FILE itself was written'
set -- $(printf '%s\n' o.* | sort -t. -k2n)
[ $# = 3 ] || fail "$# files are kept, not 3: $*"
last=${3#o.}
[ "$*" = "o.$((last - 2)) o.$((last - 1)) o.$last" ] && [ "$last" -ge 4 ] ||
	fail "not the last ones: $*"
for f; do
	[ "$(stat -c %s "$f")" -le 1048576 ] || fail "$f is too large"
	[ "$(tail -c 1 "$f" | od -An -tx1)" = ' 0a' ] || fail "$f ends within a line"
done
[ "$(stat -c %s "$1")" -gt 1048400 ] || fail "$1 is not full"
# Nothing is missing between the first line that remains and the last one printed.
cat "$@" | awk \
	'NR > 1 && $1 != was + 1 { bad = 1 } { was = $1 } END { exit bad || was != 119999 }' ||
	fail 'lines are missing'
rm -f o.*

# Each CSV file can be read alone.
"$PROBERUN" -s 64 --suppress-time-limits --format csv -o o -S 1 "$MODULE" >said 2>&1 ||
	fail '--format csv' said
for f in o.*; do
	[ "$(head -n 1 "$f")" = "$(head -n 1 o.0)" ] || fail "$f names no columns"
	tail -n +2 "$f"
done >rows
[ "$(head -c 2 o.0)" != 0, ] && [ "$(wc -l <rows)" = 120000 ] || fail 'not all rows'
rm -f o.*

name=$("$PROBERUN" -s 64 --suppress-time-limits -F -o o -S 2 "$MODULE" 2>said) ||
	fail '-F -o -S' said
wait_for 'its end, which nobody wants to see' test ! -e /run/probec/"$name".sock
cat $(printf '%s\n' o.* | sort -t. -k2n) |
	awk '$1 != NR - 1 { bad = 1 } END { exit bad || NR != 120000 }' ||
	fail 'not all lines are in the files'
refused E_OPTION '-S without -o' "$PROBERUN" -S 1 "$MODULE"
for bad in 0 x 1, 1,0 1,x 1,2,3 ''; do refused E_OPTION "-S '$bad'" "$PROBERUN" -o o -S "$bad" \
	"$MODULE"; done
! "$PROBERUN" -o /no/such/o -S 1 "$MODULE" >said 2>&1 && grep -q "can't write.*E_IO" said ||
	fail 'no such directory' said
