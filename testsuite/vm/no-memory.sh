# SPDX-License-Identifier: GPL-2.0
# A session that gets no memory reports this and leaves nothing behind: each allocation of SETUP
# fails once, then each of arming.
#@ kernels: debug
gcc -Wall -I"$TOP/runtime/abi" -o setup "$TOP/testsuite/faults/user/setup.c" 2>said ||
	fail "setup does not build" said
# The guest controls the script by vm.swappiness: arming begins at 1, the session ends at 2.
cat >arm.kp <<'KP'
global reads, sizes, keep, at
probe begin { while (kernel_int(at) != 1); }
probe kernel.function("vfs_read") { reads[execname(), pid()]++; sizes <<< $count }
probe kernel.function("vfs_write").return.maxactive(2) { keep[tid()] = $return }
probe kprobe.function("vsnprintf") { keep[0] = 1 }
probe timer.ms(100) { if (kernel_int(at) == 2) exit() }
probe end { foreach ([name, id] in reads) printf("%s %d\n", name, reads[name, id]); println(@count(sizes)) }
KP
"$PROBEC" -p4 -r "$TARGET" -m probec_arm -D MAXACTION=1000000000 arm.kp >module 2>said ||
	fail "it does not compile" said
cp "$(cat module)" arm.ko

cat >guest <<'SH'
for of in failslab fail_page_alloc; do
	cd /sys/kernel/debug/$of || exit
	echo N >ignore-gfp-wait
	echo 0 >verbose
done
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
cd "$1" || exit
gone() {
	for _ in $(seq 100); do
		grep -q '^probec_' /proc/modules || return
		rmmod probec_arm 2>/dev/null
		sleep 0.1
	done
	echo "the module stays"
}

n=1
while [ "$n" != end ]; do
	insmod arm.ko && n=$(./setup /dev/probec_arm "$n") || exit
	[ "$n" = end ] || most=$n
	gone
done
echo "setup: $most"

say() { echo "$1" >/proc/sys/vm/swappiness; }
at=$((16#$(sed -n 's/ . vm_swappiness$//p' /proc/kallsyms)))

find_thread() { # PROBERUN
	while kill -0 "$1" 2>/dev/null; do
		thread=$(grep -sl '^probec_arm$' /proc/[0-9]*/comm) && thread=${thread%/comm} &&
			return
	done
	return 1
}
# Once all probes are armed, no allocation fails: the kernel cannot disarm without memory, and
# warns.
n=0 left=0 failed=0
while [ "$left" = 0 ]; do
	n=$((n + 1))
	say 0
	"$PROBERUN" -v arm.ko at=$at >out 2>err &
	find_thread $! || { echo "no thread at $n"; cat err; break; }
	echo "$n" >"$thread/fail-nth"
	say 1
	while kill -0 $! 2>/dev/null; do
		grep -q 'armed 3 of 3' err || continue
		left=$(cat "$thread/fail-nth")
		echo 0 >"$thread/fail-nth"
		break
	done
	say 2
	wait $!
	status=$?
	gone
	[ "$status" != 0 ] || continue
	failed=$((failed + 1))
	grep -q '\[E_' err || { echo "status $status at $n:"; cat err; }
done
echo "arming: $failed of $n"
SH
# Print errors only: the kernel warns of each of its own allocations that fail.
"$TOP/lab/run" --timeout 3000 --append loglevel=4 "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	./guest "$PWD" >said 2>&1 || fail "status $?" said
most=$(sed -n 's/^setup: //p' said)
[ "${most:-0}" -gt 50 ] || fail "few allocations were seen to fail" said
[ "$(wc -l <said)" = 2 ] && grep -q '^arming: [1-9]' said || fail "it said" said
