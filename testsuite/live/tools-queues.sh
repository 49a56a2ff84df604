# SPDX-License-Identifier: GPL-2.0
# Tools: fdleak listenq softirqslower
#
# Tools for what piles up: descriptors that nobody closes, compared with /proc/PID/fd; connections
# that nobody accepts, with the kernel's own counter of drops; soft interrupts, with /proc/softirqs.
#@ needs: perl
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir /tmp/queues
cd /tmp/queues || exit 1
trap 'cd /; rm -r /tmp/queues' EXIT

# A number that dup2() makes is not the tool's; one that it replaces is closed by it.
cat >leaks.pl <<'PL'
use Socket;
use POSIX;
$| = 1;
my %inherited = map { $_ => 1 } grep { readlink("/proc/self/fd/$_") =~ /^pipe:/ } 3 .. 99;
my @files = map { POSIX::open("/etc/hostname") } 1 .. 10;
POSIX::close(POSIX::open("/etc/hostname")) for 1 .. 5;
socket $socket[$_], AF_UNIX, SOCK_STREAM, 0 for 0 .. 2;
POSIX::pipe();
my $null = POSIX::open("/dev/null");
POSIX::dup2($null, $_) for 60, $files[4];
syscall 436, $files[8], $files[9], 0; # close_range
opendir my $own, "/proc/self/fd";
for (readdir $own) {
	my $to = readlink "/proc/self/fd/$_";
	next if !/\d/ || $_ < 3 || $inherited{$_} || $_ == 60 || $_ == $files[4] ||
		$to =~ m{^/proc};
	$n{$to =~ /^(socket|pipe):/ ? $1 : $to =~ m{^/dev/} ? "device" : "file"}++;
}
closedir $own;
print "$_ $n{$_}\n" for sort keys %n;
POSIX::_exit(0); # exit() closes sockets
PL
"$PROBERUN" -o left "$TOOLS/fdleak.ko" -c 'perl leaks.pl' >told 2>said || fail 'fdleak: status' said
[ ! -s said ] || fail 'fdleak says' said
awk '/^left_open\["perl"/ { split($0, words, "\""); kind = words[4] }
	/@count=/ { sub(/.*@count=/, ""); n[kind] += $1 }
	END { for (kind in n) print kind, n[kind] }' left | sort >seen
[ "$(wc -l <told)" = 4 ] && grep -qE '^file [789]$' told || fail 'not this program' told
cmp -s told seen || fail 'fdleak' told seen left
"$PROBERUN" -o left "$TOOLS/fdleak.ko" argc=1 argv_1=1000 -c 'perl leaks.pl' >told 2>said ||
	fail 'fdleak: status' said
[ ! -s left ] || fail 'fdleak: young ones' left

# A server that accepts three of its connections, when it has got a line.
cat >server.pl <<'PL'
use Socket;
$| = 1;
socket my $s, AF_INET, SOCK_STREAM, 0;
bind $s, pack_sockaddr_in 7001, INADDR_LOOPBACK;
listen $s, 2;
print "$$\n";
<STDIN>;
accept $client[$_], $s for 0 .. 2;
print "accepted\n";
<STDIN>;
PL
cat >clients.pl <<'PL'
use Socket;
use Fcntl;
for (0 .. 9) {
	socket $s[$_], AF_INET, SOCK_STREAM, 0;
	fcntl $s[$_], F_SETFL, O_NONBLOCK;
	connect $s[$_], pack_sockaddr_in 7001, INADDR_LOOPBACK;
}
$| = 1;
print "asked\n";
<STDIN>;
PL
overflows() {
	awk '$1 == "TcpExt:" && !names { names = split($0, name); next }
		$1 == "TcpExt:" { for (i in name) if (name[i] == "ListenOverflows") print $i }' \
		/proc/net/netstat
}
net_rx() { awk '$1 == "NET_RX:" { for (i = 2; i <= NF; i++) n += $i; print n }' /proc/softirqs; }
mkfifo server-go clients-go
perl server.pl <server-go >server &
exec 5>server-go
wait_for 'the server' [ -s server ]
before=$(overflows) rx_before=$(net_rx)
begin_session listenq listenq only_port=7001
begin_session slower softirqslower argc=1 argv_1=0 only_run=1
wait_sessions
rx_begun=$(net_rx)
perl clients.pl <clients-go >clients &
exec 6>clients-go
wait_for 'the clients' [ -s clients ]
echo >&5
wait_for 'three connections' grep -q accepted server
rx_done=$(net_rx) least=$(($(overflows) - before))
end_sessions
most=$(($(overflows) - before)) rx=$(($(net_rx) - rx_before))
echo >&5
echo >&6
exec 5>&- 6>&-
wait
awk -v pid="$(head -n 1 server)" -v least="$least" -v most="$most" 'NR == 2 {
		seen = $1 == pid && $2 == "perl" && $3 == "127.0.0.1:7001" && $4 == 3 && $5 > 0 &&
			$6 == 3 && $7 == 2 && $8 >= least && $8 <= most }
	END { exit !(NR == 2 && seen && least > 0) }' listenq ||
	fail "listenq: $least to $most packets were dropped" listenq
lines=$(grep -c ' run  net_rx ' slower)
least=$((rx_done - rx_begun))
[ "$least" -gt 0 ] && [ "$lines" -ge $least ] && [ "$lines" -le "$rx" ] ||
	fail "softirqslower: $lines of $least to $rx" slower
