/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The comment after a global, which describes its metric:
 *
 *   global reads  # files that were read             the help
 *   global us     #% histogram read_time{program} microseconds: how long reads took
 *   global start  #% none                            not exported
 *
 * Every part of "#%" may be left out; a colon precedes the help.
 */
#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "analyse/resolve/globals.h"

#define DECLARE "write #%% [TYPE] [NAME][{LABEL,...}] [UNIT]: HELP, or #%% none"

struct comment_reader {
	struct resolver *r;
	struct metric_comment *c;
	const char *p, *end;
};

static int malformed(struct comment_reader *in, const char *what)
{
	diag_error(in->r->s->diag, in->c->at, E_METRIC, "%s", what);
	diag_hint(in->r->s->diag, DECLARE);
	return -1;
}

static void skip_blanks(struct comment_reader *in)
{
	while (in->p < in->end && (*in->p == ' ' || *in->p == '\t'))
		in->p++;
}

/* A word of letters, digits and underscores; NULL: there is none. */
static const char *take_word(struct comment_reader *in)
{
	const char *from = in->p;

	while (in->p < in->end && words_is_part(*in->p))
		in->p++;
	return in->p > from && !isdigit((unsigned char)*from) ?
		       arena_strndup(in->r->s->arena, from, (size_t)(in->p - from)) : NULL;
}

static bool is_type(const char *word)
{
	static const char *const types[] = { "counter", "gauge", "summary", "histogram" };

	return words_has(types, 4, word);
}

bool metrics_is_reserved(const char *label)
{
	return strncmp(label, "__", 2) == 0 || strcmp(label, "le") == 0 ||
	       strcmp(label, "quantile") == 0;
}

static int take_labels(struct comment_reader *in)
{
	while (in->p < in->end && *in->p != '}') {
		const char *label;

		in->p++;
		skip_blanks(in);
		label = take_word(in);
		if (!label || metrics_is_reserved(label))
			return malformed(in, "this is not the name of a label");
		vec_push(in->r->s->arena, &in->c->labels, label);
		skip_blanks(in);
		if (in->p < in->end && *in->p != ',' && *in->p != '}')
			return malformed(in, "a comma or } is missing among the labels");
	}
	if (in->p == in->end)
		return malformed(in, "the labels have no }");
	in->p++;
	return 0;
}

/* Reads what follows "#%". */
static int take_declaration(struct comment_reader *in)
{
	struct metric_comment *c = in->c;
	const char *word;

	skip_blanks(in);
	word = take_word(in);
	if (word && strcmp(word, "none") == 0) {
		c->is_none = true;
		return 0;
	}
	if (word && is_type(word)) {
		c->type = word;
		skip_blanks(in);
		word = take_word(in);
	}
	c->name = word;
	if (in->p < in->end && *in->p == '{' && take_labels(in))
		return -1;
	skip_blanks(in);
	c->unit = take_word(in);
	skip_blanks(in);
	if (in->p < in->end && *in->p != ':')
		return malformed(in, "this does not describe a metric");
	in->p += in->p < in->end;
	skip_blanks(in);
	if (in->p < in->end)
		c->help = arena_strndup(in->r->s->arena, in->p, (size_t)(in->end - in->p));
	return 0;
}

/* Whether the declaration goes on with a comma: then the comment is about several globals. */
static const char *find_comment(const char *p, const char *end, bool *several)
{
	*several = false;
	while (p < end) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\' && p + 1 < end;
			p += p < end;
		} else if (*p == '#' || (*p == '/' && p + 1 < end && p[1] == '/')) {
			return p;
		} else if (*p == '{' || (*p == '/' && p + 1 < end && p[1] == '*')) {
			return NULL;
		} else {
			*several |= *p == ',';
			p++;
		}
	}
	return NULL;
}

/* Whether @g is declared: the comment on the line of a statement is about the statement. */
static bool is_declared(const struct symbol *g)
{
	const struct source *src = g->range.src;
	const char *at, *line;

	if (!src || g->range.via)
		return false;
	at = line = src->text + g->range.start;
	while (line > src->text && line[-1] != '\n')
		line--;
	for (; line + 6 < at; line++)
		if (strncmp(line, "global", 6) == 0)
			return true;
	return false;
}

int metrics_comment(struct resolver *r, const struct symbol *g, struct metric_comment *ret)
{
	const struct source *src = g->range.src;
	const char *p, *end;
	struct comment_reader in = { .r = r, .c = ret };
	bool several;

	*ret = (struct metric_comment){ .at = g->range };
	if (!is_declared(g))
		return 0;
	p = src->text + g->range.end;
	end = p + strcspn(p, "\n");
	p = find_comment(p, end, &several);
	if (!p)
		return 0;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	ret->at = (struct range){ .src = g->range.src, .start = (uint32_t)(p - src->text),
				  .end = (uint32_t)(end - src->text) };
	in.p = p + (*p == '#' ? 1 : 2);
	in.end = end;
	if (*p == '#' && in.p < end && (*in.p == ':' || *in.p == '%'))
		in.p++;
	ret->is_declared = in.p - p == 2 && *p == '#' && p[1] == '%';
	/* An option of the script says how the session is set up: it is no result. */
	ret->is_none = *p == '#' && p[1] == ':';
	if (ret->is_declared && several)
		return malformed(&in, "a metric belongs to one global");
	if (ret->is_declared)
		return take_declaration(&in);
	skip_blanks(&in);
	ret->help = in.p < end ? arena_strndup(r->s->arena, in.p, (size_t)(end - in.p)) : NULL;
	return 0;
}
