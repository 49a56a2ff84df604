# SPDX-License-Identifier: GPL-2.0
#@ needs: prometheus promtool curl python3
#@ slow
# Debian's Prometheus scrapes a session: its answers are what was counted, its lint has no
# complaint, with native histograms its quantiles are exact to a bucket, and clients that send no
# request to its end are disconnected in time.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
dir=/run/prometheus.test session='' prometheus='' clients=''
clean() {
	kill $clients $prometheus
	[ -z "$session" ] || kill -INT "$session"
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" && ip link set lo up || exit 1
url=http://127.0.0.1:9437/metrics
get() { curl -s --max-time 40 "$@"; }

"$PROBERUN" --metrics 9437 "$MODULE" >o 2>e &
session=$!
wait_for 'the server' get -o first "$url"
cat >prometheus.yml <<'X'
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: probec
    static_configs:
      - targets: ['127.0.0.1:9437']
X
# start_prometheus [OPTION]
start_prometheus() {
	prometheus --config.file=prometheus.yml --storage.tsdb.path="$dir/data" "$@" \
		--web.listen-address=127.0.0.1:9438 >log 2>&1 &
	prometheus=$!
}
start_prometheus

# ask PROMQL: prints the values of the answer.
ask() {
	get -G --data-urlencode "query=$1" http://127.0.0.1:9438/api/v1/query |
		python3 -c 'import json, sys
for r in json.load(sys.stdin)["data"]["result"]: print(r["value"][1])' 2>/dev/null
}
answers() { [ "$(ask "$1")" = "$2" ]; }
dd if=/dev/zero of=/dev/null bs=512 count=100 2>/dev/null
wait_for 'the reads' answers 'test_reads_total{program="dd"}' 100
answers 'up{job="probec"}' 1 || fail 'up' log
answers 'test_level' -7 || fail 'the level'
answers 'test_sizes_bytes_sum / test_sizes_bytes_count' 512 || fail 'the mean size'
answers 'test_sizes_bytes_bucket{le="511"}' 0 || fail 'the bucket below'
answers 'test_sizes_bytes_bucket{le="1023"}' 100 || fail 'the bucket'
# In the middle of [511, 1023].
answers 'histogram_quantile(0.5, test_sizes_bytes_bucket)' 767 || fail 'the median'
answers 'sum(proberun_hits_total{point=~".*zero.*"}) >= bool 100' 1 || fail 'the hits'
answers 'sum(proberun_skipped_hits_total)' 0 || fail 'the skipped hits'
dd if=/dev/zero of=/dev/null bs=512 count=23 2>/dev/null
wait_for 'more reads' answers 'test_reads_total{program="dd"}' 123
get -o m "$url" || fail 'no answer'
promtool check metrics <m >said 2>&1 || fail 'the lint' said
[ ! -s said ] || fail 'the lint says' said
kill "$prometheus" && wait "$prometheus"
prometheus=

# All values are 512, the last one of the bucket above 490.3.
start_prometheus --enable-feature=native-histograms
wait_for 'a native histogram' answers 'histogram_count(test_sizes_bytes)' 123 ||
	fail 'no native histogram' log
for q in 0.01 0.5 0.99; do
	answers "histogram_quantile($q, test_sizes_bytes) > bool 490.2" 1 &&
		answers "histogram_quantile($q, test_sizes_bytes) <= bool 512" 1 ||
		fail "the quantile $q: $(ask "histogram_quantile($q, test_sizes_bytes)")"
done
answers 'histogram_sum(test_sizes_bytes) / 512' 123 || fail 'the sum'
answers 'test_level' -7 || fail 'the level in protocol buffers'
answers 'test_reads_total{program="dd"}' 123 || fail 'the reads in protocol buffers'
answers 'sum(proberun_skipped_hits_total)' 0 || fail 'the skipped hits in protocol buffers'
kill "$prometheus" && wait "$prometheus"
prometheus=

# More clients than there are places send a part of a request and then nothing.
python3 - <<'PYTHON' &
import socket, time
all = []
for i in range(16):
    all.append(socket.create_connection(("127.0.0.1", 9437)))
    all[-1].send(b"GET /metrics HTTP/1.1\r\nHost:")
open("connected", "w").close()
time.sleep(300)
PYTHON
clients=$!
wait_for 'sixteen clients' test -e connected
for _ in $(seq 10); do ! get -o m "$url" || break; sleep 2; done
grep -q '^test_reads_total{program="dd"} 123$' m && kill -0 "$clients" ||
	fail 'no answer beside clients that send nothing' m
kill -INT "$session"
wait "$session" || fail 'the status' e
session=
[ ! -s e ] || fail 'messages' e
exit 0
