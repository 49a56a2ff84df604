# SPDX-License-Identifier: GPL-2.0
# Hardware counters, which an emulated processor does not have, are refused with the reason and the
# script's name for them.
fail() { echo "$1"; cat /tmp/err; exit 1; }
timeout 60 "$PROBERUN" "$MODULE" -c true >/tmp/out 2>/tmp/err && fail "it runs"
grep -q 'error: perf.type(0).config(1).sample(1000) could not be armed: .* \[E_ARM\]$' /tmp/err ||
	fail "no name"
grep -q 'this machine has no such counter' /tmp/err || fail "no reason"
