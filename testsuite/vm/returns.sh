# SPDX-License-Identifier: GPL-2.0
# Each: the kernels return from kretprobes differently
# Return probes of functions that sleep, wait, call themselves and never return
# (testsuite/modules/returns): without options no call is missed, calls that a small pool misses are
# counted, and tasks that are inside when a session ends return unharmed.
. "$TOP/testsuite/module.sh"
module_build returns .
gcc -Wall -O1 -static -pthread -o threads threads.c 2>log || fail "threads does not build" log

f='kprobe.module("calls").function'
compile many "
probe $f(\"calls_sleep\").return { printf(\"%d %d\\n\", tid(), elapsed_us()) }
probe end { println(\"missed \", misses()) }"
waits() { # NAME SUFFIX
	compile "$1" "
	global n, entered
	probe $f(\"calls_wait\") { entered++ }
	probe $f(\"calls_wait\").return$2 { if (returnval() == 7) n++ }
	probe end { println(n, \" \", misses(), \" \", entered) }"
}
waits waits ''
waits waits100 '.maxactive(100)'
waits waits1 '.maxactive(1)'
compile deep "
global entries, returns, matched
probe $f(\"calls_deep\") { entries++ }
probe $f(\"calls_deep\").return { returns++ if (returnval() == 2 * @entry(int_arg(1)) && elapsed_ns() > 0) matched++ }
probe end { println(entries, \" \", returns, \" \", matched, \" \", misses()) }"
compile grows "
global n
probe $f(\"calls_deep\").return { n++ }
probe end { println(n, \" \", misses()) }"
compile dies "
global died, entered, deep
probe $f(\"calls_die\") { entered++ }
probe $f(\"calls_die\").return { died++ }
probe $f(\"calls_deep\").return { deep++ }
probe end { println(died, \" \", misses(), \" \", entered, \" \", deep) }"
compile stack "
probe $f(\"calls_deep\").return { if (0) println(1) }
probe $f(\"calls_deep\") { if (int_arg(1) == 5) { print_backtrace() exit() } }"
compile condition "
global never, some, all
probe $f(\"calls_fast\").return.maxactive(1) if (target() != 0) { never++ }
probe $f(\"calls_deep\").return.maxactive(1) { if (@entry(int_arg(1)) != 1) next; some++ }
probe $f(\"calls_fast\").return { all++ }
probe end { println(never, \" \", some, \" \", all, \" \", misses()) }"
compile beside '
global n
probe kprobe.function("vfs_read").return { if (execname() == "dd" && @entry(long_arg(3)) == 17) n++ }
probe end { println(n) }'

compile direct '
global inside, back
probe kernel.function("anon_pipe_read") !, kernel.function("pipe_read") {
	if (execname() == "dozer") inside++
}
probe kernel.function("anon_pipe_read").return !, kernel.function("pipe_read").return {
	if (execname() == "dozer") back++
}
probe timer.ms(100) { println("inside ", inside) }
probe end { println("back ", back) }' --direct

parts=${parts:-many burst one deep ends dies condition}
# shellcheck disable=SC2086
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/modules/returns/guest" \
	"$PWD" $parts >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "it said:" said
