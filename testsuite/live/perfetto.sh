# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# A session as a trace: its spans, counters and prints beside what dd was told to write, by the
# rules of the trace event format; a full disk; a session that is killed.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
dd() { # COUNT OPTION...
	"$PROBERUN" --format perfetto "${@:2}" \
		-c "dd if=/dev/zero of=/dev/null bs=83 count=$1 status=none" "$MODULE"
}
before=$(date +%s)
dd 50 -o trace.json >o 2>e || fail 'status' e
[ ! -s e ] && [ ! -s o ] || fail 'more than a file' o e
python3 - trace.json "$before" "$(date +%s)" <<'PY' 2>wrong || fail 'the trace' wrong trace.json
import calendar, collections, json, sys, time
text = open(sys.argv[1], encoding='utf-8').read()
events = json.loads(text)
assert text.startswith('[\n{"'), 'how the format is recognised'
assert len(text.splitlines()) == len(events) + 2, 'not an event a line'
spans, last, kinds, names = collections.defaultdict(list), 0, collections.Counter(), {}
for e in events:
    track = e['pid'], e['tid']
    assert all(type(n) is int and 0 <= n < 1 << 31 for n in track), e
    assert isinstance(e['name'], str) and e['name'] and isinstance(e['args'], dict), e
    kinds[e['ph'], e['name']] += 1
    if e['ph'] == 'M':
        names[e['name'], track] = list(e['args'].values())[0]
        continue
    assert type(e['ts']) in (int, float) and e['ts'] >= last, e
    last = e['ts']
    if e['ph'] == 'B':
        spans[track].append(e['name'])
    elif e['ph'] == 'E':
        assert spans[track].pop() == e['name'], e
    elif e['ph'] == 'i':
        assert e['s'] == 't', e
    else:
        assert e['ph'] == 'C' and all(type(v) is int for v in e['args'].values()), e
assert not any(spans.values()), spans
write = 'write "\u00e9"'
for kind in ('B', 'E'):
    assert kinds[kind, write] == kinds[kind, 'no end'] == 50, kinds
    assert kinds[kind, 'session'] == 1, kinds
of_dd = {(e['pid'], e['tid']) for e in events if e['ph'] in 'BE' and e['name'] == write}
[dd] = of_dd
assert dd[0] == dd[1] and names['thread_name', dd] == names['process_name', dd] == 'dd', names
wrote = [e for e in events if e['name'] == '%d of %d wrote 83' % (dd[0], dd[0])]
assert len(wrote) == 50 and {(e['pid'], e['tid']) for e in wrote} == of_dd, wrote
assert all(e['args']['values'] == {'tid()': dd[1], 'pid()': dd[0], '$return': 83} for e in wrote)
own = [e for e in events if e['name'] == 'ret\\urn']
assert len(own) == 50 and len({e['tid'] for e in own}) == 1 and own[0]['pid'] > 1 << 22 - 1, own
assert names['thread_name', (own[0]['pid'], own[0]['tid'])] == \
    'kernel.function("vfs_write").return', names
assert all(isinstance(e['args']['cpu'], int) for e in own)
counters = collections.defaultdict(list)
for e in events:
    if e['ph'] == 'C':
        counters[e['name']].append(e['args'])
assert counters == {'bytes': [{'value': 83}] * 50, 'calls': [{'value': 50}],
                    'sizes[dd]': [{'count': 50, 'min': 83, 'avg': 83, 'max': 83, 'sum': 4150}]}, \
    counters
assert kinds['i', 'end of before'] == kinds['i', 'word="last"'] == 1, kinds
unfinished = [e['name'] for e in events if e['args'].get('unfinished')]
assert sorted(unfinished) == ['no end'] * 50 + ['session'], unfinished
[script] = [n for (what, _), n in names.items() if what == 'process_name' and n != 'dd'
            and n.startswith('probec ')]
assert script == 'probec perfetto.kp', script
[label] = [n for (what, _), n in names.items() if what == 'process_labels']
start = calendar.timegm(time.strptime(label[:29], 'time 0 is %Y-%m-%dT%H:%M:%S'))
assert int(sys.argv[2]) <= start <= int(sys.argv[3]), label
PY

# A killed session's trace lacks only the end.
setsid sh -c 'while echo x; do sleep 0.2; done' >/dev/null &
target=$!
"$PROBERUN" --format perfetto -o killed.json -x $target "$MODULE" >o 2>&1 &
session=$!
# The shell says nothing about the end of a process that is not its job.
disown $session $target
wait_for 'a count in the trace' grep -qs '"C"' killed.json
kill -9 $session
kill -9 -- -$target
wait_unloaded 'a killed session'
(cat killed.json; echo ']') | python3 -c 'import json, sys
assert any(e["ph"] == "C" for e in json.load(sys.stdin))' 2>wrong ||
	fail 'a killed session' wrong killed.json

mkdir -p full
mount -t tmpfs -o size=4k tmpfs full
dd 5000 -o full/o >said 2>&1 && fail 'a full disk: status 0' said
grep -q 'could not be written: No space left on device \[E_IO\]' said || fail 'a full disk' said
umount full

"$PROBERUN" --format perfetto -o o -S 1 "$MODULE" >said 2>&1 && fail '-S'
grep -q "'perfetto': a trace is one file, without -S \[E_OPTION\]" said || fail 'what -S says' said
"$PROBERUN" --format perfetto -F "$MODULE" >said 2>&1 && fail '-F without -o'
grep -q 'with -F it needs -o FILE: a trace is read .*\[E_OPTION\]' said || fail 'what -F says' said
exit 0
