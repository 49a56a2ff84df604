# SPDX-License-Identifier: GPL-2.0
# process.begin and its relatives, compared with the numbers of processes, threads and system calls
# that a program makes (testsuite/programs/events.c), while an unprobed copy of the program makes
# others.
build_program events -lpthread
cp events other
probe="probe process(\"$PWD/events\")"
report='probe end {
	println(begins, " ", ends, " ", thread_begins, " ", thread_ends)
	println(calls[140], " ", failed[140], " ", arguments)
	println(wrong)
}'
globals='global begins, ends, thread_begins, thread_ends, calls, failed, arguments, wrong = 0'
# Calls by the 32-bit interface, by a program of 64 bits: prctl(), which is number 172 there.
cat >old.c <<'END'
int main(void)
{
	long n;

	__asm__ volatile("int $0x80" : "=a" (n) : "a" (172), "b" (0x9001), "c" (0x9002),
			 "d" (0x9003), "S" (0x9004), "D" (0x9005) : "r8", "r9", "r10", "r11",
			 "memory");
	return 0;
}
END
gcc -O2 -o old old.c 2>log || fail old log
build interfaces "
probe process.syscall {
	if (execname() == \"old\" && \$syscall == 172)
		printf(\"%d: %x %x %x %x %x\\n\", syscall_is_32bit(), \$arg1, \$arg2, \$arg3,
		       \$arg4, \$arg5)
}
probe process.syscall.return {
	if (execname() == \"old\" && \$syscall == 172) printf(\"%x %d\\n\", \$arg1, \$return)
}"
build by-path "$globals
$probe.begin { begins++; if (pid() != tid()) wrong++ }
$probe.end { ends++; if (execname() != \"events\") wrong++ }
$probe.thread.begin { thread_begins++; if (pid() == tid()) wrong++ }
$probe.thread.end { thread_ends++; if (pid() == tid()) wrong++ }
$probe.syscall { calls[\$syscall]++; if (\$syscall == 140) arguments += \$arg1 }
$probe.syscall.return { if (\$return < 0) failed[\$syscall]++ }
$report"
build target "$globals
probe process.begin { begins++ }
probe process.end { ends++ }
probe process.thread.begin { thread_begins++ }
probe process.thread.end { thread_ends++ }
probe process.syscall { calls[\$syscall]++; if (\$syscall == 140) arguments += \$arg1 }
probe process.syscall.return { if (\$return < 0) failed[\$syscall]++ }
$report" -c "$PWD/events"
build all "$globals
probe process.begin { begins++ }
probe process.end { ends++ }
probe end { println(begins >= 5, \" \", ends >= 5) }"

cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
while :; do ./other 1 2 3 >other.said; done &
beside=$!
disown "$beside"
# Five children in two runs that the shell starts, and the two runs: 7. Of 60 calls, a third fails,
# with 99.
"$PROBERUN" -o said -c './events 3 2 15 >told; ./events 2 2 15 >>told' by-path.ko || exit 1
check 'the program' "$(cat told)" "$(printf '10\n10')"
check 'by path' "$(cat said)" '7 7 4 4
60 20 1980
0'
# A child that executes another program is a process of that program, and no longer of this one.
"$PROBERUN" -o said -c './events 3 0 0 "$PWD/other" >told' by-path.ko || exit 1
check 'exec' "$(sed -n 1p said)" '4 1 0 0'
"$PROBERUN" -o said -c './other 3 0 0 "$PWD/events" >told' by-path.ko || exit 1
check 'exec of it' "$(sed -n 1p said)" '3 3 0 0'
# By target(): the command itself begins before the probes are armed, or at the same time; its
# children are its descendants.
"$PROBERUN" -o said -c "$1/events 3 2 15" target.ko >told || exit 1
check 'target' "$(sed -n '2,$p' said)" '30 10 990
0'
read -r begins ends threads thread_ends <said
[ "$begins" -ge 3 ] && [ "$begins" -le 4 ] && [ "$ends" = 4 ] && [ "$threads$thread_ends" = 22 ] ||
	{ cat said; exit 1; }
"$PROBERUN" -o said -c './events 5 0 0 >told' all.ko || exit 1
check 'all' "$(cat said)" '1 1'
"$PROBERUN" -o said -c ./old interfaces.ko || exit 1
check 'the 32-bit interface' "$(cat said)" '1: 9001 9002 9003 9004 9005
9001 -22'
kill "$beside"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
