/* SPDX-License-Identifier: GPL-2.0 */
/* The objects of --format=json: globals and print statements with stacks, and the summary. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "profile/private.h"
#include "saved/objects.h"

static bool refuse_record(struct builder *b, const char *why)
{
	diag_error(b->l->d, saved_lines_range(b->l, 0, b->l->len), E_BAD_PROFILE, "%s", why);
	return false;
}

/* The number of an element, which must not be negative. */
static bool take_number(struct builder *b, struct json_object *v, uint64_t *ret)
{
	if (json_object_get_int64(v) < 0)
		return refuse_record(b, "a negative number of a stack can't be drawn");
	*ret = json_object_get_uint64(v);
	return *ret <= INT64_MAX || refuse_record(b, "a number of a stack has more than 63 bits");
}

/* ---- stacks ---- */

static bool is_stack(struct json_object *v)
{
	return json_object_is_type(v, json_type_array);
}

static bool add_frame(struct builder *b, struct json_object *o)
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

		builder_add(b, FRAME_NOTE, note, strlen(note), NULL, 0);
		return true;
	}
	if (symbol && !address && json_member_text(o, "language")) {
		const char *file = json_member_text(o, "file");

		builder_add_script(b, symbol, strlen(symbol), file ? file : "",
				   file ? strlen(file) : 0);
		return true;
	}
	if (!symbol && !address)
		return refuse_record(b, "a frame has neither a symbol nor an address");
	/* Addresses of programs differ from run to run, so they are not shown. */
	if (!symbol)
		symbol = kernel ? address : "[unknown]";
	if (module && strcmp(module, "kernel") == 0)
		module = NULL;
	builder_add(b, kernel ? FRAME_KERNEL : FRAME_USER, symbol, strlen(symbol), module,
		    number);
	return true;
}

static bool add_stack(struct builder *b, struct json_object *stack)
{
	size_t from = builder_stack(b);

	for (size_t i = 0; i < json_object_array_length(stack); i++) {
		struct json_object *o = json_object_array_get_idx(stack, i);

		if (!json_object_is_type(o, json_type_object))
			return refuse_record(b, "a frame is not an object");
		if (!add_frame(b, o))
			return false;
	}
	if (b->steps.n == from)
		builder_add(b, FRAME_NOTE, "[no stack]", 10, NULL, 0);
	builder_reverse(b, from);
	return true;
}

static bool add_key(struct builder *b, struct json_object *v)
{
	const char *s;

	if (is_stack(v))
		return add_stack(b, v);
	s = json_object_get_string(v);
	builder_add(b, FRAME_KEY, s ? s : "null", s ? strlen(s) : 4, NULL, 0);
	return true;
}

/* ---- objects ---- */

static bool add_global(struct builder *b, struct json_object *o)
{
	struct json_object *keys = json_member(o, "keys", json_type_array), *value, *sum, *count;
	const char *name = json_member_text(o, "name");
	uint64_t n = 1, times = 0;

	if (!name || !keys || !json_object_object_get_ex(o, "value", &value))
		return refuse_record(b, "a global without name, keys or value");
	builder_start(b);
	for (size_t i = 0; i < json_object_array_length(keys); i++)
		if (!add_key(b, json_object_array_get_idx(keys, i)))
			return false;
	if (is_stack(value) && !add_stack(b, value))
		return false;
	if (!b->stacks)
		return true;
	sum = json_member(value, "sum", json_type_int);
	count = json_member(value, "count", json_type_int);
	if (sum && count)
		return take_number(b, sum, &n) && take_number(b, count, &times) &&
		       builder_end(b, name, true, times, n);
	if (json_object_is_type(value, json_type_int) && !take_number(b, value, &n))
		return false;
	return builder_end(b, name, false, 0, n);
}

/* The last argument is the number, if it is one; other arguments that are not stacks are keys. */
static bool add_print(struct builder *b, struct json_object *o)
{
	struct json_object *args = json_member(o, "args", json_type_array), *v;
	size_t n = args ? json_object_array_length(args) : 0;
	const char *name = NULL;
	uint64_t number = 1;

	builder_start(b);
	for (size_t i = 0; i < n; i++) {
		struct json_object *arg = json_object_array_get_idx(args, i);
		const char *text = json_member_text(arg, "expr");

		if (!json_object_object_get_ex(arg, "value", &v))
			return refuse_record(b, "an argument of a print has no value");
		if (is_stack(v) && !name)
			name = text ? text : "stack";
		if (i + 1 == n && json_object_is_type(v, json_type_int)) {
			/* A print statement without a stack is ignored. */
			if (name && !take_number(b, v, &number))
				return false;
			continue;
		}
		if (json_object_is_type(v, json_type_object) || (text && *text == '"'))
			continue;
		if (!add_key(b, v))
			return false;
	}
	return !name || builder_end(b, name, false, 0, number);
}

static const char *copy_of(struct arena *a, const char *text)
{
	return text ? arena_strdup(a, text) : NULL;
}

static void add_summary(struct builder *b, struct json_object *o)
{
	struct saved_summary s = saved_summary(o);
	struct profile *p = b->p;

	p->complete = true;
	p->lost = s.lost + s.not_stored + s.skipped;
	p->seconds = s.seconds;
	p->start = s.time - s.seconds;
	p->script = copy_of(p->a, s.script);
	p->kernel = copy_of(p->a, s.kernel);
}

static bool add_object(struct builder *b, struct json_object *o, const char *type)
{
	if (strcmp(type, "global") == 0)
		return add_global(b, o);
	if (strcmp(type, "print") == 0)
		return add_print(b, o);
	if (strcmp(type, "summary") == 0)
		add_summary(b, o);
	return true;
}

bool read_json(struct profile *p, struct line_reader *l)
{
	struct builder b = { .p = p, .l = l };
	struct object_reader objects;
	int more;

	objects_init(&objects, l);
	for (more = objects_take(&objects); more > 0; more = objects_next(&objects)) {
		if (!add_object(&b, objects.o, objects.type)) {
			more = -1;
			break;
		}
	}
	objects_deinit(&objects);
	return more == 0;
}
