/* SPDX-License-Identifier: GPL-2.0 */
/* Prints as records of logs, and pairs of prints as spans. */
#include "metrics/events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "metrics/field.h"
#include "metrics/private.h"
#include "metrics/protobuf.h"
#include "shared/memory.h"
#include "show/json.h"
#include "show/show.h"
#include "show/timeline.h"

enum { TRACE_ID = 16, SPAN_ID = 8, SLOTS = 4096, THREADS_MAX = 65536, SPANS_MAX = 256 };
enum { BATCH_BYTES = 256 << 10, BATCH_NS = 1000000000 };
enum { SEVERITY_INFO = 9, KIND_INTERNAL = 1 };
/* The numbers of the fields of attributes. */
enum { OF_LOG = 6, OF_SPAN = 9 };

struct span {
	char *name;
	unsigned char id[SPAN_ID];
	uint64_t start; /* ns since 1970 */
};

/* A thread that has open spans, or the context of the next one. */
struct thread {
	int64_t pid, tid;
	char *name;
	unsigned char trace[TRACE_ID], parent[SPAN_ID]; /* parent: of the outermost span; 0: none */
	bool has_context;       /* for the next outermost span */
	struct span *open;      /* the innermost last */
	size_t n, capacity;
	struct thread *next;
};

/* A request that is being filled. */
struct batch {
	struct buf items;
	uint64_t n;
	int64_t since; /* ns: the first turn with it; 0: none yet */
	struct sender *sender;
};

struct events {
	const struct meta *m;
	int format;
	struct batch logs, spans;
	struct thread *threads[SLOTS];
	size_t nthreads;
	uint64_t now; /* of the last record */
};

/* ---- threads ---- */

static struct thread **slot_of(struct events *e, int64_t pid, int64_t tid)
{
	struct thread **at = &e->threads[(uint64_t)tid % SLOTS];

	while (*at && ((*at)->pid != pid || (*at)->tid != tid))
		at = &(*at)->next;
	return at;
}

static void free_thread(struct thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->open[i].name);
	free(t->open);
	free(t->name);
	free(t);
}

static char *copy_text(const char *s, size_t len)
{
	char *ret = memory_zeroed(len + 1, 1);

	memcpy(ret, s, len);
	return ret;
}

/* NULL: there are too many. */
static struct thread *add_thread(struct events *e, const struct timeline_thread *of)
{
	struct thread **at = slot_of(e, of->pid, of->tid), *t = *at;

	if (t || e->nthreads == THREADS_MAX)
		return t;
	t = *at = memory_zeroed(1, sizeof(*t));
	t->pid = of->pid;
	t->tid = of->tid;
	t->name = copy_text(of->name ? of->name : "", of->len);
	e->nthreads++;
	return t;
}

static void remove_thread(struct events *e, struct thread *t)
{
	*slot_of(e, t->pid, t->tid) = t->next;
	free_thread(t);
	e->nthreads--;
}

/* ---- batches ---- */

static struct metrics_page page_of(const struct events *e, struct buf *text)
{
	return (struct metrics_page){ .text = text, .format = e->format };
}

static void give(struct events *e, struct batch *b)
{
	struct buf t = { 0 };
	struct metrics_page p = page_of(e, &t);

	if (!b->n)
		return;
	if (b == &e->logs)
		otlp_open_logs(&p, e->m);
	else
		otlp_open_spans(&p, e->m);
	buf_write(&t, b->items.s, b->items.len);
	otlp_close(&p);
	sender_give(b->sender, &t, b->n);
	b->items.len = 0;
	b->n = 0;
	b->since = 0;
}

static void added(struct events *e, struct batch *b)
{
	b->n++;
	if (b->items.len > BATCH_BYTES)
		give(e, b);
}

static void turn(struct events *e, struct batch *b, int64_t now)
{
	sender_report(b->sender);
	if (b->n && !b->since)
		b->since = now;
	else if (b->n && now - b->since >= BATCH_NS)
		give(e, b);
}

void events_turn(struct events *e, int64_t now)
{
	if (!e)
		return;
	turn(e, &e->logs, now);
	turn(e, &e->spans, now);
}

/* ---- spans ---- */

static void put_text_attribute(struct metrics_page *p, unsigned number, const char *name,
			       const char *value)
{
	otlp_attribute(p, number, name, strlen(name), value, strlen(value));
}

static void put_number_attribute(struct metrics_page *p, unsigned number, const char *name,
				 int64_t value)
{
	otlp_number_attribute(p, number, name, strlen(name), value);
}

