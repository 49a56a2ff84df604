# SPDX-License-Identifier: GPL-2.0
# Each allocation and registration of a session fails once: the session is refused with an id, or
# continues without some matches of a wildcard, and nothing is left.
#@ slow
#@ seconds: 900
set -u
fail() { echo "fail=$n, status $status: $1"; cat /tmp/out /tmp/err; exit 1; }
traces() { # lists what a session changes while it runs
	cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions |
		cut -d' ' -f1,2,4-
	cat /proc/sys/kernel/ftrace_enabled
	ls /dev /sys/class/misc
	cat /sys/devices/system/cpu/hotplug/states
}
[ -e /sys/kernel/tracing/enabled_functions ] || mount -t tracefs tracefs /sys/kernel/tracing ||
	exit 1
[ -e /sys/kernel/debug/kprobes ] || mount -t debugfs debugfs /sys/kernel/debug || exit 1
traces >/tmp/before
n=0 refused=0 status= quiet=0
while [ "$quiet" -lt 5 ]; do
	n=$((n + 1))
	# The command of -c queries the count while the session runs.
	PROBERUN_MODULE_OPTIONS=fail=$n timeout 60 "$PROBERUN" -s 1 "$MODULE" \
		-c 'cat /sys/module/probec_*/parameters/calls' >/tmp/out 2>/tmp/err
	status=$?
	! grep -q '^probec_' /proc/modules || fail "still loaded"
	traces >/tmp/after
	cmp -s /tmp/before /tmp/after || { diff /tmp/before /tmp/after; fail "something is left"; }
	if [ "$status" != 0 ]; then
		[ "$status" = 1 ] || fail "not refused in order"
		grep -Eq 'error: .* \[E_(NO_MEMORY|ARM|INTERNAL|LOAD)\]$' /tmp/err ||
			fail "no reason"
		! grep -q 'ended' /tmp/out || fail "refused, and it ran to its end"
		refused=$((refused + 1)) quiet=0
	elif [ -s /tmp/err ]; then
		grep -Eq 'could not be armed and (is|are) left out' /tmp/err ||
			fail "it says something else"
		quiet=0
	else
		grep -q '^ended well$' /tmp/out || fail "it did not run to its end"
		quiet=$((quiet + 1))
		calls=$(head -n 1 /tmp/out)
	fi
done
# Every failure before the probes were armed was noticed, except for optional parts of a session.
[ "$calls" -gt 50 ] && [ "$n" -gt "$calls" ] && [ "$refused" -ge $((calls - 5)) ] ||
	fail "$refused of $calls were refused"
! grep 'E_INTERNAL' /tmp/err || fail "an internal error"
