# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: cc modprobe ip
#@ kernels: not debug
# The checked kernel has no NFS.
# nfsd.*: requests of NFS 3 that a program writes to the server itself, compared with what it wrote
# and with the answers.
. "$TOP/testsuite/expect.sh"
top=$PWD
cd /tmp
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
loaded_modules >modules-before
modprobe -d "$root" nfsd 2>said || { echo 'no NFS server'; exit 77; }
cc -std=gnu11 -o nfs-talk "$top/tap-nfsd.c" || exit 1
ip link set lo up
mount -t nfsd nfsd /proc/fs/nfsd || fail 'mount'
./nfs-talk portmapper &
portmapper=$!
end() {
	echo 0 >/proc/fs/nfsd/threads
	kill "$portmapper"
	umount /proc/fs/nfsd
	# The modules that were loaded need others, which nothing else unloads.
	unload_since modules-before
	rm -f modules-before nfs-talk
}
trap end EXIT
for _ in $(seq 50); do
	! (exec 3<>/dev/tcp/127.0.0.1/111) 2>/dev/null || break
	sleep 0.1
done
# Linux 7.2 does not listen by itself.
{ echo 1 >/proc/fs/nfsd/threads; } 2>/dev/null ||
	{ echo 'tcp 2049' >/proc/fs/nfsd/portlist && echo 1 >/proc/fs/nfsd/threads; } ||
	fail 'the server does not start'
# This machine is a client that the server knows, so that it looks at requests.
echo "nfsd 127.0.0.1 $(($(date +%s) + 600)) host" >/proc/net/rpc/auth.unix.ip/channel ||
	fail 'the client'
"$PROBERUN" -o out -c './nfs-talk >answers' "$MODULE" 2>said || fail 'the session' said
[ "$(grep -c ' ' answers)" = 5 ] || fail 'the server does not answer' answers said
has() { grep -qx -- "$1" out || fail "not '$1'" out answers said; }
has 'proc3.lookup looked-up 9 1234 56 3'
has 'proc3.read 4294967298 4000 4000 bytes'
has 'proc3.write 77 5 5 2'
has 'lookup looked-up 9'
has 'read 4294967298 4000 4000 bytes'
has 'write 77 5 2'
has 'create directory 9 040000 1 0750'
has 'unlink gone 4'
has 'requests cafe0000 127.0.0.1 6: 5'
# The bytes 1, 2, 3 ... as words of this machine, and no other handle.
has 'handle 32: 04030201 08070605 0c0b0a09 100f0e0d 14131211 18171615'
[ "$(grep -c '^handle' out)" = 1 ] || fail 'other handles' out
# 10001 is NFS3ERR_BADHANDLE.
for name in lookup create unlink; do
	grep -qx "$name 10001" answers || fail "another answer to $name" answers
	has "nfsd.$name.return NFSERR_BADHANDLE"
done
