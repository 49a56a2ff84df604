# SPDX-License-Identifier: GPL-2.0
# Sessions in the background, for the guest's sides of the tests in vm/ that probe our own modules.
# Sourced by them. Differences are printed; a test expects no output.
# shellcheck shell=bash

standing() {
	grep -v '^overlay' /proc/modules
	cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions
}
fail() { # TEXT [FILE...]
	echo "$1"
	[ $# = 1 ] || cat "${@:2}"
}
until_true() { # WHAT COMMAND...: waits for at most a minute
	local what=$1 _
	for _ in $(seq 600); do
		"${@:2}" && return
		sleep 0.1
	done
	fail "$what: it does not come"
	return 1
}

# start NAME [OPTION]...: starts NAME.ko, whose probes are armed when this returns; its output goes
# to out and err. These are created here because the session's own process may open them later than
# the first look at them.
start() {
	: >out
	: >err
	"$PROBERUN" -v "$1.ko" "${@:2}" >out 2>err &
	session=$!
	until_said 'armed [0-9]+ of'
}
until_said() { # PATTERN
	until_true "'$1' in what it says" grep -qE "$1" err || cat err
}
finish() {
	kill -INT "$session"
	wait "$session" || fail "status $?" err
}
same() { # WHAT EXPECTED: compares the content of out
	[ "$(cat out)" = "$2" ] || { echo "$1: not"; echo "$2"; echo "but"; cat out err; }
}
