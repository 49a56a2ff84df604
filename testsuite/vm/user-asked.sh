# SPDX-License-Identifier: GPL-2.0
# How the fast path of breakpoints in programs is asked about a hit (runtime/attach/user_fast.c):
# the first session has the direct call of kprobe_int3_handler(), a second one at the same time the
# notifier, and both see all of their hits by the fast path. Beside the direct call, tracers may
# trace that function, and kprobes get their breakpoints. It is gone with the session.
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 77; }
build_program target -g -no-pie
script_options=(-D MAXLOAD=0)
build work "
global n
probe process(\"$PWD/target\").function(\"work\").call { n++ }
probe end { println(n) }"
build factorial "
global n
probe process(\"$PWD/target\").function(\"factorial\").call { n++ }
probe end { println(n) }"

cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
. "$TOP/testsuite/paths.sh"
asked="grep -c '^kprobe_int3_handler .*direct' $tracing/enabled_functions"
run factorial "./target 50 >/dev/null; $asked >asked"
alone=$(counts factorial)
check 'the direct call' "$(cat asked)" 1
check 'the direct call after the session' "$(eval "$asked")" 0

run work "./target 100 >/dev/null; $(declare -f run); PROBERUN=$PROBERUN
	run factorial './target 50 >/dev/null'; ./target 100 >/dev/null"
check 'the first of two sessions' "$(counts work)" '250 247 3'
check 'the second of two sessions' "$(counts factorial)" "$alone"

echo kprobe_int3_handler >$tracing/set_ftrace_filter || exit 1
for tracer in function function_graph; do
	run work "./target 100 >/dev/null; echo $tracer >$tracing/current_tracer
		./target 100 >/dev/null; grep -c kprobe_int3_handler $tracing/trace >traced
		echo nop >$tracing/current_tracer; ./target 100 >/dev/null"
	check "beside the tracer $tracer" "$(counts work)" '300 297 3'
	# The graph tracer of 6.1 leaves out functions that have a direct call.
	[ $tracer = function_graph ] || [ "$(cat traced)" -gt 0 ] ||
		{ echo "the tracer $tracer saw nothing"; exit 1; }
done
echo >$tracing/set_ftrace_filter

# A kprobe that is no jump and not at the beginning of the function has a breakpoint.
echo 0 >/proc/sys/debug/kprobes-optimization
for ((offset = 6; offset < 40; offset++)); do
	! echo "p:inside __x64_sys_getppid+$offset" >$tracing/kprobe_events 2>/dev/null || break
done
echo 1 >$tracing/events/kprobes/inside/enable || exit 1
cat >calls <<'END'
profile() { awk '$1 == "inside" { print $2 }' /sys/kernel/tracing/kprobe_profile; }
before=$(profile)
python3 -c 'import os; [os.getppid() for _ in range(100)]'
echo $(($(profile) - before))
END
bash calls >without
run work './target 100 >/dev/null; bash calls >with; ./target 100 >/dev/null'
check 'beside a kprobe' "$(counts work)" '200 198 2'
[ "$(cat without)" -ge 100 ] || { echo "the kprobe had $(cat without) hits"; exit 1; }
check 'the kprobe' "$(cat with)" "$(cat without)"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
