/* SPDX-License-Identifier: GPL-2.0 */
/* The objects of --format=json: globals and print statements with stacks, and the summary. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "profile/private.h"

struct json_reader {
	struct builder b;
	struct json_tokener *tokener;
};

static uint64_t count_of(struct json_object *o, const char *name)
{
	struct json_object *v = json_member(o, name, json_type_int);

	return v && json_object_get_int64(v) > 0 ? json_object_get_uint64(v) : 0;
}

static bool refuse_record(struct json_reader *r, const char *why)
{
	diag_error(r->b.l->d, lines_range(r->b.l, 0, r->b.l->len), E_BAD_PROFILE, "%s", why);
	return false;
}

/* The number of an element, which must not be negative. */
static bool take_number(struct json_reader *r, struct json_object *v, uint64_t *ret)
{
	if (json_object_get_int64(v) < 0)
		return refuse_record(r, "a negative number of a stack can't be drawn");
	*ret = json_object_get_uint64(v);
	return *ret <= INT64_MAX || refuse_record(r, "a number of a stack has more than 63 bits");
}

/* ---- stacks ---- */

static bool is_stack(struct json_object *v)
{
	return json_object_is_type(v, json_type_array);
}

static bool add_frame(struct json_reader *r, struct json_object *o)
{
	const char *address = json_member_text(o, "address");
	const char *symbol = json_member_text(o, "symbol");
	const char *in = json_member_text(o, "module") ? "module" : "object";
	const char *module = json_member_text(o, in);
	uint64_t number = address ? strtoull(address, NULL, 16) : 0;
	bool kernel = read_kernel_address(number) || (module && strcmp(module, "kernel") == 0);

	if (json_member_text(o, "missing")) {
		bool lost = strstr(json_member_text(o, "missing"), "full") != NULL;
		const char *note = lost ? "[lost stack]" : "[missing frames]";

		builder_add(&r->b, FRAME_NOTE, note, strlen(note), NULL, 0);
		return true;
	}
	if (!symbol && !address)
		return refuse_record(r, "a frame has neither a symbol nor an address");
	/* Addresses of programs differ from run to run, so they are not shown. */
	if (!symbol)
		symbol = kernel ? address : "[unknown]";
	if (module && strcmp(module, "kernel") == 0)
		module = NULL;
	builder_add(&r->b, kernel ? FRAME_KERNEL : FRAME_USER, symbol, strlen(symbol), module,
		    number);
	return true;
}

static bool add_stack(struct json_reader *r, struct json_object *stack)
{
	size_t from = builder_stack(&r->b);

	for (size_t i = 0; i < json_object_array_length(stack); i++) {
		struct json_object *o = json_object_array_get_idx(stack, i);

		if (!json_object_is_type(o, json_type_object))
			return refuse_record(r, "a frame is not an object");
		if (!add_frame(r, o))
			return false;
	}
	if (r->b.steps.n == from)
		builder_add(&r->b, FRAME_NOTE, "[no stack]", 10, NULL, 0);
	builder_reverse(&r->b, from);
	return true;
}

static bool add_key(struct json_reader *r, struct json_object *v)
{
	const char *s;

	if (is_stack(v))
		return add_stack(r, v);
	s = json_object_get_string(v);
	builder_add(&r->b, FRAME_KEY, s ? s : "null", s ? strlen(s) : 4, NULL, 0);
	return true;
}

/* ---- objects ---- */

static bool add_global(struct json_reader *r, struct json_object *o)
{
	struct json_object *keys = json_member(o, "keys", json_type_array), *value, *sum, *count;
	const char *name = json_member_text(o, "name");
	uint64_t n = 1, times = 0;

	if (!name || !keys || !json_object_object_get_ex(o, "value", &value))
		return refuse_record(r, "a global without name, keys or value");
	builder_start(&r->b);
	for (size_t i = 0; i < json_object_array_length(keys); i++)
		if (!add_key(r, json_object_array_get_idx(keys, i)))
			return false;
	if (is_stack(value) && !add_stack(r, value))
		return false;
	if (!r->b.stacks)
		return true;
	sum = json_member(value, "sum", json_type_int);
	count = json_member(value, "count", json_type_int);
	if (sum && count)
		return take_number(r, sum, &n) && take_number(r, count, &times) &&
		       builder_end(&r->b, name, true, times, n);
	if (json_object_is_type(value, json_type_int) && !take_number(r, value, &n))
		return false;
	return builder_end(&r->b, name, false, 0, n);
}

