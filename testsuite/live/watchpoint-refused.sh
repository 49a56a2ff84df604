# More watchpoints than a processor has are refused with the reason, and those already set are
# removed again.
fail() { echo "$1"; cat /tmp/err; exit 1; }
for i in 1 2; do
	timeout 60 "$PROBERUN" "$MODULE" -c true >/tmp/out 2>/tmp/err && fail "it runs"
	[ "$(grep -c 'error: .* could not be armed' /tmp/err)" = 1 ] || fail "not one is refused"
	grep \
		-q "error: kernel.data(\"panic_on_oops\").length(4).rw: 'panic_on_oops' could not be armed: No space" /tmp/err ||
		fail "no name"
	grep -q 'a processor has four watchpoints' /tmp/err || fail "no reason"
done
