# SIGKILL of the loader at any moment: the guardian unloads the module, and nothing is left.
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
