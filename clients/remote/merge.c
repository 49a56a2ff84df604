/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sessions write JSON, whose objects say which output is a global. Numbers are added up, and of
 * aggregates the counts and the sums, with more than 64 bits, so that nothing overflows; minima and
 * maxima are those of all. An average is that of the merged sum and count. Strings cannot be merged
 * and are shown for each host. Only sessions that have written all of their globals count: until
 * then the objects of a host are kept as they came, which takes the least memory.
 */
#include "remote/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/words.h"
#include "hist.h"
#include "remote/private.h"
#include "shared/search.h"

/* ---- objects of a session ---- */

enum {
	MB = 1 << 20,
	HELD_MAX = 384 * MB,     /* of all hosts: 2,000,000 elements with short keys */
	USED_MAX = 512 * MB,     /* less than an arena may have */
	USED_BY_BYTE = 4,        /* at most, of memory for sums by a byte of JSON */
	BATCH = 256,             /* objects that are parsed before their memory is freed */
};

void merge_open(struct merge *m, struct arena *a)
{
	*m = (struct merge){ .a = a };
	map_init(&m->names, a);
	map_init(&m->sums, a);
}

void merge_drop(struct merge *m, struct host_output *l)
{
	m->held -= l->globals.len;
	buf_deinit(&l->globals);
	buf_init(&l->globals);
}

