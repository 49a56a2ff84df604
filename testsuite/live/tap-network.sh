# SPDX-License-Identifier: GPL-2.0
#@ needs: ip
# Aliases of network devices and of incoming packets, compared with the output of ip and with the
# commands. The test makes and leaves a network namespace, which registers a device lo.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
cd /tmp
cat >net-load <<'SH'
ip link set lo mtu 1400
ip link set lo promisc on
ip link set lo promisc off
ip link set lo address 02:00:5e:10:ff:07
cat /proc/net/dev >net-dev
getent ahosts fe80::1%lo >/dev/null
echo four >/dev/udp/127.0.0.1/9
(exec 3<>/dev/tcp/127.0.0.1/9) 2>/dev/null
(exec 3<>/dev/tcp/::1/9) 2>/dev/null
ip link show lo >net-after
ip link set lo address 00:00:00:00:00:00
ip link set lo mtu "$1"
ip link set lo down
SH
ip link set lo down
mtu=$(cat /sys/class/net/lo/mtu)
"$PROBERUN" -o out -c "unshare -n true; ip link set lo up; bash net-load $mtu" "$MODULE" 2>said ||
	fail 'the session' said
has() { grep -qx -- "$1" out || fail "not '$1'" out; }
grep -q 'mtu 1400' net-after && grep -q '02:00:5e:10:ff:07' net-after ||
	fail 'ip did not do it' net-after
has "mtu lo $mtu 1400"
has "mtu lo 1400 $mtu"
has 'mac lo 6 00:00:00:00:00:00 02:00:5e:10:ff:07'
has 'promiscuity lo 1 1'
has 'promiscuity lo 0 -1'
! grep -qx both out || fail 'netdev.set_promiscuity' out
# A kernel without network namespaces registers none.
[ ! -e /proc/self/ns/net ] || has 'register lo'
has 'open lo'
has 'close lo'
has 'stats lo'
has 'ioctl 0x8933 lo'
has 'udp 127.0.0.1 2 9 5 1'
! grep -q 'tcpmib_\*: others' out || fail 'tcpmib_*' out
has 'to 000010'
has 'from 010100'
# A kernel without IPv6 has no such packets.
[ ! -e /proc/sys/net/ipv6/conf/lo ] || has 'tcp.ipv6.receive 000010'
has 'packets 1 1'
has 'queued 1 1 1'
has transmit
