# One script runs in two sessions at once, and both see every hit.
set -u
rm -f /tmp/go
work='until [ -e /tmp/go ]; do sleep 0.1; done; sleep 1; dd if=/dev/zero of=/dev/null bs=41 count=100 2>/dev/null; sleep 1'
"$PROBERUN" -c "$work" "$MODULE" >/tmp/a &
first=$!
"$PROBERUN" -c "$work" "$MODULE" >/tmp/b &
second=$!
for _ in $(seq 200); do
	[ "$(grep -c '^probec_' /proc/modules)" = 2 ] && break
	sleep 0.1
done
sleep 2
touch /tmp/go
wait "$first" || exit 1
wait "$second" || exit 1
[ "$(cat /tmp/a)" = 400 ] && [ "$(cat /tmp/b)" = 400 ] || { echo "$(cat /tmp/a) $(cat /tmp/b), not 400 400"; exit 1; }