/* The host does not count, and its reason is that of its failure. */
static void refuse(struct merge *m, struct host_output *l)
{
	merge_drop(m, l);
	l->reason = "there is no memory to merge its globals, and they are left out";
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

static bool is_name(const char *s)
{
	if (!words_is_part(*s))
		return false;
	while (words_is_part(*s))
		s++;
	return !*s;
}

static void take_global(struct screen *to, struct host_output *l, const char *host,
			struct json_object *o, const char *line, size_t len)
{
	struct merge *m = to->merge;
	const char *name = json_member_text(o, "name");

	if (l->reason)
		return;
	if (!name || !is_name(name) || memchr(line, '\n', len)) {
		output_message(to, host, line, len);
		return;
	}
	if (m->held + len >= HELD_MAX) {
		refuse(m, l);
		return;
	}
	buf_write(&l->globals, line, len);
	buf_putc(&l->globals, '\n');
	m->held += len + 1;
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
		buf_printf(&b, "WARNING: %s", text);
	else if (file && line && col)
		buf_printf(&b, "%s:%d:%d: %s: %s [%s]", file, json_object_get_int(line),
			   json_object_get_int(col), type, text, id);
	else
		buf_printf(&b, "probec: %s: %s [%s]", type, text, id);
	output_message(to, host, b.s, b.len);
	for (size_t i = 0; id && i < sizeof(more) / sizeof(*more); i++) {
		b.len = 0;
		buf_printf(&b, "      = %s%s", more[i][0], more[i][1] ? more[i][1] : "");
		if (more[i][1])
			output_message(to, host, b.s, b.len);
	}
	buf_deinit(&b);
}

static void take_text(struct screen *to, struct host_output *l, const char *host,
		      struct json_object *o, const char *type)
{
	struct json_object *text = json_member(o, "text", json_type_string);

	if (!text)
		return;
	if (strcmp(type, "print") == 0 || strcmp(type, "system") == 0)
		output_text(to, l, host, json_object_get_string(text),
			   (size_t)json_object_get_string_len(text));
	else
		show_message(to, host, o, type);
}

/* ---- sums ---- */

static struct merge_sum *new_sum(struct merge *m, const struct saved_element *e)
{
	struct merge_sum *s = NEW(m->a, struct merge_sum);

	s->keys = arena_strdup(m->a, e->keys);
	s->hex = e->hex ? arena_strdup(m->a, e->hex) : NULL;
	s->kind = MERGE_STATS;
	return s;
}

static void add_part(struct merge *m, struct merge_sum *s, const struct saved_part *p,
		     bool first)
{
	__int128 v = p->value.number;

	if (p->value.kind == SAVED_TEXT) {
		s->kind = MERGE_TEXT;
		s->text = arena_strdup(m->a, p->value.text);
		s->json = arena_strdup(m->a, p->value.json);
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

static void add_bucket(struct merge *m, struct merge_sum *s, unsigned number, uint64_t count)
{
	size_t i;

	search_first(i, s->buckets.n, s->buckets.v[i].number < number);
	if (i == s->buckets.n || s->buckets.v[i].number != number) {
		vec_push(m->a, &s->buckets, ((struct merge_bucket){ 0 }));
		memmove(&s->buckets.v[i + 1], &s->buckets.v[i],
			(s->buckets.n - 1 - i) * sizeof(*s->buckets.v));
		s->buckets.v[i] = (struct merge_bucket){ .number = number };
	}
	s->buckets.v[i].count += count;
}

static void add_element(struct merge *m, struct merge_sum *s, const struct saved_element *e)
{
	bool first = s->count == 0;

	vec_each(p, &e->parts)
		add_part(m, s, p, first);
	s->has_histogram |= e->has_histogram;
	vec_each(b, &e->buckets)
		add_bucket(m, s, bucket_number(b), b->count);
}

/* Texts of several hosts are elements of their own. */
static void add_run(struct merge *m, const char *host, const struct saved_run *run)
{
	map_each(it, &run->elements) {
		const struct saved_element *e = it->value;
		struct merge_global *g = map_get(&m->names, e->name);
		struct merge_sum *s = map_get(&m->sums, e->id);

		if (!g) {
			g = NEW(m->a, struct merge_global);
			g->name = arena_strdup(m->a, e->name);
			map_set(&m->names, g->name, g);
		}
		if (!s || s->kind == MERGE_TEXT) {
			s = new_sum(m, e);
			map_set(&m->sums, arena_strdup(m->a, e->id), s);
			vec_push(m->a, &g->sums, s);
		}
		add_element(m, s, e);
		s->host = host;
	}
}

/* Adds up to BATCH objects from byte *@at on, and advances it. */
static void add_batch(struct screen *to, const struct buf *lines, const char *host, size_t *at)
{
	struct arena *a = arena_create();
	struct saved_run run;

	saved_init(a, "", &run);
	for (int i = 0; i < BATCH && *at < lines->len; i++) {
		const char *line = lines->s + *at, *end = memchr(line, '\n', lines->len - *at);
		struct json_object *o = output_parse(to, line, (size_t)(end - line));
		struct json_object *keys = json_member(o, "keys", json_type_array);

		if (keys)
			drop_addresses(keys);
		saved_take(a, &run, o);
		json_object_put(o);
		*at += (size_t)(end - line) + 1;
	}
	add_run(to->merge, host, &run);
	arena_destroy(a);
}

/* The session of a host has written all of its globals. */
static void add_host(struct screen *to, struct host_output *l, const char *host)
{
	struct merge *m = to->merge;
	size_t at = 0;

	if (l->globals.len > (USED_MAX - m->used) / USED_BY_BYTE) {
		refuse(m, l);
		return;
	}
	while (at < l->globals.len)
		add_batch(to, &l->globals, host, &at);
	m->hosts++;
	merge_drop(m, l);
}

/* ---- the whole ---- */

void merge_line(struct screen *to, struct host_output *l, const char *host, const char *line,
		size_t len)
{
	struct json_object *o = output_parse(to, line, len);
	const char *type = json_member_text(o, "type");

	if (type && strcmp(type, "summary") == 0 && l->globals.len)
		add_host(to, l, host);
	if (!type)
		output_message(to, host, line, len);
	else if (strcmp(type, "global") == 0)
		take_global(to, l, host, o, line, len);
	else if (to->format == FORMAT_JSON)
		output_object(to, host, o, line, len);
	else
		take_text(to, l, host, o, type);
	json_object_put(o);
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
	map_each(it, &to->merge->names) {
		struct merge_global *g = it->value;

		qsort(g->sums.v, g->sums.n, sizeof(*g->sums.v), compare);
		if (to->format == FORMAT_JSON)
			merge_json(to, g);
		else
			merge_text(to, g);
	}
}
