# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# The macros of the tapsets: sizes and offsets of types, structures around members, existence of
# things, values by thread.
# shellcheck shell=bash disable=SC2154
compiles() {
	"$PROBEC" -p3 -r "$TARGET" -e "$1" >/dev/null 2>said && [ ! -s said ] || fail "$1" said
}
compiles \
	'probe oneshot { println(@cast_sizeof("task_struct"), @cast_module_sizeof("kernel", "task_struct")) }'
compiles \
	'probe oneshot { println(@offsetof("file", f_flags), @module_offsetof("kernel", "file", f_flags)) }'
compiles \
	'probe kernel.function("tcp_retransmit_timer") { println(@container_of($sk, "inet_sock", sk)->uc_ttl) }'
compiles \
	'probe kernel.function("delayed_work_timer_fn") { println(@module_container_of($t, "kernel", "delayed_work", timer)->cpu) }'
compiles 'probe oneshot { println(@task(task_current())->pid, @mm(1)->total_vm) }'
compiles \
	'probe kernel.function("vfs_read") { @this1 = $count @this8 = "x" } probe kernel.function("vfs_read").return { println(@this1, @this8) }'

# Whether something exists is known at compile time.
compiles 'probe oneshot { if (!@type_defined("task_struct")) wrong() if (@type_defined("no_such")) wrong()
	if (!@type_member_defined("file", f_flags)) wrong() if (@type_member_defined("file", no_such)) wrong() }'
compiles 'probe oneshot { if (!@module_type_defined("kernel", "task_struct")) wrong()
	if (@module_type_member_defined("kernel", "file", no_such)) wrong() }'
compiles 'probe oneshot { println(@ulong_cast(task_current())[1], &@uint_cast(0)[2]) }'
compiles '@__private30 global x probe begin { x = 1 println(x) }'
# The greatest number of keys, and one key.
compiles \
	'global a, s probe begin { s <<< 1 @prints(s) a[1, "b", 3, 4, "e", 6, 7, 8, 9] <<< 1 @prints9(a) }'

# Many threads are no error: the oldest element is dropped.
"$PROBEC" -p2 -r "$TARGET" -e 'probe kernel.function("vfs_read") { @this1 = 1 println(@this1) }' \
	>tree || fail 'status'
grep -q '__this1\[long\]: long locked wrap' tree || fail 'not wrapping' tree
"$PROBEC" -p1 -e 'probe oneshot { @errno }' >/dev/null 2>said && fail '@errno: status 0'
grep -q "error: the macro '@errno' is not supported \[E_NOT_SUPPORTED\]" said ||
	fail 'its refusal' said
grep -q '^      = ' said || fail 'no way out' said
