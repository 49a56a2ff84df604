# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: perl
# --cgroup limits hits to the tasks of a control group and of the groups below it, wherever they are
# when a hit happens: processes in the group, in one below it, outside, and one that moves in and
# out, each with a known number of calls.
. "$TOP/testsuite/expect.sh"
mkdir /tmp/cgroup
cd /tmp/cgroup || exit 1
mkdir cg
mount -t cgroup2 none cg && mkdir -p cg/outer/inner cg/outer-2 || fail 'no control groups'
clean() {
	rmdir cg/outer/inner cg/outer cg/outer-2
	umount cg
	cd /
	rm -r /tmp/cgroup
}
trap clean EXIT
# A process with this name, which makes so many calls in each of these groups, one after the other.
cat >calls.pl <<'PL'
my $name = shift;
open my $f, ">", "/proc/self/comm"; print $f $name; close $f;
while (my ($group, $n) = splice @ARGV, 0, 2) {
	open my $f, ">", "cg/$group/cgroup.procs"; print $f $$; close $f or die "$group: $!";
	getppid for 1 .. $n;
}
PL
cat >calls.sh <<'SH'
perl calls.pl inside outer 100 &
perl calls.pl below outer/inner 50 &
perl calls.pl outside outer-2 70 &
perl calls.pl moves . 10 outer 20 outer-2 40 outer/inner 80 . 160 &
wait
SH
cat >script.kp <<'KP'
global n
@define COUNT(kind) %( { n[execname(), @kind]++ } %)
probe kernel.function("__x64_sys_getppid") @COUNT("entry")
probe kernel.function("__x64_sys_getppid").return @COUNT("return")
probe kernel.trace("sys_enter") { if ($id == 110) @COUNT("trace") }
probe syscall.getppid @COUNT("alias")
probe process.library("libc").function("getppid") @COUNT("user")
probe process.library("libc").function("getppid").return @COUNT("user return")
global begins, ticks
probe begin { begins++ }
probe timer.ms(10) { ticks++ }
probe timer.profile.freq.hz(99) { if (execname() == "outside") n["outside", "profile"]++ }
probe end {
	foreach ([name, kind] in n) printf("%s %s %d\n", name, kind, n[name, kind])
	printf("the session: %d %d\n", begins, ticks > 0)
}
KP
for kind in alias entry return trace user 'user return'; do
	echo "below $kind 50"
	echo "inside $kind 100"
	echo "moves $kind 100"
done | sort >wanted
echo 'the session: 1 1' >>wanted
remember
for path in /outer outer cg/outer "$PWD/cg/outer"; do
	# Not all forms of a path may name a file here.
	"$PROBEC" --cgroup "$path" -c 'bash calls.sh' script.kp >out 2>said && [ ! -s said ] ||
		fail "--cgroup $path" out said
	(grep -v '^the' out | sort; grep '^the' out) | diff wanted - >difference ||
		fail "--cgroup $path: calls (<) and hits (>)" difference
done
ended_clean 'sessions'
# Without the option, all of them.
"$PROBEC" -c 'bash calls.sh' script.kp >out 2>said || fail 'without --cgroup' said
grep -qx 'outside entry 70' out && grep -qx 'moves user 310' out || fail 'without --cgroup' out

# A group that is removed has no tasks.
mkdir cg/gone
"$PROBEC" --cgroup /gone -c 'bash -c "rmdir cg/gone; bash calls.sh"' script.kp >out 2>said &&
	[ "$(cat out)" = 'the session: 1 1' ] || fail 'a group that is removed' out said

refused E_CGROUP 'no such group' "$PROBEC" --cgroup /none -e 'probe begin { exit() }'
refused E_CGROUP 'no group' "$PROBEC" --cgroup /proc/self -e 'probe begin { exit() }'
refused E_CGROUP 'a file' "$PROBEC" --cgroup cg/outer/cgroup.procs -e 'probe begin { exit() }'
module=$("$PROBEC" -p4 --cgroup /outer -c 'bash calls.sh' script.kp) || fail 'a module'
refused E_CGROUP 'a module without its group' "$PROBERUN" "$module"
module=$("$PROBEC" -p4 -c 'bash calls.sh' script.kp) || fail 'a module'
refused E_CGROUP 'a module without a limit' "$PROBERUN" --cgroup /outer "$module"
ended_clean 'refusals'
