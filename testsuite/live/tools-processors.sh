# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
#@ needs: perl strace taskset
# Tools: runqlat runqslower runqlen cpudist syscount hardirqs softirqs workqueues klockstat
#
# The tools for processors, compared with what the kernel accounts: /proc/PID/schedstat and status,
# /proc/interrupts, /proc/softirqs, strace's counts, and events of tracefs.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/sessions.sh"
mkdir /tmp/tools-processors
cd /tmp/tools-processors || exit 1

# A process that sleeps and computes, after a word on its input, and says what the kernel accounted.
cat >works.pl <<'PL'
sub account {
	open my $f, "<", "/proc/self/schedstat";
	my @n = split " ", <$f>;
	open $f, "<", "/proc/self/status";
	push @n, (map { /ctxt_switches:\s*(\d+)/ } <$f>);
	return ($n[0], $n[1], $n[2], $n[3] + $n[4]);
}
my $word = <STDIN>;
my @before = account();
for (1 .. 40) {
	select undef, undef, undef, 0.002;
	for (1 .. 20000) { }
	getppid() for 1 .. 3;
	stat "/no/such/file";
	open my $status, "<", "/proc/self/status";
	sysread $status, my $text, 100 for 1 .. 3;
}
my @after = account();
print join(" ", map { $after[$_] - $before[$_] } 0 .. 3), "\n";
open my $f, ">", "worked";
close $f;
$word = <STDIN>;
PL
# One that only sleeps, and counts how often it ran once and had waited for a microsecond or more.
cat >waits.pl <<'PL'
sub waits { open my $f, "<", "/proc/self/schedstat"; return split " ", <$f> }
my $word = <STDIN>;
my ($long, @before, @now) = (0, waits());
for (1 .. 100) {
	select undef, undef, undef, 0.002;
	@now = waits();
	$long++ if $now[2] - $before[2] == 1 && $now[1] - $before[1] >= 1000;
	@before = @now;
}
print "$long\n";
open my $f, ">", "waited";
$word = <STDIN>;
PL
mkfifo go go-waits
taskset -c 0 perl waits.pl <go-waits >told-waits &
waiter=$!
exec 6>go-waits
for program in works; do
	taskset -c 0 perl $program.pl <go >told &
	process=$!
done
exec 5>go
read_number=0
[ "$(uname -m)" != aarch64 ] || read_number=63
# Calls that it makes until then are not compared.
wait_for 'the process' grep -qs "^$read_number 0x0 " /proc/$process/syscall
begin_session runqlat runqlat only_pid=$process
begin_session cpudist cpudist only_pid=$process
begin_session cpudist-off cpudist only_pid=$process off=1
begin_session syscount syscount only_pid=$process top=0
begin_session syscount-times syscount only_pid=$process top=0 latency=1
! has_tool klockstat || begin_session holds klockstat only_pid=$process holds=1 only_caller=seq_read
begin_session syscount-summary syscount only_pid=$process top=0 summary=1
begin_session syscount-failed syscount only_pid=$process top=0 failed=1
begin_session runqlat-pids runqlat only_pid=$process processes=1 milliseconds=1 timestamps=1
begin_session runqlat-tids runqlat only_pid=$process threads=1
begin_session runqlat-waits runqlat only_pid=$waiter
begin_session cpudist-pids cpudist only_pid=$process processes=1 milliseconds=1 timestamps=1
begin_session cpudist-tids cpudist only_pid=$process threads=1
begin_session syscount-errno syscount only_pid=$process top=0 failed=1 only_errno=2
begin_session syscount-process syscount only_pid=$process processes=1 latency=1 milliseconds=1
wait_sessions
strace -qq -c -p $process -o counts 2>said &
tracer=$!
wait_for strace grep -q "^TracerPid:.$tracer$" /proc/$process/status
# Another one to wait for.
taskset -c 0 perl -e 'alarm 250; 1 while 1' &
rival=$!
echo go >&5
# It reads once more when all calls that are compared have returned.
has_worked() { [ -e worked ] && grep -q "^$read_number " "/proc/$process/syscall"; }
wait_for 'the work' has_worked
echo go >&6
wait_for 'the waits' [ -e waited ]
end_sessions
kill -INT $tracer
wait $tracer
kill $rival
exec 5>&- 6>&-
wait $process $waiter
read -r ran waited slices switches <told

