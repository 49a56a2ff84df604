/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions without a module, for tests of metrics: each has values at random, counted as the kernel
 * half counts them, and gives them as proberun does.
 *
 *	fleet write FORMAT VALUES            one session's metrics on standard output
 *	fleet serve VALUES PORT...           a session for each port of the loopback interface
 *	fleet send URL FORMAT VALUES N       N sessions, each once, to a collector
 *
 * FORMAT is text, openmetrics, protobuf, otlp, otlp-json, or environment: what the environment
 * wants of OTLP. The values of all sessions are written to the file "values", one a line; each has
 * VALUES of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "metrics/private.h"

/* ---- one session ---- */

static const struct meta_metric metrics[] = {
	{ .name = "fleet_time_us", .type = "histogram", .unit = "us", .labels = "name\nnumber",
	  .help = "How long it took, \"quoted\" \\ back." },
	{ .name = "fleet_signed", .type = "histogram", .unit = "", .labels = "", .help = "x" },
	{ .name = "fleet_wide", .type = "histogram", .unit = "", .labels = "", .help = "x" },
	{ .name = "fleet_hits", .type = "counter", .unit = "", .labels = "", .help = "Hits." },
	{ .name = "fleet_level", .type = "gauge", .unit = "", .labels = "", .help = "A level." },
	{ .name = "fleet_plain", .type = "summary", .unit = "", .labels = "", .help = "x" },
	{ .name = "fleet_state", .type = "info", .unit = "", .labels = "", .help = "A state." },
};
enum { TIME, SIGNED, WIDE, HITS, LEVEL, PLAIN, STATE, METRICS };
static const char *const types[METRICS] = { "slllllH", "llllH", "llllH", "l", "l", "llll",
					    "s" };

static struct otlp_settings otlp;

struct session {
	struct meta meta;
	struct meta_print prints[METRICS];
	struct metric_samples samples[METRICS];
	struct snapshot snapshot;
	struct figures figures;
};

struct record {
	char bytes[1 << 16];
	size_t len;
};

static void put(struct record *r, const void *data, size_t n)
{
	memcpy(r->bytes + r->len, data, n);
	r->len += n;
}

static void put_long(struct record *r, int64_t v)
{
	put(r, &v, sizeof(v));
}

static void put_text(struct record *r, const char *s)
{
	static const char zero[8];
	uint32_t len = (uint32_t)strlen(s);

	put(r, &len, sizeof(len));
	put(r, s, len);
	put(r, zero, -r->len % 8);
}

/* The number, the sum, the least and greatest of @v, and their histogram as @kind. @coarse: there
 * is no memory for cells. */
static void put_values(struct record *r, const int64_t *v, size_t n, int kind, bool coarse)
{
	static uint64_t counts[PRT_EXP_BUCKETS];
	uint32_t each = kind == PRT_HIST_EXP ? PRT_EXP_SLOTS : 1;
	struct prt_hist_data h = { .is_log = (uint8_t)kind, .min = v[0], .max = v[0] };
	int64_t sum = 0;

	memset(counts, 0, sizeof(counts));
	for (size_t i = 0; i < n; i++) {
		uint32_t k = prt_hist_log_bucket(v[i]);
		uint64_t size = v[i] < 0 ? 0 - (uint64_t)v[i] : (uint64_t)v[i];
		uint32_t cell = size ? prt_exp_cell(size << __builtin_clzll(size)) : 0;

		counts[each == 1 || coarse || !size ? k * each : k * each +
		       (v[i] < 0 ? PRT_EXP_CELLS - cell : cell + 1)]++;
		sum += v[i];
		h.min = v[i] < h.min ? v[i] : h.min;
		h.max = v[i] > h.max ? v[i] : h.max;
	}
	put_long(r, (int64_t)n);
	put_long(r, sum);
	put_long(r, h.min);
	put_long(r, h.max);
	h.first = prt_hist_log_bucket(h.min) * each;
	h.n = (prt_hist_log_bucket(h.max) + 1) * each - h.first;
	put(r, &h, sizeof(h));
	put(r, counts + h.first, h.n * sizeof(*counts));
}

static void add(struct session *s, int metric, struct record *r)
{
	if (sample_add(&s->snapshot, &s->samples[metric], r->bytes, r->len))
		abort();
	r->len = 0;
}

