# SPDX-License-Identifier: GPL-2.0
#@ slow
# Sessions within a pid namespace: -c, -x, probes in programs and their processes, and user stacks
# show the same as outside, and ns_pid() is what the program itself prints. Where /proc is that of
# another namespace, it is said.
#@ seconds: 900
cat >own.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) long inner(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

__attribute__((noinline)) long outer(long n)
{
	n = inner(n);
	__asm__ volatile("" : "+r"(n));
	return n * 2;
}

/* "ROUNDS"; 0: until it is killed. */
int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1, sum = 0;

	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (long i = 0; !rounds || i < rounds; i++) {
		sum += outer(i);
		if (!rounds)
			usleep(2000);
	}
	return sum < 0;
}
C
gcc -O2 -g -o own own.c 2>log || fail 'the program' log
unset PROBEC_DEBUGINFO
# The guest finds the runtime in the cache; it would take minutes to build it there.
"$PROBEC" -p4 -r "$TARGET" -e 'probe begin { exit() }' >/dev/null 2>said || fail 'the runtime' said

build stacks "
global n, others, own, stacks
probe process(\"$PWD/own\").function(\"inner\") {
	if (pid() != target()) others++
	own = ns_pid()
	stacks[ubacktrace()]++
	if (++n == 20) exit()
}
probe end {
	println(n, \" \", others + 0, \" \", own)
	foreach (s in stacks) print_stack(s)
}"
build events "
global begun, own
probe process.begin { begun++ }
probe process.function(\"outer\").return {
	own[ns_pid()]++
	if (\$return != (@entry(\$n) + 1) * 2) println(\"wrong\")
}
probe process.end {
	println(\"end \", pid() == target(), \" \", ns_pid() == ns_tid(), \" \", begun)
}
probe end { foreach (o in own) println(o, \" \", own[o]) }" -c "$PWD/own 7"
build parent '
probe begin { println(pid2execname(stp_pid()), " ", task_ns_pid(pid2task(target()))) }'

cat >guest <<'SH'
cd "$1" || exit 1
check() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || { echo "$1: got"; echo "$2"; echo "wanted"; echo "$3"; exit 1; }
}
session() { # NAME OPTION...
	timeout 100 "$PROBERUN" -o "$1.out" "${@:2}" "$1.ko" >told 2>messages ||
		{ echo "$*: status $?"; cat messages; exit 1; }
	[ ! -s messages ] || { echo "$*: it says"; cat messages; exit 1; }
}
session stacks -c './own 20'
check '-c' "$(head -n 1 stacks.out)" "20 0 $(cat told)"
sed 1d stacks.out >"$2.stack"
grep -q ' : main+.*/own\]' "$2.stack" || { echo 'a stack:'; cat "$2.stack"; exit 1; }
session events -c "$PWD/own 7"
check 'events' "$(cat events.out)" "end 1 1 1
$(cat told) 7"

./own 0 >number &
while [ ! -s number ]; do sleep 0.1; done
session stacks -x $!
check '-x' "$(head -n 1 stacks.out)" "20 0 $(cat number)"
check 'the stack of -x' "$(sed 1d stacks.out)" "$(cat "$2.stack")"
session parent -x $! -T 1
check 'the loader and the target' "$(cat parent.out)" "proberun $!"
# A number of the user's means the process that has it here.
if [ "$2" = inside ]; then
	timeout 200 "$PROBEC" -w -e "global n
		probe process($!).function(\"inner\") { if (++n == 20) exit() }
		probe process($!).begin { }
		probe end { println(n) }" >said 2>&1 || { echo "process($!):"; cat said; exit 1; }
	check 'process(PID)' "$(cat said)" 20
fi
kill $!
wait $! 2>/dev/null
exit 0
SH
cat >both <<'SH'
cd "$1" || exit 1
bash ./guest "$1" outside || exit 1
unshare -pf --mount-proc bash ./guest "$1" inside || exit 1
cmp outside.stack inside.stack || exit 1
# The namespace without its own /proc.
unshare -pf "$PROBERUN" -o stacks.out -c './own 20' stacks.ko >told 2>messages
[ "$(head -n 1 stacks.out)" = "20 0 $(cat told)" ] || { echo 'without /proc:'; cat stacks.out; }
grep -q '/proc belongs to another pid namespace' messages ||
	{ echo 'without /proc it says:'; cat messages; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBEC="$PROBEC" PROBERUN="$PROBERUN" bash ./both "$PWD" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
