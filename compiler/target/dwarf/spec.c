/* SPDX-License-Identifier: GPL-2.0 */
/* Parses the argument of function("...") and statement("..."): FUNCTION[@FILE][:LINES | +N]. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf/dwarf.h"
#include "target/object/demangle.h"

enum { LINE_MAX_ = 1 << 24 };

static bool read_line(const char **text, unsigned *ret)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;

	unsigned long v = strtoul(*text, &end, 10);

	*text = end;
	*ret = (unsigned)v;
	return !errno && v < LINE_MAX_;
}

/* Reads "N" or "N-M", or several of these separated by ','. */
static bool read_spans(struct arena *a, const char *text, struct dwarf_spec *ret)
{
	for (;;) {
		struct dwarf_span span;

		if (!read_line(&text, &span.from))
			return false;
		span.to = span.from;
		if (*text == '-') {
			text++;
			if (!read_line(&text, &span.to) || span.to < span.from)
				return false;
		}
		vec_push(a, &ret->spans, span);
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

static bool read_lines(struct arena *a, char mark, const char *text, struct dwarf_spec *ret,
		       const char **why)
{
	if (mark == ':' && strcmp(text, "*") == 0) {
		ret->lines = DWARF_LINES_ALL;
		return true;
	}
	ret->lines = mark == ':' ? DWARF_LINES_AT : DWARF_LINES_RELATIVE;
	if (read_spans(a, text, ret))
		return true;
	*why = arena_printf(a, "'%c%s' is not a list of lines: a number, FROM-TO, or several "
			    "separated by ','%s", mark, text, mark == ':' ? ", or *" : "");
	return false;
}

/* The last ':' that is not a part of "::" or of a name within braces. */
static const char *find_colon(const char *text)
{
	const char *colon = NULL;
	unsigned braces = 0;

	for (const char *s = text; *s; s++) {
		/* Rust: "{shim:vtable#0}". */
		braces += *s == '{';
		braces -= braces && *s == '}';
		if (braces)
			continue;
		/* A tag is a part of the name: "f[abi:cxx11]". */
		if (strncmp(s, "[abi:", 5) == 0)
			s += 4;
		else if (*s == ':' && s[1] != ':')
			colon = s;
		else if (*s == ':')
			s++;
	}
	return colon;
}

/* The character before the lines: the last ':' or '+'. A '+' in a file name belongs to the name. */
static const char *find_mark(const char *text)
{
	const char *mark = find_colon(text), *plus = strrchr(text, '+');

	if (!mark && plus && isdigit((unsigned char)plus[1]))
		mark = plus;
	return mark;
}

bool dwarf_spec_read(struct arena *a, const char *text, struct dwarf_spec *ret, const char **why)
{
	const char *at = strchr(text, '@'), *mark = find_mark(at ? at : text);
	size_t len = mark ? (size_t)(mark - text) : strlen(text);

	*ret = (struct dwarf_spec){0};
	if (at) {
		ret->file = arena_strndup(a, at + 1, len - (size_t)(at + 1 - text));
		len = (size_t)(at - text);
	}
	ret->function = arena_strndup(a, text, len);
	if (!len || (at && !*ret->file)) {
		*why = len ? "the file's name is missing after '@'" :
			     "the function's name is missing; * means any";
		return false;
	}
	return !mark || read_lines(a, *mark, mark + 1, ret, why);
}

bool dwarf_spec_is_pattern(const struct dwarf_spec *spec)
{
	return demangle_is_pattern(spec->function) || (spec->file && strpbrk(spec->file, "*?["));
}
