# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: not debug
#@ needs: perl modprobe
# Tools: nfsslower fsslower fsdist
#
# Files of a server of NFS on the same machine, compared with what the load does: the tools, and the
# aliases nfs.* (tools-nfs.kp). The server needs neither daemons nor a configuration: this test
# answers the kernel's questions in advance. It takes the first opens after ten seconds, when no
# client can have files open from its last life.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
loaded_modules >/tmp/modules-before
modprobe -d "$root" nfsd && modprobe -d "$root" nfsv4 || { echo 'no NFS'; exit 77; }
ip link set lo up
mkdir -p /tmp/nfs/exported /tmp/nfs/mnt
cd /tmp/nfs || exit 1
mount -t tmpfs exported exported
mount -t nfsd nfsd /proc/fs/nfsd
echo hello >exported/file
clean() {
	umount mnt
	echo 0 >/proc/fs/nfsd/threads
	kill "$portmap"
	for cache in auth.unix.ip nfsd.fh nfsd.export; do date +%s >/proc/net/rpc/$cache/flush; done
	umount /proc/fs/nfsd exported
	cd /
	rm -r /tmp/nfs
	unload_since /tmp/modules-before
}
# The server registers itself with this program, which agrees to everything.
cat >portmap.pl <<'PL'
use IO::Socket::INET;
my $l = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:111", ReuseAddr => 1) or die $@;
$SIG{CHLD} = "IGNORE";
open my $ready, ">", "ready";
close $ready;
while (my $c = $l->accept) {
	next if fork;
	while (sysread $c, my $head, 4) {
		my ($left, $call) = (unpack("N", $head) & 0x7fffffff, "");
		$left -= sysread $c, $call, $left, length $call while $left > 0;
		my $answer = substr($call, 0, 4) . pack "N6", 1, 0, 0, 0, 0, 1;
		syswrite $c, pack("N", 0x80000000 | length $answer) . $answer;
	}
	exit;
}
PL
perl portmap.pl &
portmap=$!
trap clean EXIT
wait_for 'the port mapper' [ -e ready ]
declare -A with=([all]='nfsslower argc=1 argv_1=0'
	[slow]='nfsslower argc=1 argv_1=1000 only_op=OG'
	[opens]='fsslower argc=1 argv_1=0 only_fs=nfs4 only_op=O'
	[dist]='fsdist only_fs=nfs4')
begin_sessions with
"$PROBERUN" -v -o aliases "$MODULE" 2>aliases.said &
session[aliases]=$!
wait_sessions
# The answers: who asks, where the root is, and how it may be used, with an id, from any port and
# without a check of the path (NFSEXP_FSID, NFSEXP_INSECURE_PORT, NFSEXP_NOSUBTREECHECK).
later=$(($(date +%s) + 100000))
echo '-2 -3 +4' >/proc/fs/nfsd/versions
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo 10 >/proc/fs/nfsd/nfsv4leasetime
printf 'nfsd 127.0.0.1 %d here\n' $later >/proc/net/rpc/auth.unix.ip/channel &&
	printf 'here 1 \\x00000000 %d %s\n' $later $PWD/exported >/proc/net/rpc/nfsd.fh/channel &&
	printf 'here %s %d %d 65534 65534 0\n' $PWD/exported $later $((0x2402)) \
		>/proc/net/rpc/nfsd.export/channel &&
	echo 'tcp 2049' >/proc/fs/nfsd/portlist &&
	echo 2 >/proc/fs/nfsd/threads || fail 'no server'
cat >mount.pl <<'PL'
my ($from, $to, $type) = ("127.0.0.1:/", "mnt", "nfs");
my $options = "vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,sec=sys";
syscall(165, $from, $to, $type, 0, $options) == 0 or die "mount: $!";
PL
perl mount.pl 2>said || fail 'no mount' said
# The first time, the name is not cached: the client looks it up and opens the file in one.
cat mnt/file >answer
cat mnt/file >>answer
cat mnt/none 2>>answer
dd if=/dev/zero of=mnt/new bs=4096 count=5 conv=fsync status=none
stat mnt/new >/dev/null
cat exported/file >/dev/null
echo more >exported/second
mv mnt/second mnt/third
rm mnt/third
end_sessions
[ "$(grep -c hello answer)" = 2 ] && [ "$(stat -c %s exported/new)" = 20480 ] ||
	fail 'the load' answer
awk 'NR > 1 { n[$2 " " $4 " " $5 " " $NF]++; if ($NF !~ /^\/tmp\/nfs\/mnt/) bad = 1 }
	$2 == "cat" && $4 == "O" && !opens++ && $7 < 1000000 { bad = 1 }
	$2 == "dd" && $4 == "W" && $6 != 4 * at++ { bad = 1 }
	END { d = " /tmp/nfs/mnt/"
		exit bad || n["cat R 6" d "file"] != 2 || n["cat R 0" d "file"] != 2 ||
			n["cat O 0" d "file"] != 2 || n["cat O -2" d "none"] != 1 ||
			n["dd O 0" d "new"] != 1 || n["dd W 4096" d "new"] != 5 ||
			n["dd S 0" d "new"] != 1 || n["stat G 0" d "new"] < 1 }' all ||
	fail nfsslower all
awk 'NR > 1 { if (!($2 == "cat" && $4 == "O" && $7 >= 1000000)) bad = 1; n++ }
	END { exit bad || n != 1 }' slow || fail 'nfsslower 1000 -o OG' slow
grep -q '^nfs4 write: 5 calls, ' dist && grep -q '^nfs4 fsync: 1 calls, ' dist &&
	grep -q '^nfs4 open: 4 calls, ' dist && ! grep -q tmpfs dist || fail 'fsdist -f nfs4' dist
awk 'NR > 1 && $4 == "O" { print $2, $3, $5, $NF }' all >wanted
awk 'NR > 1 { print $2, $3, $6, $NF; if ($4 != "nfs4" || $5 != "O") print }' opens |
	diff wanted - >difference || fail 'nfsslower -o O (<), fsslower -f nfs4 -o O (>)' difference

has() { grep -qxF -- "$1" aliases || fail "nfs.*: not '$1'" aliases; }
# The other opens were lookups at the same time.
has 'open file: 1'
has 'read //file: 4'
has 'bytes read: 12'
has 'bytes received: 6'
for n in 0 4096 8192 12288 16384; do has "write new 4096, $n: 1"; done
for what in written 'to the cache' sent stored; do has "bytes $what: 20480"; done
has 'fsync 0: 1'
has 'rename second, third 127.0.0.1 6 4: 1'
has 'renamed 0: 1'
has 'remove third 5 127.0.0.1 4: 1'
has 'removed 0: 1'
