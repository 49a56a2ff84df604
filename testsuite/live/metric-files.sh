# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Files of metrics. Python's reader of JSON is the judge of data.json and metadata.json.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
"$PROBERUN" "$MODULE" >/tmp/metrics.out &
pid=$!
wait_for 'the first line' grep -qs '^/proc/' /tmp/metrics.out
files=$(head -n 1 /tmp/metrics.out)
wait_for 'the files' [ -e "$files/data.json" ]
sort "$files/__prometheus" >/tmp/metrics.text
diff - /tmp/metrics.text <<'END' || fail 'prometheus'
halves{n="7"} 35.5
halves{n="8"} 40.5
ones{n="7"} 70
ones{n="8"} 80
twos{name="x",word="a\"b\\c\n"} 5
END
cat "$files/data.json" >/dev/null
python3 - "$files" <<'END' || fail 'json' "$files/data.json" "$files/metadata.json"
import json, sys
data = json.load(open(sys.argv[1] + "/data.json"))
assert data == {"count": 42, "word": 'a"b\\c\n', "sizes": [
    {"__id": str(i), "bytes": i * 100, "name": "n"} for i in (1, 2, 3)]}, data
meta = json.load(open(sys.argv[1] + "/metadata.json"))
assert meta["prefix"] == "test" and len(meta["metrics"]) == 3, meta
count, word, sizes = meta["metrics"]
assert count == {"name": "count", "pointer": "/count", "type": "integer",
                 "description": "how many", "units": "count"}, count
assert word["description"] == 'a "text"' and word["type"] == "string", word
assert sizes["type"] == "array" and sizes["index"] == "/__id", sizes
assert [m["pointer"] for m in sizes["metrics"]] == ["/bytes", "/name"], sizes
END
kill -INT "$pid"
wait "$pid" || fail "status $?"
rm -f /tmp/metrics.*
