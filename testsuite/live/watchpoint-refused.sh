# SPDX-License-Identifier: GPL-2.0
# More watchpoints than a processor has are refused with the reason, and those already set are
# removed again. Variables are armed in the order of their addresses, so the last one is refused, at
# each of its probes.
fail() { echo "$1"; cat /tmp/err; exit 1; }
last=$(awk '$3 ~ /^(panic_timeout|print_fatal_signals|panic_on_oops)$/ { print $1, $3 }' \
	/proc/kallsyms | sort | tail -n 1 | cut -d ' ' -f 2)
case $last in
panic_timeout) points='.write .write .rw' ;;
print_fatal_signals) points='.write .rw' ;;
panic_on_oops) points='.length(4).rw' ;;
esac
for point in $points; do
	echo "error: kernel.data(\"$last\")$point: '$last' could not be armed: No space"
done >/tmp/wanted
for i in 1 2; do
	timeout 60 "$PROBERUN" "$MODULE" -c true >/tmp/out 2>/tmp/err && fail "it runs"
	grep -o 'error: .* could not be armed: No space' /tmp/err | diff /tmp/wanted - ||
		fail "not one is refused"
	[ "$(grep -c 'error: ' /tmp/err)" = "$(wc -l </tmp/wanted)" ] || fail "another error"
	grep -q 'a processor has four watchpoints' /tmp/err || fail "no reason"
done
