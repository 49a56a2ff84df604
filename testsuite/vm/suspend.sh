# SPDX-License-Identifier: GPL-2.0
#@ needs: cpio busybox
#@ seconds: 300
# Each: suspending differs between kernels
# A machine that is suspended to idle and to memory, and wakes up, while a session runs: hits before
# and after count, timers and clocks go on, values of the clock never go back, and probes of the
# functions that suspend it are hit while the kernel's clock stands still. In the end it is switched
# off while another session runs. The machine of lab/run can't be suspended, because its file system
# can't; this one has everything in its memory. Input of its console wakes it from the one state,
# the emulator from the other.
needs_static_proberun
build_program target -static -no-pie
# 5.10 has no prototype of this tracepoint.
trace="
probe kernel.trace(\"power:suspend_resume\") {
	printf(\"%s %d %d\n\", kernel_string(\$action), \$val, \$start)
}"
"$PROBEC" -r "$TARGET" -L 'kernel.trace("power:suspend_resume")' >said 2>&1
grep -q action said || trace=
build suspend "
global n, worked, back, ticks, clocks, during, last, backwards, watched
function see(what) {
	now = gettimeofday_ns()
	if (now < last || ktime_get_ns() < 0 || local_clock_ns() < 0) backwards++
	last = now
	during[what, backtrace() != \"\"] <<< cpu()
}
probe kernel.function(\"vfs_write\") { if (\$count == 4479) n <<< 1 }
probe kernel.function(\"vfs_write\").return { if (\$count == 4479) back <<< elapsed_ns() }
probe process(\"$PWD/target\").function(\"work\").call { worked++ }
probe kernel.data(\"panic_timeout\").write { watched[cpu()] <<< 1 }
probe timer.ms(20) { ticks++ }
probe timer.profile { clocks[cpu()] <<< 1 }
probe kernel.function(\"dpm_suspend_noirq\"), kernel.function(\"dpm_resume_noirq\"),
      kernel.function(\"syscore_suspend\"), kernel.function(\"syscore_resume\"),
      kernel.function(\"timekeeping_suspend\"), kernel.function(\"timekeeping_resume\"),
      kernel.function(\"clocksource_suspend\"), kernel.function(\"clocksource_resume\"),
      kernel.function(\"acpi_enter_sleep_state\"),
      kernel.function(\"acpi_leave_sleep_state_prep\") {
	see(ppfunc())
}
probe kernel.function(\"syscore_resume\").return { see(\"back\") }
probe kernel.function(\"dpm_resume_noirq\") { ticks = 0; delete clocks }
$trace
probe end {
	printf(\"hits %d %d %d %d\n\", @count(n), @count(back), worked, backwards)
	printf(\"watched %d %d\n\", @count(watched[0]), @count(watched[1]))
	foreach ([f+, w] in during) println(\"during \", f, \" \", w, \" \", @count(during[f, w]))
	printf(\"since then %d %d %d\n\", ticks > 0, @count(clocks[0]) > 0, @count(clocks[1]) > 0)
}" -D MAXLOAD=0

root=$PWD/root
mkdir -p "$root"/{bin,dev,proc,sys,run,tmp} "$root$PWD"
cp "$(command -v busybox)" "$TOP/static-proberun" "$root/bin"
cp suspend.ko "$root"
cp target "$root$PWD"
cat >"$root/steps" <<SH
write() { dd if=/dev/zero of=/dev/null bs=4479 count=1000 2>/dev/null; $PWD/target 500 >/dev/null
	for cpu in 0 1; do taskset -c \$cpu sh -c 'echo 1 >/proc/sys/kernel/panic'; done; }
write
echo enabled >/sys/class/tty/ttyS0/power/wakeup
for way in freeze mem; do
	# It stays awake if it is woken just before it sleeps.
	until echo \$way >/sys/power/state; do :; done
	write
done 2>/dev/null
# Both processors get their clock's interrupts meanwhile.
sleep 1
SH
cat >"$root/init" <<'SH'
#!/bin/busybox sh
/bin/busybox --install /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug; mount -t tracefs tracing /sys/kernel/tracing
cd /run
static-proberun -o out -c 'sh /steps' /suspend.ko >said 2>&1
echo "status $?" >>said
# Messages of the kernel would come between.
dmesg -n 1
{ echo; cat said out; echo "times $(cat /sys/power/suspend_stats/success)"
	dmesg | grep -E 'WARNING|BUG|suspend entry|suspend exit'; echo 'the end'; } >/dev/ttyS0
dmesg -n 7
static-proberun -v -o out /suspend.ko >said 2>&1 &
until grep 'armed 1[0-9] of' said >/dev/ttyS0; do usleep 10000; done
poweroff -f
SH
chmod +x "$root/init"
ln -s busybox "$root/bin/sh"
(cd root && find . | cpio -o -H newc -R 0:0 --quiet | gzip -1) >initrd || fail 'no initrd'
emulator=$(cd "$TOP/lab" && bash -c '. ./common.sh
	find_emulator x86_64 && echo "$emulator ${firmware[*]}"') || fail 'no emulator'
image=$("$TOP/lab/image" "$("$TOP/lab/run" --release "$KERNEL")") || fail 'no image'
mkfifo monitor serial.in serial.out
exec 6<>monitor 7<>serial.in
cat serial.out >console &
reader=$!
# shellcheck disable=SC2086
timeout 250 $emulator -accel 'tcg,thread=single' -cpu max -smp 2 -m 512M -nodefaults \
	-no-user-config -display none -nic none -no-reboot -kernel "$image/vmlinuz" -initrd initrd \
	-append 'console=ttyS0 loglevel=7 panic=-1 panic_on_warn=1 oops=panic no_timer_check' \
	-chardev pipe,id=serial,path=serial -serial chardev:serial -monitor stdio \
	<monitor >said 2>&1 &
machine=$!
seen() { grep -ac "PM: suspend $1" console; }
while kill -0 $machine 2>/dev/null; do
	pause 1
	[ "$(seen entry)" -gt "$(seen exit)" ] || continue
	echo >&7
	echo system_wakeup >&6
done
wait $machine || { status=$?; kill $reader; fail "the machine: $status" said console; }
wait $reader
tr -d '\r' <console >log
sed -n '/^probec: \|^status /,$p' log | grep -v '^[a-z_]* [0-9]* [01]$' >told
# The kernel's own counts: of suspensions, and in its log.
wanted=('status 0' 'hits 3000 3000 1500 0' 'watched 3 3' 'since then 1 1 1' 'times 2' 'the end')
[ -z "$trace" ] || wanted+=('machine_suspend '{1,3}' '{1,0})
for line in "${wanted[@]}"; do
	grep -qx "$line" log || fail "no '$line'" told
done
[ "$(grep -c 'PM: suspend entry' log)" = "$(grep -c 'PM: suspend exit' log)" ] || fail 'the log' log
for function in dpm_suspend_noirq dpm_resume_noirq syscore_suspend syscore_resume back \
	timekeeping_suspend timekeeping_resume clocksource_suspend clocksource_resume \
	acpi_enter_sleep_state acpi_leave_sleep_state_prep; do
	grep -q "^during $function 1 [1-9]" log || fail "no hit or no stack: $function" told
done
# Each step that has begun has ended.
awk '/^[a-zA-Z_]* [0-9]* [01]$/ { n[$1] += $3 ? 1 : -1 }
	END { for (w in n) if (n[w]) print w }' log >open
[ ! -s open ] || fail 'without an end' open log
# Some of the code that puts the machine to sleep is assembler, through which no stack can be
# followed.
grep '^probec: \|skipped hits' log | grep -v 'incomplete: the kernel.s unwinder' >warned
[ ! -s warned ] || fail 'a warning' warned
! sed '1,/^the end/d' log | grep 'WARNING\|BUG\|Oops' || fail 'switching off' log
sed '1,/ms: armed/d' log | grep -q 'reboot: Power down' || fail 'it is not switched off' log
