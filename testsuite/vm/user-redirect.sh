# SPDX-License-Identifier: GPL-2.0
#@ kernels: arm64
# How the fast path of breakpoints in programs is asked about a hit on arm64
# (runtime/attach/user_redirect.c): one session passes the function by that handles the breakpoints
# of uprobes, a second one at the same time its caller, and a third one, which finds neither free,
# says so; all see all of their hits. Tracers may trace the function meanwhile.
. "$TOP/testsuite/processor.sh"
build_program target -g -no-pie
script_options=(-D MAXLOAD=0)
for function in work factorial weigh; do
	build $function "
global n
probe process(\"$PWD/target\").function(\"$function\").call { n++ }
probe end { println(n) }"
done
# The functions begin with instructions that are emulated.
for function in work factorial weigh; do
	objdump -d --no-show-raw-insn target | grep -A1 "<$function>:" | tail -n 1 >first
	grep -Eq '	(stp|mov|cbz|adrp|str|sub|cmp)	' first || fail "$function" first
done
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
. "$TOP/testsuite/paths.sh"
names='uprobe_brk_handler\|uprobe_breakpoint_handler\|do_el0_brk64\|brk_handler'
asked="grep -c '^\($names\) .* I' $tracing/enabled_functions"
run work "./target 100 >/dev/null; $asked >asked"
check 'one function' "$(cat asked)" 1
check 'alone' "$(counts work)" '100 99 1'
check 'after the session' "$(eval "$asked")" 0

declare -f run >functions
cat >third <<END
PROBERUN=$PROBERUN
. ./functions
run weigh "./target 20 >/dev/null; $asked >asked"
END
cat >second <<END
PROBERUN=$PROBERUN
. ./functions
run factorial './target 50 >/dev/null; bash ./third'
END
run work './target 100 >/dev/null; bash ./second; ./target 100 >/dev/null'
check 'two functions' "$(cat asked)" 2
check 'the first session' "$(counts work)" '270 266 4'
check 'the second session' "$(counts factorial)" '350 348 2'
check 'the third session' "$(counts weigh)" '20 0 20'
grep -q 'other sessions or a live patch' weigh.messages || { cat weigh.messages; exit 1; }

echo 'uprobe_br*' >$tracing/set_ftrace_filter || exit 1
for tracer in function function_graph; do
	run work "./target 100 >/dev/null; echo $tracer >$tracing/current_tracer
		./target 100 >/dev/null; grep -c uprobe_br $tracing/trace >traced
		echo nop >$tracing/current_tracer; ./target 100 >/dev/null"
	check "beside the tracer $tracer" "$(counts work)" '300 297 3'
	[ "$(cat traced)" -gt 0 ] || { echo "the tracer $tracer saw nothing"; exit 1; }
done
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