/* Ends the innermost span. @hit: NULL if the script did not say so. */
static void end_innermost(struct events *e, struct thread *t, const struct show_hit *hit)
{
	struct metrics_page p = page_of(e, &e->spans.items);
	struct span *s = &t->open[--t->n];
	static const unsigned char none[SPAN_ID];
	const unsigned char *parent = t->n ? t->open[t->n - 1].id : t->parent;

	field_open(&p, NULL, 2);
	field_bytes(&p, "traceId", 1, t->trace, TRACE_ID);
	field_bytes(&p, "spanId", 2, s->id, SPAN_ID);
	if (memcmp(parent, none, SPAN_ID) != 0)
		field_bytes(&p, "parentSpanId", 4, parent, SPAN_ID);
	field_text(&p, "name", 5, s->name, strlen(s->name));
	field_small(&p, "kind", 6, KIND_INTERNAL);
	field_fixed(&p, "startTimeUnixNano", 7, s->start, false);
	field_fixed(&p, "endTimeUnixNano", 8, e->now, false);
	field_list(&p, "attributes");
	put_number_attribute(&p, OF_SPAN, "process.pid", t->pid);
	put_number_attribute(&p, OF_SPAN, "thread.id", t->tid);
	put_text_attribute(&p, OF_SPAN, "thread.name", t->name);
	if (hit && hit->cpu >= 0)
		put_number_attribute(&p, OF_SPAN, "cpu", hit->cpu);
	if (!hit)
		put_number_attribute(&p, OF_SPAN, "probec.unfinished", 1);
	field_list_end(&p);
	field_close(&p);
	free(s->name);
	added(e, &e->spans);
}

static void make_id(unsigned char *id, size_t size)
{
	/* It fails only where the system has no random numbers at all; zeros are no id. */
	if (getrandom(id, size, 0) != (ssize_t)size || !id[0])
		id[0] = 1;
}

static void begin_span(struct events *e, const struct timeline_thread *of, const struct arg *name)
{
	struct thread *t = add_thread(e, of);
	struct span s = { .start = e->now };

	if (!t || t->n == SPANS_MAX)
		return;
	if (!t->n && !t->has_context) {
		make_id(t->trace, TRACE_ID);
		memset(t->parent, 0, SPAN_ID);
	}
	t->has_context = false;
	make_id(s.id, SPAN_ID);
	s.name = copy_text(name->s, name->len);
	memory_grow(t->open, t->n, t->capacity, 4);
	t->open[t->n++] = s;
}

static void end_span(struct events *e, const struct show_hit *hit, const struct timeline_thread *of,
		     const struct arg *name)
{
	struct thread *t = *slot_of(e, of->pid, of->tid);
	size_t i = t ? t->n : 0;

	while (i && !timeline_is_name(name->s, name->len, t->open[i - 1].name))
		i--;
	if (!i)
		return;
	while (t->n > i)
		end_innermost(e, t, NULL);
	end_innermost(e, t, hit);
	if (!t->n && !t->has_context)
		remove_thread(e, t);
}

static bool read_hex(const char *s, unsigned char *ret, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < 2 * n; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *d = s[i] ? strchr(digits, tolower((unsigned char)s[i])) : NULL;

		if (!d)
			return false;
		ret[i / 2] = (unsigned char)(ret[i / 2] << 4 | (d - digits));
		any |= d != digits;
	}
	return any;
}

/* "00-TRACE-SPAN-FLAGS", as W3C Trace Context has it; anything else is no context. */
static void take_context(struct events *e, const struct timeline_thread *of, const struct arg *text)
{
	struct thread *t;
	unsigned char trace[TRACE_ID], parent[SPAN_ID];
	char copy[56] = "";

	if (text->len < 55)
		return;
	memcpy(copy, text->s, 55);
	if (copy[2] != '-' || copy[35] != '-' || copy[52] != '-' ||
	    !read_hex(copy + 3, trace, TRACE_ID) || !read_hex(copy + 36, parent, SPAN_ID))
		return;
	t = add_thread(e, of);
	if (!t || t->n)
		return;
	memcpy(t->trace, trace, TRACE_ID);
	memcpy(t->parent, parent, SPAN_ID);
	t->has_context = true;
}

/* ---- records of logs ---- */

static void put_double(struct metrics_page *p, const char *key, const struct arg *a)
{
	char number[ARGS_DOUBLE];
	double v;

	args_double(a, number);
	memcpy(&v, &a->number, sizeof(v));
	field_open(p, NULL, OF_LOG);
	field_text(p, "key", 1, key, strlen(key));
	field_open(p, "value", 2);
	if (p->format != METRICS_OTLP_JSON)
		protobuf_double(p->text, 4, v);
	else if (strpbrk(number, "ni"))
		json_text(p->text, "doubleValue",
			  v != v ? "NaN" : v > 0 ? "Infinity" : "-Infinity");
	else
		json_number(p->text, "doubleValue", number);
	field_close(p);
	field_close(p);
}

