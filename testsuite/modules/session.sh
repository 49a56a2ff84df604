# SPDX-License-Identifier: GPL-2.0
# Sessions in the background, for the guest's sides of the tests in vm/ that probe modules of ours. Sourced by them; what is not
# as it should be is printed, and a test wants nothing printed.
# shellcheck shell=bash

standing() {
	grep -v '^overlay' /proc/modules
	cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions
}
fail() { # TEXT [FILE...]
	echo "$1"
	[ $# = 1 ] || cat "${@:2}"
}
until_true() { # WHAT COMMAND...: at most a minute
	local what=$1 _
	for _ in $(seq 600); do
		"${@:2}" && return
		sleep 0.1
	done
	fail "$what: it does not come"
	return 1
}

# start NAME [OPTION]...: NAME.ko, armed when this returns; out and err are what it says. They are made here: the session's own
# process may open them later than they are first looked into.
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
same() { # WHAT EXPECTED: what is in out
	[ "$(cat out)" = "$2" ] || { echo "$1: not"; echo "$2"; echo "but"; cat out err; }
}
