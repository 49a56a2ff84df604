# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl strace setpriv gcc
#@ seconds: 900
# Tools: execsnoop exitsnoop killsnoop capable setuids naptime threadsnoop
#
# The tools for processes, all of them at once on one load: compared with what strace, on the same
# load, says of each process, and with what the commands themselves answer.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir /tmp/tools-processes
cd /tmp/tools-processes || exit 1
trap 'cd /; rm -r /tmp/tools-processes' EXIT
chmod 1777 . ..
cat >threads.c <<'END'
#include <pthread.h>
void *first_thread(void *p) { return p; }
void *second_thread(void *p) { return p; }
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, i ? second_thread : first_thread, NULL);
		pthread_join(t, NULL);
	}
	return 0;
}
END
gcc -O1 -o threads threads.c 2>said || fail 'the program' said
cat >work <<'SH'
echo $$ >main
read -r _ <go
read -r _ </proc/modules
/bin/true one 'two words'
/no/such/program three
sleep 0.25
bash -c 'exit 3'
# Killed in its sleep: killed before, it could end before strace sees how execve() ended.
for signal in KILL TERM; do
	sleep 60 &
	until read -r _ name state _ <"/proc/$!/stat" && [ "$name$state" = "(sleep)S" ]; do :; done
	kill -$signal $!
	wait $!
done
kill -0 99999999
touch file
chown 65534 file; echo "chown $?"
setpriv --bounding-set -chown --inh-caps=-chown chown 0 file; echo "chown $?"
setpriv --reuid 65534 --regid 65534 --clear-groups perl -e '$> = 0'
./threads
exec perl -e '$> = 0'
SH
# Signals by other ways: the calls are pidfd_open() and pidfd_send_signal(), on all processors.
cat >other-ways <<'SH'
mkdir control
mount -t cgroup2 none control || exit
mkdir control/killed
perl -e '
	my $child = fork // die;
	if (!$child) { sleep 60; exit }
	my $fd = syscall 434, $child, 0;
	syscall 424, $fd, $_, 0, 0 for 0, 15;
	waitpid $child, 0;
	syscall 424, $fd, 15, 0, 0;
	syscall 424, 0, 15, 0, 0;
	print "$$ pidfd_send_signal $_\n" for "0 $child 0", "15 $child 0", "15 $child -3",
		"15 - -9"'
# Kernels before 5.14 do not kill a control group.
[ -e control/killed/cgroup.kill ] || { rmdir control/killed && umount control && exit; }
for i in 1 2 3; do
	sleep 60 &
	echo $! >control/killed/cgroup.procs || exit
	sleepers="$sleepers $!"
done
echo 1 >control/killed/cgroup.kill
wait
for i in $sleepers; do echo "$$ cgroup.kill 9 $i 0"; done
until rmdir control/killed; do :; done 2>/dev/null
umount control
SH
mkfifo go
tools="execsnoop exitsnoop killsnoop capable setuids naptime threadsnoop"
declare -A with=([execsnoop]=failed=1 [setuids]=groups=1 [killsnoop]=timestamps=1)
for tool in $tools; do
	# shellcheck disable=SC2086
	begin_session "$tool" "$tool" ${with[$tool]:-}
done
wait_sessions
calls=%process,kill,clock_nanosleep,setuid,setreuid,setresuid,setfsuid,setgid,setresgid,setfsgid
strace -f -q -s 99 -o trace -e "trace=$calls" bash work >answers 2>/dev/null &
load=$!
wait_for 'the load' [ -s main ]
main=$(cat main)
declare -A more=(
	[exec-named]='execsnoop only_name=chown only_uid=0 show_uid=1'
	[exec-parent]="execsnoop only_parent=$main timestamps=1"
	[exit-main]="exitsnoop only_pid=$main timestamps=1"
	[exit-threads]='exitsnoop only_name=threads threads=1'
	[exit-failed]='exitsnoop only_name=sleep failed=1'
	[kill-term]="killsnoop only_pid=$main only_signal=15"
	[kill-none]='killsnoop only_target=99999999 failed=1'
	[cap-chown]='capable only_cap=0 only_uid=0 failed=1 timestamps=1'
	[cap-verbose]="capable only_pid=$main verbose=1"
	[nap-long]='naptime only_name=sleep at_least=200 timestamps=1'
	[nap-none]='naptime at_least=61000'
	[ids-main]="setuids only_pid=$main timestamps=1"
	[threads-named]='threadsnoop only_name=threads')
