/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: <<<, the extractors, histograms. */
#include <string.h>

#include "emit/agg.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/map.h"
#include "emit/value.h"
#include "quantile.h"

enum {
	HISTS = 1 << AGG_QUANTILE | 1 << AGG_HIST_LOG | 1 << AGG_HIST_LINEAR | 1 << AGG_HIST_EXP,
};

static const struct { unsigned agg; const char *name; } kept[] = {
	{ 1u << AGG_SUM | 1u << AGG_AVG | 1u << AGG_VARIANCE, "PRT_STAT_SUM" },
	/* A record of a histogram contains the least and the greatest value, for quantiles. */
	{ 1u << AGG_MIN | HISTS, "PRT_STAT_MIN" },
	{ 1u << AGG_MAX | HISTS, "PRT_STAT_MAX" },
	{ 1u << AGG_VARIANCE, "PRT_STAT_VARIANCE" },
	{ 1u << AGG_HIST_LOG, "PRT_STAT_HIST_LOG" },
	{ 1u << AGG_HIST_LINEAR, "PRT_STAT_HIST_LINEAR" },
	{ 1u << AGG_HIST_EXP, "PRT_STAT_HIST_EXP" },
};

/* "PRT_STAT_SUM | PRT_STAT_MAX", or "0". */
static const char *kept_text(struct emit *e, const struct symbol *sym)
{
	const char *text = NULL;

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (sym->stat_ops & kept[i].agg)
			text = text ? arena_printf(e->a, "%s | %s", text, kept[i].name) :
				      kept[i].name;
	return text ? text : "0";
}

static uint64_t linear_buckets(const struct symbol *sym)
{
	return ast_linear_buckets(sym->hist_low, sym->hist_high, sym->hist_width);
}

/* The upper bound of the last bucket. */
static int64_t linear_end(const struct symbol *sym)
{
	__int128 end = sym->hist_low + (__int128)linear_buckets(sym) * sym->hist_width;

	return end < INT64_MAX ? (int64_t)end : INT64_MAX;
}

static bool is_linear(const struct symbol *sym)
{
	return sym->stat_ops & 1u << AGG_HIST_LINEAR && sym->hist_width > 0;
}

/* The number of counts of the histogram. */
static unsigned counts(const struct symbol *sym)
{
	if (sym->stat_ops & (1u << AGG_HIST_LOG | 1u << AGG_HIST_EXP))
		return PRT_HIST_LOG_BUCKETS;
	return is_linear(sym) ? (unsigned)linear_buckets(sym) + 2 : 0;
}

unsigned emit_agg_buckets(const struct expr *agg)
{
	unsigned rows = ast_exp_rows(agg);

	return counts(ast_base_symbol(agg->u.agg.a)) * (rows ? rows : 1);
}

const char *emit_agg_room(struct emit *e, const struct symbol *sym)
{
	return arena_printf(e->a, "%u%s", counts(sym),
			    sym->stat_ops & 1u << AGG_HIST_EXP ? " + PRT_EXP_WORDS" : "");
}

const char *emit_agg_shape(struct emit *e, const struct symbol *sym)
{
	return arena_printf(e->a, "%s, %u, %lld, %lld, %lld", kept_text(e, sym),
			    counts(sym), (long long)sym->hist_low,
			    (long long)(is_linear(sym) ? linear_end(sym) : 0),
			    (long long)sym->hist_width);
}

void emit_agg_helpers(struct emit *e)
{
	vec_each(it, &e->p->globals) {
		if ((*it)->type != T_STATS)
			continue;
		buf_printf(e->out, "static inline void agg_add_%s(struct prt_stat *st, s64 v)\n{\n"
			   "\tPRT_STAT_ADD(st, v, %s);\n}\n\n", (*it)->cname,
			   emit_agg_shape(e, *it));
	}
}

