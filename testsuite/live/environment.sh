# SPDX-License-Identifier: GPL-2.0
# The facts that proberun tells a script about itself, and those that a hit knows about its context.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
cd /tmp || exit
TZ=XYZ-5:30 "$PROBERUN" "$MODULE" >out 2>err &
pid=$!
while sleep 0.0625; do cat /proc/version; done >/dev/null &
reader=$!
wait $pid
status=$?
kill $reader
wait $reader 2>/dev/null
[ "$status" = 0 ] || fail "status $status" err
grep -qx -- '-19800 XYZ Thu Jan  1 05:30:00 1970 XYZ' out || fail 'the time zone' out
grep -qx "loader $pid" out || fail "the loader is not $pid" out
# sleep(1) may ask for a nanosecond more.
for line in 'time of day 1' 'begin_end 1' 'kprobe 1' 1 kretprobe 'sleeps 6250000[01]'; do
	grep -qx "$line" out || fail "no line '$line'" out
done
rm -f out err
