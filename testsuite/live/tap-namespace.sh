# SPDX-License-Identifier: GPL-2.0
#@ needs: unshare setpriv
# Ids of a process in its namespaces, compared with what it sees of itself in /proc/self/status, and
# its control group, compared with /proc/self/cgroup and the number of its directory.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
cd /tmp
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
pod=5d1e0c6a_8d4b_4f0e_9a51_3f1d5c8e7b21
mkdir cg && mount -t cgroup2 none cg || fail 'no cgroups'
dir=cg/kubepods-pod$pod.slice
mkdir -p "$dir/cri-containerd-$id.scope"
cat >namespace-load <<SH
echo \$\$ >$dir/cri-containerd-$id.scope/cgroup.procs
cat /proc/self/cgroup >namespace-cgroup
unshare --pid --fork --mount-proc setpriv --reuid 7 --regid 9 --clear-groups \\
	sh -c 'cat /proc/self/status; readlink /proc/self/ns/pid' >namespace-status
SH
"$PROBERUN" -o out -c 'sh namespace-load' "$MODULE" 2>said || fail 'the session' said
inode=$(stat -c %i "$dir/cri-containerd-$id.scope")
rmdir "$dir/cri-containerd-$id.scope" "$dir" || fail 'the control group is in use'
umount cg && rmdir cg
value() { sed -n "s/^$1:[[:space:]]*//p" namespace-status | cut -f "${2:-1}"; }
grep -qx "ids $(value NSpid 1) $(value Pid) $(value PPid) 0 0" out || {
	cat namespace-status; fail 'ids' out; }
space=$(sed -n 's/pid:\[\(.*\)\]/\1/p' namespace-status)
outside=$(readlink /proc/1/ns/pid | tr -dc 0-9)
[ "$space" != "$outside" ] && grep -qx "namespace $space $space, $outside" out ||
	fail "namespaces $space $outside" out
grep -qx 'outside 1 1' out || fail 'ids outside' out
grep -qx "owner $(value Uid) $(value Uid 2) $(value Gid) $(value Gid 2) of 7 9" out || {
	cat namespace-status; fail 'owner' out; }
grep -qx "cgroup $(sed -n 's/^0:://p' namespace-cgroup) cri-containerd-$id.scope $inode" out || {
	cat namespace-cgroup; fail "cgroup $inode" out; }
grep -qx "container $id pod 5d1e0c6a-8d4b-4f0e-9a51-3f1d5c8e7b21" out || fail 'container' out
grep -qx 'none .' out && grep -qx 'lxc web mail' out && grep -qx 'nspawn deb vm1' out ||
	fail 'other paths' out
