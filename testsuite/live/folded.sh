# Stacks as folded lines: the sum beside what dd was told to write, the frames beside those of JSON.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
session() { # FORMAT
	"$PROBERUN" --format "$1" -c 'dd if=/dev/zero of=/dev/null bs=83 count=50 status=none' "$MODULE" >"o.$1" 2>"e.$1" ||
		fail "$1: status" "o.$1" "e.$1"
}
session folded
session json
! grep -v '^dd;[^;].* [0-9][0-9]*$' o.folded || fail 'a line is not folded' o.folded
[ "$(awk '{ n += $NF } END { print n }' o.folded)" = 4150 ] || fail 'not 4150 bytes' o.folded
! grep -v ';entry_SYSCALL_64_after_hwframe_\[k\];do_syscall_64_\[k\];.*;vfs_write_\[k\] [0-9]*$' o.folded || fail 'not a whole stack' o.folded
grep -qx 'that is all' e.folded || fail 'another print is not on standard error' e.folded
grep -qx 'all=50' e.folded || fail 'another global is not on standard error' e.folded

# Innermost first in JSON.
grep '"name":"sizes"' o.json | while read -r line; do
	echo "dd$(echo "$line" | grep -o '"symbol":"[^"]*"' | cut -d'"' -f4 | tac | sed 's/.*/;&_[k]/' | tr -d '\n') $(echo "$line" | grep -o '"sum":[0-9]*' | cut -d: -f2)"
done | sort >expected
[ -s expected ] || fail 'nothing in JSON' o.json
sort o.folded | diff expected - >difference || fail 'JSON has other frames' difference
