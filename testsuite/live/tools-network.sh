# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl ip unshare
#@ seconds: 900
# Tools: tcpconnect tcpaccept tcplife tcpstates tcpretrans
# Tools: tcpdrop tcprtt tcptop udpconnect undump
#
# The tools for the network, all of them at once on one load, which runs in a network namespace of
# its own and reports its process ids, ports and bytes, the kernel's counters there
# (/proc/net/snmp), and what its sockets say (TCP_INFO).
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir /tmp/tools-network
cd /tmp/tools-network || exit 1
trap 'cd /; rm -r /tmp/tools-network' EXIT
cat >load.pl <<'PL'
use IO::Socket::IP;
use Socket qw(IPPROTO_TCP SOL_SOCKET AF_UNIX AF_INET SOCK_STREAM pack_sockaddr_in
	      INADDR_LOOPBACK);
use Time::HiRes qw(sleep);
$| = 1;
# A connection: the client sends and receives so many bytes, then a byte goes there and back 20
# times.
sub send_all {
	my ($s, $left) = @_;
	while ($left > 0) { $left -= syswrite $s, "x" x ($left > 10000 ? 10000 : $left) }
}
sub receive_all {
	my ($s, $left) = @_;
	while ($left > 0) { $left -= sysread $s, my $text, $left }
}
sub connection {
	my ($host, $port, $send, $receive) = @_;
	my $l = IO::Socket::IP->new(LocalHost => $host, LocalPort => $port, Listen => 5,
				    ReuseAddr => 1) or die "listen: $@";
	my $child = fork;
	if (!$child) {
		close $l;
		my $s = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port) or die "$@";
		send_all($s, $send);
		receive_all($s, $receive);
		my $rtt;
		for (1 .. 20) {
			syswrite $s, "x";
			sysread $s, my $byte, 1;
			sleep 0.005;
			$rtt = unpack "x68 L", getsockopt $s, IPPROTO_TCP, 11;
		}
		syswrite $s, "x";
		sysread $s, my $byte, 1;
		print "client $$ $host ", $s->sockport, " $port $send $receive $rtt\n";
		exit;
	}
	my $c = $l->accept;
	my $peer = $c->peerport;
	receive_all($c, $send);
	send_all($c, $receive);
	while (sysread $c, my $byte, 1) { syswrite $c, "y" }
	print "server $$ $host $port $peer $receive $send 0\n";
	close $c;
	wait;
}
# Data that is looked at before it is received, and received by calls that wait for all of it: the
# flags are MSG_PEEK and MSG_WAITALL. The sender waits in between.
sub pieces {
	my $l = IO::Socket::IP->new(LocalHost => "127.0.0.1", LocalPort => 7004, Listen => 5);
	my $s = IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 7004);
	my $c = $l->accept;
	if (!fork) {
		for (1 .. 100) { send_all($s, 2048); sleep 0.002 }
		exit;
	}
	recv $c, my $text, 2048, 2 for 1 .. 10;
	for (1 .. 4) { recv $c, $text, 51200, 0x100 }
	wait;
	print "pieces $$ ", $c->peerport, "\n";
}
# Five kilobytes each way, by sendmmsg, sendfile, splice and recvmmsg. A struct mmsghdr begins with
# a struct msghdr of 56 bytes.
sub message {
	return pack "x16 P Q x24 L x4", $_[0], 1, 0;
}
sub vectors {
	my $l = IO::Socket::IP->new(LocalHost => "127.0.0.1", LocalPort => 7006, Listen => 5);
	my $s = IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 7006);
	my $c = $l->accept;
	my $text = "x" x 1024;
	my $part = pack "P Q", $text, 1024;
	my $messages = message($part) x 3;
	my $sent = 1024 * syscall 307, fileno $s, $messages, 3, 0;
	open my $file, "<", "load.pl";
	$sent += syscall 40, fileno $s, fileno $file, 0, 2048;
	pipe my $out, my $in;
	my $received = 0;
	while ($received < 1024) {
		$received += syscall 275, fileno $c, 0, fileno $in, 0, 1024 - $received, 0;
	}
	my $room = "x" x 3072;
	$part = pack "P Q", $room, 3072;
	while ($received < $sent) {
		$messages = message($part) x 2;
		my $n = syscall 299, fileno $c, $messages, 2, 0x40, 0;
		$received += unpack "x56 L", substr $messages, 64 * $_, 64 for 0 .. $n - 1;
	}
	print "vectors $$ $sent $received\n";
}
# Ten kilobytes by MPTCP (262), where the kernel has it.
sub paths {
	socket my $l, AF_INET, SOCK_STREAM, 262 or return;
	my $place = pack_sockaddr_in(7007, INADDR_LOOPBACK);
	bind $l, $place or die "bind: $!";
	listen $l, 5;
	socket my $s, AF_INET, SOCK_STREAM, 262;
	connect $s, $place or die "connect: $!";
	accept my $c, $l;
	send_all($s, 10240);
	recv $c, my $text, 100, 2; # MSG_PEEK
	receive_all($c, 10240);
	print "paths $$ 10\n";
}
# Too many connections that nobody accepts; each try is a packet that is dropped.
sub unaccepted {
	my $l = IO::Socket::IP->new(LocalHost => "127.0.0.1", LocalPort => 7005, Listen => 1);
	my @s = map { IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 7005,
					  Blocking => 0) } 1 .. 4;
	sleep 1.5;
	@s = (); # no further try
	open my $netstat, "<", "/proc/net/netstat";
	my @tcp = grep /^TcpExt:/, <$netstat>;
	my (@names, @values);
	@names = split " ", $tcp[0];
	@values = split " ", $tcp[1];
	for (0 .. $#names) { print "overflows $values[$_]\n" if $names[$_] eq "ListenOverflows" }
}
# A connection on which the receiver drops all packets for some time, by a filter that accepts none.
sub loss {
	my $l = IO::Socket::IP->new(LocalHost => "127.0.0.1", LocalPort => 7003, Listen => 5);
	my $s = IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 7003);
	my $c = $l->accept;
	my $none = pack "SCCL", 6, 0, 0, 0;
	setsockopt $c, SOL_SOCKET, 26, pack "S x6 P", 1, $none or die "filter: $!";
	syswrite $s, "lost";
	sleep 1;
	setsockopt $c, SOL_SOCKET, 27, pack "L", 0;
	sysread $c, my $text, 4;
	my ($again) = unpack "x100 L", getsockopt $s, IPPROTO_TCP, 11;
	print "retransmitted ", $s->sockport, " $again\n";
}
# Begin when the sessions are there.
print "main $$\n";
open my $go, "<", "go";
<$go>;
for my $host ("127.0.0.1", "::1") {
	IO::Socket::IP->new(PeerHost => $host, PeerPort => 53, Proto => "udp") or die;
	print "udp $$ $host 53\n";
}
# Another process does the same.
if (!fork) {
	IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 53, Proto => "udp");
	exit;
}
wait;
socketpair my $one, my $other, AF_UNIX, SOCK_STREAM, 0;
syswrite $one, "hello, world\n\x01";
recv $other, my $text, 100, 2; # MSG_PEEK
sysread $other, $text, 5;
sysread $other, $text, 100;
print "unix $$\n";
connection("127.0.0.1", 7001, 100000, 300000);
connection("::1", 7002, 2000000, 20480);
print "refused $$\n";
IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => 9) and die;
loss();
pieces();
vectors();
paths();
unaccepted();
open my $snmp, "<", "/proc/net/snmp";
my @tcp = grep /^Tcp:/, <$snmp>;
my (%value, @names, @values);
@names = split " ", $tcp[0];
@values = split " ", $tcp[1];
@value{@names} = @values;
print "snmp $value{ActiveOpens} $value{PassiveOpens} $value{RetransSegs}\n";
PL
tools=$(sed -n 's/^# Tools: //p' "$TOP/testsuite/live/tools-network.sh")
mkfifo go
unshare -n bash -c 'ip link set lo up; exec perl load.pl' >load 2>said &
load=$!
wait_for 'the load' grep -qs '^main' load
main=$(sed -n 's/^main //p' load)
declare -A with=([tcptop]='argc=1 argv_1=300' [tcprtt]='by_remote=1')
for tool in $tools; do
	# shellcheck disable=SC2086
	begin_session "$tool" "$tool" ${with[$tool]:-}
