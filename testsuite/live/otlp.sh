# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# The globals of a session at a collector of OTLP: what it gets is well-formed, and says the same as
# --metrics and --metrics-file of that session, while it runs and at its end.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
dir=/run/otlp.test session='' collector=''
clean() {
	[ -z "$session" ] || kill -INT "$session"
	[ -z "$collector" ] || kill "$collector"
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir -p "$dir/got" && cd "$dir" && ip link set lo up || exit 1
"$TOP/testsuite/otlp-collector" 14318 got 2>log &
collector=$!
answers() { python3 -c 'import socket; socket.create_connection(("127.0.0.1", 14318))' 2>said; }
wait_for 'the collector' answers

# compare FILE READS: whether the last request has the same values as FILE, in the text format, and
# so many reads.
compare() {
	[ -s "$1" ] || return 1
	python3 - "$@" <<'PYTHON' >said 2>&1
import glob, json, re, sys
last = max(glob.glob("got/*.json"), key=lambda f: int(f[4:-5]))
resource, = json.load(open(last))["resourceMetrics"]
attributes = {a["key"]: a["value"] for a in resource["resource"]["attributes"]}
script = attributes["probec.script"]["stringValue"]
assert script == "otlp.kp" and attributes["service.name"]["stringValue"] == "probec", attributes
assert {"host.name", "process.pid", "service.version"} < set(attributes), attributes

def text(value):
    return value["stringValue"] if "stringValue" in value else value["intValue"]

found, exponential = {}, []
def put(name, labels, value):
    if name.startswith("proberun_"):
        labels = dict(labels, script=script)
    found[name, tuple(sorted(labels.items()))] = float(value)
for metric in resource["scopeMetrics"][0]["metrics"]:
    name = metric["name"]
    for kind in set(metric) & {"gauge", "sum", "histogram", "exponentialHistogram"}:
        for p in metric[kind]["dataPoints"]:
            labels = {a["key"]: text(a["value"]) for a in p["attributes"]}
            if kind in ("gauge", "sum"):
                end = "_total" if metric[kind].get("isMonotonic") else ""
                put(name + end, labels, p.get("asInt", p.get("asDouble")))
                continue
            total = 0
            bounds = ["%d" % b for b in p.get("explicitBounds", [])]
            for count, bound in zip(p["bucketCounts"] if bounds else [], bounds + ["+Inf"]):
                total += int(count)
                put(name + "_bucket", dict(labels, le=bound), total)
            put(name + "_count", labels, p["count"])
            if "sum" in p:
                put(name + "_sum", labels, p["sum"])
            put(name + "_min", labels, p["min"])
            put(name + "_max", labels, p["max"])
            if kind == "exponentialHistogram":
                # All values are 512, which is the last one of bucket 16 * 9 - 1.
                assert p["positive"] == {"offset": 16 * 9 - 1, "bucketCounts": [sys.argv[2]]}, p
                exponential.append(name)

expected = {}
for line in open(sys.argv[1]):
    m = re.match(r'(\w+)(?:\{(.*)\})? (\S+)$', line)
    if not m or line.startswith("#") or m[1] == "proberun_info":
        continue
    labels = {k: re.sub(r'\\(.)', r'\1', v)
              for k, v in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', m[2] or "")}
    if m[1] not in [name + "_bucket" for name in exponential]:
        expected[m[1], tuple(sorted(labels.items()))] = float(m[3])

# Bytes that are not UTF-8 and control characters: JSON has its own way.
kinds = [k for k in expected if k[0] == "test_kinds"]
for k in kinds:
    expected["test_kinds", (("n", "5"), ("name", 'x\ty"\ufffd'))] = expected.pop(k)
# Hits and times of the probes may have grown between the snapshots of a session that runs.
def still(values):
    return {k: v for k, v in values.items() if not re.match("proberun_(hits|handler)", k[0])}
differ = {k for k in set(still(found)) | set(still(expected)) if found.get(k) != expected.get(k)}
assert not differ, sorted((k, found.get(k), expected.get(k)) for k in differ)
assert set(found) == set(expected), set(found) ^ set(expected)
assert found["test_reads_total", (("program", "dd"),)] == float(sys.argv[2]), found
assert sum(v for k, v in found.items() if k[0] == "proberun_hits_total") >= float(sys.argv[2])
assert exponential == ["test_sizes_bytes"], exponential
PYTHON
}

"$PROBERUN" --metrics-file "$dir/metrics.prom" --otlp http://127.0.0.1:14318 --otlp-interval 1 \
	"$MODULE" >o 2>e &
session=$!
wait_for 'the first request' test -e got/1.json
dd if=/dev/zero of=/dev/null bs=512 count=10 2>/dev/null
same() { compare metrics.prom 10; }
wait_for 'the values of ten reads' same || fail 'the values' said
dd if=/dev/zero of=/dev/null bs=512 count=7 2>/dev/null
kill -INT "$session"
wait "$session" || fail 'the status' e
session=
compare metrics.prom 17 || fail 'the last values' said
[ ! -s e ] || fail 'messages' e
[ ! -e got/wrong ] || fail 'requests' got/wrong

# Without a collector, the session works, and says so once.
kill "$collector"
wait "$collector" 2>/dev/null
collector=
"$PROBERUN" --otlp http://127.0.0.1:14318/v1/metrics --otlp-interval 1 -T 3 "$MODULE" >o 2>e ||
	fail 'the status without a collector' e
[ "$(grep -c "can't send metrics to 'http://127.0.0.1:14318/v1/metrics'" e)" = 1 ] &&
	grep -q 'the last metrics were not sent to' e || fail 'what is said without a collector' e
"$PROBERUN" --otlp localhost:4318 "$MODULE" 2>e && fail 'no URL'
grep -q "not a collector's URL, such as http://localhost:4318 \[E_OPTION\]" e || fail 'no URL' e
exit 0
