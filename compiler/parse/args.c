/* SPDX-License-Identifier: GPL-2.0 */
/* Script arguments in the text. */
#include "parse/args.h"

#include <stdlib.h>
#include <string.h>

#include "grammar/script.tab.h"
#include "parse/parser.h"
#include "parse/tree.h"
#include "state.h"

static void mark_bad(struct token *tok, int kind, const char *why)
{
	tok->kind = kind;
	tok->s = kind == TOK_STRING ? "" : "0";
	tok->len = strlen(tok->s);
	tok->bad = why;
	tok->bad_id = E_ARG;
}

static void count(struct state *s, struct token *tok)
{
	tok->kind = tok->s[0] == '$' ? TOK_NUMBER : TOK_STRING;
	tok->s = arena_printf(s->arena, "%d", s->opt.argc);
	tok->len = strlen(tok->s);
}

/*
 * "$1" becomes its characters. Text that follows without a space belongs to the same word
 * ("sys_$1", or more rarely "$1_read"), so it is scanned together with the argument.
 */
static void paste(struct state *s, struct scanner *sc, const struct token *tok, const char *arg,
		  const char *tail)
{
	const char *name = arena_strndup(s->arena, tok->s, (size_t)(tail - tok->s));
	char *text = arena_printf(s->arena, "%s%s", arg, tail);
	struct source *src = source_from_text(s->arena, name, text, strlen(text));
	struct expansion *via = NEW(s->arena, struct expansion);

	src->id = (int)s->sources.n;
	vec_push(s->arena, &s->sources, src);
	*via = (struct expansion){ "argument", name, tok->range.src, tok->range.start,
				   tok->range.end, tok->range.via, false };
	scanner_paste(sc, src, via);
}

/* Names of arguments.c: an argument that is not pasted may be read by one of them. */
static void note_name(struct state *s, const char *name)
{
	long n;

	if (strncmp(name, "argv", 4) != 0)
		return;
	n = name[4] == '_' ? strtol(name + 5, NULL, 10) : 0;
	if (!name[4])
		s->arg_used = UINT64_MAX;
	else if (n >= 1 && n <= 64)
		s->arg_used |= UINT64_C(1) << (n - 1);
}

void args_next(struct state *s, struct scanner *sc, struct token *ret)
{
	for (;;) {
		const char *tail;
		long n = 0;
		int kind;

		scanner_next(sc, ret);
		if (ret->kind == TOK_IDENT)
			note_name(s, ret->s);
		if (ret->kind != TOK_ARG)
			return;
		kind = ret->s[0] == '$' ? TOK_NUMBER : TOK_STRING;
		if (ret->range.via) {
			mark_bad(ret, kind, arena_printf(s->arena, "an argument can't refer to %s",
							 ret->s));
			return;
		}
		if (ret->s[1] == '#') {
			count(s, ret);
			return;
		}
		for (tail = ret->s + 1; *tail >= '0' && *tail <= '9'; tail++)
			n = n > 9999 ? n : n * 10 + (*tail - '0');
		if (n < 1 || n > s->opt.argc) {
			mark_bad(ret, kind, arena_printf(s->arena,
							 "%.*s: the script was given %d argument%s",
							 (int)(tail - ret->s), ret->s, s->opt.argc,
							 s->opt.argc == 1 ? "" : "s"));
			return;
		}
		if (n <= 64)
			s->arg_used |= UINT64_C(1) << (n - 1);
		if (kind == TOK_STRING) {
			ret->kind = TOK_STRING;
			ret->s = s->opt.argv[n - 1];
			ret->len = strlen(ret->s);
			return;
		}
		paste(s, sc, ret, s->opt.argv[n - 1], tail);
	}
}
