# SPDX-License-Identifier: GPL-2.0
# Hits inside the scheduler, timers, the allocator, RCU and spinlocks, by ftrace, optimised kprobes
# and int3, while other processors do the same: a handler must not need what it interrupted.
#@ kernels: debug
cat >inside.kp <<'KP'
global shared, names, last, count, bad
function note(from) {
	shared[from, execname()] = pid() + ppid() + uid() + gid() + euid() + egid()
	last = pexecname()
	if (shared[from, execname()] % 2)
		names[tid()] = sprintf("%s %d", last, from)
	count[from] <<< cpu()
}
probe kprobe.function("vsnprintf") { note(1); printf("%s %d %d\n", execname(), pid(), gettimeofday_ns()) }
probe kprobe.function("vsnprintf").return { note(2) }
probe kernel.function("vfs_read") { note(3); try { println(kernel_string($buf)) } catch (text) { bad <<< strlen(text) } }
probe kernel.function("vfs_read").return { note(4); printf("%d %s\n", $return, last) }
probe kernel.function("try_to_wake_up") { note(5); println(last) }
probe kernel.function("enqueue_hrtimer") { note(6) }
probe kernel.function("kfree") { note(7) }
probe kernel.function("*spin_lock*")? { note(8) }
probe kernel.function("rcu_note_context_switch") { note(9) }
probe timer.ms(50) { foreach ([from, name] in shared- limit 5) printf("%d %s\n", from, name); delete names }
probe timer.s(5) { exit() }
probe end { foreach (from+ in count) printf("hits %d %d\n", from, @count(count[from])); printf("bad %d\n", @count(bad)) }
KP
"$PROBEC" -p4 -r "$TARGET" inside.kp >module 2>said || fail "it does not compile" said

cat >guest <<'SH'
for i in 1 2 3 4; do
	while [ ! -f /run/enough ]; do cat /proc/self/status /proc/meminfo >/dev/null; done &
done
"$PROBERUN" "$1" >out 2>err
status=$?
touch /run/enough
wait
grep -c '^hits' out
tail -n 3 err
exit "$status"
SH
for optimise in 0 1; do
	"$TOP/lab/run" --smp 4 --append "sysctl.debug.kprobes-optimization=$optimise" "$KERNEL" -- \
		env PROBERUN="$PROBERUN" bash ./guest "$(cat module)" >said 2>&1 ||
			fail "optimised $optimise: status $?" said
	[ "$(head -n 1 said)" = 9 ] ||
		fail "optimised $optimise: not each kind of probe was hit" said
done
