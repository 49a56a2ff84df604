# SPDX-License-Identifier: GPL-2.0
# An endless handler of the session thread ends with the session: at the second ^C, and when
# proberun is killed.
. "$TOP/testsuite/expect.sh"
for signals in "INT INT" KILL; do
	"$PROBERUN" "$MODULE" >/tmp/close-in-loop.out 2>&1 &
	pid=$!
	wait_for 'the module' eval '! no_module'
	pause 1
	# A ^C before the handler has begun ends the session as well.
	for s in $signals; do
		pause 0.3
		kill -s "$s" "$pid"
	done 2>/dev/null
	wait "$pid" 2>/dev/null
	wait_unloaded "$signals"
done
