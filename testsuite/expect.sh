# SPDX-License-Identifier: GPL-2.0
# What the tests in host/, vm/ and live/*.sh say about a command. Sourced.
# shellcheck shell=bash
set -u

fail() { # TEXT [FILE]
	echo "$1"
	[ -z "${2:-}" ] || cat "$2"
	exit 1
}

# show COMMAND...: the command as a user types it, what it prints, its status when it is not 0.
show() {
	local status
	echo "\$ ${*@Q}" | sed "s|'$PROBEC'|probec|; s|'$PROBERUN'|proberun|; s|'\([-A-Za-z0-9_./=,:+@]\+\)'|\1|g"
	"$@" 2>&1
	status=$?
	[ "$status" = 0 ] || echo "status $status"
}

# refused ID WHAT COMMAND...: it fails, says [ID] and a next step, and leaves no module loaded.
refused() {
	local id=$1 what=$2
	shift 2
	if "$@" >said 2>&1; then
		fail "$what: status 0" said
	fi
	grep -q "\[$id\]" said || fail "$what: no [$id]:" said
	grep -q '^ *= ' said || fail "$what: no next step:" said
	! grep -q '^probec_' /proc/modules 2>/dev/null || fail "$what: still loaded"
}
