# More watchpoints than a processor has are refused with the reason, and those already set are
# removed again. Variables are armed in the order of their addresses, so that any can be the one for
# which there is none left.
fail() { echo "$1"; cat /tmp/err; exit 1; }
for i in 1 2; do
	timeout 60 "$PROBERUN" "$MODULE" -c true >/tmp/out 2>/tmp/err && fail "it runs"
	refused=$(sed -n "s/^probec: error: kernel.data(\"\([a-z_]*\)\").*: '\1' could not be armed: No space.*/\1/p" \
		/tmp/err | sort -u)
	case $refused in
	panic_timeout | print_fatal_signals | panic_on_oops) ;;
	*) fail "not one variable is refused: '$refused'" ;;
	esac
	[ "$(grep -c 'error: ' /tmp/err)" = "$(grep -c "error: .*\"$refused\"" /tmp/err)" ] ||
		fail "another error"
	grep -q 'a processor has four watchpoints' /tmp/err || fail "no reason"
done
