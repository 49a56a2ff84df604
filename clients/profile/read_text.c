/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globals as text, as they are shown when the script never reads them:
 *
 *   name["key",
 *    0xffffffff8134d3d0 : vfs_write+0x0/0x3f0 [kernel]
 *    0xffffffff8134d95b : ksys_write+0x6b/0xf0 [kernel]
 *   ,7]=5
 *
 * or, instead of =5, " @count=5 @min=... @sum=..." and a histogram. Globals without stacks are
 * passed over.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "profile/private.h"

struct text_reader {
	struct builder b;
	const char *name; /* name of the global whose element is incomplete; NULL: none */
	size_t from;      /* the first step of the current stack */
};

static bool refuse_line(const struct text_reader *r, const char *why)
{
	struct line_reader *l = r->b.l;

	diag_error(l->d, saved_lines_range(l, 0, l->len), E_BAD_PROFILE, "%s", why);
	diag_hint(l->d, "probec --format=folded or --format=json has stacks in a form that is "
			"always understood");
	return false;
}

/* ---- frames ---- */

/* " 0xADDRESS : NAME+0x10/0x20 [MODULE] at FILE:LINE"; everything after the address may be missing,
 * and " [inlined]" may follow a name. */
static bool is_frame(const char *s)
{
	char *end;

	if (strncmp(s, " 0x", 3) != 0)
		return false;
	strtoull(s + 3, &end, 16);
	return end > s + 3 && strncmp(end, " : ", 3) == 0;
}

/* " [LANGUAGE]        : NAME at FILE:LINE", of which all from " at" on may be missing. Returns
 * where the name is; NULL: it is no frame of a script. */
static const char *script_frame(const char *s)
{
	size_t n = strncmp(s, " [", 2) == 0 ? strcspn(s, "]") : 0;

	if (n < 3 || !s[n])
		return NULL;
	n += 1 + strspn(s + n + 1, " ");
	return s[n - 1] == ' ' && strncmp(s + n, ": ", 2) == 0 ? s + n + 2 : NULL;
}

static void add_script_frame(struct text_reader *r, const char *name)
{
	const char *at = strstr(name, " at "), *file = at ? at + 4 : "", *line;
	size_t len = strlen(file);

	line = memrchr(file, ':', len);
	if (line && line[1] && line[1 + strspn(line + 1, "0123456789")] == '\0')
		len = (size_t)(line - file);
	builder_add_script(&r->b, name, at ? (size_t)(at - name) : strlen(name), file, len);
}

/* The length of a frame's text without " at FILE:LINE". */
static size_t without_source(const char *name)
{
	const char *at = strstr(name, "] at ");

	return at ? (size_t)(at + 1 - name) : strlen(name);
}

static void add_frame(struct text_reader *r, const char *s)
{
	static const char inlined[] = " [inlined]";
	char *end;
	uint64_t address = strtoull(s + 3, &end, 16);
	const char *name = end + 3, *module = NULL, *at;
	size_t len = without_source(name);

	at = memrchr(name, '[', len);
	if (at && at > name && at[-1] == ' ' && name[len - 1] == ']') {
		module = arena_strndup(r->b.p->a, at + 1, (size_t)(name + len - 1 - (at + 1)));
		len = (size_t)(at - 1 - name);
	}
	if (len >= sizeof(inlined) && strncmp(name + len - (sizeof(inlined) - 1), inlined,
					      sizeof(inlined) - 1) == 0)
		len -= sizeof(inlined) - 1;
	at = memmem(name, len, "+0x", 3);
	if (at && at > name)
		len = (size_t)(at - name);
	if (module && strcmp(module, "kernel") == 0)
		module = NULL;
	builder_add(&r->b, read_kernel_address(address) ? FRAME_KERNEL : FRAME_USER, name, len,
		    module, address);
}

/* ---- elements ---- */

/* Adds the keys in a piece of text, "dd",7. An empty one is a stack without frames. */
static void add_keys(struct text_reader *r, const char *s, size_t len)
{
	size_t at = 0;

	do {
		bool quoted = at < len && s[at] == '"';
		size_t start = at + quoted, end = start;

		while (end < len && (quoted || s[end] != ',') &&
		       !(quoted && s[end] == '"' && (end + 1 == len || s[end + 1] == ',')))
			end++;
		if (!quoted && end == start) {
			builder_stack(&r->b);
			builder_add(&r->b, FRAME_NOTE, "[no stack]", 10, NULL, 0);
		} else {
			builder_add(&r->b, FRAME_KEY, s + start, end - start, NULL, 0);
		}
		at = end + quoted;
	} while (at++ < len);
}

/* The number after @name in " @count=5 @min=...". Returns false if there is none that can be
 * drawn. */
