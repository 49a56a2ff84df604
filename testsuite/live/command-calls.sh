# SPDX-License-Identifier: GPL-2.0
#@ needs: strace
# A command of -c has the system calls that it has without a session: proberun prepares its process
# before the probes are armed. strace is the judge, which does not count calls that never return.
# The command ignores the signals that it ignores without a session.
. "$TOP/testsuite/expect.sh"
cd /run || exit
PATH=/run/none:/run:$PATH
for command in 'cat /etc/hostname' 'sh -c :'; do
	strace -o judge $command >/dev/null || fail 'strace' judge
	"$PROBERUN" -o calls -c "$command" "$MODULE" >/dev/null 2>err ||
		fail "status of '$command'" err
	for name in execve rt_sigaction read mmap close brk geteuid setuid; do
		expected=$(grep -c "^$name(" judge)
		seen=$(awk -v name=$name '$1 == name { print $2 }' calls)
		[ "${seen:-0}" = "$expected" ] ||
			fail "'$command': $name ${seen:-0}, not $expected" judge
	done
done
for signal in INT HUP PIPE XFSZ; do
	ignores=$(trap '' $signal && exec grep SigIgn /proc/self/status)
	seen=$(trap '' $signal &&
		"$PROBERUN" -o calls -c 'grep SigIgn /proc/self/status' "$MODULE" 2>err)
	[ -n "$ignores" ] && [ "$seen" = "$ignores" ] ||
		fail "$signal is ignored: '$seen', not '$ignores'" err
done
rm -f calls err judge