done
declare -A more=(
	[connect-port]='tcpconnect only_port=7001 only_uid=0 show_uid=1 timestamps=1'
	[connect-main]="tcpconnect only_pid=$main"
	[connect-count]='tcpconnect counting=1'
	[accept-port]="tcpaccept only_port=7002 only_pid=$main timestamps=1"
	[life-local]="tcplife only_local=7001 only_pid=$main timestamps=1"
	[life-remote]='tcplife only_remote=7002'
	[states-local]='tcpstates only_local=7001 timestamps=1'
	[states-remote]='tcpstates only_remote=7002'
	[retrans-count]='tcpretrans counting=1 probes=1'
	[drop-port]='tcpdrop only_port=9 stacks=1'
	[rtt-local]='tcprtt only_local=7001 laddr=127.0.0.1 by_local=1 extended=1 timestamps=1'
	[rtt-remote]='tcprtt only_remote=7002 raddr=::1 milliseconds=1'
	[top-six]="tcptop argc=1 argv_1=300 only_family=6 only_pid=$main top=1"
	[udp-port]="udpconnect only_port=53 only_pid=$main timestamps=1"
	[undump-short]="undump most=10 only_name=perl only_pid=$main timestamps=1")
begin_sessions more
wait_sessions
echo >go
wait $load || fail 'the load' said load
end_sessions
same() { # WHAT: got equals wanted, in any order
	sort wanted >wanted.sorted
	sort got | diff wanted.sorted - >difference ||
		fail "$1: the load (<) and the tool (>)" difference
	[ -s wanted ] || fail "$1: nothing happened" load
}

