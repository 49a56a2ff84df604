# SPDX-License-Identifier: GPL-2.0
# Handlers that take too much of a processor end the session. The message names the most expensive
# probe and the option. The collected data is shown: end probes run, then error probes, and a probe
# that is both runs once. --suppress-time-limits disables this.
set -u
fail() { echo "$1"; cat /tmp/out /tmp/err; exit 1; }
dd="dd if=/dev/zero of=/dev/null bs=1 status=none"
"$PROBERUN" "$MODULE" -c "timeout 60 $dd" >/tmp/out 2>/tmp/err
status=$?
[ "$status" = 1 ] || fail "status $status"
[ "$(sed 's/=[0-9]*/=N/g' /tmp/out)" = \
	"$(printf 'the end\neither\nreads @count=N @min=N @avg=N @max=N @sum=N\nan error')" ] ||
	fail "what was collected is not shown"
[ "$(grep -c 'error:' /tmp/err)" = 1 ] || fail "not one error"
grep \
	-Eq '^overload.kp:5:7-34: error: .* [0-9]+% of processor [0-9]+, 50% is allowed \[E_OVERLOAD\]$' /tmp/err ||
	fail "it does not say how much"
grep -q '= in probe kernel.function("vfs_write")$' /tmp/err && grep -q 'MAXLOAD' /tmp/err ||
	fail "it does not say where"
"$PROBERUN" --suppress-time-limits "$MODULE" -c "$dd count=150000" >/tmp/out 2>/tmp/err
status=$?
[ "$status" = 0 ] && [ "$(head -n 2 /tmp/out)" = "$(printf 'the end\neither')" ] &&
	! grep 'an error' /tmp/out && [ ! -s /tmp/err ] || fail "without limits: status $status"
