/* SPDX-License-Identifier: GPL-2.0 */
#include "saved/run.h"

#include <string.h>

#include "base/json.h"
#include "saved/saved_lines.h"
#include "saved/objects.h"
#include "shared/buf.h"

struct reader {
	struct arena *a;
	struct saved_run *run;
};

static const struct range nowhere;

/* ---- values ---- */

/* Ends @b, whose text remains. */
static const char *take_text(struct reader *r, struct buf *b)
{
	const char *ret = arena_strndup(r->a, b->s ? b->s : "", b->len);

	buf_deinit(b);
	return ret;
}

/* Anybody may have put a name into the file: it is quoted if a terminal could obey it. */
static const char *shown_name(struct reader *r, const char *name)
{
	const char *p = name;
	struct buf b;

	while (*p && (unsigned char)*p >= ' ' && *p != 127)
		p++;
	if (!*p)
		return arena_strdup(r->a, name);
	buf_init(&b);
	buf_put_quoted(&b, name, strlen(name));
	return take_text(r, &b);
}

static const char *text_of(struct reader *r, struct json_object *o, const char *name)
{
	const char *text = json_member_text(o, name);

	return text ? shown_name(r, text) : NULL;
}

static void put_value(struct buf *b, struct json_object *v)
{
	if (json_object_is_type(v, json_type_string))
		buf_put_quoted(b, json_object_get_string(v), (size_t)json_object_get_string_len(v));
	else
		buf_puts(b, json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN));
}

static const char *quoted(struct reader *r, struct json_object *v)
{
	struct buf b;

	buf_init(&b);
	put_value(&b, v);
	return take_text(r, &b);
}

static void add_part(struct reader *r, struct saved_element *e, const char *name,
		     struct json_object *v)
{
	struct saved_part p = { .name = shown_name(r, name) };

	if (json_object_is_type(v, json_type_int)) {
		p.value.kind = SAVED_NUMBER;
		p.value.number = json_number(v);
	} else {
		p.value.kind = SAVED_TEXT;
		p.value.text = quoted(r, v);
		p.value.json = arena_strdup(
			r->a, json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN));
	}
	vec_push(r->a, &e->parts, p);
}

static bool is_histogram(struct json_object *v)
{
	return json_object_is_type(v, json_type_object) &&
	       json_member(v, "buckets", json_type_array);
}

static void add_histogram(struct reader *r, struct saved_element *e, struct json_object *v)
{
	struct json_object *all = json_member(v, "buckets", json_type_array);

	e->has_histogram = true;
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *b = json_object_array_get_idx(all, i);
		struct json_object *low = json_member(b, "low", json_type_int);
		struct json_object *high = json_member(b, "high", json_type_int);
		struct saved_bucket bucket = {
			.has_low = low, .has_high = high, .count = saved_count(b, "count"),
			.low = low ? json_object_get_int64(low) : 0,
			.high = high ? json_object_get_int64(high) : 0,
		};

		vec_push(r->a, &e->buckets, bucket);
	}
}

/* ---- objects ---- */

/* @hex: of keys that are not UTF-8, and of which the text is therefore not all; or NULL. */
static struct saved_element *new_element(struct reader *r, const char *name,
					 struct json_object *keys, struct json_object *hex)
{
	struct saved_element *e = NEW(r->a, struct saved_element);
	size_t n = json_object_array_length(keys);
	struct buf label;

	buf_init(&label);
	buf_puts(&label, shown_name(r, name));
	for (size_t i = 0; i < n; i++) {
		buf_puts(&label, i ? ", " : "[");
		put_value(&label, json_object_array_get_idx(keys, i));
	}
	if (n)
		buf_putc(&label, ']');
	e->name = arena_strdup(r->a, name);
	e->keys = arena_strdup(r->a, json_object_to_json_string_ext(keys, JSON_C_TO_STRING_PLAIN));
	e->label = take_text(r, &label);
	if (hex)
		e->hex = arena_strdup(r->a, json_object_to_json_string_ext(
						    hex, JSON_C_TO_STRING_PLAIN));
	e->id = arena_printf(r->a, "%s%s%s", e->name, e->keys, hex ? e->hex : "");
	/* If a name occurs twice with the same keys, the last one counts. */
	map_set(&r->run->elements, e->id, e);
	return e;
}

