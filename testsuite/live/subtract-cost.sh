# SPDX-License-Identifier: GPL-2.0
# -t says what return probes add to elapsed times, and --subtract-cost takes it off.
# Each: what arms return probes differs between kernels.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
mkdir /tmp/subtract-cost
cd /tmp/subtract-cost || exit 1
trap 'cd /; rm -r /tmp/subtract-cost' EXIT
work='exec dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none'
session() { # OPTION...
	"$PROBERUN" "$@" -c "$work" "$MODULE" >out 2>said || fail "$*" said
}
session -t
grep -q '^2000 ' out || fail 'hits' out said
text='    elapsed times include the cost of the probe,'
# At vfs_write and at the program's function; vfs_read has no elapsed times.
[ "$(grep -c '    elapsed times ' said)" = 2 ] &&
	[ "$(grep -c "^$text [1-9][0-9]* ns at least$" said)" = 1 ] &&
	[ "$(grep -c "^$text which is not measured$" said)" = 1 ] || fail '-t' said
session -t --format=json
grep -q '"by":"kretprobe",[^}]*"cost_ns":[1-9]' out || fail 'json' out
session -t --subtract-cost
read -r n difference <out
cost=$(sed -n 's/^    elapsed times are without \([0-9]*\) ns, the least .*/\1/p' said)
# The other clock is read before and after, so its times are longer by the cost at least.
[ "$n" = 2000 ] && [ "${cost:-0}" -gt 0 ] && [ "$difference" -ge "$cost" ] ||
	fail "$difference ns, $cost of which are the probe" out said
session --subtract-cost --format=json
! grep -q '_ns"' out || fail 'json without -t' out
session -t --subtract-cost --format=json
grep -q '"by":"kretprobe",[^}]*"subtracted_ns":[1-9]' out || fail 'json, subtracted' out
# Nothing is measured unless a session asks for it.
session
! grep -q elapsed said || fail 'without -t' said
