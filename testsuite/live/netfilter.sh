# SPDX-License-Identifier: GPL-2.0
#@ needs: perl ip unshare nsenter modprobe
# Packets at the hooks of netfilter are those that the kernel counts in /proc/net/snmp, in a network
# namespace with a loopback, two networks between which it forwards, and a bridge. Dropped packets
# do not arrive. Nothing is left at the end, after an interrupt, and when the loader is killed.
. "$TOP/testsuite/expect.sh"
cd /tmp || exit
loaded_modules >modules-before
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
modprobe -d "$root" -a veth bridge 2>said
unshare -n sh -c 'ip link add type veth && ip link add type bridge' 2>>said ||
	{ echo 'no veth, no bridge'; exit 77; }
unload() {
	unload_since modules-before
	loaded_modules | sort | cmp -s - <(sort modules-before)
}
end() {
	wait_for 'the modules to be unloaded' unload
	rm -f load.pl send.pl answer.pl ready-* sent out said log before* after* expected \
		difference messages modules-before
}
trap end EXIT
cat >load.pl <<'PERL'
use strict; use IO::Socket::IP; use IO::Select;
# Sends @text from a bound socket to a port of the same or another host; says what arrives.
sub udp { my ($host, $port, @text) = @_;
	my @udp = (Proto => "udp", GetAddrInfoFlags => 0);
	my $to = IO::Socket::IP->new(LocalHost => $host, LocalPort => $port, @udp) or die $!;
	my $from = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port, @udp) or die $!;
	for my $text (@text) {
		# IPv6 passes its hooks in fragments; all but the first have no ports.
		my ($rest, $more) = (length($text) + 8, $host =~ /:/ && length($text) > 1452);
		if ($more) {
			my @ports = ($from->sockport, $port);
			for (; $rest > 0; $rest -= 1448, @ports = (0, 0)) {
				printf "udp ipv6 ::1 %d ::1 %d %d lo/\n", @ports,
					48 + ($rest > 1448 ? 1448 : $rest);
			}
		}
		my ($family, $headers) = $host =~ /:/ ? ("ipv6", 48) : ("ipv4", 28);
		printf "udp %s %s %d %s %d %d lo/\n", $family, $from->sockhost, $from->sockport,
			$host, $port, length($text) + $headers if !$more;
		$from->send($text);
		next if $port == 7077;
		$to->recv(my $got, 9000);
		die "not what was sent" if $got ne $text;
	}
	return $to;
}
sub tcp { my ($host, $port) = @_;
	my @tcp = (GetAddrInfoFlags => 0);
	my $s = IO::Socket::IP->new(LocalHost => $host, LocalPort => $port, Listen => 5, @tcp)
		or die $!;
	my $c = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port, @tcp) or die $!;
	my $a = $s->accept; $c->syswrite("x" x 3000); my $n = 0;
	while ($n < 3000) { $n += $a->sysread(my $got, 9000) }
	close $c; $a->sysread(my $got, 1); close $a;
	IO::Socket::IP->new(PeerHost => $host, PeerPort => $port + 50, @tcp) and die "not refused";
}
$| = 1;
udp("127.0.0.1", 7001, "a", "bb", "ccc", "d" x 4000);
udp("::1", 7002, "a", "bb", "e" x 3000);
udp("127.0.0.1", 7003, "probec");
tcp("127.0.0.1", 7004); tcp("127.0.0.1", 7005); tcp("::1", 7006);
my $dropped = udp("127.0.0.1", 7077, "lost", "lost, too");
udp("127.0.0.1", 7008, "behind them");
print IO::Select->new($dropped)->can_read($ARGV[0] eq "arrives" ? 60 : 0) ? "arrived\n" : "lost\n";
PERL
cat >send.pl <<'PERL'
use IO::Socket::IP;
my ($host, $n) = @ARGV;
my $from = IO::Socket::IP->new(PeerHost => $host, PeerPort => 7010, Proto => "udp") or die $!;
$from->send("x" x 72) for 1 .. $n;
PERL
cat >answer.pl <<'PERL'
use IO::Socket::IP;
my ($host, $n) = @ARGV;
my $to = IO::Socket::IP->new(LocalHost => $host, LocalPort => 7010, Proto => "udp") or die $!;
open my $ready, ">", "ready-$host";
$to->recv(my $got, 100) for 1 .. $n;
PERL
# Namespaces with one device each; inside of the router's namespace. Sets pid_NAME.
host() { # NAME ADDRESS GATEWAY
	unshare -n sleep 1000 &
	eval "pid_$1=$!"
	wait_for "namespace of $1" other_namespace $!
	ip link add "to-$1" type veth peer name eth netns "$!" || fail 'no veth'
	nsenter -t "$!" -n sh -c 'echo 1 >/proc/sys/net/ipv6/conf/eth/disable_ipv6'
	nsenter -t "$!" -n ip link set lo up
	nsenter -t "$!" -n ip addr add "$2/24" dev eth
	nsenter -t "$!" -n ip link set eth up
	[ -z "$3" ] || nsenter -t "$!" -n ip route add default via "$3"
	ip link set "to-$1" up
}
other_namespace() { [ "$(readlink /proc/"$1"/ns/net)" != "$(readlink /proc/self/ns/net)" ]; }
router() {
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
	ip link set lo mtu 1500 && ip link set lo up
	echo 1 >/proc/sys/net/ipv4/ip_forward
	host a 10.1.0.2 10.1.0.1 && ip addr add 10.1.0.1/24 dev to-a
	host b 10.2.0.2 10.2.0.1 && ip addr add 10.2.0.1/24 dev to-b
	host c 10.3.0.2 '' && host d 10.3.0.3 ''
	ip link add br0 type bridge stp_state 0 hello_time 100 || fail 'no bridge'
	ip link set to-c master br0 && ip link set to-d master br0 && ip link set br0 up
}
traffic() {
	perl load.pl lost >sent || fail 'the load failed' sent
	for i in "$pid_b 10.2.0.2 4 $pid_a" "$pid_d 10.3.0.3 3 $pid_c"; do
		# shellcheck disable=SC2086
		set -- $i
		nsenter -t "$1" -n perl answer.pl "$2" "$3" &
		wait_for 'the receiver' [ -e "ready-$2" ]
		nsenter -t "$4" -n perl send.pl "$2" "$3"
		wait $!
	done
	# Packets that stay within another namespace are not seen.
	nsenter -t "$pid_a" -n perl send.pl 10.1.0.2 20 2>/dev/null
	ip link set br0 type bridge stp_state 1
	wait_for 'a frame of the spanning tree' grep -qs '^stp' out
}
counter() { # FILE PROTOCOL NAME
	awk -v p="$2:" -v n="$3" '$1 == p && !k {
			for (i = 2; i <= NF; i++) if ($i == n) k = i; next }
		$1 == p { print $k }' "$1"
}
has() { grep -qx "$1" out || fail "no line '$1'" out said; }
inside() {
	wait_for 'the device that tells of the end' grep -q canary /proc/net/dev
	router
	"$PROBERUN" -v -o out "$MODULE" 2>said &
	session=$!
	wait_for 'the probes' grep -qs 'ms: armed' said
	cp /proc/net/snmp before
	cp /proc/net/snmp6 before6
	traffic
	kill -INT $session
	wait $session || fail 'status' said
	grep -v '^proberun: ' said >messages && fail 'messages' said
	cp /proc/net/snmp after
	cp /proc/net/snmp6 after6
	compare
	left
}
grown6() { awk -v n="Ip6$1" '$1 == n { d = $2 - d } END { print d }' before6 after6; }
grown() { echo $(($(counter after "$1" "$2") - $(counter before "$1" "$2"))); }
compare() {
	lost=2
	grep -qx lost sent || fail 'a dropped packet arrived' sent
	has "seen ipv4 0 $(grown Ip InReceives)"
	has "seen ipv4 1 $(($(grown Ip InDelivers) + lost))"
	has "seen ipv4 2 $(grown Ip ForwDatagrams)"
	has 'seen ipv4 2 4'
	has "dropped $lost"
	has "seen ipv6 0 $(grown6 InReceives)"
	has "seen ipv6 1 $(($(grown6 InDelivers) + $(grown6 ReasmReqds) - $(grown6 ReasmOKs)))"
	has "syn $(grown Tcp ActiveOpens)"
	has "rst $(grown Tcp OutRsts)"
	has 'fin 6'
	has 'gated 1'
	has 'in_process 4'
	grep -q '^ .*udp_sendmsg' out || fail 'no stack' out
	value() { sed -n "s/^seen ipv4 $1 //p" out; }
	[ "$(value 4)" = $(($(value 3) + $(value 2))) ] || fail 'not sent and forwarded' out
	grep '^udp' sent >expected
	grep '^udp' out | diff expected - >difference || fail 'other packets' difference
	grep -q '^data 45.*70726f626563 "E.*probec"$' out || fail 'no data' out
	mac=$(nsenter -t "$pid_a" -n ip -o link show eth | sed 's/.*ether \([^ ]*\).*/\1/')
	has "arp 1 10.1.0.2 $mac 10.1.0.1"
	[ "$(grep -cx 'bridged to-c 100' out)" = 3 ] || fail 'the bridge' out
	mac=$(ip -o link show br0 | sed 's/.*ether \([^ ]*\).*/\1/')
	has "stp 0 $mac $mac"
}
# With the loader killed, packets arrive again.
left() {
	unloaded 'at the end'
	: >said
	"$PROBERUN" -v -o out "$MODULE" 2>said &
	session=$!
	wait_for 'the probes again' grep -qs 'ms: armed' said
	perl load.pl lost >sent || fail 'the second load failed' sent
	grep -qx lost sent || fail 'not dropped' sent
	{ kill -KILL $session; wait $session; } 2>/dev/null
	wait_unloaded 'killed'
	perl load.pl arrives >sent || fail 'the third load failed' sent
	grep -qx arrived sent || fail 'still dropped' sent
}
export -f inside router host other_namespace traffic counter has grown grown6 compare left
unshare -n bash -c '. "$TOP/testsuite/expect.sh"
	trap "kill \$(jobs -p) 2>/dev/null" EXIT
	inside' >log 2>&1 &
inside=$!
wait_for 'the namespace' other_namespace $inside
# A pair of devices ends when the namespace of one of them does: no session keeps it.
ip link add outside type veth peer name canary netns $inside || fail 'no pair of devices'
wait $inside || fail 'in the namespace' log
gone() { ! grep -q outside /proc/net/dev; }
wait_for 'the end of the namespace' gone
