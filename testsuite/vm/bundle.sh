# SPDX-License-Identifier: GPL-2.0
# A bundle in a root that has nothing but /proc and /sys: it runs the module for the kernel there,
# with its own arguments, the script's options and ours, and leaves nothing behind.
needs_static_proberun
cat >tool.kp <<'X'
global only = 0      #: -p, --pid=PID    show only this process
global name = ""     #: -n, --name=NAME  a name
global calls
probe begin { printf("%d %s %d\n", only, name, 6 * 7) }
probe kernel.function("do_sys_openat2") { calls++ }
probe timer.ms(300) { exit() }
probe end { printf("%s\n", calls >= 0 ? "end" : "") }
X
"$PROBEC" bundle -r "$TARGET" tool.kp --name=given -p 5 -o tool.run 2>said || fail 'bundle' said
cat >guest <<'X'
mkdir -p root/proc root/sys root/tmp && cp tool.run root &&
	mount -t proc proc root/proc && mount -t sysfs sysfs root/sys || exit 1
chroot root /tool.run; echo "status $?"
chroot root /tool.run -p 77 --name other -w; echo "status $?"
chroot root /tool.run name=last -p77; echo "status $?"
chroot root /tool.run --metrics-file=/m; echo "status $?"
grep -c '^probec' /proc/modules
find root -xdev -type f -o -xdev -type s -o -xdev -name '.probec*' | sort
X
"$TOP/lab/run" "$KERNEL" -- bash -c "cd /run && cp '$PWD/tool.run' '$PWD/guest' . && bash guest" \
	>out 2>&1 || fail "status $?" out
grep -v '^probec: \|^proberun: \|E_METRIC\|^ *= ' out >lines
cat >expected <<'X'
5 given 42
end
status 0
77 other 42
end
status 0
77 last 42
end
status 0
status 1
0
root/tool.run
X
diff lines expected >d || fail 'what it did' d out
grep -q 'nothing that prints its globals as metrics \[E_METRIC\]' out || fail 'metrics' out
exit 0
