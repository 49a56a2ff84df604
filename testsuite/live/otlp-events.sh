# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Prints and spans of a session at a collector of OTLP, in both encodings: what it gets is
# well-formed, and says what dd was told to write; the output is what it is without a collector.
# host/otlp-events has collectors that are away or busy.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/collector.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
dir=$(mktemp -d /run/otlp-events.XXXXXX) collector=''
clean() {
	[ -z "$collector" ] || kill "$collector"
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
cd "$dir" && ip link set lo up || exit 1
port=14319
start_collector() {
	rm -rf got && mkdir got
	"$TOP/testsuite/otlp-collector" $port got 2>log &
	collector=$!
	wait_for 'the collector' answers
}
dd() {
	"$PROBERUN" --otlp-events "http://127.0.0.1:$port" "$@" \
		-c "dd if=/dev/zero of=/dev/null bs=83 count=50 status=none" "$MODULE" >o 2>e
}
judge() {
	python3 - got/*.json <<'PY' 2>wrong || fail "$1" wrong o
import collections, json, sys
records, spans = [], []
for f in sorted(sys.argv[1:], key=lambda f: int(f[4:-5])):
    [(kind, [r])] = json.load(open(f)).items()
    names = {a['key']: a['value'] for a in r['resource']['attributes']}
    assert names['probec.script']['stringValue'] == 'otlp-events.kp', names
    [s] = r['scope' + kind[8:]]
    (records if kind == 'resourceLogs' else spans).extend(s.get('logRecords') or s.get('spans'))
def values(e):
    return {a['key']: list(a['value'].values())[0] for a in e['attributes']}
by_name = collections.defaultdict(list)
for s in spans:
    by_name[s['name']].append(s)
outer, inner, [last] = by_name['outer \u00e9"'], by_name['inner'], by_name['not ended']
assert len(outer) == len(inner) == 50 and len(by_name) == 3, {n: len(v) for n, v in by_name.items()}
assert len({s['spanId'] for s in spans}) == 101
by_id = {s['spanId']: s for s in spans}
program = '0af7651916cd43dd8448eb211c80319c'
for s in inner:
    around = by_id[s['parentSpanId']]
    assert around in outer and around['traceId'] == s['traceId'], (s, around)
    assert around['startTimeUnixNano'] <= s['startTimeUnixNano'], (s, around)
    assert around['endTimeUnixNano'] >= s['endTimeUnixNano'], (s, around)
    v = values(s)
    assert v['thread.name'] == 'dd' and v['process.pid'] == v['thread.id'], s
of_program = [s for s in outer if s['traceId'] == program]
assert len(of_program) == 3 and {s['parentSpanId'] for s in of_program} == {'b7ad6b7169203331'}
assert len({s['traceId'] for s in outer}) == 48 and 'parentSpanId' not in last
assert values(last)['probec.unfinished'] == '1'
assert not any('probec.unfinished' in values(s) for s in inner + outer)
texts = collections.Counter(r['body']['stringValue'] for r in records)
assert texts['dd wrote 83'] == 50 and texts['begun 1.500000'] == 1, texts
writes = [r for r in records if r['body']['stringValue'].endswith(' writes 83')]
assert len(writes) == 50 and all(by_id[r['spanId']]['name'] == 'inner' and
                                 by_id[r['spanId']]['traceId'] == r['traceId'] for r in writes)
assert all(values(r)['$count'] == '83' and values(r)['probe'] == 'kernel.function("vfs_write")' and
           int(values(r)['cpu']) >= 0 for r in writes), writes
[begun] = [r for r in records if r['body']['stringValue'].startswith('begun')]
assert 1.5 in values(begun).values() and 'cpu' not in values(begun), begun
shown = [line.rstrip('\n') for line in open('o') if not line.startswith('trace_')]
assert [r['body']['stringValue'] for r in records] == shown, (len(records), len(shown))
PY
}

for encoding in http/protobuf http/json; do
	start_collector
	OTEL_EXPORTER_OTLP_PROTOCOL=$encoding dd || fail "$encoding: the status" e
	[ ! -s e ] || fail "$encoding: messages" e
	judge "$encoding"
	stop_collector
done

exit 0
