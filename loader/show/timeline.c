/* SPDX-License-Identifier: GPL-2.0 */
#include "show/timeline.h"

#include <stdio.h>
#include <string.h>

#include "module/meta.h"

bool timeline_is_name(const char *name, size_t len, const char *wanted)
{
	return name && strlen(wanted) == len && memcmp(name, wanted, len) == 0;
}

enum timeline_kind timeline_kind(const struct meta_print *p)
{
	static const struct {
		enum timeline_kind kind;
		const char *format, *types;
	} rows[] = {
		{ TIMELINE_BEGIN, "trace_begin %d/%d %s: %s\n", "llss" },
		{ TIMELINE_END, "trace_end %d/%d %s: %s\n", "llss" },
		{ TIMELINE_CONTEXT, "trace_context %d/%d %s: %s\n", "llss" },
		{ TIMELINE_COUNTER, "trace_counter %s: %d\n", "sl" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !p->global; i++)
		if (strcmp(p->types, rows[i].types) == 0 &&
		    timeline_is_name(p->format, p->format_len, rows[i].format))
			return rows[i].kind;
	return TIMELINE_OTHER;
}

struct timeline_thread timeline_thread(const struct meta_print *p, struct args args)
{
	struct timeline_thread r = { .pid = -1, .tid = -1 };
	struct arg a;

	for (unsigned i = 0; !p->global && args_next(&args, &a) == 0 && a.type; i++) {
		size_t len;
		const char *name = meta_name(p, i, &len);

		if (a.type == 'l' && timeline_is_name(name, len, "pid()")) {
			r.pid = a.number;
		} else if (a.type == 'l' && timeline_is_name(name, len, "tid()")) {
			r.tid = a.number;
		} else if (a.type == 's' && timeline_is_name(name, len, "execname()")) {
			r.name = a.s;
			r.len = a.len;
		}
	}
	return r;
}

bool timeline_is_whole(struct args args)
{
	struct arg a;

	while (*args.types)
		if (args_next(&args, &a))
			return false;
	return true;
}

struct arg timeline_arg(struct args args, unsigned n)
{
	struct arg a = { 0 };

	for (unsigned i = 0; i <= n; i++)
		args_next(&args, &a);
	return a;
}

const char *timeline_key(const struct meta_print *p, unsigned i, char *room, size_t size)
{
	size_t len;
	const char *name = meta_name(p, i, &len);

	if (name)
		snprintf(room, size, "%.*s", (int)len, name);
	else
		snprintf(room, size, "arg%u", i + 1);
	return room;
}

bool timeline_is_repeated(const struct meta_print *p, unsigned i)
{
	size_t len, other_len;
	const char *name = meta_name(p, i, &len), *other;

	for (unsigned j = 0; name && j < i; j++) {
		other = meta_name(p, j, &other_len);
		if (other && other_len == len && memcmp(other, name, len) == 0)
			return true;
	}
	return false;
}
