# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A return probe in a program that its condition disarms and arms again: what was kept of a call is
# not taken for that of a later call at the same place of the stack, whose entry nobody saw.
# Each: what arms these probes differs between kernels.
. "$TOP/testsuite/expect.sh"
gcc -std=gnu11 -O1 -o /tmp/user-gate user-gate.c || exit 1
trap 'rm -f /tmp/user-gate out said' EXIT
"$PROBERUN" "$MODULE" -c /tmp/user-gate >out 2>said || fail 'the session' out said
[ "$(cat out)" = 3 ] || fail 'calls' out said
