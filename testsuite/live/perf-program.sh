# SPDX-License-Identifier: GPL-2.0
# A program that does not exist, and target() without -c and -x: an error with the next step.
fail() { echo "$1"; cat /tmp/err; exit 1; }
timeout 60 "$PROBERUN" "$MODULE" -c true >/tmp/out 2>/tmp/err && fail "it runs"
grep -q 'error: perf.type(1).config(2).process("/no/program") could not be armed: .* \[E_ARM\]$' \
	/tmp/err || fail "no name"
grep -q 'there is no such program here' /tmp/err || fail "no reason"
grep -q 'E_TARGET' /tmp/err && fail "it has a target"
timeout 60 "$PROBERUN" "$MODULE" >/tmp/out 2>/tmp/err && fail "it runs"
grep -q '\[E_TARGET\]$' /tmp/err || fail "no word of target()"
grep -q probec_ /proc/modules && fail "a module is left"
exit 0