/* The last argument is the number, if it is one; other arguments that are not stacks are keys. */
static bool add_print(struct json_reader *r, struct json_object *o)
{
	struct json_object *args = json_member(o, "args", json_type_array), *v;
	size_t n = args ? json_object_array_length(args) : 0;
	const char *name = NULL;
	uint64_t number = 1;

	builder_start(&r->b);
	for (size_t i = 0; i < n; i++) {
		struct json_object *arg = json_object_array_get_idx(args, i);
		const char *text = json_member_text(arg, "expr");

		if (!json_object_object_get_ex(arg, "value", &v))
			return refuse_record(r, "an argument of a print has no value");
		if (is_stack(v) && !name)
			name = text ? text : "stack";
		if (i + 1 == n && json_object_is_type(v, json_type_int)) {
			/* A print statement without a stack is ignored. */
			if (name && !take_number(r, v, &number))
				return false;
			continue;
		}
		if (json_object_is_type(v, json_type_object) || (text && *text == '"'))
			continue;
		if (!add_key(r, v))
			return false;
	}
	return !name || builder_end(&r->b, name, false, 0, number);
}

static const char *copy_of(struct arena *a, const char *text)
{
	return text ? arena_strdup(a, text) : NULL;
}

static void add_summary(struct json_reader *r, struct json_object *o)
{
	struct json_object *skipped = json_member(o, "skipped", json_type_object), *v;
	struct profile *p = r->b.p;
	double end = 0;

	p->complete = true;
	p->lost = count_of(o, "lost") + count_of(o, "not_stored");
	if (skipped) {
		json_object_object_foreach(skipped, way, n) {
			(void)way;
			p->lost += json_object_get_uint64(n);
		}
	}
	if (json_object_object_get_ex(o, "time", &v))
		end = json_object_get_double(v);
	if (json_object_object_get_ex(o, "seconds", &v))
		p->seconds = json_object_get_double(v);
	p->start = end - p->seconds;
	p->script = copy_of(p->a, json_member_text(o, "script"));
	p->kernel = copy_of(p->a, json_member_text(o, "kernel"));
}

static bool add_object(struct json_reader *r, struct json_object *o)
{
	const char *type = json_member_text(o, "type");

	if (!type)
		return refuse_record(r, "not an object of a saved run: it has no type");
	if (strcmp(type, "global") == 0)
		return add_global(r, o);
	if (strcmp(type, "print") == 0)
		return add_print(r, o);
	if (strcmp(type, "summary") == 0)
		add_summary(r, o);
	return true;
}

static bool read_line(struct json_reader *r)
{
	struct line_reader *l = r->b.l;
	struct json_object *o;
	bool good;

	json_tokener_reset(r->tokener);
	o = json_tokener_parse_ex(r->tokener, l->text, (int)l->len);
	if (json_tokener_get_error(r->tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(r->tokener) != l->len ||
	    !json_object_is_type(o, json_type_object)) {
		size_t at = json_tokener_get_parse_end(r->tokener);

		/* The end of a run that was cut off has no newline. */
		good = feof(l->f) && l->number > 1;
		if (!good) {
			diag_error(l->d, lines_range(l, at, at + 1), E_BAD_PROFILE,
				   "not an object of a saved run");
			diag_hint(l->d, "save stacks with probec --format=json -o FILE");
		}
	} else {
		good = add_object(r, o);
	}
	json_object_put(o);
	return good;
}

bool read_json(struct profile *p, struct line_reader *l)
{
	struct json_reader r = { .b = { .p = p, .l = l }, .tokener = json_tokener_new() };
	int more = 1;

	json_tokener_set_flags(r.tokener, JSON_TOKENER_STRICT);
	for (; more > 0; more = lines_next(l))
		if (l->len && !read_line(&r))
			break;
	json_tokener_free(r.tokener);
	return more == 0;
}
