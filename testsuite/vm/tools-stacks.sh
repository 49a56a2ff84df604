# SPDX-License-Identifier: GPL-2.0
#@ slow
# The tools for stacks, compared with what programs and /proc know: offcpu with a program's own
# clock and switches, wakeups with the switches of a program that /proc counts, profile with the
# processor time of a program, pagefaults with the faults that /proc counts, memleak with a program
# that says what it leaves.
#@ needs: perl
tool() { # NAME [ARGUMENT]
	"$PROBEC" -w -p4 -r "$TARGET" -c /bin/true "$TOP/tools/$1.kp" "${@:2}" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
tool offcpu
tool wakeups
tool profile
tool pagefaults
tool memleak 2
mv memleak.ko memleak-2.ko
tool memleak
cat >sleeps.pl <<'PL'
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC usleep);
sub switches { open my $f, "<", "/proc/self/status"; (map { /^voluntary_ctxt_switches:\s*(\d+)/ } <$f>)[0] }
my ($sum, $before) = (0, switches());
for (1 .. 50) {
	my $from = clock_gettime(CLOCK_MONOTONIC);
	usleep(3000);
	$sum += clock_gettime(CLOCK_MONOTONIC) - $from;
}
printf "%d %d\n", $sum * 1e6, switches() - $before;
PL
# The child is named apart. Each byte that it waits for is one wakeup by a write to its pipe; it was
# there already where the parent was faster.
cat >pipes.pl <<'PL'
sub switches { open my $f, "<", "/proc/self/status"; map { /^voluntary_ctxt_switches:\s*(\d+)/ } <$f> }
pipe my $ask, my $asked;
pipe my $answer, my $answered;
if (!fork) {
	open my $f, ">", "/proc/self/comm"; print $f "listener"; close $f;
	sysread $ask, my $byte, 1;
	my ($from) = switches();
	for (1 .. 100) { syswrite $answered, "x"; sysread $ask, $byte, 1 }
	my ($to) = switches();
	print $to - $from, "\n";
	exit;
}
syswrite $asked, "x";
for (1 .. 100) { sysread $answer, my $byte, 1; syswrite $asked, "x" }
wait;
PL
cat >burns.pl <<'PL'
open my $zero, "<", "/dev/zero";
for (1 .. 20000) { sysread $zero, my $text, 1 << 20 }
open my $f, "<", "/proc/self/schedstat";
print((split / /, <$f>)[0], "\n");
PL
cat >touches.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
enum { PAGES = 2000, PAGE = 4096 };
__attribute__((noinline)) void touch_pages(volatile char *p)
{
	for (int i = 0; i < PAGES; i++)
		p[i * PAGE] = 1;
}
int main(void)
{
	struct rusage before, after;
	char *p = mmap(NULL, 2 * PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 2 * PAGES * PAGE, MADV_NOHUGEPAGE);
	/* From its faults here, the session learns to know the process. */
	for (int i = 0; i < 10; i++) {
		p[(PAGES + i) * PAGE] = 1;
		usleep(200000);
	}
	getrusage(RUSAGE_SELF, &before);
	touch_pages(p);
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", after.ru_minflt - before.ru_minflt);
	return 0;
}
END
gcc -O2 -o touches touches.c 2>log || fail touches log
cat >leaks.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#define ALLOCATES(name, how) \
	__attribute__((noinline)) void *name(void *p) \
	{ \
		how; \
		__asm__ volatile("" : "+r"(p)); \
		return p; \
	}
