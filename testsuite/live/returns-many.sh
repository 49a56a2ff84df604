# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 600
# Each: the kernels return from kretprobes differently
# Returns of a thousand functions at once, those that locks and interrupts use among them: each call
# that a program makes is seen once when it begins and once when it returns, or is reported as
# skipped.
. "$TOP/testsuite/expect.sh"
cd "$(mktemp -d -p /run)" || exit 1
remember
"$PROBERUN" -v -o out -c 'dd if=/dev/zero of=/dev/null bs=4479 count=1000 status=none' "$MODULE" \
	2>said || fail "status $?" said
sites=$(sed -n 's/.* ms: armed \([0-9]*\) of .*/\1/p' said)
[ "${sites:-0}" -gt 1500 ] || fail "$sites sites are armed" said
read -r _ functions _ reads < <(tail -n 1 out)
[ "$functions" -gt 20 ] && [ "$reads" -ge 1000 ] || fail 'few calls' out
! grep '^vfs_read ' out || fail 'calls of vfs_read' said
# Functions that handlers and the kernel's probes use are hit while these run.
[ "$(wc -l <out)" = 1 ] || grep -q 'returns-many.kp:8:7-38: warning: skipped hits: [0-9]' said ||
	fail 'entries without returns' out said
ended_clean 'many returns'