/* Attributes have different names; those of the record itself have no parentheses. */
static void put_arguments(struct metrics_page *p, const struct meta_print *of, struct args args)
{
	char key[256];
	struct arg a;

	for (unsigned i = 0; args_next(&args, &a) == 0 && a.type; i++) {
		if (meta_literal(of, i) || timeline_is_repeated(of, i))
			continue;
		timeline_key(of, i, key, sizeof(key));
		if (strcmp(key, "probe") == 0 || strcmp(key, "cpu") == 0 ||
		    strcmp(key, "global") == 0)
			strcat(key, "_");
		if (a.type == 's')
			otlp_attribute(p, OF_LOG, key, strlen(key), a.s, a.len);
		else if (a.type == 'l')
			put_number_attribute(p, OF_LOG, key, a.number);
		else if (a.type == 'd')
			put_double(p, key, &a);
	}
}

static void put_span_of(struct events *e, struct metrics_page *p, const struct meta_print *of,
			struct args args)
{
	struct timeline_thread of_print = timeline_thread(of, args);
	const struct thread *t = *slot_of(e, of_print.pid, of_print.tid);

	if (!t || !t->n)
		return;
	field_bytes(p, "traceId", 9, t->trace, TRACE_ID);
	field_bytes(p, "spanId", 10, t->open[t->n - 1].id, SPAN_ID);
}

static void add_log(struct events *e, const struct show_hit *hit, const struct meta_print *of,
		    struct args args, const struct buf *text)
{
	struct metrics_page p = page_of(e, &e->logs.items);
	size_t len = text->len;

	while (len && text->s[len - 1] == '\n')
		len--;
	if (!len)
		return;
	field_open(&p, NULL, 2);
	field_fixed(&p, "timeUnixNano", 1, e->now, false);
	field_small(&p, "severityNumber", 2, SEVERITY_INFO);
	field_open(&p, "body", 5);
	field_text(&p, "stringValue", 1, text->s, len);
	field_close(&p);
	field_list(&p, "attributes");
	put_text_attribute(&p, OF_LOG, "probe", hit->probe ? hit->probe : "");
	if (hit->cpu >= 0)
		put_number_attribute(&p, OF_LOG, "cpu", hit->cpu);
	if (of->global)
		put_text_attribute(&p, OF_LOG, "global", of->global);
	put_arguments(&p, of, args);
	field_list_end(&p);
	put_span_of(e, &p, of, args);
	field_close(&p);
	added(e, &e->logs);
}

bool events_add(void *events, const struct show_hit *hit, const struct meta_print *p,
		struct args args, const struct buf *text)
{
	struct events *e = events;
	enum timeline_kind kind = timeline_kind(p);
	struct timeline_thread of;
	struct arg name;

	if (!timeline_is_whole(args))
		return false;
	e->now = hit->time > e->now ? hit->time : e->now;
	of = timeline_thread(p, args);
	name = kind == TIMELINE_BEGIN || kind == TIMELINE_END || kind == TIMELINE_CONTEXT ?
		       timeline_arg(args, TIMELINE_TEXT) : (struct arg){ 0 };
	if (kind == TIMELINE_BEGIN)
		begin_span(e, &of, &name);
	else if (kind == TIMELINE_END)
		end_span(e, hit, &of, &name);
	else if (kind == TIMELINE_CONTEXT)
		take_context(e, &of, &name);
	else
		add_log(e, hit, p, args, text);
	return true;
}

/* ---- the whole ---- */

int events_start(const char *url, const struct meta *m, struct events **ret)
{
	static const struct sender_kind logs = { "/v1/logs", "records", true };
	static const struct sender_kind spans = { "/v1/traces", "spans", true };
	struct events *e;

	*ret = NULL;
	if (!url)
		return 0;
	e = memory_zeroed(1, sizeof(*e));
	e->m = m;
	e->format = otlp_format("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL");
	if (e->format >= 0)
		e->logs.sender = sender_start(url, e->format, &logs);
	if (e->logs.sender)
		e->spans.sender = sender_start(url, e->format, &spans);
	if (e->spans.sender) {
		*ret = e;
		return 0;
	}
	events_stop(e);
	return -1;
}

/* The later one of @time and the time now. */
static uint64_t later(uint64_t time)
{
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_REALTIME, &ts);
	now = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return now > time ? now : time;
}

void events_stop(struct events *e)
{
	if (!e)
		return;
	e->now = later(e->now);
	for (unsigned i = 0; i < SLOTS; i++)
		for (struct thread *t = e->threads[i], *next; t; t = next) {
			next = t->next;
			while (t->n && e->spans.sender)
				end_innermost(e, t, NULL);
			free_thread(t);
		}
	give(e, &e->logs);
	give(e, &e->spans);
	sender_end(e->logs.sender);
	sender_end(e->spans.sender);
	sender_stop(e->logs.sender);
	sender_stop(e->spans.sender);
	buf_deinit(&e->logs.items);
	buf_deinit(&e->spans.items);
	free(e);
}
