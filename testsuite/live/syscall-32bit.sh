# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# Tools: syscount
#
# syscall_any has the calls of the 32-bit interface by the numbers and names that the kernel's
# headers give them, and by those of the 64-bit interface what the same program calls by that.
# tools/syscount counts the former apart.
. "$TOP/testsuite/expect.sh"
program=/tmp/syscall-32bit
trap 'rm -f "$program" /tmp/seen /tmp/wanted /tmp/said /tmp/rows' EXIT
gcc -O1 -o $program syscall-32bit.c 2>/tmp/said || fail gcc /tmp/said
"$PROBERUN" -o /tmp/seen "$MODULE" -c $program >/tmp/wanted 2>/tmp/said || fail status /tmp/said
[ ! -s /tmp/said ] || fail messages /tmp/said
diff /tmp/wanted /tmp/seen || fail 'other calls'
[ "$(wc -l </tmp/seen)" = 11 ] || fail 'not all calls' /tmp/seen

"$PROBERUN" -o /tmp/seen "$TOOLS/syscount.ko" top=0 -c $program >/tmp/wanted 2>/tmp/said ||
	fail 'status of syscount' /tmp/said
awk '/^ia32_/ { print $1, $2 }' /tmp/seen | sort >/tmp/rows
sed '$d' /tmp/wanted | awk '{ print "ia32_" $1, 1 }' | sort | diff - /tmp/rows ||
	fail 'syscount: wanted (<) and shown (>)'
