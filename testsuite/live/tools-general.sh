# SPDX-License-Identifier: GPL-2.0
# The tools count, trace, latency, stack, args and reads, on a program whose calls are known:
# dd reads and writes 500 times 777 bytes.
. "$TOP/testsuite/expect.sh"
cd /tmp
work='dd if=/dev/zero of=/dev/null bs=777 count=500 status=none'
# Writes of 500 bytes, and now and then one of 3.
cat >endless.pl <<'PL'
use Time::HiRes qw(sleep);
open my $f, ">", "/dev/null";
for (1 .. 10000) {
	syswrite $f, "x" x 500 for 1 .. 5;
	syswrite $f, "abc";
	sleep 0.002;
}
PL
trap 'rm -f endless.pl out said' EXIT
tool() { # NAME ARGUMENT...
	"$PROBEC" "$@" >out 2>said || fail "$*" out said
	sed -i '/\[E_NO_HITS\]$/,+1d' said # of arguments that choose nothing
	[ ! -s said ] || fail "$*" out said
}
remember
tool count 'ksys_wri*' -n dd -c "$work"
grep -qxE ' +500  ksys_write' out || fail 'count: not 500 writes' out
tool count kprobe:ksys_write -w -p 1 -d 1
[ "$(cat out)" = '     COUNT  FUNCTION' ] || fail 'count: another process' out
tool count sched:sched_process_exec -c "bash -c '/bin/true; /bin/true; exec /bin/true'"
grep -qxE ' +[34]  sched_process_exec' out || fail 'count: programs that bash runs' out
tool count "$(ldd /bin/dd | grep -o '/[^ ]*libc.so.6'):write" -n dd -c "$work"
grep -qE ' +500  (__libc_|__)?write' out || fail 'count: writes of the C library' out

tool trace ksys_write '$count' -n dd -c "$work"
[ "$(grep -cE '^dd +[0-9]+ +[0-9]+ ksys_write +777$' out)" = 500 ] || fail 'trace' out
tool trace p::ksys_write -n dd -c "$work"
[ "$(grep -cE '^dd .* ksys_write +fd=0x1 buf=0x[0-9a-f]+ count=0x309$' out)" = 500 ] ||
	fail 'trace: the arguments' out

# Reads of 777 bytes, and three of 832 bytes at most as the program begins.
tool reads -c "$work"
grep -qE '^dd  +50[0-9]  +77[0-9]$' out && grep -qE '^ +512 \|@+ +50[0-9]$' out || fail reads out

tool latency ksys_write -n dd -c "$work"
grep -q '^ksys_write: 500 calls, mean [0-9]* us$' out || fail 'latency: not 500 calls' out
tool latency hrtimer_nanosleep -c 'sleep 0.2'
mean=$(sed -n 's/^hrtimer_nanosleep: 1 calls, mean \([0-9]*\) us$/\1/p' out)
[ "${mean:-0}" -ge 200000 ] && [ "$mean" -lt 2000000 ] || fail 'latency: a pause of 0.2 s' out

tool stack ksys_write -K -n dd -c "$work"
[ "$(sed -n 's/^\([0-9]*\) hits in dd:/\1/p' out | awk '{ n += $1 } END { print n }')" = 500 ] &&
	grep -q 'do_syscall_64\|invoke_syscall' out || fail 'stack' out

tool args ksys_write '$count' -n dd -c "$work"
grep -qxE ' +500  777' out || fail 'args: not 500 times 777 bytes' out
tool args kretprobe:ksys_write '$return' hist -n dd -c "$work"
grep -qE '^ +512 .* 500$' out || fail 'args: no row of 500 in the histogram' out
tool args ksys_write 'execname()' -c "$work"
grep -qxE ' +500  dd' out || fail 'args: a text' out

# Options, on a process that goes on writing; the modules are those of above.
perl endless.pl &
endless=$!
tool count 'ksys_wri*' -i 1 -d 2 -p $endless
[ "$(grep -c ' COUNT ' out)" = 2 ] && [ "$(grep -c ' ksys_write$' out)" = 2 ] ||
	fail 'count -i -d' out
tool args ksys_write '$count' -d 1 -t 1 -p $endless
[ "$(sed 1d out | awk '{ print $2 }')" = 500 ] || fail 'args -t: not the most frequent size' out
tool latency ksys_write -d 1 -N -p $endless
awk '/^ksys_write: [0-9]+ calls, mean [0-9]+ ns$/ { calls = $2; mean = $5 }
	/ \|/ { n += $NF } END { exit !(calls > 10 && n == calls && mean > 100) }' out ||
	fail 'latency -N' out
tool latency ksys_write -d 1 -m 5000000
[ ! -s out ] || fail 'latency -m: a write of five seconds' out
kill $endless
wait $endless 2>/dev/null

ended_clean 'all'
