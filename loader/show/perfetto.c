/* SPDX-License-Identifier: GPL-2.0 */
/* A session as a trace in the trace event format. */
#include "show/perfetto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "module/meta.h"
#include "shared/buf.h"
#include "shared/memory.h"
#include "show/json.h"
#include "show/output.h"
#include "show/show.h"
#include "show/timeline.h"

/* The process of the tracks that are no threads. Linux numbers threads below 2^22; tracks of probes
 * are numbered from PROBES on, those of processors' idle threads from IDLE on. */
enum { OWN = 1 << 22, PROBES = OWN + 1, IDLE = PROBES + (1 << 16) };
enum { SLOTS = 4096 };

struct track {
	int64_t pid, tid;
	char *name;  /* the last that was written; NULL: none */
	char **open; /* names of its spans, the innermost last */
	size_t n, capacity;
	struct track *next;
};

struct perfetto {
	struct output *out;
	const char *script;
	struct buf line, name;
	struct track *tracks[SLOTS]; /* lists, by the number of the thread */
	bool begun;
	uint64_t start, now; /* ns since 1970: of the first event, of the last one */
};

struct perfetto *perfetto_create(struct output *out, const char *script)
{
	struct perfetto *t = memory_zeroed(1, sizeof(*t));

	t->out = out;
	t->script = script;
	return t;
}

static void free_track(struct track *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->open[i]);
	free(k->open);
	free(k->name);
	free(k);
}

void perfetto_destroy(struct perfetto *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < SLOTS; i++)
		for (struct track *k = t->tracks[i], *next; k; k = next) {
			next = k->next;
			free_track(k);
		}
	buf_deinit(&t->line);
	buf_deinit(&t->name);
	free(t);
}

/* ---- events ---- */

static struct buf *event(struct perfetto *t, const char *phase, const struct track *k,
			 const char *name, size_t len)
{
	/* With what separates it from the last event, so that output that is cut ends with one. */
	t->line.len = 0;
	buf_puts(&t->line, t->begun ? ",\n{" : "[\n{");
	t->begun = true;
	json_string(&t->line, "name", name, len);
	json_text(&t->line, "ph", phase);
	if (*phase != 'M')
		json_thousandths(&t->line, "ts", t->now - t->start);
	json_signed(&t->line, "pid", k->pid);
	json_signed(&t->line, "tid", k->tid);
	if (*phase == 'i')
		json_text(&t->line, "s", "t");
	json_open(&t->line, "args", '{');
	return &t->line;
}

static void end_event(struct perfetto *t)
{
	json_close(&t->line, '}');
	json_close(&t->line, '}');
	output_write(t->out, t->line.s, t->line.len);
}

static void describe(struct perfetto *t, const struct track *k, const char *what, const char *key,
		     const char *value)
{
	json_text(event(t, "M", k, what, strlen(what)), key, value);
	end_event(t);
}

/* The first events: what the tracks of probes belong to, and when time 0 was. */
static void begin(struct perfetto *t, uint64_t time)
{
	const struct track own = { .pid = OWN, .tid = OWN };
	time_t seconds = (time_t)(time / 1000000000);
	char at[64], label[96];
	struct tm utc;

	t->start = t->now = time;
	strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &utc));
	snprintf(label, sizeof(label), "time 0 is %s.%09" PRIu64 "Z", at, time % 1000000000);
	t->name.len = 0;
	buf_puts(&t->name, "probec ");
	buf_puts(&t->name, t->script);
	describe(t, &own, "process_name", "name", t->name.s);
	describe(t, &own, "process_labels", "labels", label);
}

/* ---- tracks ---- */

static struct track *track_of(struct perfetto *t, int64_t pid, int64_t tid)
{
	struct track **slot = &t->tracks[tid % SLOTS], *k = *slot;

	while (k && (k->pid != pid || k->tid != tid))
		k = k->next;
	if (k)
		return k;
	k = memory_zeroed(1, sizeof(*k));
	k->pid = pid;
	k->tid = tid;
	k->next = *slot;
	*slot = k;
	return k;
}