# Print a histogram's count, and the lowest and the highest sum that it may mean.
sums() {
	awk '/^ *[0-9]+ \|/ { n += $NF; low += $1 * $NF; high += ($1 ? 2 * $1 : 1) * $NF }
		END { print n + 0, low + 0, high + 0 }' "$1"
}
# Little is measured before and after the account.
near() { # WHAT GOT WANTED
	[ "$2" -ge "$3" ] && [ "$2" -le $(($3 + $3 / 10 + 12)) ] ||
		fail "$1: $2, and the kernel counts $3" told
}
within() { # WHAT LOW HIGH WANTED-NS
	local us=$(($4 / 1000))
	[ $((us * 8 / 10)) -le "$3" ] && [ $((us * 12 / 10 + 20000)) -ge "$2" ] ||
		fail "$1: $2 to $3 us, and the kernel says $us" told
}
read -r count low high <<<"$(sums runqlat)"
near runqlat "$count" "$slices"
within runqlat "$low" "$high" "$waited"
read -r count _ _ <<<"$(sums runqlat-waits)"
long=$(cat told-waits)
awk -v most=$((count - long)) '/^ *0 \|/ && $NF > most { exit 1 }' runqlat-waits ||
	fail "$long of $count waits took a microsecond or more" runqlat-waits
read -r count low high <<<"$(sums cpudist)"
near cpudist "$count" "$switches"
within cpudist "$low" "$high" "$ran"
grep -qE '^p50=[0-9]+ p90=[0-9]+ p99=[0-9]+ p99\.9=[0-9]+ max=[0-9]+$' cpudist ||
	fail 'cpudist: no percentiles' cpudist
read -r count low high <<<"$(sums cpudist-off)"
near cpudist-off "$count" "$switches"

for name in runqlat cpudist; do
	wanted=$slices
	[ $name = runqlat ] || wanted=$switches
	for way in pid tid; do
		grep -qx "$way = $process perl" $name-${way}s || fail "$name by $way" $name-${way}s
		read -r count low high <<<"$(sums $name-${way}s)"
		near $name-${way}s "$count" "$wanted"
	done
	grep -qE '^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] msecs$' $name-pids ||
		fail "$name -m -T" $name-pids
done
# Milliseconds are cut.
[ "$(awk '/^ *[0-9]+ \|/ { n += $1 * $NF } END { print n + 0 }' cpudist-pids)" -le \
	$((ran / 1000000 * 12 / 10 + 20)) ] || fail 'cpudist -m' cpudist-pids told

# strace's table and ours, but for the calls during which either began or ended.
awk '$NF ~ /^[a-z]/ && $NF != "total" && $NF !~ /^(read|syscall|exit_group|restart_syscall)$/ {
	print $NF, $4 }' counts | sort >wanted
for table in syscount syscount-times; do
	awk '$2 ~ /^[0-9]+$/ && $1 != "read" && $1 != "exit_group" { print $1, $2 }' $table |
		sort >got
	diff wanted got >difference || fail "$table: strace (<) and it (>)" difference
done
# The kernel locks the buffer of such a file at each read, and at each seek.
! has_tool klockstat || awk '$3 == "HOLDS" { n = 0 }
	$1 ~ /^seq_read/ && $2 == "mutex" { n += $3; ok = $4 <= $5 && $5 <= $6 }
	END { exit !(ok && n >= 120 && n <= 130) }' holds || fail 'klockstat: not 120 holds' holds
grep -q '^getppid 120$' got || fail 'not the calls' got
awk '$NF == "newfstatat" || $NF == "stat" { print $NF, $5 }' counts >wanted
awk '$1 == "newfstatat" || $1 == "stat" { print $1, $2 }' syscount-failed |
	tee got | diff wanted - >difference ||
	fail 'syscount-failed: strace (<) and it (>)' difference
awk '$1 == "newfstatat" || $1 == "stat" { print $1, $6 }' syscount-summary |
	diff got - >difference || fail 'syscount -S: errors' difference
awk 'NR > 1 && $1 != "total" { calls += $2; errors += $6; time += $3; share += $7 }
	$1 == "total" { total = $2 == calls && $4 == errors && $3 >= time && share > 90 }
	END { exit !total }' syscount-summary || fail 'syscount -S: the total' syscount-summary
