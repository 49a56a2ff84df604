# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl modprobe mkswap swapon
# Tools: oomkill drsnoop slabtop swapin swaps
#
# The tools for memory, compared with what the kernel accounts: /proc/vmstat, /proc/slabinfo, the
# counters of a control group, its own trace, and the message about a process that was killed.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
loaded_modules >/tmp/modules-before
for module in lzo-rle lz4 zram; do modprobe -d "$root" $module 2>/dev/null; done
[ -e /sys/block/zram0 ] || { echo 'no zram'; exit 77; }
mkdir /tmp/memory
cd /tmp/memory || exit 1
mkdir cg files
mount -t cgroup2 none cg && echo +memory >cg/cgroup.subtree_control && mkdir cg/small ||
	fail 'no control group'
mount -t tmpfs files files
read -r -a levels </proc/sys/kernel/printk
trace=/sys/kernel/tracing/instances/memory
clean() {
	echo "${levels[0]}" >/proc/sys/kernel/printk
	rmdir $trace
	swapoff /dev/zram0 2>/dev/null
	rmdir cg/small
	echo -memory >cg/cgroup.subtree_control
	umount cg files
	cd /
	rm -r /tmp/memory
	unload_since /tmp/modules-before
}
trap clean EXIT
[ -d /sys/kernel/tracing/instances ] || mount -t tracefs none /sys/kernel/tracing
mkdir $trace && echo 1 >$trace/events/vmscan/mm_vmscan_memcg_reclaim_end/enable || fail 'no trace'
echo 100M >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null && swapon /dev/zram0 ||
	fail 'no swap space'
echo 8M >cg/small/memory.max
vm() { awk -v n="^$1" '$1 ~ n { sum += $2 } END { print sum }' /proc/vmstat; }
events() { sed -n "s/^$1 //p" cg/small/memory.events; }

# A process that goes through more memory than it may have, and says what it waited for.
cat >grows.pl <<'PL'
sub faults { open my $f, "<", "/proc/self/stat"; (split " ", <$f>)[11] }
my $x = join("", map { chr(1 + rand 255) } 1 .. 4096) x 3000;
my $before = faults();
for (my $i = 0; $i < length $x; $i += 4096) { substr($x, $i, 1) = "y" }
print "$$ ", faults() - $before, "\n";
PL
cat >objects.pl <<'PL'
chdir "files";
for (1 .. 1000) { open my $f, ">", "file-$_" }
for (1 .. 500) { pipe my $r, my $w }
PL
within() { # FILE: runs a script as a member of the small group
	bash -c 'echo $$ >cg/small/cgroup.procs && exec perl "$1"' bash "$@"
}
begin_session oomkill oomkill show_load=1
begin_session drsnoop drsnoop
begin_session cgroups drsnoop system=1
begin_session swapin swapin
begin_session swaps swaps
if has_tool slabtop; then
	begin_session slabtop slabtop argc=1 argv_1=2 rows=10000
	begin_session callers slabtop by_caller=1 only_cache=kmalloc-cg-1k rows=10000
fi
wait_sessions
sleep 1

swap_in=$(vm 'pswpin$') swap_out=$(vm 'pswpout$') stolen=$(vm 'pgsteal_(anon|file)$')
within grows.pl >grown || fail 'the process that grows'
swap_in=$(($(vm 'pswpin$') - swap_in)) swap_out=$(($(vm 'pswpout$') - swap_out))
stalls=$(events max) stolen=$(($(vm 'pgsteal_(anon|file)$') - stolen))
sleep 1.2
cp drsnoop drsnoop.grown
cat $trace/trace >traced

