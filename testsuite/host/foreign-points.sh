# SPDX-License-Identifier: GPL-2.0
# bpftrace probe points and bare names of functions and tracepoints are recognised, and the message
# says how to write them in this language.
#@ needs: target
ask() { "$PROBEC" -r "$TARGET" "$@" 2>&1 | grep '^ *= '; }
for point in kprobe:vfs_read 'kretprobe:vfs_*' fentry:vmlinux:vfs_read fexit:loop:lo_open \
	tracepoint:sched:sched_switch \
	tracepoint:syscalls:sys_enter_openat interval:s:1 profile:hz:99 uprobe:/bin/sh:main \
		uretprobe:/bin/sh:m* \
	usdt:/bin/p:query usdt:/bin/p:pg:query BEGIN 'vfs_rea*' 'sys_ent*'; do
	ask -l "$point"
done
# Patterns for all of a kind, also as perf writes tracepoints. What is suggested finds something.
for point in 'tracepoint:syscalls:sys_enter_*' 'tracepoint:syscalls:*' 'syscalls:sys_enter_*' \
	'syscalls:sys_exit_*' 'syscalls:*' 'sched:sched_w*' '*:*' 'usdt:*' 'usdt:*:*' 'uprobe:*' \
	uprobe:/bin/bash 'uretprobe:/bin/bash' 'hardware:*' 'software:*' 'interval:*' 'kprobe:*'; do
	ask -l "$point" | tee said
	pattern=$(sed -n "s/.*probec -l '\(.*\)'$/\1/p" said)
	case $point in
	usdt:*) continue ;; # depends on the programs that are here
	esac
	# Warnings of copied functions, and of those that are chosen, depend on them as well.
	[ "$("$PROBEC" -r "$TARGET" -Wno-copies -Wno-indirect -l "$pattern" | wc -l)" -gt 2 ] ||
		fail "$point: $pattern" said
done
ask -p2 -e 'kprobe:vfs_read { @[comm] = count() }'
ask -p2 -e 'uretprobe:/bin/sh:main /pid == 1/ { @[comm] = count() }'
ask -p2 -e 'probe interval:ms:100 { println("tick") }'
ask -p2 -e 'probe vfs_read { println("read") }'
ask -p2 -e 'probe sched_switch { println("switched") }'
ask -p2 -e 'probe sched:sched_switch { println("switched") }'
ask -p2 -e 'syscalls:sys_enter_read { println("read") }'
