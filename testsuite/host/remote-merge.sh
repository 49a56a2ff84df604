# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# probec --remote --merge: the globals of all hosts as one, added up exactly. The hosts print what a
# session prints as JSON; see testsuite/remote.sh. vm/remote compares with sums of real sessions.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/remote.sh"
cat >place/static-proberun <<'X'
#!/bin/bash
[[ $* =~ ^--remote-end=[0-9]+:[^\ ]*"${HOST#*-}"$ ]] || echo "other arguments: $*" >&2
cat "$PLACE/$HOST.json"
exit 0
X
# Numbers at the ends of 64 bits, an array with different keys, aggregates of which one is empty and
# one is negative, strings, a key that is not UTF-8, stacks at different addresses, text in pieces.
python3 - <<'X'
import json
def host(name, *objects):
    with open(name + '.json', 'w') as f:
        for o in objects + ({'type': 'summary', 'status': 0},):
            print(json.dumps(o, separators=(',', ':')), file=f)
def g(name, value, *keys, **more):
    return {'type': 'global', 'time': 1, 'name': name, 'keys': list(keys), **more, 'value': value}
def stats(count, low, high, total, *buckets):
    rows = [{'low': l, 'high': h, 'count': n} for l, h, n in buckets]
    return {'count': count, 'min': low, 'avg': 0, 'max': high, 'sum': total,
            'histogram': {'buckets': rows, 'min': low, 'max': high}}
def stack(address):
    return [{'address': address, 'symbol': 'vfs_read', 'offset': 0, 'module': 'kernel'}]
host('m1',
     {'type': 'print', 'text': 'a line of ', 'args': []},
     {'type': 'print', 'text': 'm1\nrest', 'args': []},
     {'type': 'warning', 'text': 'its own'},
     {'type': 'error', 'file': 's.kp', 'line': 1, 'col': 2, 'id': 'E_DIV_ZERO', 'probe': 'begin',
      'text': 'division by zero', 'hint': 'test it'},
     g('n', 2**63 - 1), g('reads', 5, 'cat', 1), g('reads', -7, 'sh', 1),
     g('s', stats(3, -3, 4, 1, (-3, -2, 1), (0, 0, 1), (4, 7, 1))),
     g('e', {'count': 0}), g('w', 'one'), g('b', 1, '\ufffd', hex=['ff']),
     g('b', 2, '\ufffd', hex=['fe']), g('k', 1, stack('0x1111')))
host('m2',
     g('n', 2**63 - 1), g('reads', 6, 'dd', 1), g('reads', 5, 'cat', 1),
     g('s', stats(2, -2**63, 2**63 - 1, -1, (-2**63, -2**63, 1), (2**62, 2**63 - 1, 2**64 - 2))),
     g('e', {'count': 1, 'min': 7, 'avg': 7, 'max': 7, 'sum': 7}), g('w', 'two'),
     g('b', 10, '\ufffd', hex=['ff']), g('k', 2, stack('0x2222')))
X
# Lost before its summary: it does not count, not even in part.
sed '$d' m1.json >cut.json
run_on m1,m2,cut --merge
[ "$status" = 0 ] || fail "status $status" said
LC_ALL=C grep -v '^ *-*[0-9]* |\|^ *value |\|^ *~$\|^$\|^cut: ' out >lines
sort lines >sorted
diff - sorted <<'X' >d || fail 'text' d out said
 vfs_read+0x0 [kernel]]=3
