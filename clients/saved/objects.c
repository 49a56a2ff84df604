/* SPDX-License-Identifier: GPL-2.0 */
#include "saved/objects.h"

#include <stdio.h>

#include "base/json.h"
#include "saved/saved_lines.h"

void objects_init(struct object_reader *r, struct line_reader *l)
{
	*r = (struct object_reader){ .l = l, .tokener = json_tokener_new() };
	json_tokener_set_flags(r->tokener, JSON_TOKENER_STRICT);
}

int objects_take(struct object_reader *r)
{
	struct line_reader *l = r->l;
	size_t at;

	json_object_put(r->o);
	if (json_parse(r->tokener, l->text, l->len, &r->o, &at))
		at = 0;
	else if (feof(l->f) && r->any)
		/* The end of a run that was cut off has no newline. */
		return 0;
	r->type = json_member_text(r->o, "type");
	if (r->type) {
		r->any = true;
		return 1;
	}
	diag_error(l->d, saved_lines_range(l, at, at + 1), l->bad, "not an object of a saved run");
	diag_hint(l->d, "save a run with probec --format=json -o FILE");
	return -1;
}

int objects_next(struct object_reader *r)
{
	int more;

	while ((more = saved_lines_next(r->l)) > 0)
		if (r->l->len)
			return objects_take(r);
	return more;
}

void objects_deinit(struct object_reader *r)
{
	json_object_put(r->o);
	json_tokener_free(r->tokener);
}

uint64_t saved_count(struct json_object *o, const char *name)
{
	struct json_object *v = json_member(o, name, json_type_int);

	return v && json_object_get_int64(v) > 0 ? json_object_get_uint64(v) : 0;
}

static double seconds_of(struct json_object *o, const char *name)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) ? json_object_get_double(v) : 0;
}

struct saved_summary saved_summary(struct json_object *o)
{
	struct json_object *skipped = json_member(o, "skipped", json_type_object);
	struct saved_summary ret = {
		.script = json_member_text(o, "script"),
		.kernel = json_member_text(o, "kernel"),
		.time = seconds_of(o, "time"),
		.seconds = seconds_of(o, "seconds"),
		.lost = saved_count(o, "lost"),
		.not_stored = saved_count(o, "not_stored"),
	};

	if (skipped) {
		json_object_object_foreach(skipped, way, n) {
			(void)way;
			ret.skipped += json_object_get_uint64(n);
		}
	}
	return ret;
}
