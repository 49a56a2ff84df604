# SPDX-License-Identifier: GPL-2.0
# All kprobes are disabled through debugfs while a session runs: the session continues, sees hits
# again when they are enabled, and ends in order either way.
# Each: what arms these probes differs between kernels.
. "$TOP/testsuite/expect.sh"
cd /tmp
kprobes=/sys/kernel/debug/kprobes/enabled
trap 'echo 1 >$kprobes' EXIT
seen() { tail -n 1 said | sed -n 's/^seen //p'; }
more() { cat /etc/hostname >/dev/null; [ "$(seen)" -gt "$1" ]; } 2>/dev/null
remember
for end in on off; do
	: >said
	"$PROBERUN" "$MODULE" >said 2>messages &
	pid=$!
	wait_for 'hits' more 0
	echo 0 >$kprobes
	[ $end = off ] || {
		echo 1 >$kprobes
		wait_for 'hits after all was on again' more "$(seen)"
	}
	kill -INT "$pid"
	wait "$pid" || fail "kprobes $end: status $?" messages
	[ "$(tail -n 1 said)" = 'end 1' ] || fail "kprobes $end: not to its end" said
	# A kprobe that is removed while disabled leaves no trace either.
	ended_clean "kprobes $end"
	echo 1 >$kprobes
done
ended_clean 'kprobes on again'
