# SIGKILL of the loader at any moment: the guardian unloads the module, and nothing is left. What it may have left where
# it made a device node of its own goes with the next start; what a living one makes does not.
set -u
for delay in 0 0.02 0.1 0.3 1; do
	"$PROBERUN" "$MODULE" >/tmp/o 2>&1 &
	pid=$!
	sleep "$delay"
	{ kill -KILL "$pid"; wait "$pid"; } 2>/dev/null
	for _ in $(seq 300); do
		grep -q '^probec_' /proc/modules || break
		sleep 0.1
	done
	sleep 0.3
	if grep -q '^probec_' /proc/modules; then
		echo "killed after $delay s: still loaded"
		exit 1
	fi
done

left=/dev/.probec-$pid-abcdef
made=/run/.probec-$$-abcdef
mkdir -m 700 "$left" "$made" && mknod "$left/device" c 1 3 && "$PROBERUN" -T 1 "$MODULE" >/tmp/o 2>&1 || exit
[ ! -e "$left" ] || { echo "the node of a killed session is still there"; exit 1; }
rmdir "$made"
