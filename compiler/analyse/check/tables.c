/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --sort and --top: the tables that a script shows. A table is a loop over an array that prints;
 * its rows are the prints. With --top, the loop's limit is another one. With --sort it has none:
 * edges around it tell the loader to collect the rows, to sort them by an argument of their print,
 * and to show as many as the limit allows. So any column can be chosen, also one that the script
 * computes. Its name is the text of the argument, or the heading that was printed above it.
 */
#include <string.h>
#include <strings.h>

#include "ast/print.h"
#include "ast/walk.h"
#include "base/vec.h"
#include "program/program.h"
#include "program/site.h"
#include "analyse/check/check.h"
#include "state.h"

/* Functions that print for a loop call others at most so deep. */
enum { CALLS_MAX = 3 };

struct search {
	struct state *s;
	VEC(const char *) columns; /* of all tables, each once */
	size_t tables;
	bool found;                /* a table has the column */
	const struct expr *heading; /* the last print of words before the loop; or NULL */
	/* the loop whose body is being visited */
	bool prints, sorts;
	unsigned calls;
};

/* ---- columns ---- */

/* The loader's name of argument @i of a print: its text, or in a global what stands for it. */
static const char *name_of(struct search *v, const struct expr *print, size_t i)
{
	const struct expr *arg = print->u.print.args.v[i];
	struct range r = arg->range;

	if (strcmp(print->range.src->name, PROGRAM_AUTO_PRINT) != 0)
		return arena_strndup(v->s->arena, r.src->text + r.start, r.end - r.start);
	if (arg->kind == EX_NAME && arg->u.name.sym->kind == SYM_LOCAL)
		return arena_printf(v->s->arena, "key%zu", i + 1);
	return arg->kind == EX_AGG ? print_agg_name(arg->u.agg.op) + 1 : "value";
}

static bool can_sort(const struct expr *arg)
{
	return arg->kind != EX_STR && arg->kind != EX_NUM && arg->type != T_STACK &&
	       arg->type != T_STATS &&
	       !(arg->kind == EX_AGG && AGG_IS_HISTOGRAM(arg->u.agg.op));
}

/* The word above argument @i: headings are printed by one argument for each of the row. */
static const char *heading_of(const struct search *v, const struct expr *print, size_t i)
{
	const struct expr *h = v->heading;

	if (!h || h->u.print.args.n != print->u.print.args.n ||
	    h->u.print.args.v[i]->kind != EX_STR)
		return NULL;
	return h->u.print.args.v[i]->u.str.s;
}

/* Whether users mean the heading, which may have a unit in parentheses. */
static bool means(const char *heading, const char *word)
{
	size_t len = strlen(word);

	return strncasecmp(heading, word, len) == 0 && (!heading[len] || heading[len] == '(');
}

static void add_name(struct search *v, const char *name)
{
	vec_each(it, &v->columns)
		if (strcmp(*it, name) == 0)
			return;
	vec_push(v->s->arena, &v->columns, name);
}

static void take_columns(struct search *v, struct expr *print)
{
	const struct options *o = &v->s->opt;

	for (size_t i = 0; i < print->u.print.args.n; i++) {
		const struct expr *arg = print->u.print.args.v[i];
		const char *name, *heading;

		if (!can_sort(arg))
			continue;
		name = name_of(v, print, i);
		heading = heading_of(v, print, i);
		add_name(v, heading ? heading : name);
		if (v->sorts || (strcasecmp(name, o->sort) != 0 &&
				 !(heading && means(heading, o->sort))))
			continue;
		v->sorts = v->found = true;
		print->u.print.column = (int)i + 1;
		print->u.print.column_dir = o->sort_dir ? o->sort_dir :
					    arg->type == T_STRING ? 1 : -1;
	}
}

/* ---- loops ---- */

static bool visit_print(struct expr **e, void *data);

static bool visit_inner(struct stmt **s, void *data)
{
	(void)data;
	return (*s)->kind != ST_FOREACH;
}

static void look_into(struct search *v, struct stmt **body)
{
	struct visitor in = { .expr = visit_print, .stmt = visit_inner, .data = v };

	walk_stmt(body, &in);
}

static bool visit_print(struct expr **e, void *data)
{
	struct search *v = data;

	if ((*e)->kind == EX_CALL && v->calls < CALLS_MAX) {
		v->calls++;
		vec_each(f, &(*e)->u.call.targets)
			look_into(v, &(*f)->body);
		v->calls--;
	}
	if ((*e)->kind != EX_PRINT || PRINT_IS_SPRINT((*e)->u.print.kind))
		return true;
	v->prints = true;
	if (v->s->opt.sort)
		take_columns(v, *e);
	return true;
}

