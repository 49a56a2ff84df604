/* SPDX-License-Identifier: GPL-2.0 */
/* The entry point of all lists, and functions that they share. */
#include "list/list.h"

#include <stdlib.h>
#include <string.h>

#include "list/private.h"
#include "parse/parse.h"

void list_add(struct state *s, struct list_lines *lines, const struct buf *text)
{
	const char *line;

	if (!lines->seen.arena)
		map_init(&lines->seen, s->arena);
	if (map_get(&lines->seen, text->s))
		return;
	line = arena_strndup(s->arena, text->s, text->len);
	map_set(&lines->seen, line, lines);
	vec_push(s->arena, &lines->v, line);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void list_flush(struct list_lines *lines, struct buf *out)
{
	if (lines->v.n)
		qsort(lines->v.v, lines->v.n, sizeof(*lines->v.v), compare);
	vec_each(it, &lines->v)
		buf_printf(out, "%s\n", *it);
}

void list_json_text(struct buf *b, const char *s)
{
	buf_putc(b, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_printf(b, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			buf_printf(b, "\\u%04x", *s);
		else
			buf_putc(b, *s);
	}
	buf_putc(b, '"');
}

const char *list_origin(const struct access *access)
{
	switch (access->origin) {
	case ACCESS_OTHER: return NULL;
	case ACCESS_PROTOTYPE: return "the prototype alone";
	case ACCESS_CONVENTION: return "the calling convention";
	case ACCESS_DEBUG_INFO: return "debug information";
	}
	return NULL;
}

int list_run(struct state *s, struct buf *out)
{
	struct source *text = s->text;

	if (!text)
		text = source_from_text(s->arena, "<none>", "", 0);
	s->main = parse_source(s, text);
	if (!s->main)
		return 1;
	switch (s->opt.list) {
	case LIST_POINTS:
	case LIST_VALUES: return points_run(s, out);
	case LIST_LINES: return source_lines_run(s, out);
	default: return dump_run(s, out);
	}
}
