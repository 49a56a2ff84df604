# SPDX-License-Identifier: GPL-2.0
# The globals of a session over HTTP and in a file: right numbers in both formats while it runs, and
# clients that misbehave.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
for need in curl ss python3 openssl; do
	command -v "$need" >/dev/null || { echo "no $need"; exit 77; }
done
python3 -c 'import prometheus_client' 2>/dev/null ||
	{ echo 'no python3-prometheus-client'; exit 77; }
dir=/run/metrics.test session='' background='' clients='' readers=''
clean() {
	[ -z "$background" ] || "$PROBERUN" --stop "$background"
	[ -z "$clients" ] || kill "$clients"
	[ -z "$session" ] || kill -INT "$session"
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" && ip link set lo up || exit 1
url=http://127.0.0.1:9435
get() { curl -s --max-time 10 "$@"; }

"$PROBERUN" --metrics 9435 --metrics-file "$dir/metrics.prom" "$MODULE" >o 2>e &
session=$!
wait_for 'the server' get -o first "$url/metrics"
dd if=/dev/zero of=/dev/null bs=512 count=10 2>/dev/null

get -D headers -o m "$url/metrics" || fail 'no answer'
grep -qi '^content-type: text/plain; version=0.0.4' headers || fail 'content type' headers
cat >expected <<'X'
test_kinds{name="x\\x09y\"\\xff",n="5"} -2
test_level -7
test_linear_bucket{le="+Inf"} 10
test_linear_bucket{le="1099"} 10
test_linear_bucket{le="199"} 0
test_linear_bucket{le="299"} 10
test_linear_bucket{le="399"} 10
test_linear_bucket{le="499"} 10
test_linear_bucket{le="599"} 10
test_linear_bucket{le="699"} 10
test_linear_bucket{le="799"} 10
test_linear_bucket{le="899"} 10
test_linear_bucket{le="99"} 0
test_linear_bucket{le="999"} 10
test_linear_count 10
test_linear_max 250
test_linear_min 250
test_linear_sum 2500
test_plain_count 10
test_plain_max -3
test_plain_min -3
test_reads_total{program="dd"} 10
test_sizes_bytes_bucket{program="dd",le="+Inf"} 10
test_sizes_bytes_bucket{program="dd",le="0"} 0
test_sizes_bytes_bucket{program="dd",le="1"} 0
test_sizes_bytes_bucket{program="dd",le="1023"} 10
test_sizes_bytes_bucket{program="dd",le="127"} 0
test_sizes_bytes_bucket{program="dd",le="15"} 0
test_sizes_bytes_bucket{program="dd",le="255"} 0
test_sizes_bytes_bucket{program="dd",le="3"} 0
test_sizes_bytes_bucket{program="dd",le="31"} 0
test_sizes_bytes_bucket{program="dd",le="511"} 0
test_sizes_bytes_bucket{program="dd",le="63"} 0
test_sizes_bytes_bucket{program="dd",le="7"} 0
test_sizes_bytes_count{program="dd"} 10
test_sizes_bytes_max{program="dd"} 512
test_sizes_bytes_min{program="dd"} 512
test_sizes_bytes_sum{program="dd"} 5120
test_state_info{value="a\"b\\c\nd"} 1
X
grep '^test_' m | LC_ALL=C sort | diff - expected >d || fail 'the values' d
grep -qxF '# HELP test_reads_total Reads, "quoted" \\ back.' m || fail 'help' m
grep -qx '# TYPE test_sizes_bytes histogram' m || fail 'type' m
grep -q '^# UNIT\|hidden\|^# EOF' m && fail 'what does not belong there' m
hits=$(awk "/^proberun_hits_total{/ { n += \$NF } END { print n }" m)
[ "$hits" -ge 10 ] ||
	fail 'hits' m
grep -q '^proberun_series_left_out{script="metrics.kp"} 0$' m || fail 'series left out' m

# OpenMetrics, for those who accept it, and other paths and methods.
get -D headers -H 'Accept: application/openmetrics-text;version=1.0.0' "$url/metrics" >m
grep -qi '^content-type: application/openmetrics-text; version=1.0.0' headers ||
	fail 'content type of OpenMetrics' headers
grep '^test_' m | LC_ALL=C sort | diff - expected >d || fail 'the values of OpenMetrics' d
grep -qx '# TYPE test_reads counter' m && grep -qx '# UNIT test_sizes_bytes bytes' m &&
	[ "$(tail -n 1 m)" = '# EOF' ] || fail 'OpenMetrics' m
# The readers of Prometheus' own library for Python understand both formats as they are meant.
get -o plain "$url/metrics"
python3 - <<'PYTHON' >read 2>&1 || fail 'what cannot be read' read m
import prometheus_client.openmetrics.parser as openmetrics, prometheus_client.parser as plain
values = []
for parser, name in (openmetrics, "m"), (plain, "plain"):
    families = list(parser.text_string_to_metric_families(open(name).read()))
    values.append({(s.name, tuple(sorted(s.labels.items()))): s.value for f in families
                   for s in f.samples if s.name.startswith("test_")})
    if parser is openmetrics:
        found = {f.name: (f.type, f.unit, f.documentation) for f in families}
assert values[0] == values[1], "the two formats have other values"
assert found["test_sizes_bytes"] == ("histogram", "bytes", "How much was asked for."), found
assert found["test_reads"] == ("counter", "", 'Reads, "quoted" \\ back.'), found
assert found["test_plain_min"] == ("gauge", "", "Sizes."), found
assert found["test_state"] == ("info", "", "A string."), found
assert values[0]["test_state_info", (("value", 'a"b\\c\nd'),)] == 1, values
assert values[0]["test_kinds", (("n", "5"), ("name", 'x\\x09y"\\xff'))] == -2, values
assert len(values[0]) == 39, len(values[0])
PYTHON

status() { get -o body -w '%{http_code}' "$@"; }
[ "$(status "$url/")" = 200 ] || fail 'the index' body
[ "$(status "$url/metrics/../../etc/passwd" --path-as-is)" = 404 ] || fail 'another path' body
[ "$(status -X POST -d x=y "$url/metrics")" = 405 ] || fail 'another method' body
[ "$(status -I "$url/metrics")" = 200 ] || fail 'HEAD'

# It listens on no other address than that of this machine itself.
[ "$(ss -Htln 'sport = 9435' | awk '{ print $4 }')" = 127.0.0.1:9435 ] || fail 'where it listens'

# Clients that send headers without an end, nothing, bytes at random, and requests whose answers
# they do not read, more of each than the server takes: the session counts on, and then there is an
# answer again.
python3 - 9435 <<'PYTHON' &
import os, socket, sys, time
def client():
    s = socket.socket()
    s.settimeout(0.2)
    s.connect(("127.0.0.1", int(sys.argv[1])))
    return s
def each(sockets, data):
    for s in sockets:
        try:
            s.send(data)
        except OSError:
            pass
for kind in range(4):
    sockets = []
    try:
        for i in range(20):
            sockets.append(client())
    except OSError:
        pass
    each(sockets, [b"", b"GET /metrics HTTP/1.1\r\n", os.urandom(100000),
                   b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 100][kind])
    for i in range(10):
        each(sockets, b"X: " + b"a" * 8000 + b"\r\n" if kind == 1 else b"")
        time.sleep(0.05)
    for s in sockets:
        s.close()
PYTHON
clients=$!
hits=10
while kill -0 "$clients" 2>/dev/null; do
	dd if=/dev/zero of=/dev/null bs=512 count=10 2>/dev/null
	hits=$((hits + 10))
	sleep 0.1
done
clients=
[ "$hits" -ge 30 ] || fail "the clients did not last: $hits"
answers() { get -o m "$url/metrics" && grep -q '^# TYPE test_reads_total counter$' m; }
wait_for 'an answer after such clients' answers
grep -qx "test_reads_total{program=\"dd\"} $hits" m || fail "not $hits hits after such clients" m
awk '/^proberun_(errors_total|skipped_hits_total|lost_)/ && $NF' m >lost
[ ! -s lost ] || fail 'the session lost something by such clients' lost
for i in 1 2 3 4; do get -o "m$i" "$url/metrics" & readers="$readers $!"; done
for r in $readers; do wait "$r" || fail 'several at once'; done
for i in 1 2 3 4; do
	grep -qx "test_reads_total{program=\"dd\"} $hits" "m$i" || fail "several at once" "m$i"
done

# The port is taken, or is none.
"$PROBERUN" --metrics 9435 "$MODULE" 2>e2 && fail 'two on one port'
grep -q "9435': Address already in use \[E_METRIC\]" e2 || fail 'the port is taken: what is said' e2
"$PROBERUN" --metrics x "$MODULE" 2>e2 && fail 'no port'
grep -q "not \[ADDRESS:\]PORT \[E_METRIC\]" e2 || fail 'no port: what is said' e2
"$PROBERUN" --metrics-file /nowhere/x "$MODULE" 2>e2 && fail 'no directory'
grep -q "can't write '/nowhere/x': No such file or directory \[E_METRIC\]" e2 ||
	fail 'no directory: what is said' e2

# In the background, on every address, over TLS, for those who know the token.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \
	-addext subjectAltName=IP:127.0.0.1 -keyout key -out pem 2>said || fail 'a certificate' said
cat key >>pem
(umask 077; echo secret-token >token)
for file in pem token; do
	chmod 644 $file
	"$PROBERUN" --metrics 9437 --metrics-token token --metrics-tls pem "$MODULE" 2>e2 &&
		fail "$file that everybody reads"
	grep -q "'$file': every user of this machine may read or change it \[E_METRIC\]" e2 ||
		fail "$file that everybody reads: what is said" e2
	chmod 600 $file
done
background=$("$PROBERUN" -F --metrics 0.0.0.0:9436 --metrics-token token --metrics-tls pem \
	"$MODULE" 2>said) || fail '-F' said
[ "$(ss -Htln 'sport = 9436' | awk '{ print $4 }')" = 0.0.0.0:9436 ] || fail 'all addresses'
tls=https://127.0.0.1:9436/metrics
get --cacert pem -H 'Authorization: Bearer secret-token' "$tls" |
	grep -q '^proberun_info{script="metrics.kp"' ||
	fail 'no answer of the session in the background'
for token in 'Bearer secret-tokes' 'Bearer secret-token1' 'Bearer ' 'Basic secret-token'; do
	[ "$(status --cacert pem -H "Authorization: $token" "$tls")" = 401 ] ||
		fail "a wrong token: $token"
done
[ "$(status --cacert pem "$tls")" = 401 ] || fail 'no token'
! get "http://127.0.0.1:9436/metrics" | grep -q proberun_ || fail 'an answer without TLS'
"$PROBERUN" --stop "$background" >said 2>&1 || fail '--stop' said
background=

# The file has the last values: those before the end probe.
dd if=/dev/zero of=/dev/null bs=512 count=5 2>/dev/null
hits=$((hits + 5))
kill -INT "$session"
wait "$session" || fail 'the status' e
session=
grep -qx "test_reads_total{program=\"dd\"} $hits" metrics.prom || fail 'the file' metrics.prom
[ "$(stat -c %a metrics.prom)" = 644 ] && [ "$(echo metrics.prom*)" = metrics.prom ] ||
	fail 'the mode of the file, or another file'
[ "$(head -c 5 o)" = value ] && grep -qx "hidden=$hits" o && ! grep -q test_ o ||
	fail 'the output' o
[ ! -s e ] || fail 'messages' e
! get -o /dev/null "$url/metrics" || fail 'the port is still open'
exit 0