static struct stmt *edge(struct search *v, const struct stmt *loop, enum print_edge edge)
{
	struct stmt *s = ast_stmt(v->s->arena, ST_EXPR, loop->range);
	struct expr *e = s->u.expr = ast_expr(v->s->arena, EX_PRINT, loop->range);

	e->type = T_LONG;
	e->u.print.kind = PRINT_PRINTF;
	e->u.print.format = "";
	e->u.print.format_range = loop->range;
	e->u.print.edge = edge;
	return s;
}

/* Puts the loop at @at between edges, the first of which has its limit. */
static void put_edges(struct search *v, struct stmt **at)
{
	struct stmt *loop = *at, *block = ast_stmt(v->s->arena, ST_BLOCK, loop->range);
	struct stmt *begin = edge(v, loop, EDGE_BEGIN);
	struct expr *limit = loop->u.foreach.limit;

	if (!limit)
		limit = ast_number(v->s->arena, loop->range, -1);
	vec_push(v->s->arena, &begin->u.expr->u.print.args, limit);
	loop->u.foreach.limit = NULL;
	vec_push(v->s->arena, &block->u.block, begin);
	vec_push(v->s->arena, &block->u.block, loop);
	vec_push(v->s->arena, &block->u.block, edge(v, loop, EDGE_END));
	*at = block;
}

static struct expr *top_of(const struct search *v, const struct stmt *loop)
{
	int64_t top = v->s->opt.top;

	if (!top)
		return loop->u.foreach.limit;
	return top > 0 ? ast_number(v->s->arena, loop->range, top) : NULL;
}

static bool has_words(const struct expr *print)
{
	unsigned words = 0;

	vec_each(it, &print->u.print.args)
		words += (*it)->kind == EX_STR;
	return words > 1;
}

/* The edges of an array that is shown with stacks are there already: only their limit and column
 * change. */
static bool visit_edge(struct expr **e, void *data)
{
	struct search *v = data;

	if ((*e)->kind == EX_PRINT && !PRINT_IS_SPRINT((*e)->u.print.kind) && has_words(*e))
		v->heading = *e;

	if ((*e)->kind == EX_PRINT && (*e)->u.print.edge == EDGE_BEGIN && v->s->opt.top > 0)
		(*e)->u.print.args.v[0] = ast_number(v->s->arena, (*e)->range, v->s->opt.top);
	return true;
}

static bool has_edges(const struct stmt *loop)
{
	const struct stmt *body = loop->u.foreach.body;

	return body->kind == ST_EXPR && body->u.expr->kind == EX_PRINT &&
	       body->u.expr->u.print.column;
}

static bool visit_loop(struct stmt **s, void *data)
{
	struct search *v = data;
	struct foreach *f = &(*s)->u.foreach;
	bool edges;

	if ((*s)->kind != ST_FOREACH || f->array->kind == EX_AGG || !(*s)->range.src ||
	    (*s)->range.src->in_tapset)
		return true;
	edges = has_edges(*s);
	v->prints = v->sorts = false;
	look_into(v, &f->body);
	if (!v->prints)
		return true;
	v->tables++;
	if (!edges)
		f->limit = top_of(v, *s);
	if (!edges && v->sorts)
		put_edges(v, s);
	return false;
}

/* Probes that print metrics are not tables. */
static bool is_snapshot(const struct program *p, const struct probe *probe)
{
	return strcmp(probe->range.src->name, PROGRAM_AUTO_PRINT) == 0 &&
	       probe->range.start >= p->metrics_at;
}

static const char *listed(struct search *v)
{
	const char *text = "";

	vec_each(it, &v->columns)
		text = arena_printf(v->s->arena, "%s%s%s", text, *text ? ", " : "", *it);
	return text;
}

void tables_order(struct state *s, struct program *p)
{
	struct search v = { .s = s };
	struct visitor loops = { .expr = visit_edge, .stmt = visit_loop, .data = &v };

	if (!s->opt.sort && !s->opt.top)
		return;
	vec_each(it, &p->functions) {
		v.heading = NULL;
		walk_stmt(&(*it)->body, &loops);
	}
	vec_each(it, &p->probes) {
		v.heading = NULL;
		if (!site_kind_is_hot((*it)->kind) && !is_snapshot(p, *it))
			walk_stmt(&(*it)->body, &loops);
	}
	if (!v.tables) {
		diag_error(s->diag, (struct range){ 0 }, E_TABLE, "%s: the script shows no table",
			   s->opt.sort ? "--sort" : "--top");
		diag_hint(s->diag, "a table is a foreach that prints, or an array that nothing "
			  "reads");
	} else if (s->opt.sort && !v.found) {
		diag_error(s->diag, (struct range){ 0 }, E_TABLE,
			   "--sort: no table has the column '%s'", s->opt.sort);
		diag_hint(s->diag, "columns: %s", listed(&v));
	}
}
