# SPDX-License-Identifier: GPL-2.0
#@ needs: strace perl
# lsm.*: the kernel asks a hook as often as strace sees calls that need it; CAP_SYS_CHROOT (18) is
# refused to a user who lacks it.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
mkdir -m 777 /tmp/tap-lsm
cd /tmp/tap-lsm || exit 1
trap 'cd /; rm -r /tmp/tap-lsm' EXIT
cat >load.pl <<'PL'
use Socket;
$0 = "tap-lsm";
mkdir "d$_" for 1 .. 5;
rmdir "d$_" for 1 .. 4;
rmdir "none";
for (1 .. 7) { open my $f, ">", "f$_" }
symlink "f1", "s$_" for 1 .. 3;
link "f1", "l$_" for 1 .. 2;
rename "f2", "g2";
chmod 0600, "f$_" for 3 .. 6;
unlink "f$_" for 4 .. 8;
kill 0, $$ for 1 .. 6;
socket my $s, AF_INET, SOCK_STREAM, 0;
socket my $t, AF_INET, SOCK_DGRAM, 0;
bind $s, sockaddr_in(0, INADDR_LOOPBACK);
listen $s, 5;
$> = 65534;
chroot "/";
PL
calls=mkdir,rmdir,unlink,symlink,link,rename,chmod,kill,socket,bind,listen
"$PROBERUN" -o out -c "strace -o calls -e trace=$calls perl load.pl" "$MODULE" 2>said &&
	[ ! -s said ] || fail 'the session' said
perl -ne '/^(\w+)\(.* = \d+$/ && $n{$1}++;
	END {
		my %hook = (kill => "task_kill", socket => "socket_create", bind => "socket_bind",
			listen => "socket_listen", chmod => "inode_setattr");
		print(($hook{$_} || "inode_$_"), " $n{$_}\n") for keys %n;
		print "capable -1 EPERM: 1\n";
	}' calls | LC_ALL=C sort >wanted
LC_ALL=C sort out | diff wanted - >difference ||
	fail 'strace (<) and the hooks (>)' difference calls
[ "$(wc -l <wanted)" = 12 ] || fail 'calls are missing' wanted
