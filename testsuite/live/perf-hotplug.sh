# SPDX-License-Identifier: GPL-2.0
# A processor is off when the session starts, comes, goes and comes again: counters and watchpoints
# follow.
# shellcheck shell=bash
. "$TOP/testsuite/expect.sh"
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || { echo "no processor here can be unplugged"; exit 77; }
cd /run || exit 1
trap 'echo 1 >$online' EXIT
echo 0 >$online
: >out
"$PROBERUN" -v "$MODULE" >out 2>said &
session=$!
# shellcheck disable=SC2317 # called by wait_for
{
counts() { cat /proc/uptime >/dev/null; [ "$(grep -c counted out)" -gt "$1" ]; }
watches() { taskset -c 1 sh -c 'echo 0 >/proc/sys/kernel/panic' && sleep 0.05 &&
	[ "$(grep -c written out)" -gt "$1" ]; }
}
for _ in 1 2 3; do
	before=$(grep -c counted out)
	writes=$(grep -c written out)
	echo 1 >$online
	wait_for 'a hit of the counter' counts "$before"
	wait_for 'a hit of the watchpoint' watches "$writes"
	echo 0 >$online
done
echo 1 >$online
kill -INT $session
wait $session || fail 'the session' said
! grep -q warning said || fail 'a warning' said
