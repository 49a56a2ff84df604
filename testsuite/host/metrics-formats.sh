# SPDX-License-Identifier: GPL-2.0
# The formats with protocol buffers are what other readers make of them: the same numbers as the
# text, and histograms whose buckets are those that Python computes from the values. A header Accept
# chooses among the formats of HTTP, the environment among those of OTLP.
#@ needs: python3
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
gcc -I"$TOP" -I"$TOP/loader" -I"$TOP/runtime/abi" "$TOP"/testsuite/fleet/fleet.c \
	"$TOP"/build/loader.a -llzma -liberty -lz -lpthread -o fleet >out 2>&1 ||
	fail 'it does not build' out
unset OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_METRICS_PROTOCOL
unset OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION
for format in text protobuf environment; do
	./fleet write $format 3000 >$format 2>said || fail "$format" said
done
export OTEL_EXPORTER_OTLP_PROTOCOL=http/json
./fleet write environment 3000 >json 2>said || fail 'JSON' said
export OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION=explicit_bucket_histogram
./fleet write environment 3000 >explicit 2>said || fail 'explicit bounds' said
export PYTHONPATH="$TOP/testsuite" PYTHONDONTWRITEBYTECODE=1
python3 - <<'PYTHON' >said 2>&1 || fail 'the numbers' said
import collections, json, re
import protobuf

def index(v):
    """The bucket of v > 0: the least i with v <= 2^(i / 16), which is v^16 <= 2^i."""
    return (v ** 16 - 1).bit_length()

def expected(values):
    return dict(collections.Counter(
        0 if v == 0 else ("positive", index(v)) if v > 0 else ("negative", index(-v))
        for v in values))

values = [int(line) for line in open("values")]
assert len(values) == 3000 and 0 in values and 1 in values and 4096 in values
truth = {"fleet_time_us": expected(values),
         "fleet_signed": expected([-1, -2, -3, -8, -9, 0, 0, 1, 5, 7, 8])}
assert truth["fleet_signed"]["positive", 48] == 1 and truth["fleet_signed"]["positive", 0] == 1

# Prometheus: all samples of the text are there, and two sums and a count that text may not have.
text = {}
for line in open("text", encoding="utf-8"):
    m = re.match(r'(\w+)(?:\{(.*)\})? (\S+)$', line)
    if m and not line.startswith("#"):
        labels = {k: re.sub(r'\\(.)', lambda e: "\n" if e[1] == "n" else e[1], v)
                  for k, v in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', m[2] or "")}
        text[m[1], tuple(sorted(labels.items()))] = float(m[3])
found = {}
def put(name, labels, value, **more):
    found[name, tuple(sorted(dict(labels, **more).items()))] = value
families = protobuf.families(open("protobuf", "rb").read())
for name, family in families.items():
    for metric in family["metric"]:
        labels = {l["name"]: l["value"] for l in metric["label"]}
        kind = ["counter", "gauge", "summary", "", "histogram"][family["type"]]
        value = metric[kind]
        if "value" in value:
            put(name, labels, value["value"])
            continue
        put(name + "_count", labels, value["count"])
        put(name + "_sum", labels, value["sum"])
        for bucket in value.get("bucket", []):
            put(name + "_bucket", labels, bucket["sum"], le="%d" % bucket["bound"])
        if "bucket" in value:
            put(name + "_bucket", labels, value["count"], le="+Inf")
more = {("fleet_signed_count", ()): 11, ("fleet_signed_sum", ()): -2, ("fleet_plain_sum", ()): -10}
assert found == {**text, **more}, sorted(set(found.items()) ^ set({**text, **more}.items()))
assert families["fleet_time_us"]["help"] == 'How long it took, "quoted" \\ back.'

natives = {name: f["metric"][0]["histogram"] for name, f in families.items() if f["type"] == 4}
for name, counts in truth.items():
    assert natives[name]["schema"] == 4, natives[name]
    assert protobuf.native_counts(natives[name]) == counts, (name, natives[name])
# Only the doublings of these are known, [2, 3] with one value and [4, 7] with six: they are spread
# over the buckets of these integers.
wide = protobuf.native_counts(natives["fleet_wide"])
assert wide == {("positive", i): n for i, n in {index(2): 1, index(4): 2, index(5): 2, index(6): 1,
                                                index(7): 1}.items()}, wide

# OTLP: the same buckets, in both encodings.
def metrics(request):
    resource, = request["resourceMetrics"]
    names = {a["key"] for a in resource["resource"]["attributes"]}
    assert "service.instance.id" in names, names
    return {m["name"]: m for m in resource["scopeMetrics"][0]["metrics"]}
def otlp_counts(point):
    assert point["scale"] == 4, point
    ret = {0: int(point["zeroCount"])} if int(point["zeroCount"]) else {}
    for sign in "positive", "negative":
        buckets = point.get(sign, {"bucketCounts": []})
        for i, n in enumerate(buckets["bucketCounts"]):
            if int(n):
                ret[sign, buckets["offset"] + i + 1] = int(n)
    return ret
def read(name):
    return metrics(protobuf.decode(protobuf.REQUEST, open(name, "rb").read(), True))
binary, explicit, as_json = read("environment"), read("explicit"), metrics(json.load(open("json")))
for all in binary, as_json:
    for name, counts in truth.items():
        point, = all[name]["exponentialHistogram"]["dataPoints"]
        assert otlp_counts(point) == counts, (name, point)
        assert int(point["count"]) == sum(counts.values()), (name, point)
        assert ("sum" in point) == (name == "fleet_time_us"), point
    assert all["fleet_level"]["gauge"]["dataPoints"][0]["asInt"] == "-7"
    assert all["fleet_time_us"]["exponentialHistogram"]["dataPoints"][0]["attributes"] == [
        {"key": "name", "value": {"stringValue": 'a"\ufffd\u00e9\t'}},
        {"key": "number", "value": {"intValue": "-9"}}]
point, = explicit["fleet_time_us"]["histogram"]["dataPoints"]
total, key = 0, (("name", "a\"\\xff\u00e9\\x09"), ("number", "-9"))
for bound, count in zip(point["explicitBounds"], point["bucketCounts"]):
    total += int(count)
    assert text["fleet_time_us_bucket", (("le", "%d" % bound),) + key] == total, (bound, count)
PYTHON

# The environment asks for what is not there.
for variable in OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=grpc \
	OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION=x; do
	env "$variable" ./fleet write environment 1 >out 2>said && fail "$variable"
	grep -q "$variable: probec cannot send in this way \[E_METRIC\]" said ||
		fail "what is said about $variable" said
done