static void add_global(struct reader *r, struct json_object *o)
{
	struct json_object *keys = json_member(o, "keys", json_type_array), *value;
	struct json_object *name = json_member(o, "name", json_type_string);
	struct saved_element *e;

	if (!name || !keys || !json_object_object_get_ex(o, "value", &value))
		return;
	e = new_element(r, json_object_get_string(name), keys,
			json_member(o, "hex", json_type_array));
	if (!json_object_is_type(value, json_type_object)) {
		add_part(r, e, "value", value);
		return;
	}
	json_object_object_foreach(value, part, v) {
		if (is_histogram(v))
			add_histogram(r, e, v);
		else
			add_part(r, e, part, v);
	}
}

/* Adds the histogram of a print statement; its other arguments are the keys. */
static void add_printed(struct reader *r, struct json_object *o)
{
	struct json_object *args = json_member(o, "args", json_type_array), *keys, *found = NULL;
	const char *name = NULL;

	if (!args)
		return;
	keys = json_object_new_array();
	for (size_t i = 0; i < json_object_array_length(args); i++) {
		struct json_object *arg = json_object_array_get_idx(args, i), *value;

		if (!json_object_object_get_ex(arg, "value", &value))
			continue;
		if (!is_histogram(value)) {
			json_object_array_add(keys, json_object_get(value));
		} else if (!found) {
			found = value;
			name = text_of(r, arg, "expr");
		}
	}
	if (found && name)
		add_histogram(r, new_element(r, name, keys, NULL), found);
	json_object_put(keys);
}

static void add_summary(struct reader *r, struct json_object *o)
{
	struct json_object *probes = json_member(o, "probes", json_type_array);
	struct json_object *status = json_member(o, "status", json_type_int);
	struct saved_summary s = saved_summary(o);
	struct saved_run *run = r->run;

	run->complete = true;
	run->script = s.script ? shown_name(r, s.script) : NULL;
	run->kernel = s.kernel ? shown_name(r, s.kernel) : NULL;
	run->status = status ? json_object_get_int64(status) : 0;
	run->hits = saved_count(o, "hits");
	run->errors = saved_count(o, "errors");
	run->lost = s.lost;
	run->not_stored = s.not_stored;
	run->skipped = s.skipped;
	run->seconds = s.seconds;
	for (size_t i = 0; probes && i < json_object_array_length(probes); i++) {
		const char *pp = text_of(r, json_object_array_get_idx(probes, i), "probe");

		if (pp)
			vec_push(r->a, &run->probes, pp);
	}
}

static void add_object(struct reader *r, struct json_object *o, const char *type)
{
	const char *id;

	if (strcmp(type, "global") == 0)
		add_global(r, o);
	else if (strcmp(type, "print") == 0)
		add_printed(r, o);
	else if (strcmp(type, "summary") == 0)
		add_summary(r, o);
	else if ((id = json_member_text(o, "id")) && strcmp(id, "E_OVERLOAD") == 0)
		r->run->overload = true;
}

void saved_init(struct arena *a, const char *path, struct saved_run *ret)
{
	*ret = (struct saved_run){ .path = path };
	map_init(&ret->elements, a);
}

void saved_take(struct arena *a, struct saved_run *run, struct json_object *global)
{
	struct reader r = { .a = a, .run = run };

	add_global(&r, global);
}

static int read_objects(struct reader *r, struct line_reader *l)
{
	struct object_reader objects;
	int more;

	objects_init(&objects, l);
	while ((more = objects_next(&objects)) > 0)
		add_object(r, objects.o, objects.type);
	if (more == 0 && !objects.any) {
		diag_error(l->d, nowhere, E_BAD_RUN, "'%s' is empty", l->path);
		diag_hint(l->d, "save a run with probec --format=json -o FILE");
		more = -1;
	}
	objects_deinit(&objects);
	return more;
}

int saved_read(struct arena *a, struct diag *d, const char *path, struct saved_run *ret)
{
	struct reader r = { .a = a, .run = ret };
	struct line_reader l;
	int status = -1;

	saved_init(a, path, ret);
	if (saved_lines_open(a, d, path, E_BAD_RUN, &l))
		status = read_objects(&r, &l);
	saved_lines_close(&l);
	return status;
}
