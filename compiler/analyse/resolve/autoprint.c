/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows globals that are written and never read when the session ends, by the last end probe. The
 * timers that print globals as metrics follow it (metrics.c).
 *
 * The elements of an array come in the order of their values, which the runtime makes. If stacks
 * are among the keys, the loader does: it joins those that differ in addresses only.
 */
#include "ast/format.h"
#include "ast/print.h"
#include "program/program.h"
#include "analyse/resolve/globals.h"
#include "analyse/resolve/written.h"
#include "shared/buf.h"

/* Most elements of an array that is shown with a histogram for each: buckets take 1 KiB per
 * element, twice on each processor. */
enum { HISTOGRAMS_MAX = 4096 };

static const char *conversion(enum type t)
{
	return t == T_STRING ? "\"%s\"" : t == T_STACK ? "%s" :
	       t == T_DOUBLE ? FORMAT_DOUBLE : "%d";
}

static const enum agg_op shown_ops[] = { AGG_COUNT, AGG_MIN, AGG_AVG, AGG_MAX, AGG_SUM };
#define NOPS (sizeof(shown_ops) / sizeof(*shown_ops))

/* Whether the aggregate @gi is shown with a histogram: not if that would have one bar, nor if its
 * buckets, which the script did not ask for, would take too much memory. */
static bool has_histogram(struct resolver *r, const struct global_info *gi)
{
	const struct symbol *g = gi->sym;
	int64_t size = g->size ? g->size : r->s->opt.caps.maxmapentries;

	return gi->varied && (!g->is_array || size <= HISTOGRAMS_MAX);
}

static void add_stats(struct written *w, struct stmt *print, struct symbol *g, bool histogram)
{
	for (size_t i = 0; i < NOPS; i++)
		written_agg(w, print, shown_ops[i], g);
	if (histogram)
		written_agg(w, print, AGG_HIST_LOG, g);
	written_print_end(w, print);
}

static void put_format(struct buf *b, const struct symbol *g)
{
	buf_puts(b, g->name);
	for (int i = 0; g->is_array && i < g->nkeys; i++)
		buf_printf(b, "%c%s", i ? ',' : '[', conversion(g->key_type[i]));
	if (g->is_array)
		buf_putc(b, ']');
	if (g->type == T_STATS)
		buf_puts(b, " @count=%d @min=%d @avg=%d @max=%d @sum=%d\n");
	else
		buf_printf(b, "=%s\n", conversion(g->type));
}

/* The printf() of a global, or of an element of an array. */
static struct stmt *print_of(struct written *w, const struct global_info *gi)
{
	struct symbol *g = gi->sym;
	bool histogram = g->type == T_STATS && has_histogram(w->r, gi);
	struct stmt *print;
	struct buf b;

	buf_init(&b);
	put_format(&b, g);
	print = written_print(w, b.s, histogram);
	buf_deinit(&b);
	if (g->is_array)
		written_keys(w, print, g);
	if (g->type == T_STATS) {
		add_stats(w, print, g, histogram);
		return print;
	}
	written_value(w, print, g);
	written_print_end(w, print);
	return print;
}

/* An empty aggregate has no least value. */
static struct stmt *aggregate_of(struct written *w, const struct global_info *gi)
{
	struct symbol *g = gi->sym;
	struct stmt *s = written_if(w, g), *none;

	s->u.if_.then = print_of(w, gi);
	buf_puts(&w->text, "\telse ");
	none = written_print(w, arena_printf(w->r->s->arena, "%s @count=%%d\n", g->name), false);
	written_agg(w, none, AGG_COUNT, g);
	written_print_end(w, none);
	s->u.if_.els = none;
	s->range.end = none->range.end;
	return s;
}

/* The direction in which the elements of @g are shown: 0: as they are stored. */
static int direction_of(const struct symbol *g)
{
	if (g->type == T_DOUBLE)
		return 0;
	return g->order_dir ? g->order_dir : -1;
}

static enum agg_op order_of(const struct symbol *g)
{
	return g->order_dir ? g->order_agg : AGG_COUNT;
}

static bool has_stack_key(const struct symbol *g)
{
	for (int i = 0; i < g->nkeys; i++)
		if (g->key_type[i] == T_STACK)
			return true;
	return false;
}

/* The argument of the print by which its rows are sorted, from 1. */
static int column_of(const struct symbol *g)
{
	int i = 0;

	while (g->type == T_STATS && shown_ops[i] != order_of(g))
		i++;
	return g->nkeys + i + 1;
}

static struct stmt *loop_of(struct written *w, const struct global_info *gi, bool sorted)
{
	struct stmt *s = written_loop(w, gi->sym, sorted ? direction_of(gi->sym) : 0,
				      order_of(gi->sym), 0);

	s->u.foreach.body = print_of(w, gi);
	s->range.end = s->u.foreach.body->range.end;
	return s;
}

static void add_array(struct written *w, struct stmt *block, const struct global_info *gi)
{
	struct arena *a = w->r->s->arena;
	bool stacks = has_stack_key(gi->sym) && direction_of(gi->sym);
	struct stmt *loop;

	if (stacks)
		vec_push(a, &block->u.block, written_edge(w, EDGE_BEGIN, -1));
	loop = loop_of(w, gi, !stacks);
	vec_push(a, &block->u.block, loop);
	if (!stacks)
		return;
	loop->u.foreach.body->u.expr->u.print.column = column_of(gi->sym);
	loop->u.foreach.body->u.expr->u.print.column_dir = direction_of(gi->sym);
	vec_push(a, &block->u.block, written_edge(w, EDGE_END, 0));
}

/* An order is one of the values that are shown of an aggregate. */
static void check_order(struct resolver *r, const struct symbol *g)
{
	if (!g->order_dir)
		return;
	for (size_t i = 0; g->is_array && g->type == T_STATS && i < NOPS; i++)
		if (shown_ops[i] == g->order_agg)
			return;
	diag_error(r->s->diag, g->range, E_AGGREGATE, "'%s' can't be shown in the order of %s",
		   g->name, print_agg_name(g->order_agg));
	diag_hint(r->s->diag, "arrays of aggregates can, by @count, @min, @avg, @max or @sum");
}

static void add_probe(struct written *w)
{
	struct resolver *r = w->r;
	struct probe *p = NULL;

	map_each(it, &r->globals) {
		struct global_info *gi = it->value;
		struct symbol *g = gi->sym;
		struct stmt *s;

		if (!g->shown)
			continue;
		if (!p) {
			p = written_probe(w, PK_END, "end(9223372036854775807)");
			p->order = INT64_MAX;
		}
		check_order(r, g);
		if (g->is_array) {
			add_array(w, p->body, gi);
			continue;
		}
		buf_putc(&w->text, '\t');
		s = gi->stats ? aggregate_of(w, gi) : print_of(w, gi);
		vec_push(r->s->arena, &p->body->u.block, s);
	}
	if (p)
		written_probe_end(w);
}

void autoprint_choose(struct resolver *r)
{
	if (r->s->opt.no_display)
		return;
	map_each(it, &r->globals) {
		struct global_info *gi = it->value;

		gi->sym->shown = !gi->script->src->in_tapset && !gi->read && gi->written &&
				 (!gi->sym->is_array || gi->sym->nkeys);
	}
}

void autoprint_add(struct resolver *r)
{
	struct written w;

	written_begin(&w, r);
	add_probe(&w);
	r->p->metrics_at = (uint32_t)w.text.len;
	if (options_want_snapshots(&r->s->opt))
		metrics_add(&w);
	written_end(&w);
}
