#@ needs: python3 strace perl gcc
#@ slow
#@ seconds: 900
# SPDX-License-Identifier: GPL-2.0
# Each: the runtime's part of it depends on the kernel
# Probes of system calls where the kernel calls their functions by number, as on kernels whose files
# were optimised together: the same counts, arguments and results as strace and a program's own.
# This kernel's target is changed so that it looks like one of them.
. "$TOP/testsuite/expect.sh"
# shellcheck source=testsuite/target.sh
. "$TOP/testsuite/target.sh"
changed_target together symbols - renamed.llvm.1
if ! target_lists ftrace x64_sys_call; then
	# The probes stay where they are elsewhere, and a message says what that means. A kernel
	# without such a function calls those of the system calls by a table, so nothing is inlined.
	"$PROBEC" -r ./together -p2 -e 'probe syscall.brk { println(brk) }' >out 2>said ||
		fail 'no site' said
	grep -q 'site kernel __x64_sys_brk+0$' out || fail 'another site' out
	if ! target_lists symbols x64_sys_call; then
		target_lists data sys_call_table || fail 'no table'
		[ ! -s said ] || fail 'a warning' said
		exit 0
	fi
	grep -q "may be inlined into 'x64_sys_call'.*\[E_COPIES\]" said || fail 'no warning' said
	exit 0
fi
compiled() { # NAME FILE
	"$PROBEC" -w -r ./together -p4 "$2" >module 2>said || fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
	description_of "$1.ko" >description
	grep -q '_sys_call' description || fail "$1 is at the functions"
}

# Tests that compare nearly all calls of both interfaces with those of strace, and with a program's
# own counts.
tests='syscall-interfaces syscall-strace syscall32-strace'
for name in $tests; do
	compiled "$name" "$TOP/testsuite/live/$name.kp"
done

# A call that nothing else makes. Other probes are at its number, at other numbers, at all calls,
# and off; none of them has hits of another.
cat >rare.kp <<'END'
global n, on
probe syscall.sched_get_priority_max { n[name . " " . ppfunc() . " " . argstr]++ }
probe syscall.sched_get_priority_max.return { n[name . " returns " . retstr]++ }
probe syscall.sched_get_priority_max.return {
	n[sprintf("%s took %s", ppfunc(), elapsed_ns() > 0 ? "time" : "none")] += @entry(int_arg(1))
}
probe syscall.sched_get_priority_max.return if (on) { n["off"]++ }
probe syscall.sched_get_priority_max.return if (@entry(int_arg(1)) == 9) { n["another policy"]++ }
probe syscall.sched_get_priority_min, syscall.sched_get_priority_min.return { n["another call"]++ }
probe kernel.function("x64_sys_call") { if (pid() == target()) n["all"]++ }
probe kernel.function("x64_sys_call").return { if (pid() == target()) n["all returns"]++ }
probe kernel.trace("sys_enter") { if (pid() == target()) n["traced"]++ }
probe end { foreach (k+ in n) println(k, " ", n[k]) }
END
compiled rare rare.kp
cat >wanted <<'END'
__x64_sys_sched_get_priority_max took time 5
sched_get_priority_max __x64_sys_sched_get_priority_max SCHED_FIFO 5
sched_get_priority_max returns 99 5
END
# By probe: those above, in their order; those of all calls have as many hits as there are calls.
echo '5 5 5 0 0 0 0' >wanted.hits
cat >guest <<'END'
cd "$1" || exit
. "$TOP/testsuite/expect.sh"
"$PROBERUN" -t -o seen -c 'python3 -c "import os
for i in range(5): os.sched_get_priority_max(1)"' rare.ko 2>counts || fail status counts
grep -v '^all\|^traced' seen | diff wanted - || fail 'wanted (<) and counted (>)'
# exit_group() does not return.
awk '/^all [0-9]/ { calls = $2 } /^all returns/ { returns = $3 } /^traced/ { traced = $2 }
	END { exit calls != traced || returns != calls - 1 }' seen || fail 'all calls' seen
awk '$1 ~ /^[0-9]+$/ && $2 != "instances" && n < 7 { printf "%s%s", n++ ? " " : "", $1 }
	END { print "" }' counts | diff wanted.hits - || fail 'hits by probe' counts
for name in $2; do
	cd "$TOP/testsuite/live" || exit
	MODULE=$1/$name.ko bash "$name.sh" || fail "$name"
done
END
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBEC="$PROBEC" PROBERUN="$PROBERUN" \
	bash "$PWD/guest" "$PWD" "$tests" >said 2>&1 || fail "status $?" said
