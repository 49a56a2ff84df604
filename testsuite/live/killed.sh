# SPDX-License-Identifier: GPL-2.0
# SIGKILL of the loader at any moment: the guardian process unloads the module, and nothing is left.
# Device nodes that the loader made itself are removed at the next start, but not those of a loader
# that is running.
. "$TOP/testsuite/expect.sh"
for delay in 0 0.02 0.1 0.3 1; do
	"$PROBERUN" "$MODULE" >/tmp/o 2>&1 &
	pid=$!
	sleep "$delay"
	{ kill -KILL "$pid"; wait "$pid"; } 2>/dev/null
	wait_unloaded "killed after $delay s"
	sleep 0.3
	unloaded "killed after $delay s"
done

left=/dev/.probec-$pid-abcdef
made=/run/.probec-$$-abcdef
mkdir -m 700 "$left" "$made" && mknod "$left/device" c 1 3 &&
	"$PROBERUN" -T 1 "$MODULE" >/tmp/o 2>&1 || exit
[ ! -e "$left" ] || fail 'the node of a killed session is still there'
rmdir "$made"