/* A number below @n. */
static uint64_t below(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

/* Times whose logarithm has two humps, with powers of two and zeros among them. */
static int64_t some_time(uint64_t *seed)
{
	unsigned power = (unsigned)(below(seed, 6) + below(seed, 6) + 2 * below(seed, 2));

	switch (below(seed, 16)) {
	case 0:
		return 0;
	case 1:
		return (int64_t)1 << power;
	default:
		return ((int64_t)1 << power) + (int64_t)below(seed, 1ull << power);
	}
}

static void add_histograms(struct session *s, unsigned number, size_t n, FILE *values)
{
	static const int64_t some[] = { -1, -2, -3, -8, -9, 0, 0, 1, 5, 7, 8 },
		wide[] = { 3, 4, 5, 6, 7, 5, 6 };
	struct record r = { .len = 0 };
	int64_t *v = malloc(n * sizeof(*v));
	uint64_t seed = 1 + number;

	for (size_t i = 0; i < n; i++) {
		v[i] = some_time(&seed);
		if (values)
			fprintf(values, "%lld\n", (long long)v[i]);
	}
	put_text(&r, "a\"\xff\xc3\xa9\t");
	put_long(&r, -9);
	put_values(&r, v, n, PRT_HIST_EXP, false);
	add(s, TIME, &r);
	put_values(&r, some, sizeof(some) / sizeof(*some), PRT_HIST_EXP, false);
	add(s, SIGNED, &r);
	put_values(&r, wide, sizeof(wide) / sizeof(*wide), PRT_HIST_EXP, true);
	add(s, WIDE, &r);
	free(v);
}

static void add_others(struct session *s, unsigned number)
{
	struct record r = { .len = 0 };

	put_long(&r, 1000 + number);
	add(s, HITS, &r);
	put_long(&r, -7);
	add(s, LEVEL, &r);
	for (int i = 0; i < 4; i++)
		put_long(&r, (int64_t[]){ 3, -10, -8, 2 }[i]);
	add(s, PLAIN, &r);
	put_text(&r, "on\n");
	add(s, STATE, &r);
}

static struct session *session_new(unsigned number, size_t n, int format, FILE *values)
{
	struct session *s = calloc(1, sizeof(*s));

	s->meta.script = "folder/fleet.kp";
	s->meta.release = "6.1";
	s->meta.compiler = "0.1";
	s->figures.m = &s->meta;
	s->snapshot.metrics = s->samples;
	s->snapshot.n = METRICS;
	s->snapshot.formats = 1u << format;
	s->snapshot.explicit_bounds = otlp.explicit_bounds;
	s->snapshot.times = (struct otlp_times){ (uint64_t)time(NULL) * 1000000000 - 5000000000u,
						 (uint64_t)time(NULL) * 1000000000 };
	for (int i = 0; i < METRICS; i++) {
		s->prints[i].types = types[i];
		s->samples[i].m = &metrics[i];
		s->samples[i].print = &s->prints[i];
	}
	add_histograms(s, number, n, values);
	add_others(s, number);
	return s;
}

static void session_write(struct buf *t, const struct session *s, int format)
{
	t->len = 0;
	snapshot_write(t, format, &s->snapshot, &s->figures);
}

/* ---- what they do ---- */

static int format_of(const char *name)
{
	static const char *const names[] = { "text", "openmetrics", "protobuf", "otlp",
					     "otlp-json" };

	for (int i = 0; i < 5; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return otlp.format;
}

struct served {
	struct buf texts[METRICS_FORMATS];
};

static uint64_t want(void *of, enum metrics_format format)
{
	(void)of, (void)format;
	return 1;
}

static int take(void *of, uint64_t number, enum metrics_format format, char **ret, size_t *len)
{
	const struct buf *t = &((struct served *)of)->texts[format];

	(void)number;
	*len = t->len;
	*ret = malloc(t->len + 1);
	memcpy(*ret, t->s, t->len);
	return 0;
}

static int serve(unsigned number, size_t n, int port, FILE *values)
{
	struct served *of = calloc(1, sizeof(*of));
	const struct server_source source = { .of = of, .want = want, .take = take };
	char address[32];
	int fd;

	for (int format = 0; format < METRICS_FORMATS; format++)
		session_write(&of->texts[format], session_new(number, n, format, format ? NULL :
							       values), format);
	snprintf(address, sizeof(address), "%d", port);
	fd = metrics_listen(address);
	return fd < 0 || !server_start(fd, &source);
}

/* Each session is a process, as others are. */
static int send_all(const char *url, int format, size_t n, unsigned sessions, FILE *values)
{
	static const struct sender_kind kind = { "/v1/metrics", "metrics", false };
	int status, bad = 0;

	for (unsigned i = 0; i < sessions; i++) {
		struct session *s = session_new(i, n, format, values);

		fflush(values);
		if (fork() == 0) {
			struct sender *to = sender_start(url, format, &kind);
			struct buf t = { 0 };

			session_write(&t, s, format);
			sender_give(to, &t, 0);
			sender_stop(to);
			_exit(0);
		}
		wait(&status);
		bad |= status;
	}
	return bad != 0;
}

int main(int argc, char **argv)
{
	FILE *values = fopen("values", "w");
	struct buf t = { 0 };
	int bad = 0;

	if (argc < 4 || !values || otlp_settings_read(&otlp))
		return 2;
	if (strcmp(argv[1], "write") == 0) {
		int format = format_of(argv[2]);

		session_write(&t, session_new(0, strtoul(argv[3], NULL, 10), format, values),
			      format);
		fwrite(t.s, 1, t.len, stdout);
	} else if (strcmp(argv[1], "serve") == 0) {
		for (int i = 3; i < argc; i++)
			bad |= serve((unsigned)i - 3, strtoul(argv[2], NULL, 10), atoi(argv[i]),
				     values);
		fclose(values);
		while (!bad)
			pause();
	} else if (argc == 6) {
		bad = send_all(argv[2], format_of(argv[3]), strtoul(argv[4], NULL, 10),
			       (unsigned)strtoul(argv[5], NULL, 10), values);
	}
	return bad;
}
