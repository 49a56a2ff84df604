/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out what each aggregate has to store: the extractors used on it, and the shape of its one
 * histogram.
 */
#include <inttypes.h>

#include "ast/walk.h"
#include "analyse/check/check.h"
#include "analyse/check/facts.h"
#include "quantile.h"

/* The first use of each global's histogram, for the note of a conflict. */
struct aggregate_walk {
	struct state *s;
	struct program *p;
	const struct expr **first; /* by symbol.index */
};

static const char *const hist_name[] = { [AGG_HIST_LOG] = "@hist_log",
					 [AGG_HIST_LINEAR] = "@hist_linear",
					 [AGG_HIST_EXP] = "@hist_exp" };

/* Reads low, high and width, which the parser accepts only as numbers. Returns false after a
 * report. */
static bool linear_shape(struct aggregate_walk *c, const struct expr *e, int64_t *shape)
{
	struct diag *d = c->s->diag;

	for (int i = 0; i < 3; i++)
		facts_constant(e->u.agg.args.v[i], &shape[i]);
	if (shape[2] <= 0) {
		diag_error(d, e->u.agg.args.v[2]->range, E_AGGREGATE,
			   "the width of @hist_linear must be at least 1");
		return false;
	}
	if (shape[0] > shape[1]) {
		diag_error(d, range_join(e->u.agg.args.v[0]->range, e->u.agg.args.v[1]->range),
			   E_AGGREGATE, "the low end of @hist_linear is above the high end");
		return false;
	}

	uint64_t n = ast_linear_buckets(shape[0], shape[1], shape[2]);

	if (n > PRT_HIST_LINEAR_MAX) {
		diag_error(d, e->range, E_LIMIT, "%llu buckets, at most %d are allowed",
			   (unsigned long long)n, PRT_HIST_LINEAR_MAX);
		diag_hint(d, "a larger width makes fewer buckets; @hist_log needs no range");
		return false;
	}
	return true;
}

static bool exp_rows(struct aggregate_walk *c, const struct expr *e)
{
	int64_t n = AGG_EXP_ROWS;

	if (e->u.agg.args.n)
		facts_constant(e->u.agg.args.v[0], &n);
	if (n >= 1 && n <= PRT_EXP_ROWS_MAX && (n & (n - 1)) == 0)
		return true;
	diag_error(c->s->diag, e->u.agg.args.v[0]->range, E_AGGREGATE,
		   "@hist_exp has 1, 2, 4, 8 or 16 rows per power of two");
	return false;
}

/* A histogram with buckets of powers of two and one with finer ones are two views of one. */
static bool is_other_kind(enum agg_op a, enum agg_op b)
{
	return a != b && (a == AGG_HIST_LINEAR || b == AGG_HIST_LINEAR);
}

static void need_hist(struct aggregate_walk *c, struct symbol *sym, const struct expr *e)
{
	struct diag *d = c->s->diag;
	const struct expr **first = &c->first[sym->index];
	int64_t shape[3] = { 0 };

	if (e->u.agg.op == AGG_HIST_LINEAR && !linear_shape(c, e, shape))
		return;
	if (e->u.agg.op == AGG_HIST_EXP && !exp_rows(c, e))
		return;
	if (!*first) {
		*first = e;
		sym->stat_ops |= 1u << e->u.agg.op;
		sym->hist_low = shape[0];
		sym->hist_high = shape[1];
		sym->hist_width = shape[2];
		return;
	}
	if (is_other_kind((*first)->u.agg.op, e->u.agg.op)) {
		if (sym->stat_ops & 1u << e->u.agg.op)
			return; /* reported */
		sym->stat_ops |= 1u << e->u.agg.op;
		diag_error(d, e->range, E_AGGREGATE, "'%s' already has a histogram of another kind",
			   sym->name);
		diag_hint(d, "fill two aggregates, one for each");
		diag_note(d, (*first)->range, "%s is used here",
			  hist_name[(*first)->u.agg.op]);
	} else if (sym->hist_low != shape[0] || sym->hist_high != shape[1] ||
		   sym->hist_width != shape[2]) {
		diag_error(d, e->range, E_AGGREGATE, "the histograms of '%s' differ: one "
			   "aggregate has one low end, high end and width", sym->name);
		diag_note(d, (*first)->range, "the other one is here");
	}
	sym->stat_ops |= 1u << e->u.agg.op;
}

