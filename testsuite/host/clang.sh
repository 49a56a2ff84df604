# SPDX-License-Identifier: GPL-2.0
#@ needs: target clang
# Kernels built by clang have their scripts compiled by it: what probec writes is C for it as well,
# and each function that the kernel calls has the type that a kernel with kCFI checks.
"$PROBEC" -g -w --direct -p3 -r "$TARGET" -e '
	global n, s
	probe kernel.function("vfs_read") { n[execname(), $count] <<< $count }
	probe kernel.function("vfs_read").return if (pid() > 7) { s = sprintf("%d %s", $return, s) }
	probe kernel.function("vfs_write").return { println(@entry($count), " ", $return) }
	probe kernel.statement("vfs_open+4") ? { print_backtrace() }
	probe kprobe.function("vfs_fsync") { printf("%s %p\n", symname(ulong_arg(1)), long_arg(2)) }
	probe kernel.trace("sched_switch") { println($next->pid) }
	probe process("/bin/bash").function("main") { println(ustack(1), user_string(int_arg(2))) }
	probe process("/bin/bash").function("main").return { println(returnval()) }
	probe perf.sw.page_faults { print_ubacktrace() }
	probe netfilter.ipv4.local_in { }
	probe timer.ms(10), begin, end {
		foreach ([a, b] in n) println(a, b, @count(n[a, b]))
		delete n
	}
	probe error { println(pp()) }' >script.c 2>said || fail 'the script' said
clang -std=gnu11 -fsyntax-only -ffreestanding -mno-red-zone -Werror=int-conversion \
	-Werror=incompatible-pointer-types -Werror=implicit-function-declaration \
	-I "$TOP/runtime/abi" script.c >said 2>&1 || fail 'clang' said
grep -c 'error:\|incompatible' said | grep -qx 0 || fail 'what it says' said
