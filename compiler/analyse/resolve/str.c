/* SPDX-License-Identifier: GPL-2.0 */
/*
 * str(value), the text of a string of the program: value$ without quotes. It is no function of the
 * library, because the type of the value decides how it is read. A script may define a function of
 * that name.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"

#define TEXT_FUNCTION "str"

static bool is_text_call(struct resolver *r, const struct expr *e)
{
	return e->kind == EX_CALL && e->u.call.args.n == 1 &&
	       strcmp(e->u.call.name, TEXT_FUNCTION) == 0 &&
	       !functions_named(r, TEXT_FUNCTION);
}

static bool is_entry_value(const struct expr *e)
{
	return e->kind == EX_AT && strcmp(e->u.at.name, "@entry") == 0 && e->u.at.args.n == 1 &&
	       !e->u.at.path.n && !e->u.at.pretty;
}

static bool on_expr(struct expr **pe, void *data)
{
	struct resolver *r = data;
	struct expr *e = *pe, *value;

	if (!is_text_call(r, e))
		return true;
	*pe = value = e->u.call.args.v[0];
	/* The entry saves the text. */
	while (is_entry_value(value)) {
		pe = &value->u.at.args.v[0];
		value = *pe;
	}
	if (value->kind == EX_CONTEXT && !value->u.context.pretty &&
	    strncmp(value->u.context.name, "$$", 2) != 0) {
		value->u.context.pretty = 1;
		value->u.context.plain = true;
	} else if (value->kind == EX_DEREF && !value->u.deref.pretty) {
		value->u.deref.pretty = 1;
		value->u.deref.plain = true;
	} else if (value->kind == EX_AT && !value->u.at.pretty) {
		value->u.at.pretty = 1;
		value->u.at.plain = true;
	} else if (value->kind != EX_STR) {
		/* A pointer that the script has kept. */
		*pe = ast_expr(r->s->arena, EX_DEREF, e->range);
		(*pe)->u.deref.base = value;
		(*pe)->u.deref.pretty = 1;
		(*pe)->u.deref.plain = true;
	}
	return true;
}

void str_calls(struct resolver *r, struct stmt **body)
{
	struct visitor v = { .expr = on_expr, .data = r };

	walk_stmt(body, &v);
}

void str_calls_of(struct resolver *r, struct expr **e)
{
	struct visitor v = { .expr = on_expr, .data = r };

	walk_expr(e, &v);
}
