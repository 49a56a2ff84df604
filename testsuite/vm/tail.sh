# SPDX-License-Identifier: GPL-2.0
# Each: the kernels read code differently
# Places in the last function of a module (testsuite/modules/tail), with an even and an odd end:
# hit, or refused if the kernel would read beyond the module's code and die; and the function's
# entry and return if ftrace has no call in it.
. "$TOP/testsuite/module.sh"
for shift in 0 1; do
	module_build tail "build.$shift" SHIFT=$shift
	cp "build.$shift/tail.ko" "tail.$shift.ko"
	module_needs_debuginfo "tail.$shift.ko"
	m="module(\"$PWD/tail.$shift.ko\").function(\"tail_last\")"
	compile "inside.$shift" "global n
probe $m.callee(\"tail_first\") { n++ }
probe end { println(n) }"
	compile "ends.$shift" "global n, r
probe $m { n++ }
probe $m.return { r++ }
probe end { println(n, \" \", r) }"
	module_build tail "calls.$shift" SHIFT=$shift CALLS=1
	cp "calls.$shift/tail.ko" "calls.$shift.ko"
done
compile begins 'global n, r
probe kprobe.module("tail").function("tail_last") { n++ }
probe kprobe.module("tail").function("tail_last").return { r++ }
probe end { println(n, " ", r) }'
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/modules/tail/guest" \
	"$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