b["�"]=11
b["�"]=2
e @count=1 @min=7 @avg=7 @max=7 @sum=7
k[
m1:  a line of m1
m1:  rest
m1:  w="one"
m2:  w="two"
n=18446744073709551614
reads["cat",1]=10
reads["dd",1]=6
reads["sh",1]=-7
s @count=5 @min=-9223372036854775808 @avg=0 @max=9223372036854775807 @sum=0
X
[ "$(grep '^reads' out | cut -d= -f2 | xargs)" = '10 6 -7' ] || fail 'the order' out
diff - <(grep ^m1: said) <<'X' >d || fail 'messages' d
m1:  WARNING: its own
m1:  s.kp:1:2: error: division by zero [E_DIV_ZERO]
m1:        = in probe begin
m1:        = test it
X
run_on m1,m2 --merge --format json
python3 - <<'X' || fail 'json' out
import json
objects = [json.loads(line) for line in open('out')]
assert all('host' in o for o in objects if o['type'] != 'global')
g = {(o['name'], json.dumps(o['keys']), json.dumps(o.get('hex'))): o for o in objects
     if o['type'] == 'global' and 'host' not in o}
assert all(o['hosts'] == 2 for o in g.values())
def value(name, keys=[], hex=None): return g[name, json.dumps(keys), json.dumps(hex)]['value']
assert value('n') == 2 * (2**63 - 1)
assert value('reads', ['cat', 1]) == 10 and value('reads', ['sh', 1]) == -7
assert value('b', ['\ufffd'], ['ff']) == 11 and value('b', ['\ufffd'], ['fe']) == 2
s = value('s')
assert (s['count'], s['min'], s['max'], s['sum']) == (5, -2**63, 2**63 - 1, 0)
assert [(b['low'], b['high'], b['count']) for b in s['histogram']['buckets']] == [
    (-2**63, -2**63, 1), (-3, -2, 1), (0, 0, 1), (4, 7, 1), (2**62, 2**63 - 1, 2**64 - 2)]
assert sorted((o['host'], o['value']) for o in objects if o.get('name') == 'w') == [
    ('m1', 'one'), ('m2', 'two')]
X
printf '%s\n' '{"type":"global","name":"a","keys":["\u001b[31m"],"value":1}' '{"type":"summary"}' \
	>esc.json
run_on esc --merge --escape always
expect 'escapes' 0 'a["\x1b[31m"]=1
'
# Histograms look as the session itself shows them: a merged one of one host is the same.
python3 - <<'X'
import json, random
random.seed(1)
for i in range(30):
    low = random.choice([-63, -9, 0, 0, 0, 20])
    ks = sorted({random.randint(low, random.randint(low, 63)) for _ in range(random.randint(1, 6))})
    bs = [{"low": (1 << k - 1 if k > 0 else -(2**-k - 1) if k < 0 else 0),
           "high": (2**k - 1 if k > 0 else -(1 << -k - 1) if k < 0 else 0),
           "count": random.choice([1, 49, 50, 51, 1000, 10**6, 2**64 - 1])} for k in ks]
    v = {"count": 1, "min": 1, "avg": 1, "max": 1, "sum": 1, "histogram": {"buckets": bs}}
    print(json.dumps({"type": "global", "name": f"h{i:02}", "keys": [], "value": v},
                     separators=(',', ':')), file=open(f'h.json', 'a'))
    for b in bs: print(i, b['low'], b['count'], file=open('rows', 'a'))
print('{"type":"summary"}', file=open('h.json', 'a'))
X
run_on h --merge
gcc -I"$TOP/runtime/abi" -o format -x c - "$TOP/runtime/format.c" 2>log <<'X' || fail 'format' log
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "format.h"
#include "records.h"
static struct { struct prt_hist_data d; uint64_t counts[128]; } h = { { .is_log = 1, .n = 128 } };
static void flush(int i)
{
	char text[20000];
	long n;
	if (i < 0) return;
	printf("h%02d @count=1 @min=1 @avg=1 @max=1 @sum=1\n", i);
	n = prt_format(text, sizeof(text), "%H", 2, "H", &h, sizeof(h));
	fwrite(text, 1, n, stdout);
	memset(h.counts, 0, sizeof(h.counts));
}
int main(void)
{
	int i, last = -1; int64_t low; uint64_t n;
	while (scanf("%d %" SCNd64 " %" SCNu64, &i, &low, &n) == 3) {
		int k = 64;
		if (i != last) flush(last);
		last = i;
		/* The bucket whose lowest size is nearest to zero names it. */
		if (low > 0) while (1ULL << (k - 64) <= (uint64_t)low) k++;
		if (low < 0) { uint64_t s = 0 - (uint64_t)low; while (s) { s >>= 1; k--; } }
		h.counts[k] = n;
	}
	flush(last);
	return 0;
}
X
./format <rows | diff - out >d || fail 'histograms' d
[ "$(wc -l <out)" -gt 200 ] || fail 'few histograms' out

# The values of a list, in random parts on three hosts, have the histogram of the list, and its
# percentiles within 3 per cent.
python3 - <<'X'
import json, random
random.seed(2)
def buckets(values):
    found = {}
    for v in values:
        e = v.bit_length() - 1
        k = next(k for k in range(17) if v**16 <= 2**(16 * e + k))
        found.setdefault((e, k), []).append(v)
    def edge(e, k): # the greatest integer whose 16th power is at most 2^(16e + k)
        low, high = 2**e, 2**(e + 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**16 <= 2**(16 * e + k) else (low, middle - 1)
        return low
    return [{'low': edge(e, k - 1) + 1 if k else 2**e,
             'high': 2**e if k == 0 else edge(e, k) if k < 16 else 2**(e + 1) - 1,
             'count': len(vs)} for (e, k), vs in sorted(found.items())]
values = [1 + int(random.expovariate(1) * 50000) for _ in range(5000)] + [2**n for n in range(20)]
parts = [[], [], []]
for v in values: random.choice(parts).append(v)
for i, part in enumerate(parts):
    value = {'count': len(part), 'min': min(part), 'avg': 0, 'max': max(part), 'sum': sum(part),
             'histogram': {'buckets': buckets(part), 'min': min(part), 'max': max(part)}}
    with open(f'part{i}.json', 'w') as f:
        print(json.dumps({'type': 'global', 'name': 't', 'keys': [], 'value': value}), file=f)
        print('{"type":"summary"}', file=f)
values.sort()
exact = [[p, values[-(-len(values) * p // 1000) - 1]] for p in (10, 500, 990, 999)]
json.dump([buckets(values), exact], open('wanted.json', 'w'))
X
run_on part0,part1,part2 --merge --percentiles 1,50,99,99.9 --format json
python3 - <<'X' || fail 'percentiles as json' out
import json
wanted, exact = json.load(open('wanted.json'))
h = next(o for o in map(json.loads, open('out')) if o['type'] == 'global')['value']['histogram']
assert h['buckets'] == wanted
assert [round(10 * p['percent']) for p in h['percentiles']] == [p for p, _ in exact]
for p, (_, v) in zip(h['percentiles'], exact):
    assert p['low'] <= v <= p['high'] and abs(p['value'] - v) <= 0.03 * v, (p, v)
X
run_on part0,part1,part2 --merge --percentiles 1,50,99,99.9
grep -qE '^p1=[0-9]+ p50=[0-9]+ p99=[0-9]+ p99.9=[0-9]+$' out || fail 'percentiles' out

refuses() { # WORDS ARGUMENT...
	"$remote" -w script.kp "${@:2}" >said 2>&1 && fail "accepted: ${*:2}" said
	grep -q "$1.*\[E_OPTION\]" said || fail "${*:2}" said
}
refuses 'needs --remote' --merge
refuses 'is text or json' --merge --remote a --format csv
refuses 'needs --format=json' --merge --remote a -t
refuses 'are mutually exclusive' --merge --remote a --no-global-var-display
exit 0