/* Names a track, and the process if it is that of its first thread. */
static void name_track(struct perfetto *t, struct track *k, const char *name, size_t len)
{
	if (k->name && strlen(k->name) == len && memcmp(k->name, name, len) == 0)
		return;
	free(k->name);
	k->name = memory_zeroed(len + 1, 1);
	memcpy(k->name, name, len);
	describe(t, k, "thread_name", "name", k->name);
	if (k->pid == k->tid)
		describe(t, k, "process_name", "name", k->name);
}

static struct track *idle_track(struct perfetto *t, int cpu)
{
	struct track *k = track_of(t, OWN, IDLE + cpu);
	char name[32];

	name_track(t, k, name, (size_t)snprintf(name, sizeof(name), "idle CPU %d", cpu));
	return k;
}

static struct track *track(struct perfetto *t, const struct show_hit *hit,
			   const struct meta_print *p, struct args args)
{
	struct timeline_thread th = timeline_thread(p, args);
	const char *probe = hit->probe ? hit->probe : "probe";
	struct track *k;

	/* Each processor has a thread of number 0. */
	if (th.pid == 0 && th.tid <= 0)
		return idle_track(t, hit->cpu < 0 ? 0 : hit->cpu);
	if (th.pid > 0 && th.pid < OWN && th.tid < OWN) {
		k = track_of(t, th.pid, th.tid > 0 ? th.tid : th.pid);
		if (th.name)
			name_track(t, k, th.name, th.len);
		return k;
	}
	k = track_of(t, OWN, PROBES + (int64_t)hit->number);
	name_track(t, k, probe, strlen(probe));
	return k;
}

/* ---- spans ---- */

static void put_cpu(struct buf *to, const struct show_hit *hit)
{
	if (hit && hit->cpu >= 0)
		json_signed(to, "cpu", hit->cpu);
}

static void begin_span(struct perfetto *t, const struct show_hit *hit, struct track *k,
		       const struct arg *name)
{
	char *copy = memory_zeroed(name->len + 1, 1);

	memcpy(copy, name->s, name->len);
	memory_grow(k->open, k->n, k->capacity, 4);
	k->open[k->n++] = copy;
	put_cpu(event(t, "B", k, copy, name->len), hit);
	end_event(t);
}

/* @hit: NULL if the script did not say so. */
static void end_innermost(struct perfetto *t, const struct show_hit *hit, struct track *k)
{
	char *name = k->open[--k->n];
	struct buf *to = event(t, "E", k, name, strlen(name));

	put_cpu(to, hit);
	if (!hit)
		json_signed(to, "unfinished", 1);
	end_event(t);
	free(name);
}

static void end_span(struct perfetto *t, const struct show_hit *hit, struct track *k,
		     const struct arg *name)
{
	size_t i = k->n;

	while (i && !timeline_is_name(name->s, name->len, k->open[i - 1]))
		i--;
	if (!i) {
		t->name.len = 0;
		buf_puts(&t->name, "end of ");
		buf_write(&t->name, name->s, name->len);
		put_cpu(event(t, "i", k, t->name.s, t->name.len), hit);
		end_event(t);
		return;
	}
	while (k->n > i)
		end_innermost(t, NULL, k);
	end_innermost(t, hit, k);
}

