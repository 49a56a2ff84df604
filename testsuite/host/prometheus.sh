# SPDX-License-Identifier: GPL-2.0
#@ needs: prometheus curl python3
#@ slow
# A Prometheus with native histograms scrapes fifty sessions: each quantile of all of them is
# within 5 % of that of the sorted values. It gets the same by OTLP, if it was built with the
# receiver, and so does VictoriaMetrics, if it is installed. PROMETHEUS=PROGRAM chooses another
# Prometheus.
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
gcc -I"$TOP" -I"$TOP/loader" -I"$TOP/runtime/abi" "$TOP"/testsuite/fleet/fleet.c \
	"$TOP"/build/loader.a -llzma -liberty -lz -lpthread -o fleet >out 2>&1 ||
	fail 'it does not build' out
fleet='' server=''
end() {
	[ -z "$fleet" ] || kill "$fleet"
	[ -z "$server" ] || kill "$server"
	wait
	fleet='' server=''
}
trap 'end >/dev/null 2>&1' EXIT
prometheus=${PROMETHEUS:-prometheus}
base=$((20000 + $$ % 20000 / 64 * 64)) url=http://127.0.0.1:$((base))
ports=$(seq $((base + 1)) $((base + 50)))

# ask PROMQL PATH: the value of the answer
ask() {
	curl -s --max-time 20 -G --data-urlencode "query=$1" "$url/api/v1/query" |
		python3 -c 'import json, sys
for r in json.load(sys.stdin)["data"]["result"]: print(r["value"][1])' 2>/dev/null
}
answers() { [ "$(ask "$1")" = "$2" ]; }
# compare PROMQL: in it, Q is the quantile
compare() {
	[ "$(wc -l <values)" = 100000 ] || fail 'the values'
	sort -n values >sorted
	for q in 0.1 0.25 0.5 0.9 0.99 0.999; do
		found=$(ask "$(echo "$1" | sed "s/Q/$q/")")
		awk -v q=$q -v found="$found" 'NR >= q * 100000 {
			printf "%s: wanted %d, found %s\n", q, $1, found
			exit !found || found < $1 * 0.95 || found > $1 * 1.05
		}' sorted >said || fail "$1" said
	done
}

./fleet serve 2000 $ports 2>said &
fleet=$!
cat >prometheus.yml <<Y
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: fleet
    static_configs: [ { targets: [ $(printf "'127.0.0.1:%s'," $ports) ] } ]
Y
# start_prometheus CONFIG DATA [OPTION]...
start_prometheus() {
	"$prometheus" --config.file="$1" --storage.tsdb.path="$2" \
		--enable-feature=native-histograms --web.listen-address="127.0.0.1:$base" \
		"${@:3}" >log 2>&1 &
	server=$!
}
# The powers 1 and 8 are the last values of their buckets, and -1 is the first one of its bucket: 4
# of eleven values are below -1, 5 are negative, 2 are 0, 8 are not above 1.
powers() {
	for row in '-1 4' '-0.5 5' '0.5 7' '1 8' '7.1 10' '8 11'; do
		answers "round(11 * histogram_fraction(-Inf, ${row% *}, sum(fleet_signed)))" \
			"${row#* }" || fail "$1: values up to ${row% *}"
	done
}
start_prometheus prometheus.yml data
wait_for 'fifty sessions' answers 'count(fleet_time_us)' 50 || fail 'the scrapes' log
answers 'sum(up)' 50 || fail 'up' log
compare 'histogram_quantile(Q, sum(fleet_time_us))'
answers 'histogram_count(sum(fleet_time_us))' 100000 || fail 'the count'
answers 'sum(fleet_hits_total)' 51225 || fail 'a counter'
answers 'avg(fleet_level)' -7 || fail 'a gauge'
powers scraped
end >/dev/null 2>&1

# Prometheus appends the unit to the name.
if "$prometheus" --help 2>&1 | grep -q web.enable-otlp-receiver; then
	echo 'scrape_configs: []' >empty.yml
	start_prometheus empty.yml pushed --web.enable-otlp-receiver
	wait_for 'Prometheus' curl -sf -o out "$url/-/ready"
	./fleet send "$url/api/v1/otlp/v1/metrics" otlp 2000 50 >said 2>&1 && [ ! -s said ] ||
		fail 'what it takes' said
	! grep -e level=WARN -e level=ERROR log || fail 'what Prometheus says' log
	answers 'count(fleet_time_us_microseconds)' 50 || fail 'fifty sessions by OTLP'
	compare 'histogram_quantile(Q, sum(fleet_time_us_microseconds))'
	answers 'histogram_count(sum(fleet_time_us_microseconds))' 100000 || fail 'the count'
	answers 'sum(fleet_hits_total)' 51225 || fail 'a counter by OTLP'
	answers 'avg(fleet_level)' -7 || fail 'a gauge by OTLP'
	answers 'sum(fleet_plain_count)' 150 || fail 'a summary by OTLP'
	powers 'by OTLP'
	end >/dev/null 2>&1
fi

command -v victoria-metrics >/dev/null || exit 0
victoria-metrics -storageDataPath=more -httpListenAddr="127.0.0.1:$base" \
	-search.latencyOffset=1ms >log 2>&1 &
server=$!
wait_for 'VictoriaMetrics' curl -s -o out "$url/health"
./fleet send "$url/opentelemetry/v1/metrics" otlp 2000 50 >said 2>&1 && [ ! -s said ] ||
	fail 'what it takes' said
curl -s "$url/internal/force_flush"
wait_for 'fifty sessions' answers 'count(fleet_time_us_count)' 50
compare 'histogram_quantile(Q, sum(fleet_time_us_bucket) by (vmrange))'
answers 'sum(fleet_plain_count)' 150 || fail 'a summary'
