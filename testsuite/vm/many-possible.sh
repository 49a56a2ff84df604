# SPDX-License-Identifier: GPL-2.0
#@ seconds: 300
# Newer kernels count as possible only processors that firmware marks as "online capable", which
# that of this QEMU does not.
#@ kernels: 6.1
# A machine with 2 processors of 240 possible ones and 2 GB, as virtual machines announce them:
# sessions take memory for two processors. One comes online while a session runs: none of its hits
# is lost, and their output is in the order of time. Where other modules have taken all states of
# hotplug, a session is refused before the kernel would warn, which ends this guest.
build() { # NAME FILE [OPTION]...
	"$PROBEC" -p4 -r "$TARGET" "${@:3}" "$2" >module 2>said || fail "$1 does not build" said
	cp "$(cat module)" "$1.ko"
}
cat >late.kp <<'KP'
global n, by
probe kernel.function("vfs_write") {
	if ($count == 4479) {
		n <<< 1
		by[cpu(), execname()] <<< 1
		printf("hit %d %d\n", gettimeofday_ns(), cpu())
	}
}
probe kernel.function("vfs_write").return { if ($count == 4479) n <<< 1 }
probe timer.ms(20) { if (@count(n) < 0) println("never") }
probe end {
	foreach ([c+, name] in by) printf("processor %d %s %d\n", c, name, @count(by[c, name]))
	println("count ", @count(n))
}
KP
build late late.kp
build offcpu "$TOP/tools/offcpu.kp"
cat >guest <<'SH'
cd "$1" || exit 1
online=/sys/devices/system/cpu/cpu1/online
echo "possible $(cat /sys/devices/system/cpu/possible)"
"$PROBERUN" -c 'sleep 0.1' offcpu.ko >/dev/null; echo "offcpu: $?"
echo 0 >$online
write='dd if=/dev/zero of=/dev/null bs=4479 count=1000 status=none'
"$PROBERUN" -v -c "taskset -c 0 $write & echo 1 >$online; taskset -c 1 $write; wait" late.ko
echo "late: $?"
states=/sys/devices/system/cpu/hotplug/states
{ cat $states && for nr in {1..300}; do echo "$nr: taken"; done; } >full
mount --bind full $states && "$PROBERUN" late.ko
echo "full: $?"
umount $states
grep '^probec_' /proc/modules || true
SH
"$TOP/lab/run" --smp 2,maxcpus=240 --memory 2G "$KERNEL" -- env PROBERUN="$PROBERUN" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
for line in 'possible 0-239' 'offcpu: 0' 'processor 0 dd 1000' 'processor 1 dd 1000' 'count 4000' \
	'late: 0' 'full: 1'; do
	grep -qx "$line" said || fail "no '$line'" said
done
grep -q 'needs 1 of the kernel.s 2[0-9] CPU hotplug states, but 0 are free \[E_LOAD\]' said ||
	fail 'no reason' said
grep '^hit ' said >hits
[ "$(wc -l <hits)" = 2000 ] || fail 'not 2000 lines' said
# A handler reads the clock after its group has got its time, so between two processors the order of
# these may differ.
for cpu in 0 1; do
	grep " $cpu\$" hits >its
	sort -c -s -n -k 2,2 its || fail "processor $cpu: not in the order of time" its
done
# The memory of a processor once, not 240 times.
kib=$(sed -n 's/.*set up: [0-9]* rings of .*, \([0-9]*\) KiB of tables.*/\1/p' said)
[ "${kib:-99999}" -le 16384 ] || fail "$kib KiB of tables" said
! grep -q '^probec_' said || fail 'something is left' said
