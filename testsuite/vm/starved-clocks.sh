# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1500
# All lines of the kernel's clocks and timers at once, with MAXLOAD=0 and --suppress-time-limits,
# and a handler that reads the clock: the processors do nothing but handle timer interrupts, which
# delay the samples by which the limit measures. The session must end by itself, in order.
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || {
	echo "lab/symbols $KERNEL fetches the symbols that this test needs"
	exit 77
}
"$PROBEC" -p4 -w -D MAXLOAD=0 --debuginfo "$debug" -r "$TARGET" -e 'global n, even
probe kernel.statement("*@kernel/time/timekeeping.c:*"), kernel.statement("*@kernel/time/hrtimer.c:*"),
      kernel.statement("*@kernel/time/tick-sched.c:*") {
	n <<< 1
	even += gettimeofday_ns() & ktime_get_ns() & 1
}
probe end { println("hits: ", @count(n) > 10000 ? "many" : "few") }
probe error { println("an error") }' >module 2>said || fail "it does not compile" said
cp "$(cat module)" clocks.ko
# The kernel's own complaints about processors that are held up are no findings here.
quiet="nosoftlockup rcupdate.rcu_cpu_stall_suppress=1"
"$TOP/lab/run" --timeout 1400 --append "$quiet" "$KERNEL" -- bash -c '
	for _ in 1 2; do
		while :; do dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null; done &
		loads="$loads $!"
	done
	"$0" --suppress-time-limits -T 600 clocks.ko >/run/out 2>/run/err
	status=$?
	kill $loads
	cat /run/out /run/err
	! grep "^probec_" /proc/modules && [ ! -s /sys/kernel/debug/kprobes/list ] || echo "something is left"
	exit $status' "$PROBERUN" >said 2>&1
status=$?
[ $status = 1 ] || fail "status $status" said
[ "$(grep -c '^hits: many$\|^an error$' said)" = 2 ] || fail "what was collected is not shown" said
grep \
	-Eq 'error: .*: most of every processor for 10 seconds, at last [0-9]+% of processor [01] \[E_OVERLOAD\]$' said ||
	fail "it does not say why" said
! grep -q 'something is left' said || fail "left behind" said
