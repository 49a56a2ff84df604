# SPDX-License-Identifier: GPL-2.0
#@ needs: target objcopy python3
# The dashboard: each metric that it queries, with the labels that the query names, is one that the
# panel's tool exports, as its module says, or one of the sessions' own. Where there is a
# Prometheus, it takes each query.
dashboard=$TOP/packaging/grafana/probec.json
tools=$(python3 -c 'import json, sys
for p in json.load(open(sys.argv[1]))["panels"]:
    print(p["title"].split(":")[0]) if ":" in p["title"] else None' "$dashboard")
[ "$(wc -l <<<"$tools")" = 15 ] || fail "not fifteen tools: $tools"
for tool in $tools; do
	"$PROBEC" -w -p4 -r "$TARGET" --metrics=9435 "$TOP/tools/$tool.kp" >module 2>said ||
		fail "$tool does not compile" said
	description_of "$(cat module)" >text || fail "$tool: no .probec"
	sed -n 's/^metric\t[0-9]*\t//p' text
done >exported
cat "$TOP"/loader/metrics/*.c >own.c
python3 - "$dashboard" <<'PY' 2>wrong || fail 'the dashboard' wrong
import json, re, sys
SUFFIXES = {'gauge': [''], 'counter': ['_total'], 'info': ['_info'],
            'summary': ['_count', '_sum'], 'histogram': ['_bucket', '_count', '_sum']}
known = {}
for line in open('exported'):
    name, kind, unit, labels = line.rstrip('\n').split('\t')[:4]
    assert not unit
    labels = set(labels.replace('\\n', ' ').split())
    labels |= {'value'} if kind == 'info' else set()
    for suffix in SUFFIXES[kind]:
        known[name + suffix] = labels | ({'le'} if suffix == '_bucket' else set())
own = open('own.c').read()
dashboard = json.load(open(sys.argv[1]))
assert dashboard['schemaVersion'] and dashboard['uid'] and dashboard['title']
panels = dashboard['panels']
assert len({p['id'] for p in panels}) == len(panels)
places, queries = set(), 0
for p in panels:
    g = p['gridPos']
    cells = {(x, y) for x in range(g['x'], g['x'] + g['w']) for y in range(g['y'], g['y'] + g['h'])}
    assert not cells & places and g['x'] + g['w'] <= 24, p['title']
    places |= cells
    for target in p.get('targets', []):
        queries += 1
        query = target['expr']
        assert query.count('(') == query.count(')') and '{instance=~"$instance"}' in query, query
        assert not re.search(r'\bkey\d', query + target['legendFormat']), query
        metrics = re.findall(r'\b(probe[a-z_]*)\{', query)
        assert metrics, query
        labels = {'instance', 'script', 'reason'}
        for m in metrics:
            if m.startswith('proberun_'):
                assert '"%s' % m in own or '"%s' % re.sub('_total$', '', m) in own or m in own, m
            else:
                assert m.startswith('probec_%s_' % p['title'].split(':')[0]), (p['title'], m)
                assert m in known, m
                labels |= known[m]
        named = re.findall(r'\b(?:by|on|group_left) \(([^)]*)\)', query)
        named += re.findall(r'\{\{(\w+)\}\}', target['legendFormat'])
        for label in re.split(r'[ ,]+', ' '.join(named).strip()):
            assert not label or label in labels, (query, label)
        assert '_bucket{' not in query or ' by (le' in query, query
assert queries > 14, queries
PY

command -v prometheus >/dev/null || exit 0
echo 'scrape_configs: []' >empty.yml
base=$((20000 + $$ % 20000))
prometheus --config.file=empty.yml --storage.tsdb.path=data \
	--web.listen-address="127.0.0.1:$base" >log 2>&1 &
server=$!
trap 'kill $server; wait' EXIT
python3 - "$dashboard" "http://127.0.0.1:$base/" <<'PY' >said 2>&1 || fail 'a query' said log
import json, sys, time, urllib.error, urllib.parse, urllib.request
def get(path):
    return json.load(urllib.request.urlopen(sys.argv[2] + path, timeout=20))
for _ in range(300):
    try:
        get("api/v1/query?query=1")
        break
    except (urllib.error.URLError, OSError):
        time.sleep(0.1)
for p in json.load(open(sys.argv[1]))["panels"]:
    for target in p.get("targets", []):
        query = target["expr"].replace("$instance", ".*").replace("$__rate_interval", "5m")
        try:
            answer = get("api/v1/query?" + urllib.parse.urlencode({"query": query}))
        except urllib.error.HTTPError as e:
            sys.exit("%s: %s" % (query, e.read().decode()))
        assert answer["status"] == "success" and answer["data"]["result"] == [], (query, answer)
PY
exit 0
