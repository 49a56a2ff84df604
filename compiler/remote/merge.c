/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sessions write JSON, whose objects say which output is a global. Numbers are added up, and of
 * aggregates the counts and the sums, with more than 64 bits, so that nothing overflows; minima and
 * maxima are those of all. An average is that of the merged sum and count. Strings cannot be merged
 * and are shown for each host. Only sessions that have written all of their globals count.
 */
#include "remote/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "hist.h"
#include "remote/private.h"

/* ---- objects of a session ---- */

void merge_open(struct merge *m, struct arena *a)
{
	*m = (struct merge){ .a = a, .tokener = json_tokener_new() };
}

void merge_close(struct merge *m)
{
	json_tokener_free(m->tokener);
}

/* A frame that has a name is the same on all hosts, wherever their kernels are in memory. */
static void drop_addresses(struct json_object *keys)
{
	for (size_t i = 0; i < json_object_array_length(keys); i++) {
		struct json_object *stack = json_object_array_get_idx(keys, i);

		if (!json_object_is_type(stack, json_type_array))
			continue;
		for (size_t j = 0; j < json_object_array_length(stack); j++) {
			struct json_object *frame = json_object_array_get_idx(stack, j);

			if (json_member_text(frame, "symbol"))
				json_object_object_del(frame, "address");
		}
	}
}

static void take_global(struct merge *m, struct host_lines *l, struct json_object *o)
{
	struct json_object *keys = json_member(o, "keys", json_type_array);

	if (keys)
		drop_addresses(keys);
	if (!l->globals) {
		l->globals = NEW(m->a, struct saved_run);
		saved_init(m->a, "", l->globals);
	}
	saved_take(m->a, l->globals, o);
}

/* Shows a message as proberun does. */
static void show_message(struct screen *to, const char *host, struct json_object *o,
			 const char *type)
{
	const char *file = json_member_text(o, "file"), *id = json_member_text(o, "id");
	const char *text = json_member_text(o, "text");
	const char *const more[][2] = { { "in probe ", id ? json_member_text(o, "probe") : NULL },
					{ "", json_member_text(o, "hint") } };
	struct json_object *line = json_member(o, "line", json_type_int);
	struct json_object *col = json_member(o, "col", json_type_int);
	struct buf b;

	buf_init(&b);
	if (!id)
		buf_puts(&b, "WARNING: ");
	else if (file && line && col)
		buf_printf(&b, "%s:%d:%d: %s: %s [%s]", file, json_object_get_int(line),
			   json_object_get_int(col), type, text, id);
	else
		buf_printf(&b, "probec: %s: %s [%s]", type, text, id);
	if (!id)
		lines_escape(to, &b, text, strlen(text));
	lines_message(to, host, b.s, b.len);
	for (size_t i = 0; id && i < sizeof(more) / sizeof(*more); i++) {
		b.len = 0;
		buf_printf(&b, "      = %s%s", more[i][0], more[i][1] ? more[i][1] : "");
		if (more[i][1])
			lines_message(to, host, b.s, b.len);
	}
	buf_deinit(&b);
}

static void take_text(struct screen *to, struct host_lines *l, const char *host,
		      struct json_object *o, const char *type)
{
	struct json_object *text = json_member(o, "text", json_type_string);

	if (!text)
		return;
	if (strcmp(type, "print") == 0 || strcmp(type, "system") == 0)
		lines_text(to, l, host, json_object_get_string(text),
			   (size_t)json_object_get_string_len(text));
	else
		show_message(to, host, o, type);
}

void merge_line(struct screen *to, struct host_lines *l, const char *host, const char *line,
		size_t len)
{
	struct merge *m = to->merge;
	struct json_object *o;
	const char *type;

	json_tokener_reset(m->tokener);
	o = json_tokener_parse_ex(m->tokener, line, (int)len);
	type = json_object_is_type(o, json_type_object) ? json_member_text(o, "type") : NULL;
	if (type && strcmp(type, "summary") == 0 && l->globals) {
		vec_push(m->a, &m->runs, ((struct merge_run){ host, l->globals }));
		l->globals = NULL;
	}
	if (!type)
		lines_message(to, host, line, len);
	else if (strcmp(type, "global") == 0)
		take_global(m, l, o);
	else if (to->format == FORMAT_JSON)
		lines_object(to, host, line, len);
	else
		take_text(to, l, host, o, type);
	json_object_put(o);
}

