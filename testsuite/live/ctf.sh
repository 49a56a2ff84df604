# SPDX-License-Identifier: GPL-2.0
#@ needs: babeltrace2 python3
# A session as a trace that babeltrace2 reads without a word, beside what dd was told to write; the
# traces of two hosts in one order of time; lost output; a full disk; a session that is killed.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d /run/ctf.XXXXXX) && cd "$folder" || exit 1
trap 'cd /; rm -r "$folder"' EXIT
# dd COUNT OPTION...
dd() {
	"$PROBERUN" --format=ctf "${@:2}" \
		-c "dd if=/dev/zero of=/dev/null bs=83 count=$1 status=none" "$MODULE"
}
# read_traces DIRECTORY...: the text of their events, in "events"
read_traces() {
	babeltrace2 --clock-seconds "$@" >events 2>said || fail "$*: status $?" said
	[ ! -s said ] || fail "babeltrace2 of $*" said
}
# Where a function has a kretprobe, the unwinder of 5.10 does not find its caller, and says so.
caller='.*ksys_write+0x' told=
case $(uname -r) in 5.10.*)
	caller='' told="probec: warning: 1 stack is incomplete: the kernel's unwinder did not find"
	told+=' the end [E_SKIPPED]' ;;
esac
before=$(date +%s)
dd 50 -o trace >o 2>e || fail 'status' e
[ "$(cat e)" = "$told" ] && [ ! -s o ] || fail 'more than a trace' o e
read_traces trace
python3 - "$before" "$(date +%s)" <<'PY' 2>wrong || fail 'the trace' wrong events
import collections, re, sys
last, names, spans = 0.0, collections.Counter(), 0
for line in open('events', encoding='utf-8'):
    time, host, name, rest = re.fullmatch(r'\[(\d+\.\d{9})\] \(\S+\) (\S+) (\S+): (.*)\n',
                                          line).groups()
    assert last <= float(time) and int(sys.argv[1]) <= float(time) <= int(sys.argv[2]) + 1, line
    last, names[name] = float(time), names[name] + 1
    cpu = re.match(r'{ cpu_id = (\d+) }, { probe = \( "(.*)" : container = \d+ \) }, (.*)', rest)
    if cpu is None:
        assert re.match(r'{ probe = \( "(begin|end[^"]*)" :', rest), line
        continue
    cpu, probe, fields = cpu.groups()
    if name == 'ctf.kp:17':
        m = re.fullmatch(r'{ text = "one: (\d+) of (\d+) wrote 83: (\d+)\\n", host = "one", '
                         r'tid = \1, pid = \2, return = 83, cpu = \3 }', fields)
        assert m and m[3] == cpu and probe == r'kernel.function(\"vfs_write\").return', line
    elif name in ('trace_begin', 'trace_end'):
        spans += name == 'trace_begin' or -1
        assert re.search(r'execname = "dd", name = "write \\"é\\"" }$', fields), line
    elif name == 'trace_counter':
        assert fields.endswith('name = "bytes", value = 83 }'), line
assert names['ctf.kp:17'] == names['trace_counter'] == names['trace_end'] == 50, names
assert names['trace_begin'] == 51 and spans == 0 and names['ctf.kp:21'] == 2, names
PY
grep -qF 'hist_log_sizes_dd = [ [0] = { low = 64, high = 127, count = 50 } ] }' events &&
	grep -qF 'text = "1.500000\n", arg1 = 1.5 }' events ||
	fail 'the histogram' events
grep -q "Returning from: vfs_write\\\\n$caller" events || fail 'the stack'
[ "$(find trace | sed 's/[0-9]*$//' | sort -u | paste -sd ' ')" = \
	'trace trace/cpu trace/metadata trace/session' ] || fail "the files: $(echo trace/*)"

# Two hosts whose sessions run at the same time: each has its own events, in one order.
for host in one two; do
	unshare --uts bash -c 'hostname $1 && shift && exec "$@"' - $host "$PROBERUN" --format=ctf \
		-o $host -c "for i in \$(seq 30); do echo; sleep 0.02; done >/dev/null" "$MODULE" \
		host=$host >$host.said 2>&1 &
done
wait %1 || fail 'the host one' one.said
wait %2 || fail 'the host two' two.said
read_traces one two
awk '{
		time = substr($1, 2) + 0
		if (time < last) exit 1
		turns += host != $3
		last = time
		host = $3
	}
	$4 == "ctf.kp:17:" { n[$3]++; if (!index($0, "\"" $3 ": ")) exit 1 }
	END { exit n["one"] != 30 || n["two"] != 30 || turns < 4 }' events ||
	fail 'two hosts' events

# Hits that lose their output while proberun is stopped: the reader says how many.
mkfifo go
"$PROBERUN" --format=ctf -s 1 -o lossy -c \
	"sh -c 'read x <go; exec dd if=/dev/zero of=/dev/null bs=83 count=20000 status=none'" \
	"$MODULE" >o 2>lost &
session=$!
exec 3>go
kill -STOP $session
echo >&3
wait_for 'the end of dd' eval 'ps -o stat= --ppid $session | grep -q ^Z'
kill -CONT $session
wait $session || fail 'a session with losses' lost
exec 3>&-
babeltrace2 lossy >events 2>said || fail 'the status with losses' said
number=$(sed -n 's/.*lost the output of \([0-9]*\) hits.*\[E_SKIPPED\].*/\1/p' lost)
[ -n "$number" ] && [ "$(sed -n 's/.*discarded \([0-9]*\) event.*/\1/p' said |
	awk '{ n += $1 } END { print n }')" = "$number" ] || fail "a loss of $number" said lost

# A session that was killed: all that was written is read.
setsid sh -c 'while echo x; do sleep 0.1; done' >/dev/null &
target=$!
"$PROBERUN" --format=ctf -o killed -x $target "$MODULE" >o 2>said &
session=$!
disown $session $target
written() { [ "$(babeltrace2 killed 2>/dev/null | grep -c 'wrote 2')" -ge 3 ]; }
wait_for 'events of the killed session' written
kill -9 $session
kill -9 -- -$target
wait_unloaded 'a killed session'
read_traces killed

mkdir full
mount -t tmpfs -o size=16k tmpfs full
dd 5000 -o full >said 2>&1 && fail 'a full disk: status 0' said
grep -q 'could not be written: No space left on device \[E_IO\]' said || fail 'a full disk' said
umount full

dd 1 -o trace >said 2>&1 && fail 'a trace that is there' said
grep -q "can't write 'trace': Directory not empty \[E_IO\]" said || fail 'a trace is there' said
dd 1 -o trace/metadata >said 2>&1 && fail 'a file' said
grep -q "can't write 'trace/metadata': Not a directory \[E_IO\]" said || fail 'a file' said
dd 1 >said 2>&1 && fail 'without -o' said
grep -q "'ctf': it needs -o DIRECTORY \[E_OPTION\]" said || fail 'without -o' said
exit 0
