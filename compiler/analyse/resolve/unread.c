/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Aliases of the library prepare values for all probes, such as argstr with strings of the process,
 * of which most probes use one or two. Assignments in blocks of the library to locals that the
 * handler never reads are removed before names are looked up, so they cost neither time in the
 * handler nor the functions that they call. In these assignments, the library calls nothing that
 * has an effect. Of the scripts of users, only statements that show nothing but a value of the
 * probed code are removed, with a warning; what they name need not exist.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/handler.h"

struct reads {
	struct resolver *r;
	struct map names;
	bool effect;
	bool dropped;
};

static bool visit_effect(struct expr **e, void *data)
{
	struct reads *re = data;

	re->effect |= (*e)->kind == EX_ASSIGN || (*e)->kind == EX_INCDEC ||
		      ((*e)->kind == EX_PRINT && !PRINT_IS_SPRINT((*e)->u.print.kind)) ||
		      (*e)->kind == EX_EMBEDDED;
	return true;
}

/* The assignment in a statement that may be removed, or NULL. */
static struct expr *droppable(struct reads *re, struct stmt *s)
{
	struct expr *e = s->kind == ST_EXPR ? s->u.expr : NULL;
	struct visitor v = { .expr = visit_effect, .data = re };

	if (!e || e->kind != EX_ASSIGN || e->u.assign.op != OP_SET ||
	    e->u.assign.left->kind != EX_NAME || !e->range.src || e->range.src->in_tapset < 2)
		return NULL;
	map_each(it, &re->r->globals) {
		struct global_info *gi = it->value;

		if (strcmp(gi->sym->name, e->u.assign.left->u.name.name) == 0)
			return NULL;
	}
	re->effect = false;
	walk_expr(&e->u.assign.right, &v);
	return re->effect ? NULL : e;
}

static bool visit_name(struct expr **e, void *data)
{
	struct reads *re = data;

	if ((*e)->kind == EX_NAME)
		map_set(&re->names, (*e)->u.name.name, re);
	return true;
}

/* Records every name except those that are only assigned. */
static bool visit_stmt(struct stmt **s, void *data)
{
	struct visitor v = { .expr = visit_name, .data = data };
	struct expr *e = droppable(data, *s);

	if (!e)
		return true;
	walk_expr(&e->u.assign.right, &v);
	return false;
}

static bool drop(struct stmt **s, void *data)
{
	struct reads *re = data;
	struct expr *e = droppable(re, *s);

	if (e && !map_get(&re->names, e->u.assign.left->u.name.name)) {
		*s = ast_stmt(re->r->s->arena, ST_EMPTY, (*s)->range);
		re->dropped = true;
	}
	return true;
}

void unread_drop(struct resolver *r, struct stmt **body, struct expr **cond)
{
	struct reads re = { .r = r };
	struct visitor find = { .expr = visit_name, .stmt = visit_stmt, .data = &re };
	struct visitor leave = { .stmt = drop, .data = &re };

	do {
		re.dropped = false;
		map_init(&re.names, r->s->arena);
		walk_stmt(body, &find);
		walk_expr(cond, &find);
		walk_stmt(body, &leave);
	} while (re.dropped);
}

/* ---- statements without an effect ---- */

struct idleness {
	bool effect; /* it calls, assigns, prints or decides, or is more than a value */
	bool value;  /* it names a value of the probed code */
	bool is_return; /* of the probe: elsewhere, nothing can compute what @entry() contains */
};

static bool visit_idle(struct expr **pe, void *data)
{
	struct idleness *idle = data;

	switch ((*pe)->kind) {
	case EX_CONTEXT:
	case EX_DEREF:
		idle->value = true;
		break;
	case EX_AT:
		idle->value = true;
		if (strcmp((*pe)->u.at.name, "@entry") == 0 && !idle->is_return)
			return false;
		idle->effect |= strcmp((*pe)->u.at.name, "@const") == 0;
		break;
	case EX_NUM:
	case EX_REAL:
	case EX_STR:
	case EX_NAME:
	case EX_INDEX:
	case EX_UNARY:
	case EX_BINARY:
		break;
	default:
		idle->effect = true;
	}
	return !idle->effect;
}

struct idle_walk {
	struct resolver *r;
	bool is_return;
};

static bool drop_idle(struct stmt **ps, void *data)
{
	struct idle_walk *w = data;
	struct idleness idle = { .is_return = w->is_return };
	struct visitor v = { .expr = visit_idle, .data = &idle };
	struct stmt *s = *ps;

	if (s->kind != ST_EXPR)
		return true;
	walk_expr(&s->u.expr, &v);
	if (idle.effect || !idle.value)
		return true;
	diag_warn(w->r->s->diag, s->range, E_UNUSED,
		  "this statement has no effect, and is left out");
	*ps = ast_stmt(w->r->s->arena, ST_EMPTY, s->range);
	return true;
}

void unread_drop_idle(struct resolver *r, struct stmt **body, enum probe_kind kind)
{
	struct idle_walk w = { r, site_kind_is_return(kind) };
	struct visitor v = { .stmt = drop_idle, .data = &w };

	walk_stmt(body, &v);
}
