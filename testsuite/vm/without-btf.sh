# SPDX-License-Identifier: GPL-2.0
# A session on a kernel whose BTF is not used: types, arguments of tracepoints, printed structures
# and constants come from debug information. They are compared with what stat says, with what the
# kernel half knows without types, and with the same script by BTF.
#@ kernels: 6.1
symbols=$("$TOP/lab/symbols" --if-here "$KERNEL") ||
	{ echo "there are no symbols of $KERNEL (lab/symbols)"; exit 77; }
target=$("$TOP/lab/run" --target "$KERNEL") || fail 'no target'
release=$(sed -n 's/^release //p; /^section/q' "$target")
python3 "$TOP/testsuite/beside/btf.py" without "$target" "$release" >without ||
	fail 'BTF is not taken out'
seq 1000 >numbers
cat >script.kp <<'END'
global switches, wrong, calls, other, reads
probe kernel.trace("sched_switch") {
	switches++
	if ($prev->pid != tid() || kernel_string($prev->comm) != execname() ||
	    $prev->tgid != pid() || @cast($next, "struct task_struct", "kernel")->pid != $next->pid)
		wrong++
}
probe kernel.trace("sys_enter") {
	calls++
	if ($regs->orig_ax != $id || $arg1->orig_ax != $arg2)
		other++
}
probe kernel.function("vfs_read") {
	f = $file
	if (pid() != target() || kernel_string(f->f_path->dentry->d_name->name) != "numbers")
		next
	if (reads++)
		next
	i = f->f_inode
	q = &f->f_path->dentry->d_name
	printf("%d %d %o %d\n", i->i_size, i->i_ino, i->i_mode & 0777, i->i_uid->val)
	println(f->f_path->dentry->d_name$ ==
		sprintf("{.hash=%u, .len=%u, .hash_len=%u, .name=\"numbers\"}",
			@cast(q, "struct qstr")->hash, @cast(q, "qstr")->len,
			@cast(q, "struct qstr", "kernel")->hash_len))
	println(@cast(task_current(), "struct task_struct")->pid == tid(), " ",
		@enumname(@enum("PIDTYPE_TGID"), "enum pid_type"), " ", @enum("PIDTYPE_MAX"))
}
probe kernel.function("vfs_read").return {
	if (pid() == target() && reads == 1 && @entry($count) > 4000 && $return > 0)
		printf("%d\n", $return)
}
probe end { println(switches > 0, " ", wrong, " ", calls > 0, " ", other) }
END
run() { # NAME TARGET DEBUGINFO
	module=$("$PROBEC" -p4 -r "$2" --debuginfo "$3" script.kp 2>said) ||
		fail "$1: not compiled" said
	"$TOP/lab/run" "$KERNEL" -- "$PROBERUN" "$module" -c "cat $PWD/numbers >/dev/null" \
		>"$1" 2>said || fail "$1" said
}
run debug ./without "$symbols"
run btf "$target" ''
{
	stat -c '%s %i %a %u' numbers
	printf '%s\n' 1 '1 PIDTYPE_TGID 4' "$(stat -c %s numbers)" '1 0 1 0'
} >expected
diff expected debug || fail 'other values by debug information' debug
diff btf debug || fail 'other values than by BTF' btf