begin_sessions more
wait_sessions
echo >go
wait $load || fail 'the work' answers
unshare -m bash other-ways >others 2>said || fail 'other signals' said
[ "$(grep -c pidfd_send_signal others)" = 4 ] || fail 'other signals' said others
end_sessions

# With options, a tool shows those of its lines that they select, with more columns.
selected() { # NAME TOOL CONDITION [LEADING-COLUMNS]
	awk -v main="$main" "NR > 1 && ($3)" "$2" | sort >"$1.wanted"
	sed 1d "$1" | sed -E "s/^${4:-}//" | sort | diff -b "$1.wanted" - >difference &&
		[ -s "$1.wanted" ] || fail "$2 without options (<), $1 (>)" difference
}
time='[0-2][0-9]:[0-5][0-9]:[0-5][0-9] '
selected exec-named execsnoop '$1 == "chown" && $4 == 0' '0 +'
selected exec-parent execsnoop '$3 == main && $4 == 0' "$time"
age() { sed -i -E 's/^(([^ ]+ +){4})[^ ]+ /\1- /' "$@"; }
cp exitsnoop exits.plain
age exit-failed exits.plain
selected exit-failed exits.plain '$1 == "sleep" && $6 != "0"'
sed -i -E "s/^$time//" exit-main
age exit-main
selected exit-main exits.plain '$2 == main'
# Three threads and the process.
awk 'NR > 1 { n += $2 != $4; leaders += $2 == $4; bad += $1 != "threads" || $6 != 0 }
	END { exit bad || n != 3 || leaders != 1 }' exit-threads || fail 'exitsnoop -t' exit-threads
sed -E "s/^$time//" killsnoop >kills.plain
selected kill-term kills.plain '$1 == main && $4 == 15'
selected kill-none kills.plain '$6 == 99999999 && $7 < 0'
selected cap-chown capable '$1 == 0 && $4 == 0 && $NF == "no"' "$time"
# A process that reads the list of modules may see addresses or not, which is not audited.
awk -v main="$main" 'NR > 1 { if ($2 != main) bad = 1; n += $6 == 0 && $4 == 34 }
	END { exit bad || !n }' \
	cap-verbose || fail 'capable -v' cap-verbose
! awk '$6 == 0' capable | grep . || fail 'capable: a check that is not audited'
selected nap-long naptime '$4 == "sleep" && $5 >= 0.2' "$time"
[ "$(wc -l <nap-none)" = 1 ] || fail 'naptime -m' nap-none
selected ids-main setuids '$1 == main && $4 !~ /gid/' "$time"
[ "$(awk 'NR > 1 && $3 == "threads"' threads-named | wc -l)" = 3 ] ||
	fail 'threadsnoop -n' threads-named

join_calls trace
# Compare lines about the processes of the load: those of the file wanted, and those of a tool.
awk '{ print $1 }' trace | sort -u >pids
same() { # TOOL COLUMN
	awk -v column="$2" 'NR == FNR { ours[$1] = 1; next } $column in ours' pids "$1" |
		sed 's/^  *//; s/  *$//; s/  */ /g' | sort >"$1.got"
	sort wanted >"$1.wanted"
	diff "$1.wanted" "$1.got" >"$1.diff" || fail "$1: strace (<) and it (>)" "$1.diff"
	[ -s "$1.wanted" ] || fail "$1: nothing happened" trace
}
columns() { # TOOL COLUMNS: only these, for same()
	awk -v columns="$2" '{ n = split(columns, at, " "); line = ""
		for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[i]
		print line }' "$1"
}