/* ---- sums ---- */

static struct merge_sum *new_sum(struct merge *m, const struct saved_element *e)
{
	struct merge_sum *s = NEW(m->a, struct merge_sum);

	s->keys = e->keys;
	s->hex = e->hex;
	s->kind = MERGE_STATS;
	return s;
}

static void add_part(struct merge_sum *s, const struct saved_part *p, bool first)
{
	__int128 v = p->value.number;

	if (p->value.kind == SAVED_TEXT) {
		s->kind = MERGE_TEXT;
		s->text = p->value.text;
		s->json = p->value.json;
	} else if (strcmp(p->name, "value") == 0) {
		s->kind = MERGE_NUMBER;
		s->value += v;
	} else if (strcmp(p->name, "count") == 0) {
		s->count += v;
	} else if (strcmp(p->name, "sum") == 0) {
		s->sum += v;
	} else if (strcmp(p->name, "min") == 0) {
		s->min = first || v < s->min ? v : s->min;
	} else if (strcmp(p->name, "max") == 0) {
		s->max = first || v > s->max ? v : s->max;
	}
}

/* The number of the bucket in an exponential histogram. One from a power of two to the next counts
 * values that are in no cell. */
static unsigned bucket_number(const struct saved_bucket *b)
{
	unsigned doubling = prt_hist_log_bucket(b->low > 0 ? b->low : b->high);

	for (unsigned slot = 1; doubling != 64 && slot < PRT_EXP_SLOTS; slot++) {
		struct prt_bounds bounds = prt_exp_bounds(doubling, slot);

		if (bounds.low == b->low && bounds.high == b->high)
			return doubling * PRT_EXP_SLOTS + slot;
	}
	return doubling * PRT_EXP_SLOTS;
}

static void add_element(struct merge *m, struct merge_sum *s, const struct saved_element *e)
{
	bool first = s->count == 0;

	vec_each(p, &e->parts)
		add_part(s, p, first);
	if (e->has_histogram && !s->buckets)
		s->buckets = arena_alloc(m->a, PRT_EXP_BUCKETS * sizeof(*s->buckets));
	vec_each(b, &e->buckets)
		s->buckets[bucket_number(b)] += b->count;
}

/* Texts of several hosts are elements of their own. */
static void add_run(struct merge *m, const struct merge_run *run, struct map *names,
		    struct map *sums)
{
	map_each(it, &run->globals->elements) {
		const struct saved_element *e = it->value;
		struct merge_global *g = map_get(names, e->name);
		struct merge_sum *s = map_get(sums, e->id);

		if (!g) {
			g = NEW(m->a, struct merge_global);
			g->name = e->name;
			map_set(names, e->name, g);
		}
		if (!s || s->kind == MERGE_TEXT) {
			s = new_sum(m, e);
			map_set(sums, e->id, s);
			vec_push(m->a, &g->sums, s);
		}
		add_element(m, s, e);
		s->host = run->host;
	}
}

/* Descending, as the end of a session shows them; by keys where they are equal. */
static int compare(const void *a, const void *b)
{
	const struct merge_sum *x = *(struct merge_sum *const *)a;
	const struct merge_sum *y = *(struct merge_sum *const *)b;
	__int128 by_x = x->kind == MERGE_STATS ? x->count : x->value;
	__int128 by_y = y->kind == MERGE_STATS ? y->count : y->value;

	if (by_x != by_y)
		return by_x < by_y ? 1 : -1;
	return strcmp(x->keys, y->keys);
}

void merge_show(struct screen *to)
{
	struct merge *m = to->merge;
	struct map names, sums;

	map_init(&names, m->a);
	map_init(&sums, m->a);
	vec_each(run, &m->runs)
		add_run(m, run, &names, &sums);
	map_each(it, &names) {
		struct merge_global *g = it->value;

		qsort(g->sums.v, g->sums.n, sizeof(*g->sums.v), compare);
		if (to->format == FORMAT_JSON)
			merge_json(to, g);
		else
			merge_text(to, g);
	}
}
