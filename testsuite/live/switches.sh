# SPDX-License-Identifier: GPL-2.0
# The error names what the administrator switched off, and no session runs that would see nothing.
. "$TOP/testsuite/expect.sh"
cd /tmp
ftrace=/proc/sys/kernel/ftrace_enabled kprobes=/sys/kernel/debug/kprobes/enabled \
	kptr=/proc/sys/kernel/kptr_restrict
work() { "$PROBERUN" -c 'cat /etc/hostname >/dev/null' "$MODULE"; }
trap '(echo 1 >$ftrace) 2>/dev/null; echo 1 >$kprobes; echo 0 >$kptr' EXIT

echo 2 >$kptr
refused E_SYMBOL 'hidden addresses' work
grep -q kptr_restrict=1 said || fail 'no word of kptr_restrict' said
echo 0 >$kptr

# Since 7.x the kernel refuses to switch ftrace off.
if (echo 0 >$ftrace) 2>/dev/null; then
	refused E_ARM 'ftrace off' work
	grep -q ftrace_enabled=1 said || fail 'no word of ftrace_enabled' said
	echo 1 >$ftrace
fi

echo 0 >$kprobes
refused E_ARM 'kprobes off' work
grep -q "echo 1 > $kprobes" said || fail 'no word of kprobes' said
# The return probe reports it by itself.
without_debugfs() \
	{ unshare -m bash -c 'umount -l /sys/kernel/debug && "$0" -c true "$1"' "$PROBERUN" "$MODULE"; }
refused E_ARM 'kprobes off, no debugfs' without_debugfs
grep -q "echo 1 > $kprobes" said || fail 'no word of kprobes without debugfs' said
echo 1 >$kprobes

[ "$(work)" = '1 1' ] || fail 'a good one fails'
