# ^C and SIGTERM end a session in order: end probes run, status 0, nothing is left.
set -u
gone() { ! grep -q '^probec_' /proc/modules; }
for signal in INT TERM; do
	rm -f /tmp/o
	env --default-signal=INT "$PROBERUN" "$MODULE" >/tmp/o &
	pid=$!
	for _ in $(seq 200); do grep -q tick /tmp/o && break; sleep 0.1; done
	cat /etc/hostname >/dev/null
	kill -s "$signal" "$pid"
	wait "$pid"
	status=$?
	grep -q '^end 1$' /tmp/o || { echo "$signal: no end probe:"; cat /tmp/o; exit 1; }
	[ "$status" = 0 ] || { echo "$signal: status $status"; exit 1; }
	gone || { echo "$signal: still loaded"; exit 1; }
done