awk '$1 == "newfstatat" || $1 == "stat" { print $1, $2 }' syscount-errno | diff got - >difference ||
	fail 'syscount -e 2' difference
total=$(awk '$2 ~ /^[0-9]+$/ { n += $2 } END { print n }' syscount-times)
awk -v p="$process" -v total="$total" 'NR > 1 && $1 ~ /^[0-9]+$/ { d = $3 - total
		ok = $1 == p && $2 == "perl" && d >= -12 && d <= 12 && $4 >= 80 && $5 <= $6; n++ }
	/TIME\(ms\)/ { head = 1 }
	END { exit !(head && n == 1 && ok) }' syscount-process ||
	fail 'syscount -P -m' syscount-process
awk '$1 == "pselect6" || $1 == "select" { exit !($3 >= 40 * 2000 && $4 >= 2000 && $5 >= $4) }' \
	syscount-times ||
	fail 'syscount-times: the sleeps' syscount-times

# Three processes on one processor: two wait.
cat >spins.pl <<'PL'
use Time::HiRes qw(time);
my $until = time + 1.5;
1 while time < $until;
open my $f, "<", "/proc/self/schedstat";
print "$$ ", (split " ", <$f>)[1], "\n";
PL
cat /proc/softirqs >softirqs.first
# This one sees all that work-named does: it begins before it, and ends after it.
begin_session workqueues workqueues top=1000
wait_sessions
begin_session runqslower runqslower argc=1 argv_1=200 previous=1
begin_session runqslower-one runqslower argc=1 argv_1=200 only_tid=$$
begin_session runqlen runqlen each_cpu=1
begin_session occupied runqlen each_cpu=1 occupancy=1
begin_session hardirqs hardirqs count_only=1 vectors=1
begin_session hardirqs-times hardirqs vectors=1
begin_session softirqs softirqs count_only=1
begin_session softirqs-times softirqs
begin_session softirqs-ns softirqs nanoseconds=1 timestamps=1
begin_session hardirqs-ns hardirqs nanoseconds=1 timestamps=1 vectors=1
begin_session work-named workqueues top=1000 only_name=events
begin_session softirqs-dist softirqs distribution=1
begin_session hardirqs-dist hardirqs distribution=1
! has_tool klockstat || begin_session klockstat klockstat only_caller=link
wait_sessions
trace=/sys/kernel/tracing
[ -d $trace/events ] || mount -t tracefs tracefs $trace
cat >locks.pl <<'PL'
mkdir "d";
for my $k (1 .. 4) {
	next if fork;
	for (1 .. 1000) { open my $f, ">", "d/$k"; close $f; unlink "d/$k" }
	exit;
}
1 while wait > 0;
PL
echo 4096 >$trace/buffer_size_kb
echo 1 >$trace/events/workqueue/workqueue_execute_end/enable
cat /proc/interrupts >interrupts.before
cat /proc/softirqs >softirqs.before
for _ in 1 2 3; do taskset -c 0 perl spins.pl & spinning+=($!); done >spun
sync
wait "${spinning[@]}"
echo 0 >$trace/events/workqueue/workqueue_execute_end/enable
sed -n 's/.*workqueue_execute_end: .* function \([a-z_0-9.]*\).*/\1/p' $trace/trace | sort |
	uniq -c | awk '{ print $2, $1 }' >worked
: >$trace/trace
perl locks.pl
cat /proc/softirqs >softirqs.after
cat /proc/interrupts >interrupts.after
kill -INT "${session[work-named]}"
wait_session work-named
end_sessions
cat /proc/softirqs >softirqs.last
rm -r d

# The one that was taken off the processor is another one.
awk 'NR > 1 && ($3 == $6 || $6 !~ /^[0-9]+$/) { exit 1 }' runqslower ||
	fail 'runqslower -P' runqslower
