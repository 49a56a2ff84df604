# A handler of the thread that runs for ever ends with the session: at the second ^C, and when
# proberun is killed.
set -u
gone() {
	for _ in $(seq 100); do
		grep -q '^probec_' /proc/modules || return 0
		sleep 0.1
	done
	echo "$1: still loaded"
	exit 1
}
for signals in "INT INT" KILL; do
	"$PROBERUN" "$MODULE" >/tmp/close-in-loop.out 2>&1 &
	pid=$!
	sleep 2
	for s in $signals; do
		sleep 0.3
		kill -s "$s" "$pid"
	done
	wait "$pid" 2>/dev/null
	gone "$signals"
done
