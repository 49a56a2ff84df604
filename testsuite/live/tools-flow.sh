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
# The graph of the kernel's own tracer, of the same functions.
traced='ksys_write vfs_write rw_verify_area security_file_permission'
tool flow $traced -n dd -m 3 -c "$work"
cut -c 23- out | sed -n 's/\(();\| {\)$//p' >graph
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs tracefs $tracing
echo "$traced" >$tracing/set_ftrace_filter
echo ksys_write >$tracing/set_graph_function
echo function_graph >$tracing/current_tracer
bash -c "echo \$\$ >$tracing/set_ftrace_pid; exec $work" 2>said
sed -n '/^#/d; s/^[^|]*|  //p' $tracing/trace | sed '/}/d; s/(.*//' >theirs
echo nop >$tracing/current_tracer
for file in set_ftrace_pid set_graph_function set_ftrace_filter; do echo >$tracing/$file; done
# dd writes nothing before and after.
head -n 12 theirs | diff - graph >difference && [ "$(wc -l <graph)" = 12 ] ||
	fail 'flow: function_graph (<) and it (>)' difference out
tool flow $traced -k 1 -m 1 -n dd -c "$work"
! grep -q rw_verify_area out && grep -q '  vfs_write();$' out || fail 'flow -k' out
tool flow hrtimer_nanosleep do_nanosleep -n sleep -c 'sleep 0.2'
awk '/ do_nanosleep\(\);$/ { inner = $2 } / } hrtimer_nanosleep$/ { outer = $2 }
	END { exit !(inner >= 190000 && inner <= outer && outer < 2000000) }' out ||
	fail 'flow: a pause of 0.2 s' out
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
