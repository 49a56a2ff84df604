# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: perl taskset unshare ip
# Tools: runqslower cpudist offcpu syscount tcplife
#
# Numbers of threads and memory of objects that are used again: what the tools keep about a thread
# or a socket that ended must not count for the next one with its number or address.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir /tmp/tools-reuse
cd /tmp/tools-reuse || exit 1
trap 'cd /; rm -r /tmp/tools-reuse' EXIT

# Ten processes with the same number, one after the other, each of which waits for the processor
# and says how long and how often the kernel says it did. After five of them, five seconds pass.
cat >lives.pl <<'PL'
my $number = pack "l", shift;
sub account { open my $f, "<", "/proc/self/schedstat"; return split " ", <$f> }
for my $life (1 .. 10) {
	# struct clone_args: exit_signal is SIGCHLD, and set_tid has one number.
	my $args = pack "Q8 P Q2", 0, 0, 0, 0, 17, 0, 0, 0, $number, 1, 0;
	my $child = syscall 435, $args, 88;
	die "clone3: $!" if $child < 0;
	if (!$child) {
		my @n;
		do { @n = account() } until $n[1] > 30e6;
		syswrite STDOUT, "$n[1] $n[2]\n";
		exit;
	}
	wait;
	sleep 5 if $life == 5;
}
PL
# A thread that is not the first of its process runs another program, which gets the number of the
# process.
cat >executes.pl <<'PL'
use threads;
my $word = <STDIN>;
threads->create(sub { exec "/bin/true" })->join;
PL
# Connections that are reset before they are accepted, and then, in their memory, connections that
# nobody accepts.
cat >sockets.pl <<'PL'
use IO::Socket::IP;
use Socket qw(SOL_SOCKET SO_LINGER);
sub listener { IO::Socket::IP->new(LocalHost => "127.0.0.1", LocalPort => shift, Listen => 100) }
sub client { IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => shift) or die "$@" }
my $l = listener(7001);
for (1 .. 20) {
	my $c = client(7001);
	setsockopt $c, SOL_SOCKET, SO_LINGER, pack "ll", 1, 0;
	close $c;
	my $s = $l->accept or die "accept: $!";
	close $s;
}
close $l;
print "accepted $$\n";
$| = 1;
if (!fork) {
	my $l = listener(7002);
	my @c = map { client(7002) } 1 .. 40;
	close $_ for @c;
	close $l;
	exit;
}
wait;
PL
number=30000
mkfifo go
perl executes.pl <go &
executes=$!
exec 5>go
begin_session runqslower runqslower only_tid=$number argc=1 argv_1=0
begin_session cpudist cpudist only_pid=$number off=1 threads=1 milliseconds=1
# Stacks from before the session knew a process are short, which does not matter here.
begin_session offcpu offcpu -w
begin_session syscount syscount only_pid=$number latency=1 top=0
begin_session executes syscount only_pid=$executes latency=1 top=0
begin_session tcplife tcplife
wait_sessions
taskset -c 0 perl -e '1 while 1' &
rival=$!
taskset -c 0 perl lives.pl $number >lives || fail 'the ten lives' lives
kill $rival
taskset -c 0 unshare -n bash -c 'ip link set lo up; exec perl sockets.pl' >accepted ||
	fail 'the sockets' accepted
echo go >&5
wait $executes || fail 'the program that executes another'
end_sessions

# Each wait is a line, the first one of each life as well.
read -r waited times <<<"$(awk '{ ns += $1; n += $2 } END { print ns, n }' lives)"
awk -v ns="$waited" -v n="$times" 'NR > 1 { lines++; us += $4 }
	END { exit !(lines >= n && us >= ns / 1000 * 0.9) }' runqslower ||
	fail "runqslower: not $times waits, $waited ns" runqslower lives
awk '$1 == "tid" { n++ } $1 ~ /^[0-9]+$/ && $1 >= 4096 && $NF > 0 { bad = 1 }
	END { exit bad || !n }' \
	cpudist || fail 'cpudist -O: a thread waited between two lives' cpudist
! grep -q do_task_dead offcpu && grep -q schedule offcpu || fail 'offcpu: a dead thread waited'
# A new process returns from clone3, which it did not call.
grep -q '^write ' syscount && ! grep -qE '^(clone3|exit)' syscount ||
	fail 'syscount: calls of another' syscount
grep -qE '^execve +1 ' executes || fail 'syscount: the execve of a thread' executes
read -r _ pid <accepted
[ "$(grep -c ' 7001  *127' tcplife)" -ge 20 ] && [ "$(grep -c ' 7002  *127' tcplife)" -ge 40 ] ||
	fail 'tcplife: connections' tcplife
! grep -E "^$pid .* 7002 " tcplife >wrong || fail 'tcplife: accepted by another' wrong