perl -ne 'print "$1 ", $4 eq "0" ? "0 " : "-2 $2 ", join(" ", $3 =~ /"([^"]*)"/g), "\n"
	if /^(\d+) +execve\("([^"]*)", \[(.*)\], 0x.*\) += (0|-1 ENOENT)/' trace >wanted
perl -ne 'print "$1 $2 $3\n" if /^\S+ +(\d+) +\d+ +(-?\d+) (.*)/' execsnoop >execs
cp execs execsnoop
same execsnoop 1
grep -q ' 0 /bin/true one two words$' execsnoop.got || fail 'not the command line' execsnoop.got
grep -q ' -2 /no/such/program /no/such/program three$' execsnoop.got ||
	fail 'not the failure' execsnoop.got

perl -ne 'print "$1 $2\n" if /^(\d+) +\+\+\+ (?:exited with|killed by) (\w+)/' trace >wanted
awk '{ print $2, $6 }' exitsnoop >exits
cp exitsnoop exits.all
cp exits exitsnoop
# A thread that ends is not a process, but may be the last of one, after its main thread.
awk '{ print $2 }' exits.all >processes
awk 'NR == FNR { ours[$1] = 1; next } $1 in ours' processes wanted >wanted.processes
mv wanted.processes wanted
same exitsnoop 1
for word in ' 0$' ' 3$' ' SIGKILL$' ' SIGTERM$'; do
	grep -q -- "$word" exitsnoop.got || fail "exitsnoop: nobody ends with $word" exitsnoop.got
done
awk 'NR == FNR { ours[$1] = 1; next }
	$2 in ours && $1 == "sleep" && $6 == "0" { n++; if ($5 < 0.25 || $5 > 5) bad = 1 }
	END { exit bad || n != 1 }' pids exits.all ||
	fail 'the age of sleep' exits.all

perl -ne 'print "$1 $2 $4 $3 ", ($5 eq "0" ? 0 : -3), "\n"
	if /^(\d+) +(kill)\((-?\d+), (\w+)\) += (\S+)/' trace >wanted
# strace's own child stops itself before it is traced.
! grep -v '^TIME \|^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] ' killsnoop || fail 'no time' killsnoop
cp killsnoop kills.timed
columns killsnoop '2 4 6 7 8' | grep -v ' SIGSTOP ' >kills
mv kills killsnoop
same killsnoop 1

awk '/ (pidfd_send_signal|cgroup.kill) / { print $2, $4, $5, $7, $8 }' kills.timed | sort >got
sort others | diff - got >difference || fail 'killsnoop: other ways (<) and it (>)' difference

perl -ne 'printf "%s %d.%06d\n", $1, $2, $3 / 1000
	if /^(\d+) +clock_nanosleep\(.*?\{tv_sec=(\d+), tv_nsec=(\d+)\}/' trace >wanted
columns naptime '3 5' >naps
mv naps naptime
same naptime 1
grep -q ' 0.250000$' naptime.got || fail 'not the sleep' naptime.got

perl -ne 'print "$1 $2 $3 ", ($4 eq "0" ? 0 : -1), "\n"
	if /^(\d+) +(set\w*[ug]id)\((.*)\) += (\S+)/' trace >wanted
perl -ne 'print "$1 $2 $3 $4\n" if /^(\d+) +\S+ +\d+ +(set\w+) +(.*?) +(-?\d+)$/' setuids >changes
mv changes setuids
same setuids 1
grep -q 'setresuid -1, 0, -1 -1$' setuids.got || fail 'not the refusal' setuids.got

# Both checks of CAP_CHOWN end as chown did.
awk '$1 == "chown" { print $2 == 0 ? "yes" : "no" }' answers >wanted
awk '$3 == "chown" && $5 == "CAP_CHOWN" { print $7 }' capable | diff wanted - >difference ||
	fail 'CAP_CHOWN: chown (<) and capable (>)' difference capable
[ "$(tr '\n' ' ' <wanted)" = 'yes no ' ] || fail 'the load' answers

[ "$(awk '$3 == "threads" { printf "%s %s,", $4, $5 }' threadsnoop)" = \
	'0 first_thread,0 second_thread,0 second_thread,' ] || fail threadsnoop threadsnoop