slab() { awk '$1 == "shmem_inode_cache" { print $2 }' /proc/slabinfo; }
objects=$(slab)
perl objects.pl
objects=$(($(slab) - objects))
sleep 2.2
rm files/*

# The kernel's message has a trace of the stack, which the machine's console takes for a fault.
swapoff /dev/zram0
echo 1 >/proc/sys/kernel/printk
perl -e 'print "\$x = q(x) x 20000000"' >dies.pl
within dies.pl 2>/dev/null && fail 'not killed'
dmesg | sed -n 's/.*Memory cgroup out of memory: Killed process //p' | tail -n 1 >killed
wait_for 'the line of oomkill' [ "$(wc -l <oomkill)" -ge 2 ]
sleep 1.1
end_sessions

read -r pid faults <grown
[ "$swap_in" -gt 300 ] && [ "$swap_out" -gt 300 ] || fail "swapped in $swap_in, out $swap_out"
about() { # WHAT OURS THEIRS: a page without contents is not written, nor read
	[ "$2" -ge "$3" ] && [ "$2" -le $(($3 + $3 / 20 + 50)) ] || fail "$1: $2, not $3" "${@:4}"
}
# Threads of the kernel read and write pages, too.
about swapin "$(awk '$3 ~ /^[0-9]+$/ { n += $3 } END { print n + 0 }' swapin)" "$swap_in" swapin
ours=$(awk -v p="$pid" '$1 == p { n += $3 } END { print n + 0 }' swapin)
[ "$ours" -ge $((faults * 9 / 10)) ] ||
	fail "swapin: $ours pages, and the process had $faults faults" swapin
about 'swaps: pages out' "$(awk '$7 ~ /^[0-9]/ { n += $7 } END { print n + 0 }' swaps)" \
	"$swap_out" swaps
ours=$(awk -v p="$pid" '$1 == p { n += $3 } END { print n + 0 }' swaps)
[ "$ours" -ge $((faults * 9 / 10)) ] && [ "$ours" -le $((swap_in + swap_in / 20 + 50)) ] ||
	fail "swaps: $ours faults, and the process had $faults" swaps
awk -v p="$pid" '$1 == p && !($4 <= $5 && $6 <= $3 * $5 / 1000 + 1) { exit 1 }' swaps ||
	 fail 'swaps: times' swaps

# A line for each time that the group was at its limit, with what it gave back. 7.x also counts
# attempts that may not wait, which give nothing back.
lines=$(awk '$7 == "cgroup"' drsnoop.grown | wc -l)
case $(uname -r) in
6.*) [ "$lines" = "$stalls" ] ;;
*) [ "$lines" -le "$stalls" ] ;;
esac || fail "drsnoop: $lines lines, not $stalls" drsnoop.grown
sed -n "s/^ *[^ ]*-$pid .* mm_vmscan_memcg_reclaim_end: .*nr_reclaimed=\([0-9]*\).*/\1/p" \
	traced >pages
awk -v p="$pid" '$3 == p && $7 == "cgroup" { print $6 }' drsnoop.grown >pages.shown
[ -s pages ] && cmp -s pages pages.shown || fail 'drsnoop: not these pages' pages drsnoop.grown
# A thread of the kernel that makes large pages for the group, khugepaged, has to wait, too.
ours=$(awk '$6 ~ /^[0-9]/ { n += $6 } END { print n + 0 }' drsnoop.grown)
about 'drsnoop: pages' "$ours" "$stolen" drsnoop.grown
! grep -q ' cgroup ' cgroups || fail 'drsnoop -s' cgroups

if has_tool slabtop; then
	# Files are objects of this cache, and a buffer of 16 pages is one of a pipe.
	awk '$1 == "shmem_inode_cache" { n += $2 } END { exit n < 1000 || n > 1020 }' slabtop ||
		fail 'slabtop: not 1000 files' slabtop
	[ "$objects" -ge 850 ] && [ "$objects" -le 1150 ] || fail "the kernel says $objects" slabtop
	pipes=$(awk '$1 == "alloc_pipe_info" && $2 == "kmalloc-cg-1k" { n += $3 } END { print n }' \
		callers)
	[ "$pipes" -ge 500 ] || fail 'slabtop -c: not 500 pipes' callers
	awk '$1 == "kmalloc-cg-1k" { n += $2 } END { exit n < 500 }' slabtop ||
		fail 'slabtop: not the pipes' slabtop
fi

# 123 (perl) total-vm:40000kB, anon-rss:20000kB, file-rss:1500kB, shmem-rss:0kB, ...
perl -ne 'print "$1 $2 $3 $4 $5\n" if
	/^(\d+) \((.*)\) total-vm:(\d+)kB, anon-rss:(\d+)kB, file-rss:(\d+)kB/' killed >fields
read -r pid comm virtual anonymous file <fields
[ "$comm" = perl ] || fail 'nothing was killed' killed
awk -v p="$pid" -v v="$virtual" -v r="$((anonymous + file))" '
	NR > 1 && $2 == p && $3 == "perl" && $5 == v && $7 == p && $8 == "perl" && $9 == "cgroup" &&
	$(NF - 1) ~ /^[0-9.]+$/ && $NF == "/small" { d = $4 - r; ok = d >= -512 && d <= 512 }
	END { exit !(NR == 2 && ok) }' oomkill || fail oomkill killed oomkill