/* @quantile(x, 999, 1000) is 99.9 per cent. */
static void check_quantile(struct aggregate_walk *c, const struct expr *e, int64_t n)
{
	int64_t whole = 100;

	if (e->u.agg.args.n > 1)
		facts_constant(e->u.agg.args.v[1], &whole);
	if (whole < 1 || PRT_QUANTILE_WHOLE % whole) {
		diag_error(c->s->diag, e->u.agg.args.v[1]->range, E_AGGREGATE,
			   "the scale of @quantile must divide 100000, as 100, 1000 and 10000 do");
		diag_hint(c->s->diag, "the 99.9th percentile is @quantile(x, 999, 1000)");
	} else if (n < 0 || n > whole) {
		diag_error(c->s->diag, e->u.agg.args.v[0]->range, E_AGGREGATE,
			   "the percentage of @quantile must be from 0 to %" PRId64, whole);
	}
}

static void check_number(struct aggregate_walk *c, const struct expr *e)
{
	int64_t n = 0;

	if (!e->u.agg.args.n)
		return;
	facts_constant(e->u.agg.args.v[0], &n);
	if (e->u.agg.op == AGG_QUANTILE)
		check_quantile(c, e, n);
	if (e->u.agg.op == AGG_VARIANCE && (n < 0 || n > 62))
		diag_error(c->s->diag, e->u.agg.args.v[0]->range, E_AGGREGATE,
			   "the shift of @variance must be from 0 to 62");
}

static bool collect_expr(struct expr **it, void *data)
{
	struct aggregate_walk *c = data;
	struct expr *e = *it;
	struct symbol *sym;

	if (e->kind != EX_AGG)
		return true;
	sym = ast_base_symbol(e->u.agg.a);
	if (!sym || sym->kind != SYM_GLOBAL || sym->type != T_STATS)
		return true;
	if (AGG_IS_HISTOGRAM(e->u.agg.op)) {
		need_hist(c, sym, e);
	} else {
		check_number(c, e);
		sym->stat_ops |= 1u << e->u.agg.op;
	}
	return true;
}

/*
 * foreach (k in a @sum-) is an extractor as well. Without one, aggregates are sorted by their
 * count.
 */
static bool collect_stmt(struct stmt **it, void *data)
{
	struct aggregate_walk *c = data;
	struct foreach *f;
	struct symbol *sym;

	if ((*it)->kind != ST_FOREACH)
		return true;
	f = &(*it)->u.foreach;
	sym = ast_base_symbol(f->array);
	if (!f->sort_dir || f->sort_key || !sym)
		return true;
	if (sym->type != T_STATS) {
		if (f->sort_has_agg) {
			diag_error(c->s->diag, f->array->range, E_AGGREGATE, "the values of '%s' "
				   "are not aggregates, so they can't be sorted by an extractor",
				   sym->name);
			diag_hint(c->s->diag, "write foreach (... in %s%c)", sym->name,
				  f->sort_dir > 0 ? '+' : '-');
		}
		return true;
	}
	if (!f->sort_has_agg) {
		f->sort_has_agg = true;
		f->sort_agg = AGG_COUNT;
	}
	sym->stat_ops |= 1u << f->sort_agg;
	return true;
}

/* Quantiles are computed from the histogram that exists if it is linear, otherwise from an
 * exponential one, which also has the buckets of a logarithmic one. */
static void choose_histogram(const struct state *s, struct symbol *g)
{
	unsigned fine = 1u << AGG_QUANTILE | 1u << AGG_HIST_EXP;

	/* --percentiles shows those of each aggregate that is printed: check/formats.c. */
	if (s->opt.percentiles)
		fine = ~0u;
	if (!(g->stat_ops & fine) || g->stat_ops & 1u << AGG_HIST_LINEAR)
		return;
	g->stat_ops |= 1u << AGG_HIST_EXP;
	g->stat_ops &= ~(1u << AGG_HIST_LOG);
}

void aggregates_collect(struct state *s, struct program *p)
{
	struct aggregate_walk c = { .s = s, .p = p };
	struct visitor v = { .expr = collect_expr, .stmt = collect_stmt, .data = &c };

	c.first = arena_alloc(s->arena, (p->globals.n + 1) * sizeof(*c.first));
	program_walk(p, &v);
	vec_each(g, &p->globals)
		choose_histogram(s, *g);
}
