# SPDX-License-Identifier: GPL-2.0
# A processor goes and comes back during a profile: its clock goes and comes back with it.
. "$TOP/testsuite/expect.sh"
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || { echo "no processor here can be unplugged"; exit 77; }
echo 0 >"$online"
: >/tmp/out
"$PROBERUN" "$MODULE" >/tmp/out 2>/tmp/err &
session=$!
more() { [ "$(wc -l </tmp/out)" -gt "$1" ]; } # LINES: there are more
for _ in 1 2 3; do
	lines=$(wc -l </tmp/out)
	echo 1 >"$online"
	wait_for "a hit after $lines lines" more "$lines"
	echo 0 >"$online"
done
echo 1 >"$online"
kill -INT $session
wait $session