awk '$1 == "client" { print $2, $3 ~ /:/ ? 6 : 4, $3, $4, $3, $5 }' load >wanted
awk '$7 == 7001 || $7 == 7002 { print $1, $3, $4, $5, $6, $7 }' tcpconnect >got
same tcpconnect
# With the refused one, as many as the kernel counted.
[ "$(awk '$7 ~ /^700[1-7]$/ || $7 == 9' tcpconnect | wc -l)" = \
	"$(awk '$1 == "snmp" { print $2 }' load)" ] ||
	fail 'tcpconnect: ActiveOpens' tcpconnect load

awk '$1 == "server" { print $2, $3 ~ /:/ ? 6 : 4, $3, $5, $3, $4 }' load >wanted
awk '$7 == 7001 || $7 == 7002 { print $1, $3, $4, $5, $6, $7 }' tcpaccept >got
same tcpaccept

# Both ends of both connections, with the kilobytes; the 21 bytes make none more.
awk '$1 == "client" || $1 == "server" {
	print $2, $3, $4, $3, $5, int(($6 + 21) / 1024), int(($7 + 21) / 1024) }' load >wanted
awk '($5 == 7001 || $5 == 7002 || $7 == 7001 || $7 == 7002) {
	print $1, $4, $5, $6, $7, $8, $9
	if ($10 <= 0 || $10 > 60000) print "not a time", $10 }' tcplife >got
same tcplife
for who in client server; do
	awk -v who="$who" '$1 == who {
		print $2, int(($7 + 21) / 1024), int(($6 + 21) / 1024) }' load
