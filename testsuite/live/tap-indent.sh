# SPDX-License-Identifier: GPL-2.0
#@ needs: perl
# Two processes with the same number, one after the other, each of which ends within a call: the
# depth that thread_indent() keeps for the first is not that of the second. Within one process, the
# depths of calls are as ever.
. "$TOP/testsuite/expect.sh"
mkdir /tmp/tap-indent
cd /tmp/tap-indent || exit 1
trap 'cd /; rm -r /tmp/tap-indent' EXIT
# struct clone_args has the number in set_tid.
cat >lives.pl <<'PL'
use POSIX ();
my $number = pack "l", 30000;
for (1 .. 3) {
	my $args = pack "Q8 P Q2", 0, 0, 0, 0, 17, 0, 0, 0, $number, 1, 0;
	my $child = syscall 435, $args, 88;
	die "clone3: $!" if $child < 0;
	if (!$child) {
		getppid;
		POSIX::_exit(0);
	}
	wait;
}
PL
"$PROBERUN" -c 'perl lives.pl' "$MODULE" >out 2>said && [ ! -s said ] || fail 'the session' out said
life='0 perl(30000):| in
N perl(30000):| out
0 perl(30000):| 2'
printf '%s\n' "$life" "$life" "$life" >wanted
sed 's/^ *//; s/^[0-9]* \(.*out\)$/N \1/' out | diff wanted - >difference ||
	fail 'wanted (<) and got (>)' difference
