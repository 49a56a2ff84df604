# SPDX-License-Identifier: GPL-2.0
# Stacks as folded lines: the sum compared with what dd was told to write, the frames compared with
# those of JSON, for an array and for a print.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
session() { # FORMAT
	"$PROBERUN" --format "$1" -c 'dd if=/dev/zero of=/dev/null bs=83 count=50 status=none' \
		"$MODULE" >"o.$1" 2>"e.$1" ||
		fail "$1: status" "o.$1" "e.$1"
}
session folded
session json
grep '^dd;' o.folded >array
grep -v '^dd;' o.folded >printed
! grep -v '^dd;[^;].* [0-9][0-9]*$' array || fail 'a line is not folded' o.folded
[ "$(awk '{ n += $NF } END { print n }' array)" = 4150 ] || fail 'not 4150 bytes' o.folded
[ "$(grep -c ' 1$' printed)" = 1 ] && [ "$(wc -l <printed)" = 1 ] ||
	fail 'not one printed stack' o.folded
bottom='(entry_SYSCALL_64_after_hwframe_\[k\];do_syscall_64|el0t_64_sync)_\[k\]'
! grep -vE "^(dd;)?$bottom;.*;vfs_write_\[k\] [0-9]*\$" o.folded ||
	fail 'not a whole stack' o.folded
grep -qx 'that is all' e.folded || fail 'another print is not on standard error' e.folded
grep -qx 'hits=50' e.folded || fail 'another global is not on standard error' e.folded

# Innermost first in JSON.
folded() { # LINE
	echo "$1" | grep -o '"symbol":"[^"]*"' | cut -d'"' -f4 | tac | sed 's/$/_[k]/' |
		paste -sd';'
}
grep '"name":"sizes"' o.json | while read -r line; do
	echo "dd;$(folded "$line") $(echo "$line" | grep -o '"sum":[0-9]*' | cut -d: -f2)"
done | sort >expected
sort array | diff expected - >difference || fail 'JSON has other frames' difference
line=$(grep '"args":\[{"expr":.*"symbol":"vfs_write"' o.json) ||
	fail 'no printed stack in JSON' o.json
[ "$(folded "$line") 1" = "$(cat printed)" ] || fail 'JSON has another printed stack' o.json printed
echo "$line" | grep -q '"text":" 0x[0-9a-f]* : vfs_write+0x[0-9a-f/x]* \[kernel\]\\n 0x' ||
	fail 'no text of a printed stack' o.json
