# A processor goes and comes below a profile: its clock goes and comes with it.
set -u
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || exit 0
echo 0 >"$online"
: >/tmp/out
"$PROBERUN" "$MODULE" >/tmp/out 2>/tmp/err &
session=$!
until_more() { # LINES: than so many
	for _ in $(seq 300); do
		[ "$(wc -l </tmp/out)" -gt "$1" ] && return
		sleep 0.1
	done
	echo "no hit after $1 lines"
	cat /tmp/err
	kill -INT $session
	wait $session
	exit 1
}
for _ in 1 2 3; do
	lines=$(wc -l </tmp/out)
	echo 1 >"$online"
	until_more "$lines"
	echo 0 >"$online"
done
echo 1 >"$online"
kill -INT $session
wait $session
