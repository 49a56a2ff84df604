/* SPDX-License-Identifier: GPL-2.0 */
/* A comparison as a stream of JSON objects. */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diff/show.h"

static struct json_object *start(const char *type)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "type", json_object_new_string(type));
	return o;
}

static void finish(struct json_object *o)
{
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

/* The difference of 64-bit numbers may have 65 bits. */
static struct json_object *json_number(__int128 v)
{
	if (v >= INT64_MIN && v <= INT64_MAX)
		return json_object_new_int64((int64_t)v);
	if (v > 0 && v <= UINT64_MAX)
		return json_object_new_uint64((uint64_t)v);
	return json_object_new_double((double)v);
}

static struct json_object *value(const struct saved_item *v)
{
	return v->kind == SAVED_NUMBER ? json_number(v->number) :
	       v->kind == SAVED_TEXT ? json_tokener_parse(v->json) : NULL;
}

static void add_change(struct json_object *o, __int128 a, __int128 change)
{
	double percent = diff_percent(a, change);

	json_object_object_add(o, "change", json_number(change));
	json_object_object_add(o, "percent",
			       isinf(percent) ? NULL : json_object_new_double(percent));
}

static struct json_object *named(const char *type, const struct saved_element *e)
{
	struct json_object *o = start(type);

	json_object_object_add(o, "name", json_object_new_string(e->name));
	json_object_object_add(o, "keys", json_tokener_parse(e->keys));
	return o;
}

static void put_row(const struct diff_row *row)
{
	struct json_object *o = named("value", row->e);

	json_object_object_add(o, "part", json_object_new_string(row->part));
	json_object_object_add(o, "a", value(&row->a));
	json_object_object_add(o, "b", value(&row->b));
	if (row->a.kind != SAVED_TEXT && row->b.kind != SAVED_TEXT)
		add_change(o, row->a.number, diff_change(row));
	finish(o);
}

static void put_histogram(const struct diff_histogram *h)
{
	struct json_object *o = named("histogram", h->e), *all = json_object_new_array();

	vec_each(it, &h->buckets) {
		struct json_object *b = json_object_new_object();

		if (it->bounds.has_low)
			json_object_object_add(b, "low", json_object_new_int64(it->bounds.low));
		if (it->bounds.has_high)
			json_object_object_add(b, "high", json_object_new_int64(it->bounds.high));
		json_object_object_add(b, "a", json_object_new_uint64(it->a));
		json_object_object_add(b, "b", json_object_new_uint64(it->b));
		add_change(b, it->a, (__int128)it->b - it->a);
		json_object_array_add(all, b);
	}
	json_object_object_add(o, "buckets", all);
	finish(o);
}

void diff_show_json(struct arena *a, const struct saved_run *runs, const struct diff *d)
{
	struct json_object *o;

	(void)a;
	vec_each(it, &d->notes) {
		o = start("note");
		json_object_object_add(o, "text", json_object_new_string(*it));
		finish(o);
	}
	vec_each(it, &d->rows)
		put_row(it);
	vec_each(it, &d->histograms)
		put_histogram(it);
	o = start("summary");
	json_object_object_add(o, "a", json_object_new_string(runs[0].path));
	json_object_object_add(o, "b", json_object_new_string(runs[1].path));
	json_object_object_add(o, "different", json_object_new_boolean(d->different));
	json_object_object_add(o, "compared", json_object_new_uint64(d->compared));
	finish(o);
}