done >wanted
awk '$3 ~ /:700[12]$/ || $4 ~ /:700[12]$/ { print $1, $5, $6 }' tcptop >got
same tcptop
# 200 KB, however they are received.
awk '$1 == "pieces" { print $2, 200, 0 }' load >wanted
awk '$3 ~ /:7004$/ { print $1, $5, $6 }' tcptop >got
same 'tcptop: looking and waiting'
awk '$1 == "vectors" { print $2, 0, $3 / 1024; print $2, $4 / 1024, 0 }' load >wanted
grep -q ' 0 5$' wanted || fail 'tcptop: what was sent by several' load
awk '$3 ~ /:7006$/ || $4 ~ /:7006$/ { print $1, $5, $6 }' tcptop >got
same 'tcptop: several messages, files and pipes'
awk '$1 == "paths" { print $2, 0, $3; print $2, $3, 0 }' load >wanted
awk '$3 ~ /:7007$/ || $4 ~ /:7007$/ { print $1, $5, $6 }' tcptop >got
same 'tcptop: MPTCP'

# The states through which a connection goes on each side.
port=$(awk '$1 == "client" && $5 == 7001 { print $4 }' load)
awk -v port="$port" '$5 == port && $7 == 7001 { print $8 $9 $10 }' tcpstates >got
printf '%s\n' 'SYN_SENT->ESTABLISHED' 'ESTABLISHED->FIN_WAIT1' 'FIN_WAIT1->FIN_WAIT2' \
	'FIN_WAIT2->CLOSE' >wanted
same 'tcpstates of the client'
# How the socket begins, Linux 7.2 tells as well.
awk -v port="$port" '$5 == 7001 && $7 == port && $8 != "LISTEN" { print $8 $9 $10 }' \
	tcpstates >got
printf '%s\n' 'SYN_RECV->ESTABLISHED' 'ESTABLISHED->CLOSE_WAIT' 'CLOSE_WAIT->LAST_ACK' \
	'LAST_ACK->CLOSE' >wanted
same 'tcpstates of the server'

read -r _ port again <<<"$(grep '^retransmitted' load)"
[ "$again" -ge 1 ] || fail 'nothing was lost' load
[ "$(grep -c " 127.0.0.1:$port .*R> 127.0.0.1:7003 " tcpretrans)" = "$again" ] ||
	fail "tcpretrans: not $again" tcpretrans
# Either end of a connection can send again.
[ "$(grep -cE ':700[1-7] .*R> | R> .*:700[1-7] ' tcpretrans)" = \
	"$(awk '$1 == "snmp" { print $4 }' load)" ] ||
	fail 'tcpretrans: RetransSegs' tcpretrans load
# Each packet that was sent again had been dropped before by the filter.
reason() { # NAME: as the tool shows it; kernels before 5.17 have none
	grep -qs 'reason;' /sys/kernel/tracing/events/skb/kfree_skb/format &&
		echo "$1" || echo -
}
dropped=$(grep -c " 127.0.0.1:$port .*> 127.0.0.1:7003 .*PSH.* $(reason SOCKET_FILTER) " tcpdrop)
[ "$dropped" -ge 1 ] && [ "$dropped" -le $((again + 1)) ] ||
	fail "tcpdrop: $dropped, not $again" tcpdrop
grep -q "> 127.0.0.1:9 .* SYN  *$(reason NO_SOCKET)  *tcp_v4_rcv$" tcpdrop ||
	fail 'tcpdrop: the refusal' tcpdrop
overflows=$(sed -n 's/^overflows //p' load)
refused=$(grep -c '> 127.0.0.1:7005 .* ACCEPT_QUEUE_FULL  *tcp_conn_request$' tcpdrop)
[ "$overflows" -ge 1 ] && [ "$refused" = "$overflows" ] ||
	fail "tcpdrop: not $overflows refused connections" tcpdrop

# The histogram has a value in the bucket of the time that the socket told.
for host in 127.0.0.1 ::1; do
	rtt=$(awk -v host="$host" '$1 == "client" && $3 == host { print $8 }' load)
	awk -v head="remote address $host," -v rtt="$rtt" 'index($0, head) == 1 { on = 1; next }
		on && NF == 0 { exit }
		on && $1 ~ /^[0-9]+$/ && $1 <= rtt && rtt < 2 * $1 { found = $NF }
		END { exit !(found > 0) }' tcprtt || fail "tcprtt: not $rtt to $host" tcprtt
