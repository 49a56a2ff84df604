# SPDX-License-Identifier: GPL-2.0
# Runs sessions of probes in a program, and tells by which path their hits came. Sourced in a guest,
# in the folder of the modules.
# shellcheck shell=bash
tracing=/sys/kernel/tracing
[ -e $tracing/kprobe_events ] || mount -t tracefs tracefs $tracing || exit 1
run() { # NAME COMMAND
	"$PROBERUN" -t -o "$1.said" -c "$2" "$1.ko" 2>"$1.messages" ||
		{ echo "$1: status $?"; cat "$1.messages" "$1.said"; exit 1; }
}
counts() { # NAME: its own figure, hits by the fast path, others
	local paths='s/.*breakpoints: \([0-9]*\) by the fast path, \([0-9]*\) by .*/\1 \2/p'
	echo "$(cat "$1.said") $(sed -n "$paths" "$1.messages")"
}
