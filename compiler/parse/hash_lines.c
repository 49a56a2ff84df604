/* SPDX-License-Identifier: GPL-2.0 */
/* Finds lines of C's preprocessor. */
#include "parse/hash_lines.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/words.h"

enum { BODY_SHOWN = 40 }; /* longer bodies, and those of several lines, are shown as "..." */

/* The text after a "#" that begins a line. */
struct hash_line {
	const char *start;       /* the "#" */
	const char *word, *rest; /* "define"; the text after it */
	const char *end;         /* end of the line */
};

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *skip_word(const char *p, const char *end)
{
	while (p < end && words_is_part(*p))
		p++;
	return p;
}

/* The rest of a text. */
struct lines {
	const char *p, *end;
};

static bool next_line(struct lines *left, struct hash_line *ret)
{
	while (left->p < left->end) {
		ret->end = memchr(left->p, '\n', (size_t)(left->end - left->p));
		if (!ret->end)
			ret->end = left->end;
		ret->start = skip_blanks(left->p, ret->end);
		left->p = ret->end < left->end ? ret->end + 1 : left->end;
		if (ret->start == ret->end || *ret->start != '#')
			continue;
		ret->word = skip_blanks(ret->start + 1, ret->end);
		ret->rest = skip_word(ret->word, ret->end);
		return true;
	}
	return false;
}

static bool is_word(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) == strlen(word) && memcmp(p, word, (size_t)(end - p)) == 0;
}

static struct range range_of(struct source *src, const char *start, const char *end)
{
	return (struct range){ .src = src, .start = (uint32_t)(start - src->text),
			       .end = (uint32_t)(end - src->text) };
}

/* The text between the two if it can be shown as the body of a macro. */
static const char *body(struct arena *a, const char *p, const char *end)
{
	const char *text;

	p = skip_blanks(p, end);
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	text = arena_strndup(a, p, (size_t)(end - p));
	if (!*text || end - p > BODY_SHOWN || strpbrk(text, "\\#%@") || strstr(text, "/*") ||
	    strstr(text, "//"))
		return "...";
	return text;
}

static bool is_embedded(const struct source *src, const char *p)
{
	for (; p > src->text; p--)
		if (p[-1] == '%' && (*p == '{' || *p == '}'))
			return *p == '{';
	return false;
}

static const char *as_macro(struct arena *a, const char *name, const char *rest, const char *end)
{
	const char *close = *rest == '(' ? memchr(rest, ')', (size_t)(end - rest)) : NULL;

	if (close)
		return arena_printf(a, "a macro is written @define %s%.*s %%( ... %%) and used as "
				    "@%s(...); in it a parameter has an @ as well", name,
				    (int)(close + 1 - rest), rest, name);
	return arena_printf(a, "a macro is written @define %s %%( %s %%) and used as @%s", name,
			    body(a, rest, end), name);
}

const char *hash_lines_define(struct arena *a, struct source *src, const char *name,
			      struct range *at)
{
	struct lines left = { src->text, src->text + src->len };
	struct hash_line l;

	while (next_line(&left, &l)) {
		const char *start = skip_blanks(l.rest, l.end);
		const char *after = skip_word(start, l.end);

		if (!is_word(l.word, l.rest, "define") || !is_word(start, after, name))
			continue;
		*at = range_of(src, l.start, after);
		return arena_printf(a, "this line is %s; %s", is_embedded(src, l.start) ?
				    "for embedded C only" : "a comment",
				    as_macro(a, name, after, l.end));
	}
	return NULL;
}

const char *hash_lines_else(struct range a, struct range b, struct range *at)
{
	struct lines left;
	struct hash_line l;

	if (a.src != b.src || a.via || b.via)
		return NULL;
	left = (struct lines){ a.src->text + a.end, a.src->text + b.start };
	while (next_line(&left, &l)) {
		if (!is_word(l.word, l.rest, "else") && !is_word(l.word, l.rest, "elif"))
			continue;
		*at = range_of(a.src, l.start, l.rest);
		return "this line is a comment, and the text before it and after it is compiled: "
		       "%( CONDITION %? ... %: ... %) chooses";
	}
	return NULL;
}

const char *hash_lines_include(struct source *src, struct range *at)
{
	struct lines left = { src->text, src->text + src->len };
	struct hash_line l;

	while (next_line(&left, &l)) {
		if (!is_word(l.word, l.rest, "include"))
			continue;
		*at = range_of(src, l.start, l.rest);
		return "this line is a comment; the functions of a directory's .kp and .stp files "
		       "are there with -I DIR";
	}
	return NULL;
}

const char *hash_lines_continued(struct source *src, uint32_t pos, struct range *at)
{
	struct lines left = { src->text, src->text + pos };
	struct hash_line l, last = { 0 };

	while (next_line(&left, &l))
		last = l;
	if (!last.start || last.end == left.end || last.end[-1] != '\\' ||
	    memchr(last.end + 1, '\n', (size_t)(left.end - last.end - 1)))
		return NULL;
	*at = range_of(src, last.start, last.rest);
	return "this line is a comment, and a comment ends with its line, also with a \\ there";
}