static bool part_of(const char *s, const char *name, uint64_t *ret)
{
	const char *at = strstr(s, name);

	if (!at)
		return false;
	at += strlen(name);
	return read_number(at, strcspn(at, " "), ret);
}

/* Reads the value after the closing bracket. */
static bool take_value(struct text_reader *r, const char *s)
{
	const char *name = r->name;
	uint64_t count = 0, sum = 0;

	r->name = NULL;
	if (*s == '=') {
		if (!read_number(s + 1, strlen(s + 1), &sum))
			return refuse_line(r, "the value of a stack is not a number, or is "
					   "negative");
		return builder_end(&r->b, name, false, 0, sum);
	}
	if (!part_of(s, " @count=", &count) || !part_of(s, " @sum=", &sum))
		return refuse_line(r, "the sum of a stack is not a number, or is negative");
	return builder_end(&r->b, name, true, count, sum);
}

/* Reads a piece of an element: keys, followed by the beginning of a stack or by the value. */
static bool take_piece(struct text_reader *r, const char *s)
{
	const char *end = strrchr(s, ']');
	size_t len = strlen(s);

	if (!len || s[len - 1] == ',' || s[len - 1] == '[') {
		if (len > 1)
			add_keys(r, s, len - 1);
		r->from = builder_stack(&r->b);
		return true;
	}
	if (!end || (end[1] != '=' && end[1] != ' '))
		return refuse_line(r, "not the end of an element");
	if (end > s)
		add_keys(r, s, (size_t)(end - s));
	return take_value(r, end + 1);
}

/* Reads an element in one line. It has a stack if an empty one is among its keys. */
static bool take_line(struct text_reader *r, const char *s, size_t name)
{
	const char *end = strrchr(s, ']'), *keys = s + name + 1;

	if (!end || (end[1] != '=' && strncmp(end + 1, " @count=", 8) != 0))
		return refuse_line(r, "not an element of a global");
	builder_start(&r->b);
	add_keys(r, keys, (size_t)(end - keys));
	if (!r->b.stacks)
		return true;
	r->name = arena_strndup(r->b.p->a, s, name);
	return take_value(r, end + 1);
}

static bool in_element(struct text_reader *r)
{
	const char *s = r->b.l->text, *script = script_frame(s);

	if (is_frame(s)) {
		add_frame(r, s);
		return true;
	}
	if (script) {
		add_script_frame(r, script);
		return true;
	}
	if (strcmp(s, " [lost stack]") == 0) {
		builder_add(&r->b, FRAME_NOTE, s + 1, strlen(s + 1), NULL, 0);
		return true;
	}
	if (strncmp(s, " ... ", 5) == 0) {
		builder_add(&r->b, FRAME_NOTE, "[missing frames]", 16, NULL, 0);
		return true;
	}
	if (*s != ',' && *s != ']')
		return refuse_line(r, "not a frame, and not the end of a stack");
	builder_reverse(&r->b, r->from);
	return take_piece(r, *s == ',' ? s + 1 : s);
}

/* Lines of a histogram, and globals that are not arrays: NAME=..., NAME @count=... */
static bool is_other(const char *s, size_t name)
{
	size_t blanks = strspn(s, " "), word = strcspn(s + blanks, " |");

	if (name && (s[name] == '=' || strncmp(s + name, " @count=", 8) == 0))
		return true;
	if (s[0] == 'p' && isdigit((unsigned char)s[1]))
		return true;
	return !s[blanks] || s[blanks + word] == '|' ||
	       strncmp(s + blanks + word, " |", 2) == 0;
}

static bool outside(struct text_reader *r)
{
	const char *s = r->b.l->text;
	size_t name = 0, len = r->b.l->len;

	while (isalnum((unsigned char)s[name]) || s[name] == '_')
		name++;
	if (name && s[name] == '[' && (s[len - 1] == ',' || s[len - 1] == '[')) {
		r->name = arena_strndup(r->b.p->a, s, name);
		builder_start(&r->b);
		return take_piece(r, s[name + 1] ? s + name + 1 : "");
	}
	if (name && s[name] == '[')
		return take_line(r, s, name);
	if (is_frame(s) || script_frame(s))
		return refuse_line(r, "a stack that is not a key of a global: it has no number");
	return is_other(s, name) || refuse_line(r, "neither a global nor a stack");
}

bool read_text(struct profile *p, struct line_reader *l)
{
	struct text_reader r = { .b = { .p = p, .l = l } };
	int more = 1;

	for (; more > 0; more = saved_lines_next(l)) {
		if (strlen(l->text) != l->len)
			return refuse_line(&r, "a line with a NUL");
		if (r.name ? !in_element(&r) : l->len && !outside(&r))
			return false;
	}
	if (more < 0)
		return false;
	if (!r.name)
		return true;
	l->number--;
	return refuse_line(&r, "the file ends within an element");
}
