# SPDX-License-Identifier: GPL-2.0
#@ needs: perl modprobe
#@ kernels: not debug
# The checked kernel has no SUNRPC.
# Remote procedure calls, compared with what mounting a file system of NFS has to call: the mount
# daemon of a server, which is not there.
. "$TOP/testsuite/expect.sh"
cd /tmp
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
loaded_modules >modules-before
modprobe -d "$root" nfs 2>said && modprobe -d "$root" nfsv3 2>>said || { echo 'no NFS'; exit 77; }
ip link set lo up
mkdir -p rpc-mount
cat >rpc-load.pl <<'PERL'
my ($from, $to, $type) = ("127.0.0.1:/x", "rpc-mount", "nfs");
my $options = "vers=3,proto=tcp,mountproto=tcp,mountport=7088,addr=127.0.0.1," .
	"mountaddr=127.0.0.1,nolock,soft,retrans=0,timeo=1";
# mount(), of x86-64 or of arm64.
my $number = `uname -m` eq "x86_64\n" ? 165 : 40;
syscall($number, $from, $to, $type, 0, $options) < 0 or die "mounted";
print STDERR "$!\n";
PERL
"$PROBERUN" -o out -c 'perl rpc-load.pl' "$MODULE" 2>said || fail 'the session' said
unload_since modules-before
has() { grep -qx -- "$1" out || fail "not '$1'" out said; }
# Program 100005, version 3, by TCP: the mount daemon.
has 'create 127.0.0.1 mount 100005 3 6 7088 1'
has 'task 100005 3 6'
has 'execute 100005 3 6'
has 'close 127.0.0.1 mount 7088'
# The kernel's answer is the one that mount() gave the program.
has 'created -111 (ECON'
grep -qx 'Connection refused' said || fail 'another error' said
