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
ask -p2 -e 'kprobe:vfs_read { @[comm] = count() }'
ask -p2 -e 'uretprobe:/bin/sh:main /pid == 1/ { @[comm] = count() }'
ask -p2 -e 'probe interval:ms:100 { println("tick") }'
ask -p2 -e 'probe vfs_read { println("read") }'
ask -p2 -e 'probe sched_switch { println("switched") }'
