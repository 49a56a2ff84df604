# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl modprobe mkfs.ext4
# Tools: cachestat fsslower fsdist writeback mdflush
#
# The tools for file systems and the page cache, on disks in memory that take a millisecond for each
# request: compared with what the load does, with mincore(), and with /proc/vmstat.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
loaded_modules >/tmp/modules-before
modprobe -d "$root" null_blk nr_devices=3 gb=1 memory_backed=1 irqmode=2 completion_nsec=1000000 &&
	modprobe -d "$root" ext4 && modprobe -d "$root" raid1 || { echo 'no disks'; exit 77; }
mkdir -p /tmp/storage/mnt
cd /tmp/storage || exit 1
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 /dev/nullb0 64M &&
	mount /dev/nullb0 mnt || fail 'no file system'
clean() {
	umount mnt
	[ ! -e $md/array_state ] || echo clear >$md/array_state
	cd /
	rm -r /tmp/storage
	unload_since /tmp/modules-before
}
md=/sys/block/md9/md
trap clean EXIT
echo md9 >/sys/module/md_mod/parameters/new_array
{
	echo none >$md/metadata_version && echo raid1 >$md/level && echo 2 >$md/raid_disks &&
		echo 2000 >$md/component_size
	for n in 1 2; do
		cat /sys/block/nullb$n/dev >$md/new_dev && echo $((n - 1)) >$md/dev-nullb$n/slot
	done
	echo active >$md/array_state
} || fail 'no array'
dd if=/dev/urandom of=mnt/old bs=4k count=2000 conv=fsync status=none

# Each step has a second of its own.
cat >work.pl <<'PL'
use Time::HiRes qw(sleep);
$| = 1;
# How many pages of the file are in memory.
sub cached {
	my ($fd, $pages) = (fileno $_[0], 2000);
	my $at = syscall(9, 0, $pages * 4096, 1, 1, $fd, 0);
	my $there = "\0" x $pages;
	syscall(27, $at, $pages * 4096, $there);
	syscall(11, $at, $pages * 4096);
	return grep { $_ & 1 } unpack "C*", $there;
}
sub fadvise { syscall(221, fileno $_[0], 0, 0, $_[1]) }
my $text;
print "$$\n";
<STDIN>;
open my $drop, ">", "/proc/sys/vm/drop_caches";
open my $f, "<", "mnt/old" or die;
syswrite $drop, 3;
fadvise($f, 1);
print "cached ", scalar cached($f), "\n";
for my $pass (1 .. 2) {
	for (1 .. 100) { sysseek $f, 4096 * 17 * $_, 0; sysread $f, $text, 4096 }
}
print "cached ", scalar cached($f), "\n";
fadvise($f, 0);
sysseek $f, 0, 0;
1 while sysread $f, $text, 4096;
print "cached ", scalar cached($f), "\n";
open my $new, ">", "mnt/new";
syswrite $new, "x" x 4096 for 1 .. 500;
open my $synced, ">", "mnt/synced";
syswrite $synced, "y" x 10000;
syscall 74, fileno $synced;
open my $stat, "<", "/proc/self/stat";
my @n = split " ", <$stat>;
print "faults ", $n[9] + $n[11], "\n";
<STDIN>;
PL
mkfifo go
perl work.pl <go >told &
exec 5>go
wait_for 'the process' [ -s told ]
pid=$(cat told)
# Pages that were written since then, by the kernel's own count.
vm() { echo 1 >/proc/sys/vm/stat_refresh; awk -v n="$1" '$1 == n { print $2 }' /proc/vmstat; }
began_written=$(vm nr_written)
! has_tool cachestat || begin_session cachestat cachestat only_pid="$pid" timestamps=1
begin_session fsslower fsslower argc=1 argv_1=0 only_fs=ext4 only_pid="$pid"
begin_session slow fsslower argc=1 argv_1=1 only_op=R only_pid="$pid"
begin_session tmpfs fsslower argc=1 argv_1=0 only_fs=tmpfs only_op=WO
begin_session fsdist fsdist only_fs=ext4 only_pid="$pid"
begin_session rows fsdist only_fs=ext4 only_pid="$pid" --format=csv --percentiles=50,99
begin_session writeback writeback only_disk=nullb0
begin_session mdflush mdflush only_disk=md9
wait_sessions
sleep 1.1
sync
read_before=$(vm pgpgin) written=$(vm nr_written)
echo >&5
wait_for 'the work' grep -q faults told
read_bytes=$(($(vm pgpgin) - read_before))
sync
written=$(($(vm nr_written) - written))
for _ in 1 2 3; do dd if=/dev/zero of=/dev/md9 bs=4k count=1 conv=fsync status=none; done
echo "text" >/dev/shm/storage-file
rm /dev/shm/storage-file
all_written=$(($(vm nr_written) - began_written))
sleep 1.1
end_sessions
echo >&5
exec 5>&-
wait

