# SPDX-License-Identifier: GPL-2.0
# Sends metrics to a collector that is away at first, does not answer, and refuses: what is retried,
# what is said, and that the last values arrive. A proberun without libcurl says so.
#@ needs: python3
. "$TOP/testsuite/collector.sh"
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
cat >main.c <<'X'
#include <poll.h>
#include <unistd.h>

#include "metrics/private.h"

/* Gives a request for each byte of standard input, with that digit as its value. "json" after the
 * URL: in JSON. */
int main(int argc, char **argv)
{
	const int format = argc > 2 ? METRICS_OTLP_JSON : METRICS_OTLP;
	static const struct meta m = { .script = "folder/s.kp", .compiler = "0.1" };
	static const struct sender_kind kind = { "/v1/metrics", "metrics", false };
	const struct metric_family family = { "n", "counter", "", "Numbers." };
	struct sender *s = argc > 1 ? sender_start(argv[1], format, &kind) : NULL;
	struct pollfd in = { .events = POLLIN };
	char digit[2] = "";

	while (s && (poll(&in, 1, 20) == 0 || read(0, digit, 1) == 1)) {
		struct buf t = { 0 }, none = { 0 };
		struct metrics_page page = { .text = &t, .format = format,
					     .times = { 1, 2 } };

		sender_report(s);
		if (!in.revents)
			continue;
		otlp_open(&page, &m);
		family_open(&page, &family);
		family_value(&page, &family, &none, digit);
		family_close(&page);
		otlp_close(&page);
		sender_give(s, &t, 0);
	}
	sender_stop(s);
	return !s;
}
X
# link FILE... -o PROGRAM
link() {
	gcc -I. -I"$TOP" -I"$TOP/loader" -I"$TOP/runtime/abi" main.c "$@" "$TOP"/build/loader.a \
		-llzma -liberty -lz -lpthread >out 2>&1 || fail 'it does not build' out
}
link -o sender
./sender http://127.0.0.1:1 </dev/null 2>said ||
	{ grep -q 'install libcurl' said && echo 'no libcurl' && exit 77; }
[ ! -s said ] || fail 'a message without a request' said

collector='' port=$((20000 + $$ % 20000))
trap '[ -z "$collector" ] || kill "$collector"' EXIT
# start_collector STATUS...
start_collector() {
	rm -rf got && mkdir got
	"$TOP"/testsuite/otlp-collector "$port" got "$@" 2>collector.log 3>&- &
	collector=$!
}
# values: those of all requests, in their order.
values() {
	python3 - got/*.json <<'X'
import json, sys
for f in sorted(sys.argv[1:], key=lambda f: int(f.split("/")[1].split(".")[0])):
    r, = json.load(open(f))["resourceMetrics"]
    m, = r["scopeMetrics"][0]["metrics"]
    print(m["sum"]["dataPoints"][0]["asInt"], end=" ")
X
}

# start_sender URL [json]: its standard input is descriptor 3.
start_sender() {
	rm -f in && mkfifo in
	./sender "$@" <in 2>said &
	sender=$!
	exec 3>in
}
end_sender() {
	exec 3>&-
	wait "$sender" || fail 'the status' said
}
give() { printf '%s' "$1" >&3; }

# Nothing listens at first. A newer request takes the place of one that waits; the last one arrives.
start_sender "http://127.0.0.1:$port/"
give 1
wait_for 'the message' grep -q . said
give 2
give 3
start_collector
wait_for 'the collector' answers
end_sender
values | grep -qx '\(1 \)*3 ' || fail "the values: $(values)" said
said="^probec: warning: can't send metrics to 'http://127.0.0.1:$port/v1/metrics': .*onnect"
grep -q "$said" said &&
	[ "$(grep -c warning said)" = 1 ] || fail 'what is said about a collector that is away' said
stop_collector

# Busy: again. Refused, or taken in part: not again, and said.
start_collector 503 429 200 400 part
wait_for 'the collector' answers
export OTEL_EXPORTER_OTLP_HEADERS='Authorization=Basic eDp5,x-tenant=a'
start_sender "http://127.0.0.1:$port"
unset OTEL_EXPORTER_OTLP_HEADERS
give 1
wait_for 'two more attempts' test -e got/3.json
give 2
wait_for 'what is refused' grep -q 'HTTP status 400' said
give 3
wait_for 'what is taken in part' grep -q 'HTTP status 200' said
give 4
wait_for 'the last one' test -e got/6.json
end_sender
[ "$(values)" = '1 1 1 2 3 4 ' ] || fail "busy and refused: $(values)" said
grep -q 'refused them: HTTP status [0-9]*: not! now \[E_METRIC\]' said &&
	grep -q 'accepted only a part: HTTP status 200: old \[E_METRIC\]' said ||
	fail 'what is said about refusals' said
! grep -q 'were not sent' said || fail 'nothing was lost' said
grep -q '^Authorization: Basic eDp5$' got/1.json.headers &&
	grep -q '^x-tenant: a$' got/1.json.headers || fail 'the headers' got/1.json.headers
stop_collector

# The same in JSON.
start_collector 400 part
wait_for 'the collector' answers
start_sender "http://127.0.0.1:$port" json
give 1
wait_for 'what is refused' grep -q 'HTTP status 400: {"message":"not\\u0021 now"}' said
give 2
wait_for 'what is taken in part' grep -q 'HTTP status 200: .*"rejectedDataPoints":"3"' said
end_sender
[ "$(values)" = '1 2 ' ] || fail "refused in JSON: $(values)" said
stop_collector

# The end waits for a collector that does not answer, but not for long.
start_collector silence silence silence
wait_for 'the collector' answers
start_sender "http://127.0.0.1:$port/v1/metrics"
give 1
wait_for 'the request' test -e got/1.json
end_sender
grep -q "warning: the last metrics were not sent to .*v1/metrics': " said ||
	fail 'what is said about lost values' said
stop_collector

# Without the library.
sed 's/PROBEC_HAVE_CURL 1/PROBEC_HAVE_CURL 0/' "$TOP/config.h" >config.h
link "$TOP"/loader/metrics/sender.c -o without
./without http://127.0.0.1:1 </dev/null 2>said && fail 'a client without a library' said
grep -q 'built without libcurl \[E_METRIC\]' said || fail 'what it says without a library' said
