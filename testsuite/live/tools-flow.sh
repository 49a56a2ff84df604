# SPDX-License-Identifier: GPL-2.0
#@ slow
# Each: the functions and tracepoints that the tools use differ
# The general tool flow, compared with the kernel's own tracer of calls, on a program whose calls
# are known, and on pauses of known length.
. "$TOP/testsuite/expect.sh"
mkdir /tmp/tools-flow
cd /tmp/tools-flow || exit 1
trap 'cd /; rm -r /tmp/tools-flow' EXIT
work='dd if=/dev/zero of=/dev/null bs=777 count=500 status=none'
tool() { # NAME ARGUMENT...
	"$PROBEC" "$@" >out 2>said && [ ! -s said ] || fail "$*" out said
}
remember
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing
# same_graph LINES FUNCTION CALLEE...: the first calls of three are those that the kernel's own
# tracer shows of the same functions.
same_graph() {
	local lines=$1
	shift
	tool flow "$@" -n dd -m 3 -c "$work"
	cut -c 23- out | sed -n 's/\(();\| {\)$//p' >graph
	echo "$*" >$tracing/set_ftrace_filter
	echo "$1" >$tracing/set_graph_function
	echo function_graph >$tracing/current_tracer
	bash -c "echo \$\$ >$tracing/set_ftrace_pid; exec $work" 2>said
	# The first call is one of bash.
	sed -n '/^#/d; s/^[^|]*|  //p' $tracing/trace | sed '/}/d; s/(.*//' |
		awk -v first="$1" '$1 == first { n++ } n > 1' >theirs
	echo nop >$tracing/current_tracer
	for file in set_ftrace_pid set_graph_function set_ftrace_filter; do
		echo >$tracing/$file
	done
	head -n "$lines" theirs | diff - graph >difference &&
		[ "$(wc -l <graph)" = "$lines" ] ||
		fail "flow $*: function_graph (<) and it (>)" difference out
}
# dd writes nothing before and after.
traced='ksys_write vfs_write rw_verify_area security_file_permission'
same_graph 12 $traced
# More than five, some of which are called through a pointer.
same_graph 15 ksys_write vfs_write rw_verify_area security_file_permission write_null \
	write_iter_null read_zero read_iter_zero
grep -q '^    write_null$' graph || fail 'flow: a call through a pointer' graph
# All functions, of which these are shown in the same order, and below the same ones; not on the
# checked kernel, where each call takes ten times as long.
all_functions() {
	"$PROBEC" flow ksys_write '*' -n dd -m 3 -c "$work" >out 2>said &&
		! grep ': error: ' said || fail "flow '*'" out said
	cut -c 23- out | sed -n 's/\(();\| {\)$//p' >graph
	head -n 15 theirs | sed 's/^ *//' >wanted
	sed 's/^ *//' graph | grep -xE "$(sort -u wanted | paste -sd '|')" |
		diff wanted - >difference ||
		fail "flow '*': function_graph (<) and it (>)" difference out
	grep -q '^    write_null$' graph && grep -q '^  vfs_write$' graph ||
		fail 'flow: levels' graph
	awk '$2 + 0 < last && $3 != "ksys_write" { exit 1 }
		/ ksys_write$/ { last = 0 } NF == 3 && $2 ~ /^[0-9]/ { last = $2 }' out ||
		fail 'flow: times' out
}
[ -e /sys/kernel/debug/kmemleak ] || all_functions
tool flow $traced -k 1 -m 1 -n dd -c "$work"
! grep -q rw_verify_area out && grep -q '  vfs_write();$' out || fail 'flow -k' out
tool flow hrtimer_nanosleep do_nanosleep -n sleep -c 'sleep 0.2'
awk '/ do_nanosleep\(\);$/ { inner = $2 } / } hrtimer_nanosleep$/ { outer = $2 }
	END { exit !(inner >= 190000 && inner <= outer && outer < 2000000) }' out ||
	fail 'flow: a pause of 0.2 s' out
# One function ends by a jump to another one.
cat >jumps.c <<'C'
__attribute__((noinline)) int last(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int middle(int n) { asm volatile("" : "+r"(n)); return last(n + 1); }
__attribute__((noinline)) int first(int n) { return middle(n) + 1; }
int main(void) { return first(1) + first(2) != 7; }
C
gcc -O2 -o jumps jumps.c || fail 'gcc'
tool flow ./jumps:first ./jumps:middle ./jumps:last -c ./jumps
sed 1d out | cut -c 23- >graph
diff - graph >difference <<'END' || fail 'flow: a jump to another function' difference out
first {
  middle {
    last();
  } middle
} first
first {
  middle {
    last();
  } middle
} first
END
# A pause that does not end. It begins when the session counts hits, which it does once all probes
# are armed: the kernel lists the first of them earlier.
(until has_armed flow; do sleep 0.1; done; exec sleep 1000) 2>/dev/null &
sleeper=$!
"$PROBEC" -v flow hrtimer_nanosleep do_nanosleep -m 0 -d 5 -p $sleeper >out 2>flow.said
status=$?
kill $sleeper
wait $sleeper 2>/dev/null
[ $status = 0 ] &&
	awk '/ hrtimer_nanosleep unfinished$/ { outer = $2 }
		/ do_nanosleep unfinished$/ { inner = $2 }
		END { exit !(inner > 0 && inner <= outer && outer < 1000000000) }' out ||
	fail 'flow: unfinished' out flow.said
# Two processes with the same number, one after the other: struct clone_args has it in set_tid.
cat >lives.pl <<'PL'
my $number = pack "l", 30000;
for (1 .. 2) {
	my $args = pack "Q8 P Q2", 0, 0, 0, 0, 17, 0, 0, 0, $number, 1, 0;
	my $child = syscall 435, $args, 88;
	die "clone3: $!" if $child < 0;
	exec "true" if !$child;
	wait;
}
PL
tool flow __x64_sys_exit_group do_group_exit -n true -c 'perl lives.pl'
awk '$1 == 30000' out | sed 's/  *[0-9]*\.[0-9]* / /; s/   */ /g' >got
cat >wanted <<'END'
30000 __x64_sys_exit_group {
30000 do_group_exit ended
30000 __x64_sys_exit_group ended
30000 __x64_sys_exit_group {
30000 do_group_exit unfinished
30000 __x64_sys_exit_group unfinished
END
sort got >got.sorted
sort wanted | diff - got.sorted >difference || fail 'flow: a number used again' difference out

ended_clean 'all'
