# SPDX-License-Identifier: GPL-2.0
#@ needs: perl
# Sockets, compared with what the program does.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
cd /tmp
cat >socket.pl <<'PERL'
use Socket;
socket($u, PF_INET, SOCK_DGRAM, 17); bind($u, sockaddr_in(7031, INADDR_LOOPBACK));
send($u, "12345", 0, sockaddr_in(7031, INADDR_LOOPBACK)); recv($u, $got, 100, 0);
socketpair($a, $b, PF_UNIX, SOCK_STREAM, 0);
syswrite($a, "123"); sysread($b, $got, 50);
shutdown($a, 1); $SIG{PIPE} = "IGNORE"; syswrite($a, "x");
close($u);
PERL
ip link set lo up 2>/dev/null
"$PROBERUN" -o out -c 'exec perl socket.pl' "$MODULE" 2>said || fail 'the session' said
cat >expected <<'OUT'
create INET DGRAM UDP 0 0
socket.sendmsg 5 INET DGRAM UDP UNCONNECTED
socket.send 5 1 INET DGRAM UNCONNECTED
socket.recvmsg 100 INET DGRAM UDP UNCONNECTED
socket.receive 5 1 INET DGRAM UNCONNECTED
socket.write_iter 3
socket.sendmsg 3 LOCAL STREAM IP CONNECTED
socket.write_iter.return 3
socket.send 3 1 LOCAL STREAM CONNECTED
socket.read_iter 50
socket.recvmsg 50 LOCAL STREAM IP CONNECTED
socket.read_iter.return 3
socket.receive 3 1 LOCAL STREAM CONNECTED
socket.write_iter 1
socket.sendmsg 1 LOCAL STREAM IP CONNECTED
socket.write_iter.return -32
socket.send -32 0 LOCAL STREAM CONNECTED
OUT
# The two probes of one return run in either order.
grep -Ev '^(socket.close|create LOCAL|create UNSPEC)' out | head -n 17 | sort >first
sort expected | diff - first || fail 'other calls' out
[ "$(grep -cx 'socket.close.return' out)" -ge 3 ] && grep -qx 'socket.close DGRAM' out ||
	fail 'not closed' out
grep -qx 'IP IPV6-CRYPT MPLS-IN-IP UNDEF 17 133 -1' out || fail 'protocols' out
grep -qx '10 MCTP UNDEF 3 10 UNDEF NOSPACE|PASSCRED PEEK|DONTWAIT|NOSIGNAL' out || fail 'names' out
