# SPDX-License-Identifier: GPL-2.0
# Records and spans for a collector that is busy, refuses, or is not there: each arrives once, or is
# counted in a warning. live/otlp-events has those of a session.
#@ needs: python3
. "$TOP/testsuite/collector.sh"
make -s -C "$TOP" build/loader.a >out 2>&1 || fail 'build/loader.a' out
cat >main.c <<'X'
#include <poll.h>
#include <string.h>
#include <time.h>

#include "metrics/events.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/clock.h"
#include "show/show.h"

static char bytes[256];
static size_t len;

static void put_long(int64_t v)
{
	memcpy(bytes + len, &v, 8);
	len += 8;
}

static void put_text(const char *s)
{
	uint32_t n = (uint32_t)strlen(s);

	memcpy(bytes + len, &n, 4);
	memcpy(bytes + len + 4, s, n + 1);
	len += (4 + n + 7) / 8 * 8;
}

/* A hundred spans, each with a record, and turns until the end of standard input. */
int main(int argc, char **argv)
{
#define NAMES "pid()\ntid()\nexecname()\nname"
	static const struct meta meta = { .script = "folder/s.kp", .compiler = "0.1" };
	static const struct meta_print prints[] = {
		{ .types = "llss", .names = NAMES, .format = "trace_begin %d/%d %s: %s\n",
		  .format_len = 25 },
		{ .types = "ll", .names = "pid()\ntid()", .format = "%d %d\n", .format_len = 6 },
		{ .types = "llss", .names = NAMES, .format = "trace_end %d/%d %s: %s\n",
		  .format_len = 23 },
	};
	struct pollfd in = { .events = POLLIN };
	struct buf text = { 0 };
	struct timespec now;
	struct events *e;

	clock_gettime(CLOCK_REALTIME, &now);
	if (events_start(argc > 1 ? argv[1] : NULL, &meta, &e) || !e)
		return 1;
	buf_puts(&text, "7 8\n");
	for (int i = 0; i < 300; i++) {
		const struct meta_print *p = &prints[i % 3];
		struct show_hit hit = { .probe = "p", .cpu = 1, .time =
					(uint64_t)now.tv_sec * 1000000000 + (uint64_t)i };

		len = 0;
		put_long(7);
		put_long(8);
		if (p->types[2]) {
			put_text("cat");
			put_text("span");
		}
		if (!events_add(e, &hit, p, (struct args){ p->types, bytes, bytes + len }, &text))
			return 2;
	}
	while (poll(&in, 1, 20) == 0)
		events_turn(e, clock_ns());
	events_stop(e);
	buf_deinit(&text);
	return 0;
}
X
gcc -I"$TOP" -I"$TOP/loader" -I"$TOP/runtime/abi" main.c "$TOP"/build/loader.a -llzma -liberty -lz \
	-lpthread -o send >out 2>&1 || fail 'it does not build' out
collector='' port=$((20000 + $$ % 20000))
trap '[ -z "$collector" ] || kill "$collector"' EXIT
# start_collector STATUS...
start_collector() {
	rm -rf got && mkdir got
	"$TOP"/testsuite/otlp-collector "$port" got "$@" 2>log 3>&- &
	collector=$!
	wait_for 'the collector' answers
}
# begin: its standard input is descriptor 3.
begin() {
	rm -f in && mkfifo in
	./send "http://127.0.0.1:$port/" <in 2>said &
	sender=$!
	exec 3>in
}
end() {
	exec 3>&-
	wait $sender || fail 'the status' said
}
# count NUMBER WHAT: in the requests from that number on
count() {
	python3 - "$1" "$2" <<'PY'
import glob, json, sys
n = 0
for f in glob.glob("got/*.json"):
    if int(f[4:-5]) >= int(sys.argv[1]):
        [(kind, [r])] = json.load(open(f)).items()
        n += len(r["scope" + kind[8:]][0].get(sys.argv[2], []))
print(n)
PY
}

begin 2>/dev/null
exec 3>&-
wait $sender || { grep -q 'install libcurl' said && echo 'no libcurl' && exit 77; }
url=http://127.0.0.1:$port
grep -q "100 records were not sent to '$url/v1/logs': .*onnect.* \[E_METRIC\]" said &&
	grep -q "100 spans were not sent to '$url/v1/traces': " said ||
	fail 'nobody there' said

# The first three requests are to be sent again.
start_collector 503 429 502
begin
wait_for 'five requests' test -e got/5.json
end
[ "$(count 4 logRecords)" = 100 ] && [ "$(count 4 spans)" = 100 ] || fail 'busy at first' said
! grep -q 'were not sent' said || fail 'busy at first: nothing was lost' said
stop_collector

start_collector 400 400
begin
wait_for 'two requests' test -e got/2.json
end
grep -q '100 records were not sent' said && grep -q '100 spans were not sent' said &&
	grep -q 'refused them: HTTP status 400' said || fail 'refused' said
stop_collector
exit 0