void perfetto_finish(struct perfetto *t)
{
	struct timespec now;

	if (!t->begun) {
		clock_gettime(CLOCK_REALTIME, &now);
		begin(t, (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	}
	for (unsigned i = 0; i < SLOTS; i++)
		for (struct track *k = t->tracks[i]; k; k = k->next)
			while (k->n)
				end_innermost(t, NULL, k);
	output_write(t->out, "\n]\n", 3);
}

/* ---- records ---- */

static void put_double(struct buf *to, const char *key, const struct arg *a)
{
	char number[ARGS_DOUBLE];

	args_double(a, number);
	if (!strpbrk(number, "ni"))
		json_number(to, key, number);
}

static void put_value(struct buf *to, const char *key, const struct arg *a)
{
	if (a->type == 's')
		json_string(to, key, a->s, a->len);
	else if (a->type == 'l')
		json_signed(to, key, a->number);
	else if (a->type == 'd')
		put_double(to, key, a);
}

static void put_values(struct buf *to, const struct meta_print *p, struct args args)
{
	char key[256];
	struct arg a;

	json_open(to, "values", '{');
	for (unsigned i = 0; args_next(&args, &a) == 0 && a.type; i++)
		if (a.type != 'H' && !meta_literal(p, i) && !timeline_is_repeated(p, i))
			put_value(to, timeline_key(p, i, key, sizeof(key)), &a);
	json_close(to, '}');
}

/* A text is named after its first line that is not empty; one of several lines is shown whole. */
static void instant(struct perfetto *t, const struct show_hit *hit, const struct track *k,
		    const struct meta_print *p, struct args args, const struct buf *text)
{
	const char *s = text->s ? text->s : "", *end = s + text->len, *line_end;
	struct buf *to;

	while (s < end && strchr(" \t\r\n", *s))
		s++;
	while (end > s && strchr(" \t\r\n", end[-1]))
		end--;
	if (s == end)
		return;
	line_end = memchr(s, '\n', (size_t)(end - s));
	to = event(t, "i", k, s, (size_t)((line_end ? line_end : end) - s));
	put_cpu(to, hit);
	if (line_end)
		json_string(to, "text", s, (size_t)(end - s));
	put_values(to, p, args);
	end_event(t);
}

/* Writes NAME[KEY,...] to @to, and returns the arguments after the keys. */
static struct args name_global(struct buf *to, const struct meta_print *p, struct args args)
{
	unsigned keys = meta_keys(p);
	struct arg a;

	to->len = 0;
	buf_puts(to, p->global);
	for (unsigned i = 0; i < keys && args_next(&args, &a) == 0; i++) {
		buf_puts(to, i ? "," : "[");
		if (a.type == 's')
			buf_write(to, a.s, a.len);
		else
			buf_printf(to, "%" PRId64, a.number);
	}
	if (keys)
		buf_puts(to, "]");
	return args;
}

/* Returns false if nothing in it is a number. */
static bool global_counter(struct perfetto *t, const struct track *k, const struct meta_print *p,
			   struct args args)
{
	struct args left = name_global(&t->name, p, args);
	char key[256];
	struct buf *to;
	struct arg a;

	if (!strchr(left.types, 'l'))
		return false;
	to = event(t, "C", k, t->name.s, t->name.len);
	for (unsigned i = meta_keys(p); args_next(&left, &a) == 0 && a.type; i++)
		if (a.type == 'l')
			put_value(to, timeline_key(p, i, key, sizeof(key)), &a);
	end_event(t);
	return true;
}

static void put_record(struct perfetto *t, const struct show_hit *hit, struct track *k,
		       const struct meta_print *p, struct args args, const struct buf *text)
{
	enum timeline_kind kind = timeline_kind(p);
	struct arg name;

	if (kind == TIMELINE_BEGIN) {
		name = timeline_arg(args, 3);
		begin_span(t, hit, k, &name);
	} else if (kind == TIMELINE_END) {
		name = timeline_arg(args, 3);
		end_span(t, hit, k, &name);
	} else if (kind == TIMELINE_COUNTER) {
		struct arg value = timeline_arg(args, 1);

		name = timeline_arg(args, 0);
		put_value(event(t, "C", k, name.s, name.len), "value", &value);
		end_event(t);
	} else if (!p->global || !global_counter(t, k, p, args)) {
		instant(t, hit, k, p, args, text);
	}
}

bool perfetto_print(struct perfetto *t, const struct show_hit *hit, const struct meta_print *p,
		    struct args args, const struct buf *text)
{
	struct track *k;

	if (!timeline_is_whole(args))
		return false;
	if (!t->begun)
		begin(t, hit->time);
	t->now = hit->time > t->now ? hit->time : t->now;
	k = track(t, hit, p, args);
	put_record(t, hit, k, p, args, text);
	return true;
}
