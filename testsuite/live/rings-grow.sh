# SPDX-License-Identifier: GPL-2.0
# Rings begin small, and grow while their reader does not read: more lines than a ring begins with
# are all there, and in their order. A session whose memory is limited says why it loses some.
. "$TOP/testsuite/expect.sh"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
pid= grown=
trap '[ -z "$pid" ] || kill -CONT "$pid"; rm -rf "$work"' EXIT
# Writes with a reader that is stopped: the lines of the second batch come while it reads.
write() { taskset -c 0 dd if=/dev/zero of=/dev/null bs=79 count="$1" status=none; }
stopped() { # LINES OPTION...
	rm -f out err
	"$PROBERUN" -v -o out "${@:2}" "$MODULE" 2>err &
	pid=$!
	wait_for 'a tick' grep -qs '^tick' out
	kill -STOP "$pid"
	write 2000
	[ -z "$grown" ] || wait_for 'a larger ring' grep -q " $grown .* vmap" /proc/vmallocinfo
	write "$1"
	kill -CONT "$pid"
	write 1000
	kill -INT "$pid"
	wait "$pid" || fail "status $?" err
	pid=
}
# 28,000 lines are about 2.5 MB in the ring of a processor, whose 4 MB are mapped twice.
grown=8392704 # with a page that guards its end
stopped 28000
grown=
! grep -q 'lost the output' err || fail 'lines were lost' err
grep -q 'set up: 2 rings of 1024 to 4096 KiB' err || fail 'the sizes' err
[ "$(grep -c '^w ' out)" = 31000 ] && grep -qx 'hits 31000' out || fail 'lines are missing' err
grep '^w ' out | cut -d' ' -f3 | cmp -s - <(seq 0 30999) || fail 'lines are not in their order'
grep '^e ' out | cut -d' ' -f2 | cmp -s - <(seq 0 19999) || fail 'the lines of the end probe'
text=0123456789012345678901234567890123456789
[ "$(grep -cv -e '^tick$' -e '^hits ' -e "^[we] [0-9 ]* $text\$" out)" = 0 ] ||
	fail 'lines are damaged'

# As little as it can have: the ring has no more than it begins with.
kib=$("$PROBERUN" --memory 1 -o out "$MODULE" 2>&1 | sed -n 's/.* would take \([0-9]*\) KiB.*/\1/p')
[ "$kib" -gt 0 ] || fail 'no amount'
stopped 60000 --memory $((kib / 1024 + 2))
lost=$(sed -n 's/.*lost the output of \([0-9]*\) hits.*/\1/p' err)
[ "${lost:-0}" -gt 0 ] || fail 'nothing was lost' err
grep -q 'rings of [0-9]* KiB were full, as the session may take no more memory' err ||
	grep -q 'rings of [0-9]* KiB were full \[' err || fail 'no reason' err
[ "$(($(grep -c '^w ' out) + lost))" = 63000 ] || fail 'lines are not accounted for' err
