/* SPDX-License-Identifier: GPL-2.0 */
/* The grammar's actions on values with members and elements: $-expressions, @-operators, and what a
 * script's own value points to. */
#include "parse/tree.h"

#include <string.h>

#include "state.h"

/* Removes the "$" at the end of a name, and returns their number. */
static int cut_pretty(struct parser *p, const char **name)
{
	size_t len = strlen(*name), n = len;

	while (n && (*name)[n - 1] == '$')
		n--;
	if (n != len)
		*name = arena_strndup(p->arena, *name, n);
	return (int)(len - n);
}

static void check_pretty(struct parser *p, struct range r, int pretty)
{
	if (pretty > 2)
		parser_error(p, r, E_SYNTAX,
			     "a value is printed with '$' or '$$' after it, not more");
}

struct expr *tree_context(struct parser *p, struct range r, const char *name, struct path *path)
{
	struct expr *e = ast_expr(p->arena, EX_CONTEXT, r);
	int pretty = cut_pretty(p, &name);

	if (pretty && path->v.n)
		parser_error(p, path->v.v[0].range, E_SYNTAX,
			     "nothing can follow the '$' of '%s%s'", name,
			     pretty > 1 ? "$$" : "$");
	check_pretty(p, r, path->pretty + pretty);
	e->u.context.name = name;
	e->u.context.pretty = path->pretty + pretty;
	tree_take(&e->u.context.path, &path->v);
	return e;
}

struct expr *tree_at(struct parser *p, struct range r, const char *name, struct expr_list *args,
		     struct path *path)
{
	struct expr *e = ast_expr(p->arena, EX_AT, r);

	check_pretty(p, r, path->pretty);
	e->u.at.name = name;
	e->u.at.pretty = path->pretty;
	tree_take(&e->u.at.args, &args->v);
	tree_take(&e->u.at.path, &path->v);
	return e;
}

struct expr *tree_deref(struct parser *p, struct range r, struct expr *base, struct path *path)
{
	struct expr *e = ast_expr(p->arena, EX_DEREF, r);

	if (parser_before(p, "2.6")) {
		parser_error(p, r, E_SYNTAX, "a value of the script has no members before version "
			     "2.6 of the language, and --compatible=%s is given",
			     p->state->opt.compatible);
		diag_hint(p->diag, "name the type: @cast(value, \"struct NAME\")->MEMBER");
	}
	e->u.deref.base = base;
	if (!path)
		return e;
	check_pretty(p, r, path->pretty);
	e->u.deref.pretty = path->pretty;
	tree_take(&e->u.deref.path, &path->v);
	return e;
}

struct expr *tree_address(struct range r, struct expr *e)
{
	e->range = r;
	if (e->kind == EX_CONTEXT)
		e->u.context.address = true;
	else if (e->kind == EX_AT)
		e->u.at.address = true;
	else
		e->u.deref.address = true;
	return e;
}

void tree_accessor(struct parser *p, struct path *path, struct range r, const char *member,
		   struct expr *index)
{
	struct accessor acc = { r, member, index };

	if (path->pretty)
		parser_error(p, r, E_SYNTAX, "nothing can follow the '$' that prints a value");
	if (member)
		path->pretty += cut_pretty(p, &acc.member);
	vec_push(p->arena, &path->v, acc);
}

struct path *tree_path(struct parser *p, struct range r, const struct accessor *step)
{
	struct path *ret = NEW(p->arena, struct path);

	tree_accessor(p, ret, r, step->member, step->index);
	return ret;
}