done

awk '$1 == "udp" { print $2, $3 ~ /:/ ? 6 : 4, $3, $4 }' load >wanted
awk 'NR == FNR { ours[$1 == "udp" ? $2 : 0] = 1; next }
	$1 in ours { print $1, $3, $4, $5 }' load udpconnect >got
same udpconnect

pid=$(awk '$1 == "unix" { print $2 }' load)
printf '%s\n' '5 "hello"' '9 ", world\n\001"' >wanted
sed -n "s/^$pid  *perl  *//p" undump >got
same undump

# With options, a tool shows those of its lines that they select, with more columns.
selected() { # NAME TOOL CONDITION COLUMNS [LEADING-COLUMNS]
	awk -v main="$main" "NR > 1 && ($3) { print $4 }" "$2" >wanted
	sed 1d "$1" | sed -E "s/^${5:-}//" | awk "{ print $4 }" >got
	same "$2 without options, and $1"
}
time='[0-2][0-9]:[0-5][0-9]:[0-5][0-9] '
selected connect-port tcpconnect '$7 == 7001' '$0' "${time}0 +"
selected connect-main tcpconnect '$1 == main' '$0'
awk '$7 ~ /^70/ { n[$4 " " $6 " " $7]++ } END { for (k in n) print k, n[k] }' tcpconnect >wanted
awk '$3 ~ /^70/ { print $1, $2, $3, $4 }' connect-count >got
same 'tcpconnect -c'
selected accept-port tcpaccept '$7 == 7002 && $1 == main' '$0' "$time"
selected life-local tcplife '$5 == 7001 && $1 == main' '$1, $2, $3, $4, $5, $6, $7, $8, $9' "$time"
selected life-remote tcplife '$7 == 7002' '$1, $2, $3, $4, $5, $6, $7, $8, $9'
selected states-local tcpstates '$5 == 7001' '$1, $4, $5, $6, $7, $8, $10' "$time"
selected states-remote tcpstates '$7 == 7002' '$1, $4, $5, $6, $7, $8, $10'
# Probes for losses of the tail count by themselves.
awk '$5 == "R>" { n[$4 " " $6]++ } END { for (k in n) print k, n[k] }' tcpretrans >wanted
awk '$2 == "R>" { print $1, $3, $4 }' retrans-count >got
same 'tcpretrans -c'
awk 'NR > 1 && $4 ~ /^[0-9.\[:]/ && $5 == ">" && $4 !~ /:9$/ && $6 !~ /:9$/ { exit 1 }' drop-port &&
	grep -q "> 127.0.0.1:9 .* $(reason NO_SOCKET) " drop-port &&
	grep -q ' : tcp_v4_rcv+' drop-port ||
	fail 'tcpdrop -s -P 9' drop-port
rows() { awk '/ \|/ { n += $NF } END { print n + 0 }' "$1"; }
grep -qE "^local address 127.0.0.1, average [0-9]+, usecs$" rtt-local &&
	[ "$(rows rtt-local)" -ge 20 ] && [ "$(rows rtt-local)" -lt "$(rows tcprtt)" ] ||
	fail 'tcprtt -p -a -b -e -T' rtt-local
grep -qx 'all, msecs' rtt-remote && [ "$(rows rtt-remote)" -ge 20 ] ||
	fail 'tcprtt -P -A -m' rtt-remote
awk '$4 ~ /^\[/ && $1 == main' main="$main" tcptop | head -n 1 >wanted
sed 1,2d top-six | grep . >got
same 'tcptop -f 6 -n 1'
selected udp-port udpconnect '$5 == 53 && $1 == main' '$0' "$time"
sed -nE "s/^$time$main +perl +//p" undump-short >got
grep -qx '5 "hello"' got && grep -qxE '9 ", w[orl]*"\.\.\.' got && [ "$(wc -l <got)" = 2 ] ||
	fail 'undump -s 10' undump-short
