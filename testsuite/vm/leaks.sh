# SPDX-License-Identifier: GPL-2.0
# A session frees all its memory, however it ends, according to kmemleak.
#@ kernels: debug
release=$("$TOP/lab/run" --release "$KERNEL")
cp "$TOP"/testsuite/faults/* .
make -C "${TARGET%/targets/*}/lab/$release/build" M="$PWD" CONFIG_DEBUG_INFO_BTF_MODULES= modules \
	>log 2>&1 ||
	fail "the module does not build" log

cat >all.kp <<'KP'
global reads, sizes, last, keep
probe kernel.function("vfs_read") { reads[execname(), pid()]++; sizes <<< $count }
probe kernel.function("vfs_write") { last = execname(); keep[tid()] = last }
probe kernel.function("vfs_read").return { if ($return < 0) last = "" }
probe kprobe.function("vfs_open") { keep[0] = last }
probe timer.ms(100) { print("tick\n") }
probe end { foreach ([name, id] in reads) printf("%s %d\n", name, reads[name, id]); println(@count(sizes)) }
KP
cat >error.kp <<'KP'
global n
probe kernel.function("vfs_read") { n = 1 / n }
probe timer.s(100) { }
KP
for script in all error; do
	"$PROBEC" -p4 -r "$TARGET" -m "probec_$script" $script.kp >module 2>said ||
		fail "$script does not compile" said
	cp "$(cat module)" $script.ko
done

cat >guest <<'SH'
for round in 1 2 3; do
	"$PROBERUN" all.ko -c 'cat all.kp' >/dev/null 2>&1 || echo "all: status $?"
	"$PROBERUN" error.ko -c 'cat all.kp' >/dev/null 2>&1 && echo "error: status 0"
	"$PROBERUN" all.ko >/dev/null 2>&1 &
	sleep 5
	{ kill -9 $!; wait $!; } 2>/dev/null
	for i in $(seq 100); do grep -q '^probec_' /proc/modules || break; sleep 0.2; done
done
grep '^probec_' /proc/modules
[ -z "$1" ] || insmod faults.ko fault="$1"
for i in 1 2 3; do sleep 6; echo scan >/sys/kernel/debug/kmemleak; done
cat /sys/kernel/debug/kmemleak
SH
boot() { # FAULT
	"$TOP/lab/run" --append kmemleak=on "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest \
		"$1" >said 2>&1
}
boot '' || fail "sessions: status $?" said
[ ! -s said ] || fail "left behind:" said
boot leak || fail "a leak: status $?" said
grep -q 'unreferenced object' said || fail "a leak was not seen" said
