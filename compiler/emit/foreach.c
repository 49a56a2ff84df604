/* SPDX-License-Identifier: GPL-2.0 */
/* foreach: over arrays, slices of arrays, and the buckets of a histogram. */
#include "emit/agg.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/map.h"
#include "emit/stmt.h"
#include "emit/value.h"

/* A negative limit allows no iteration in a script, but any number in the runtime. */
static struct emit_val limit_value(struct emit *e, struct expr *limit)
{
	struct emit_val v = emit_expr_value(e, limit);
	const char *text;

	if (v.is_num)
		return v.num < 0 ? emit_val_num(e, 0) : v;
	text = emit_val_operand(e, emit_val_hold(e, v));
	return emit_val_compound(arena_printf(e->a, "%s < 0 ? 0 : %s", text, text), T_LONG,
				 V_STABLE);
}

static const char *sort_text(struct emit *e, const struct foreach *f, const struct symbol *sym)
{
	if (!f->sort_dir)
		return "0, 0, 0";
	if (f->sort_key > 0)
		return arena_printf(e->a, "%d, %d, 0", f->sort_key, f->sort_dir);
	if (sym->type == T_STATS)
		return arena_printf(e->a, "-2, %d, %d", f->sort_dir,
				    f->sort_has_agg ? (int)f->sort_agg : AGG_COUNT);
	return arena_printf(e->a, "-1, %d, 0", f->sort_dir);
}

/* A variable that is a string elsewhere gets the text of a stack. */
static void assign_variable(struct emit *e, const struct expr *to, struct emit_val v)
{
	const struct symbol *sym = to->u.name.sym;

	if (v.type == T_STACK && sym->type == T_STRING)
		v = emit_val_as_text(e, v, to->range);
	emit_name_store(e, sym, v);
}

static void bind(struct emit *e, const struct foreach *f, const struct symbol *sym, const char *it)
{
	for (size_t i = 0; i < f->keys.n; i++) {
		enum type type = sym->key_type[i];

		const char *key = arena_printf(e->a, "prt_iter_key_%s(%s, %zu)",
					       type == T_STRING ? "str" : "long", it, i);

		assign_variable(e, f->keys.v[i], emit_val_text(key, type, V_SHARED));
	}
	if (!f->value)
		return;

	const char *value = arena_printf(e->a, "prt_iter_value(%s)", it);

	assign_variable(e, f->value, emit_val_text(
		arena_printf(e->a, sym->type == T_STRING ? "prt_str_get(%s)" : "*(s64 *)%s", value),
		sym->type, V_SHARED));
}

static void over_array(struct emit *e, struct stmt *s)
{
	struct foreach *f = &s->u.foreach;
	struct symbol *sym = ast_base_symbol(f->array);
	bool slice = f->array->kind == EX_INDEX;
	struct emit_val *keys = NULL, most;
	const char *limit = "-1", *left = NULL, *it;

	if (slice)
		keys = emit_map_slice_keys(e, f->array->u.index.keys.v, f->array->u.index.keys.n);
	if (f->limit)
		most = limit_value(e, f->limit);
	if (slice && f->limit) {
		/* Counts elements that match, not all elements. */
		left = emit_temp(e, TMP_LONG);
		emit_line(e, "%s = %s;", left, most.text);
	} else if (f->limit) {
		limit = emit_val_operand(e, most);
	}
	it = emit_map_iter_start(e, sym, sort_text(e, f, sym), limit, s->range);
	emit_open(e, "while (prt_iter_next(%s))", it);
	emit_stmt_loop_head(e, s->range, f->body);
	if (slice) {
		const char *mismatch = emit_map_mismatch(e, sym, it, f->array->u.index.keys.v,
							 keys);

		if (mismatch) {
			emit_line(e, "if (%s)", mismatch);
			emit_line(e, "\tcontinue;");
		}
	}
	if (left) {
		emit_line(e, "if (%s-- <= 0)", left);
		emit_line(e, "\tbreak;");
	}
	bind(e, f, sym, it);
	emit_stmt_loop_body(e, f->body, NULL);
	emit_close(e);
	emit_map_iter_end(e, it);
}

/* The variable is the number of each bucket, the value variable its count. */
static void over_histogram(struct emit *e, struct stmt *s)
{
	struct foreach *f = &s->u.foreach;
	const char *i = emit_temp(e, TMP_LONG), *end;

	end = arena_printf(e->a, "%u", emit_agg_buckets(f->array));
	if (f->limit) {
		struct emit_val limit = limit_value(e, f->limit);
		const char *least = emit_temp(e, TMP_LONG);

		emit_line(e, "%s = %s;", least, limit.text);
		end = arena_printf(e->a, "%s && %s < %s", end, i, least);
	}
	emit_open(e, "for (%s = 0; %s < %s; %s++)", i, i, end, i);
	emit_stmt_loop_head(e, s->range, f->body);
	emit_name_store(e, f->keys.v[0]->u.name.sym, emit_val_text(i, T_LONG, V_STABLE));
	if (f->value) {
		const char *st = emit_agg_stat(e, f->array->u.agg.a);

		emit_line(e, "%s = prt_stat_bucket(c, %s, %s, %u, %s, %u);",
			  emit_name_lvalue(e, f->value->u.name.sym), st,
			  emit_agg_type(e, f->array->u.agg.a), ast_exp_rows(f->array), i,
			  emit_srcloc(e, s->range));
	}
	emit_stmt_loop_body(e, f->body, NULL);
	emit_close(e);
}

void emit_stmt_foreach(struct emit *e, struct stmt *s)
{
	emit_comment(e, s->range, s->u.foreach.body->range.start);
	if (s->u.foreach.array->kind == EX_AGG)
		over_histogram(e, s);
	else
		over_array(e, s);
}
