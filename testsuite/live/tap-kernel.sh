# SPDX-License-Identifier: GPL-2.0
#@ needs: perl script dd modprobe
# Terminals, signals, files and SCSI devices, compared with what the programs do.
. "$TOP/testsuite/expect.sh"
cd /tmp
cat >kernel-load.pl <<'PERL'
use POSIX; $0 = "signals";
my ($m) = @ARGV;
open(F, ">", "/proc/self/comm") and print(F "signals") and close(F);
sigaction(SIGUSR1, POSIX::SigAction->new(sub {}, POSIX::SigSet->new(SIGTERM, SIGHUP)));
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR2, SIGKILL));
kill("USR1", $$);
sigpending(POSIX::SigSet->new);
open(F, "<", $^X); sysseek(F, 7, 0);
syscall(20, 1, pack("QQQQ", unpack("Q", pack("p", "ab")), 2, unpack("Q", pack("p", "cde")), 3), 2);
PERL
cat >kernel-load <<'SH'
perl kernel-load.pl >/dev/null
cp /bin/echo tty-writer
size='stty rows 11 cols 22; stty rows 33 cols 44'
script -qc "$size; ./tty-writer hello" /dev/null >/dev/null </dev/null
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
if modprobe -d "$root" scsi_debug dev_size_mb=8 2>/dev/null && modprobe -d "$root" sd_mod; then
	adapters=/sys/bus/pseudo/drivers/scsi_debug/adapter*
	for i in 1 2 3 4 5 6 7 8 9; do
		disk=$(ls $adapters/host*/target*/*/block 2>/dev/null)
		[ -z "$disk" ] || [ ! -e "/dev/$disk" ] || break
		sleep 0.2
	done
	dd if=/dev/$disk of=/dev/null bs=64k count=16 iflag=direct 2>/dev/null
	sleep 0.2
	awk '{ print $3 * 512 }' /sys/block/$disk/stat >kernel-read
fi
SH
loaded_modules >modules-before
"$PROBERUN" -o out -c 'bash kernel-load' "$MODULE" 2>said || fail 'the session' said
unload_since modules-before
has() { grep -qx -- "$1" out || fail "not '$1'" out said; }
has 'action SIGUSR1 handler 1,15'
has 'mask 12'
has 'masked 0'
has 'check SIGUSR1 1'
has 'ignored 0'
has 'kill 0'
has 'syskill signals 1 1'
has 'vfs.writev 5 2 5'
has 'pending 8'
has 'seek 7 SEEK_SET'
has 'send 10 1'
has 'tty open N'
has 'tty resize 33 22 to 33 44'
has 'tty write "hello\\n" 6'
has 'ticks 1'
has 'node 1'
# The kernel's own count of what was read; without the module there is nothing to compare.
if [ -e kernel-read ]; then
	has "scsi $(cat kernel-read) $(cat kernel-read)"
	has 'scsi RUNNING'
	has 'timed 1'
fi