# 100 pages that were not there, once and again, then all 2000. What the process itself maps, such
# as its libraries, comes on top.
[ "$(sed -n 's/^cached //p' told | tr '\n' ' ')" = '0 100 2000 ' ] || fail 'not this load' told
if has_tool cachestat; then
	faults=$(sed -n 's/^faults //p' told)
	read -r hits misses ahead dirtied <<<"$(awk '$1 ~ /:/ {
		h += $2; m += $3; a += $5; d += $6 } END { print h, m, a, d }' cachestat)"
	echo "hits $hits misses $misses ahead $ahead dirtied $dirtied, $read_bytes KiB read" >>told
	[ $((hits + misses)) -ge 2200 ] && [ $((hits + misses)) -le $((2200 + faults)) ] &&
		[ "$misses" -ge 100 ] && [ "$misses" -le 200 ] &&
		[ $((misses + ahead)) -ge 2000 ] && [ $((misses + ahead)) -le 2100 ] &&
		[ $((read_bytes / 4)) -ge 2000 ] || fail 'cachestat: reads' cachestat told
	# Pages of directories and of the journal are dirtied, too.
	[ "$dirtied" -ge 503 ] && [ "$dirtied" -le 540 ] || fail 'cachestat: writes' cachestat told
fi

# The calls of the process by name, in text and in rows of CSV, each of which has a bucket.
for call in read:2201 write:501 open:3 fsync:1; do
	name=${call%:*} wanted=${call#*:}
	grep -q "^ext4 $name: $wanted calls, " fsdist || fail "fsdist: not $wanted $name" fsdist
	awk -F, -v name="$name" -v wanted="$wanted" '$3 == "ext4" && $4 == name {
			sum += $10; bad += $5 != wanted || $11 == "" || $12 < $11 }
		END { exit bad || sum != wanted }' rows || fail "fsdist: rows of $name" rows
done
# The same calls one by one, with what they transferred, where, and in which file.
cat >sums.awk <<'END'
NR > 1 && ($3 != pid || $4 != "ext4" || NF != 9 || $9 !~ /^\/tmp\/storage\/mnt\/[a-z]*$/) { bad++ }
NR > 1 { n[$5]++; bytes[$5, $9] += $6; at[$5, $9] += $7 }
END {
	mnt = "/tmp/storage/mnt/"
	print bad + 0, n["R"], n["W"], n["O"], n["S"], bytes["R", mnt "old"], at["R", mnt "old"],
		bytes["W", mnt "new"], at["W", mnt "new"], bytes["W", mnt "synced"]
}
END
# 17 pages further each time, twice; then all of it, to its end. 500 pages are written in order.
apart=$((2 * 4 * 17 * 100 * 101 / 2)) whole=$((4 * 2000 * 2001 / 2))
new=$((4 * 499 * 500 / 2))
[ "$(awk -v pid="$pid" -f sums.awk fsslower)" = \
	"0 2201 501 3 1 $((2200 * 4096)) $((apart + whole)) $((500 * 4096)) $new 10000" ] ||
	fail 'fsslower 0 -f ext4' fsslower
# Each page that was read from the disk first took a millisecond.
awk -v pid="$pid" 'NR > 1 && ($3 != pid || $5 != "R" || $8 < 1000) { bad++ }
	NR > 1 && $9 == "/tmp/storage/mnt/old" { seen[$7] = 1 }
	END {
		for (i = 1; i <= 100; i++)
			bad += !seen[4 * 17 * i]
		exit bad
	}' slow || fail 'fsslower 1 -o R' slow
awk 'NR > 1 && ($4 != "tmpfs" || $5 !~ /^[WO]$/) { bad++ }
	$9 == "/dev/shm/storage-file" && $3 == '$$' { said = said " " $5 " " $6 " " $7 }
	END { exit bad || said != " O 0 0 W 5 0" }' tmpfs || fail 'fsslower -f tmpfs -o WO' tmpfs

# The 500 pages of the new file are written by sync; nothing is counted that was not written.
awk -v most="$all_written" 'NR > 1 { n += $4; bad += $2 != "nullb0" || $6 < 0 }
	$5 == "SYNC" && $4 >= 500 { synced++ }
	END { print n, most; exit bad || n < 500 || n > most || !synced }' writeback >sum ||
	fail 'writeback' sum writeback
# One flush for each of three fsync().
awk 'NR > 1 { n++; bad += $3 != "dd" || $4 != "md9" || $5 != 0; bad += seen[$2]++ }
	END { exit bad || n != 3 }' mdflush || fail 'mdflush' mdflush