void emit_agg_add(struct emit *e, struct expr *x)
{
	struct expr *left = x->u.assign.left;
	struct symbol *sym = ast_base_symbol(left);
	struct emit_val *keys = NULL, v;
	const char *st;

	if (left->kind == EX_INDEX)
		keys = emit_map_target(e, left, x->u.assign.right);
	v = emit_expr_whole(e, x->u.assign.right);
	if (keys && v.hold == V_SHARED)
		v = emit_val_hold(e, v);
	if (keys && e->compact) {
		emit_map_add(e, sym, keys, v, left->range);
		return;
	}
	st = keys ? emit_map_get(e, sym, keys, left->range) :
		    arena_printf(e->a, "&%s", emit_name_lvalue(e, sym));
	emit_line(e, "agg_add_%s(%s, %s);", sym->cname, st, v.text);
}

void emit_agg_clear(struct emit *e, const struct symbol *sym)
{
	const char *room = arena_printf(e->a, "%sg_%s.room", sym->storage == STORE_PERCPU ?
					"BANK->" : "", sym->cname);

	if (counts(sym))
		emit_line(e, "prt_stat_clear(&%s, &globals[%d].stat);", emit_name_lvalue(e, sym),
			  sym->index);
	else
		emit_line(e, "memset(%s, 0, sizeof(%s));", room, room);
}

const char *emit_agg_stat(struct emit *e, struct expr *a)
{
	struct symbol *sym = ast_base_symbol(a);

	if (a->kind != EX_INDEX)
		return arena_printf(e->a, "&%s", emit_name_lvalue(e, sym));
	return emit_map_find(e, sym, emit_map_keys(e, a->u.index.keys.v, a->u.index.keys.n, NULL));
}

const char *emit_agg_type(struct emit *e, const struct expr *a)
{
	return arena_printf(e->a, "&globals[%d].stat", ast_base_symbol(a)->index);
}

/* The percentage of @quantile in thousandths. */
static unsigned millis(const struct expr *x)
{
	int64_t whole = x->u.agg.args.n > 1 ? x->u.agg.args.v[1]->u.num.v : 100;

	return (unsigned)(x->u.agg.args.v[0]->u.num.v * (PRT_QUANTILE_WHOLE / whole));
}

struct emit_val emit_agg_value(struct emit *e, struct expr *x)
{
	static const char *const call[] = {
		[AGG_COUNT] = "count", [AGG_SUM] = "sum", [AGG_MIN] = "min", [AGG_MAX] = "max",
		[AGG_AVG] = "avg", [AGG_VARIANCE] = "variance", [AGG_QUANTILE] = "quantile",
	};
	enum agg_op op = x->u.agg.op;

	const char *st = emit_agg_stat(e, x->u.agg.a), *t, *more = "", *by;

	if (op == AGG_COUNT || op == AGG_SUM)
		return emit_val_text(arena_printf(e->a, "prt_stat_%s(%s)", call[op], st), T_LONG,
				     V_SHARED);
	by = !x->u.agg.args.n ? "0" : emit_val_operand(e, emit_expr_value(e, x->u.agg.args.v[0]));
	if (op == AGG_VARIANCE)
		more = arena_printf(e->a, ", %s", by);
	if (op == AGG_QUANTILE)
		more = arena_printf(e->a, ", %s, %u", emit_agg_type(e, x->u.agg.a), millis(x));
	t = emit_temp(e, TMP_LONG);
	emit_line(e, "%s = prt_stat_%s(c, %s%s, %u);", t, call[op], st, more,
		  emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_LONG, V_STABLE);
}

struct emit_val emit_agg_bucket(struct emit *e, struct expr *x)
{
	struct expr *agg = x->u.index.array;
	struct emit_val i = emit_expr_value(e, x->u.index.keys.v[0]);
	const char *st = emit_agg_stat(e, agg->u.agg.a), *t = emit_temp(e, TMP_LONG);

	emit_line(e, "%s = prt_stat_bucket(c, %s, %s, %u, %s, %u);", t, st,
		  emit_agg_type(e, agg->u.agg.a), ast_exp_rows(agg), i.text,
		  emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_LONG, V_STABLE);
}