awk -v t=$$ 'NR > 1 && $3 != t { exit 1 }' runqslower-one || fail 'runqslower -t' runqslower-one
for table in softirqs hardirqs; do
	grep -q 'TOTAL(ns)' $table-ns && grep -qE '^[0-2][0-9]:[0-5][0-9]:[0-5][0-9]$' $table-ns ||
		fail "$table -N -T" $table-ns
	awk 'FNR > 1 && $NF ~ /^[0-9]+$/ { n[FILENAME] += $(NF - 2) }
		END { us = n[ARGV[1]]; ns = n[ARGV[2]] / 1000
			exit !(ns > us / 2 && ns < us * 2 + 2000) }' $table-times $table-ns ||
		fail "$table -N: not a thousand times as much" $table-times $table-ns
done
awk 'NR == FNR { n[$1] = $2; next } FNR > 1 && (!n[$1] || $2 > n[$1] * 1.2 + 20) { bad = 1 }
	END { exit bad || FNR < 2 || FNR >= NR - FNR }' workqueues work-named ||
	fail 'workqueues -n: not a part of all' workqueues work-named

# Each waited as long as it was shown to have waited, but for what it waited when it had said so.
while read -r pid waited; do
	awk -v pid="$pid" -v ns="$waited" '$3 == pid { sum += $4 }
		END {
			print sum, ns
			exit sum > ns / 1000 * 1.05 + 200000 || sum < ns / 1000 * 0.7
		}' \
		runqslower >sum || fail "runqslower: the wait of $pid" sum spun runqslower
done <spun
[ "$(wc -l <spun)" = 3 ] || fail 'the spinning processes' spun
# Two wait in most samples of processor 0 in this time, of at most 99 a second: a busy
# machine takes fewer.
awk '/^processor/ { p = $2 } p == "0" && $1 == 2 && $2 ~ /^\|/ { n = $NF }
	END { exit n < 40 }' runqlen ||
	fail 'runqlen: two did not wait' runqlen
awk '$2 == "0" { ok = $4 + 0 >= 15 } END { exit !ok }' occupied || fail occupied occupied

# At least as many as the kernel counted while all sessions were there, and at most what it counted
# from before the first of them began until after the last one ended.
grew() { # FILE LABEL [FROM TO]: by how much a line grew, over all processors
	cat "$1.${3:-before}" "$1.${4:-after}" | awk -v label="$2" '$1 == label {
		sum = 0; for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i
		if (seen++) print sum - first; else first = sum }'
}
counted() { # FILE NAME: the number after a name, which may have blanks
	sed -n "s/^$2  *\([0-9]*\).*/\1/p" "$1"
}
for table in hardirqs hardirqs-times; do
	ours=$(counted $table '(local timer)') theirs=$(grew interrupts LOC:)
	[ "$ours" -ge "$theirs" ] || fail "$table: $ours of $theirs interrupts of the timer" $table
done
for table in softirqs softirqs-times; do
	for name in sched:SCHED timer:TIMER rcu:RCU; do
		ours=$(counted $table "${name%:*}") theirs=$(grew softirqs "${name#*:}:")
		# On PREEMPT_RT, some are done by threads instead.
		ours=${ours:-0}
		most=$(grew softirqs "${name#*:}:" first last)
		[ "$ours" -ge "$theirs" ] && [ "$ours" -le "$most" ] ||
			fail "$table: $ours, and the kernel counts $theirs to $most" $table
	done
done
for table in softirqs hardirqs; do
	read -r count low high <<<"$(sums $table-dist)"
	# Without the interrupts of the processors, which hardirqs-times has as well.
	total=$(awk 'NR > 1 && !/^\(/ { n += $(NF - 2) } END { print n }' $table-times)
	[ "$count" -gt 0 ] && [ "$low" -le $((total * 2)) ] && [ $((high * 2)) -ge "$total" ] ||
		fail "$table-dist: $low to $high us, not $total" $table-dist $table-times
done
awk 'NR == FNR { ours[$1] = $2; next } ours[$1] < $2 { print; bad = 1 } END { exit bad || !FNR }' \
	workqueues worked >difference || fail 'workqueues: fewer than these' difference workqueues
# On PREEMPT_RT, all locks that sleep are made of one kind.
! has_tool klockstat || awk '$1 ~ /^(do|filename)_unlinkat$/ && / (rwsem w|rt-mutex) / {
		n = $(NF - 3)
		ok = $(NF - 2) <= $(NF - 1) && $(NF - 1) <= $NF
	}
	END { exit !(n > 0 && ok) }' klockstat || fail klockstat klockstat