ALLOCATES(leak_plain, p = malloc(40))
ALLOCATES(leak_zeroed, p = calloc(3, 100))
ALLOCATES(leak_grown, p = realloc(p, 5000))
ALLOCATES(leak_aligned, if (posix_memalign(&p, 64, 128)) p = NULL)
ALLOCATES(grow_too_far, if (realloc(p, (size_t)-1 / 4)) abort())
ALLOCATES(keep, p = malloc(70))
int main(void)
{
	for (int i = 0; i < 100; i++)
		leak_plain(NULL);
	for (int i = 0; i < 20; i++)
		leak_zeroed(NULL);
	for (int i = 0; i < 5; i++)
		leak_aligned(NULL);
	grow_too_far(keep(NULL));
	sleep(4);
	for (int i = 0; i < 10; i++)
		leak_grown(keep(NULL));
	for (int i = 0; i < 50; i++)
		free(keep(NULL));
	return 0;
}
END
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -o leaks leaks.c 2>log || fail leaks log
cat >guest <<'SH'
cd "$1" || exit 1
no() { echo "$@"; cat told seen; exit 1; }
"$PROBERUN" --format=folded -o seen -c 'perl sleeps.pl >told' offcpu.ko || exit 1
"$PROBERUN" --format=json -o seen.json -c 'perl sleeps.pl >told.json' offcpu.ko || exit 1
slept=$(awk '/^perl;.*nanosleep_\[k\]/ { n += $NF } END { print n }' seen)
read -r clock _ <told
[ "$slept" -ge 140000 ] && [ "$slept" -le "$clock" ] || no "offcpu: $slept us, not 140000 to $clock"
grep \
	-q '^perl;.*;__libc_start_main;.*;entry_SYSCALL_64_after_hwframe_\[k\];.*nanosleep_\[k\];.*schedule_\[k\];[^;]* [0-9]*$' seen || no 'offcpu: no whole stack'
waits=$(grep 'nanosleep"' seen.json | grep -o '"value":{"count":[0-9]*' | awk -F: '{ n += $NF } END { print n }')
read -r _ switches <told.json
[ "$waits" = "$switches" ] || no "offcpu: $waits sleeps, not $switches"

"$PROBERUN" --format=folded -o seen -c 'perl pipes.pl >told' wakeups.ko || exit 1
woken=$(awk '/^perl;listener;.*pipe_write_\[k\]/ { n += $NF } END { print n + 0 }' seen)
[ "$woken" -ge "$(cat told)" ] && [ "$woken" -le 102 ] ||
	no "wakeups: $woken, not $(cat told) to 102"

"$PROBERUN" --format=folded -o seen -c 'perl burns.pl >told' profile.ko || exit 1
awk -v ns="$(cat told)" '/^perl/ { n += $NF } /^perl;.*;vfs_read_\[k\]/ { read += $NF }
	END { print n + 0, read + 0, ns / 1e9 * 99; exit !(read > n / 2 && n > 5 && n < ns / 1e9 * 99 * 1.2 + 20) }' seen >figures ||
	no "profile: samples, those in reads, samples by the time: $(cat figures)"
! grep -q '^swapper' seen || no 'profile: idle processors'
grep -q '^perl;.*;__libc_start_main;.*;vfs_read_\[k\]' seen ||
	no 'profile: no frames of the program'

"$PROBERUN" --format=folded -o faults -c ./touches pagefaults.ko >told || exit 1
faults=$(awk '/^touches;.*;touch_pages / { n += $NF } END { print n + 0 }' faults)
read -r touched <told
[ "$faults" -ge 2000 ] && [ "$faults" -le "$touched" ] ||
	no "pagefaults: $faults, not 2000 to $touched"

leaks() { # FILE: bytes by function
	sed -n 's/^leaks;_start;.*;main;\(leak_[a-z]*\|keep\);[^;]* \([0-9]*\)$/\1 \2/p' "$1" |
		awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort
}
for module in memleak memleak-2; do
	"$PROBERUN" --format=folded -o $module.out -c ./leaks $module.ko || exit 1
	leaks $module.out >$module.bytes
done
printf '%s\n' 'keep 70' 'leak_aligned 640' 'leak_grown 50000' 'leak_plain 4000' 'leak_zeroed 6000' \
	>leaked
diff memleak.bytes leaked || no 'memleak: bytes by function'
grep -v grown leaked | diff memleak-2.bytes - || no 'memleak: blocks of at least two seconds'

# The files stay in the guest.
cat seen
echo ==
cat seen.json
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash guest "$PWD" >files 2>said ||
	fail "status $?" files said
# Images are made from these files unchanged.
sed '/^==$/,$d' files | "$PROBEC" flame - 2>said >out.svg &&
	grep -q '<title>vfs_read \[kernel\]' out.svg || fail 'no flame graph' said
sed '1,/^==$/d' files | "$PROBEC" flame - 2>said | grep -q 'nanosleep \[kernel\]' ||
	fail 'no flame graph of JSON' said
