# SPDX-License-Identifier: GPL-2.0
#@ needs: ip perl unshare
#@ kernels: not debug
# On the checked kernel, compilers left only clones of three of the functions.
# Counters of TCP and IP are those that the kernel has in /proc/net/snmp and /proc/net/netstat, in
# a network namespace in which connections are opened, refused, reset and dropped, and packets are
# cut into fragments.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
cd /tmp
cat >mib-load.pl <<'PERL'
use strict; use Socket; use Time::HiRes "sleep";
sub server { my ($port, $backlog) = @_;
	socket(my $s, PF_INET, SOCK_STREAM, 0) or die; setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
	bind($s, sockaddr_in($port, INADDR_LOOPBACK)) or die; listen($s, $backlog) or die; $s }
sub client { my ($port, $flags) = @_;
	socket(my $c, PF_INET, SOCK_STREAM | ($flags // 0), 0) or die;
	my $ok = connect($c, sockaddr_in($port, INADDR_LOOPBACK)); ($c, $ok) }
my $s = server(7001, 8);
for my $i (1 .. 5) {
	my ($c) = client(7001); accept(my $a, $s) or die;
	syswrite($c, "x" x (1000 * $i)); sysread($a, my $got, 9999);
	setsockopt($c, SOL_SOCKET, SO_LINGER, pack("ii", 1, 0)) if $i == 5; # a reset
	close($c); close($a);
}
my (undef, $ok) = client(7099); die if $ok; # refused
my ($c) = client(7001); accept(my $a, $s) or die;
for (1 .. 3) { syswrite($c, "q"); sysread($a, my $q, 9); syswrite($a, "r"); sysread($c, my $r, 9) }
setsockopt($a, 6, 12, pack("i", 0)); # TCP_QUICKACK: delay
syswrite($c, "z"); sleep 0.4;
close($c); close($a);
my $full = server(7002, 0); # room for one: the third is not answered
my @more = map { [client(7002, 2048)] } 1 .. 3; sleep 1.4;
$_ = undef for @more;
socket(my $u, PF_INET, SOCK_DGRAM, 0); bind($u, sockaddr_in(7003, INADDR_LOOPBACK));
send($u, "y" x 4000, 0, sockaddr_in(7003, INADDR_LOOPBACK)); recv($u, my $y, 5000, 0);
socket(my $raw, PF_INET, SOCK_RAW, 255) or die; # a packet of protocol 253
send($raw, pack("CCnnnCCna4a4", 0x45, 0, 20, 1, 0, 64, 253, 0, INADDR_LOOPBACK, INADDR_LOOPBACK), 0,
	sockaddr_in(0, INADDR_LOOPBACK)) or die;
sleep 0.1;
PERL
cat >mib-load <<'SH'
ip link set lo mtu 1500
ip link set lo up
perl mib-load.pl || exit 1
cat /proc/net/snmp /proc/net/netstat >mib-kernel
SH
"$PROBERUN" -o out -c 'unshare -n bash mib-load' "$MODULE" 2>said || fail 'the session' said
# Two lines for each protocol, one of names and one of values.
awk '{ if (!($1 in names)) { names[$1] = $0; next }
	n = split(names[$1], name); split($0, value); sub(/:/, "", name[1])
	for (i = 2; i <= n; i++) print name[1], name[i], value[i]
	delete names[$1 ":"] }' mib-kernel >kernel
# Newer kernels count what a device gets under another name, and each fragment of it.
value() { awk -v name="$1" '$1 == "Ip" && $2 == name { print $3 }' kernel; }
if [ -n "$(value OutTransmits)" ]; then
	sent=$(($(value OutTransmits) - $(value FragCreates) + $(value FragOKs)))
	sed -i "s/^Ip OutRequests .*/Ip OutRequests $sent/" kernel
fi
grep -E '^(Tcp|Ip|TcpExt) ' out >ours
while read -r protocol name _; do grep -F -- "$protocol $name " kernel; done <ours >theirs
[ "$(wc -l <theirs)" = 20 ] || fail 'not all counters' theirs
diff ours theirs >said || fail "they differ from the kernel's" said
# Each of them counted something, but those of failures that cannot be caused here.
for name in ReasmTimeout InDiscards FragFails TCPMemoryPressures; do
	sed -i "/ $name /d" ours
done
! grep ' 0$' ours || fail 'these counted nothing' out
# Both ends of the seven connections that come about.
grep -qx 'established 14 0' out || fail 'connections' out
