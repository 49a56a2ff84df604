# SPDX-License-Identifier: GPL-2.0
# A script for bpftrace is recognised as a whole: by its name, its first line or its first probe
# point. What the one message says to write instead compiles. Scripts of ours are not affected.
#@ needs: target
# shellcheck shell=bash disable=SC2154
mkdir bt
cp "$TOP"/bench/rows/*.bt bt
[ "$(find bt -name '*.bt' | wc -l)" -ge 8 ] || fail 'the scripts of bench/rows were not found'
cat >bt/all.bt <<'BT'
#!/usr/bin/env bpftrace
/*
 * kprobe:not_this { }
 */
#ifndef BPFTRACE_HAVE_BTF
#include <linux/fs.h>
#endif
struct mine { int pid; char comm[16]; }
config = { print_maps_on_exit = 0 }
BEGIN { printf("kprobe:nor_this { %d\n", pid); @start = nsecs; }	// uid
kprobe:vfs_read, kprobe:vfs_write /pid == $1 && comm != "a/b"/
{
	$f = (struct file *)arg0;
	@[func, $f->uid] = count();
	printf("%s", str($f->f_path.dentry->d_name.name));
}
kretprobe:vfs_read { @h = hist(retval); delete(@start); }
tracepoint:sched:sched_switch { @[args->prev_pid] = sum(1); }
tracepoint:syscalls:sys_enter_openat { @o = lhist(tid, 0, 9, 1); }
tracepoint:syscalls:sys_exit_newstat { }
rawtracepoint:sched_wakeup { @ = avg(cpu); }
interval:s:1 { time("%H"); print(@, 5); clear(@); }
interval:hz:5 { } profile:hz:99 { @[kstack] = count(); } profile:ms:10 { @[ustack(5)] = count(); }
software:page-faults:100 { } hardware:cache-misses:1000000 { } hardware:cycles: { }
uprobe:/bin/sh:main,uretprobe:libc:malloc { @ = probe; }
uprobe:/bin/sh:0x1234 { }
kfunc:vmlinux:vfs_open, fexit:vfs_open { printf("%s", args.path) }
watchpoint:0xffffffff81000000:8:w { }
kprobe:vfs_read+4 { exit(); }
END { clear(@start); }
BT
printf 'interval:s:1 { exit(); }\n' >bt/plain
for script in bt/*; do
	"$PROBEC" -p2 -r "$TARGET" "$script" >/dev/null 2>said && fail "$script is accepted" said
	[ "$(grep -c 'error:' said)" = 1 ] && grep -q '\[E_BPFTRACE\]$' said ||
		fail "$script is not recognised" said
	sed -n 's/^ *= line [0-9]*, .*: \(probe .*\)/\1 ? { }/p' said
done >points
grep -q 'not_this\|nor_this' points && fail 'points of comments and strings' points
sed -i 's/statement(0x1234)/function("main")/' points
sort -u points >script.kp
[ "$(wc -l <script.kp)" -ge 25 ] || fail 'few probe points' script.kp
echo 'probe begin { }' >>script.kp
"$PROBEC" -w --check -r "$TARGET" script.kp >said 2>&1 || fail 'a translation does not compile' said

"$PROBEC" -p2 -r "$TARGET" bt/all.bt 2>&1 | grep '^ *= '

# Functions that the words name exist.
sed -n 's/^\(NAME\|CALL\)("[a-z0-9_]*", "\(.*\)")$/\2/p' "$TOP/compiler/parse/foreign_words.def" |
	grep -o '[a-z_]*(' | tr -d '(' | sort -u | while read -r name; do
	case $name in '' | for | foreach | if) continue ;; esac
	"$PROBEC" -r "$TARGET" --doc "$name" >said 2>&1 || fail "there is no $name()" said
done || exit 1

# Ours, whatever the file is called.
printf '# kprobe:vfs_read { }\nprobe begin { BEGIN = 1; println(BEGIN) }\n' >ours.bt
"$PROBEC" --check -r "$TARGET" ours.bt >said 2>&1 && [ ! -s said ] || fail 'ours in a .bt file' said
printf '#!/usr/bin/env -S probec\nglobal kprobe\nprobe begin { kprobe = 1 }\n' >ours.kp
"$PROBEC" --check -r "$TARGET" ours.kp >said 2>&1 && [ ! -s said ] || fail 'a global kprobe' said
refused E_SYNTAX 'ours without the word probe' \
	"$PROBEC" -p1 -e 'begin { println(1) } timer.s(1) { exit() }'
grep -q 'probe begin' said || fail 'ours without the word probe' said
: >empty.bt
"$PROBEC" -p1 empty.bt >said 2>&1
grep -q E_BPFTRACE said && fail 'an empty file' said
true
