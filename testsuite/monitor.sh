# SPDX-License-Identifier: GPL-2.0
# The view of --monitor in a terminal, for tests of live/: a directory of its own, which the test's
# end removes with the terminal and what the test has started, and the switches of the page of
# probes. Sourced after expect.sh; also has terminal.sh.
# shellcheck shell=bash
PATH=/usr/bin:/bin:/usr/sbin:/sbin
# shellcheck source=testsuite/terminal.sh
. "$TOP/testsuite/terminal.sh"
dir=/run/monitor.test
clean() {
	tmux kill-server
	kill $(jobs -p)
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" || exit 1
export LC_ALL=C.UTF-8 TERM=screen

# start [OPTION]... MODULE: proberun in the terminal.
start() { open_terminal "\"$PROBERUN\"" "$@"; }

# switch ROW STATE: on the page of probes; the first one is row 0.
switch() {
	key Home
	for _ in $(seq "$1"); do key Down; done
	key Enter
	wait_for "row $1 $2" is "$1" "$2"
}
is() { # ROW on|off
	local word
	tmux capture-pane -p -t m >screen
	word=$(sed -n "$(($1 + 3))p" screen | cut -c58-68 | tr -d ' ')
	[ "$2" = off ] && [ "$word" = off ] || { [ "$2" = on ] && [ -n "${word##off}" ]; }
}
