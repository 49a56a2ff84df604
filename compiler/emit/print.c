/* SPDX-License-Identifier: GPL-2.0 */
/* The print family: records for the loader, and strings that sprint makes in place. */
#include "emit/agg.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/map.h"
#include "emit/rehearse.h"
#include "emit/value.h"
#include "hist.h"

/* An argument after its evaluation; of a histogram, its aggregate. */
struct arg {
	struct emit_val v;
	const char *st, *type; /* histogram, or NULL */
	unsigned rows;         /* of a doubling: struct prt_hist_data */
	unsigned words;        /* of 8 bytes, which a histogram takes at most */
};

static bool is_hist(const struct expr *x)
{
	return x->kind == EX_AGG && AGG_IS_HISTOGRAM(x->u.agg.op);
}

static struct arg *arguments(struct emit *e, struct expr **v, size_t n)
{
	struct arg *args = arena_alloc(e->a, (n + 1) * sizeof(*args));
	size_t held = 0;

	for (size_t i = n; i-- > 0 && !held;)
		if (emit_expr_effects(v[i]))
			held = i;
	for (size_t i = 0; i < n; i++) {
		if (is_hist(v[i])) {
			args[i].st = emit_agg_stat(e, v[i]->u.agg.a);
			args[i].type = emit_agg_type(e, v[i]->u.agg.a);
			args[i].rows = ast_exp_rows(v[i]);
			args[i].words = sizeof(struct prt_hist_data) / 8 + emit_agg_buckets(v[i]);
			continue;
		}
		args[i].v = emit_expr_value(e, v[i]);
		if (i < held)
			args[i].v = emit_val_hold(e, args[i].v);
		else if (args[i].v.type == T_STRING || args[i].v.type == T_STACK)
			args[i].v = emit_val_once(e, args[i].v);
	}
	return args;
}

static void emit_put(struct emit *e, const struct arg *arg, const char *p, const char *to)
{
	if (arg->st)
		emit_line(e, "%sprt_put_hist(%s, %s, %s, %u);", to, p, arg->st, arg->type,
			  arg->rows);
	else if (arg->v.type == T_STACK)
		emit_line(e, "%sprt_put_stack(c, %s, %s);", to, p, arg->v.text);
	else
		emit_line(e, "%sprt_put_%s(%s, %s);", to,
			  arg->v.type == T_STRING ? "str" : "long", p, arg->v.text);
}

static void room_of(struct emit *e, const struct arg *args, size_t n, size_t *fixed,
		    const char **more)
{
	*fixed = 8;
	*more = "";
	for (size_t i = 0; i < n; i++) {
		if (args[i].st)
			*more = arena_printf(e->a, "%s + prt_hist_room(%s, %s)", *more, args[i].st,
					     args[i].type);
		else if (args[i].v.type == T_STRING && args[i].v.hold == V_CONST)
			*fixed += (4 + args[i].v.len + 7) / 8 * 8;
		else if (args[i].v.type == T_STRING)
			*more = arena_printf(e->a, "%s + prt_str_room(%s)", *more,
					     emit_val_operand(e, args[i].v));
		else if (args[i].v.type == T_STACK)
			*more = arena_printf(e->a, "%s + prt_stacks_room(c, %s)", *more,
					     args[i].v.text);
		else
			*fixed += 8;
	}
}

/* Writes a function that prints arguments of these types ("sl"). */
static void out_function(struct emit *e, const char *letters)
{
	size_t longs = 0;

	buf_printf(&e->shared, "static void out_%s(struct prt_ctx *c, u32 id", letters);
	emit_shared_parameters(e, letters);
	for (size_t i = 0; letters[i]; i++)
		longs += letters[i] == 'l';
	buf_printf(&e->shared, ")\n{\n\tchar *o = prt_out_begin(c, id, %zu", 8 + 8 * longs);
	for (size_t i = 0; letters[i]; i++)
		if (letters[i] != 'l')
			buf_printf(&e->shared, letters[i] == 's' ?
				   " + prt_str_room(v%zu)" : " + prt_stacks_room(c, v%zu)", i);
	buf_puts(&e->shared, ");\n\n\tif (!o)\n\t\treturn;\n");
	for (size_t i = 0; letters[i]; i++)
		buf_printf(&e->shared, "\t%sprt_put_%s(%so, v%zu);\n", letters[i + 1] ? "o = " : "",
			   letters[i] == 's' ? "str" : letters[i] == 'k' ? "stack" : "long",
			   letters[i] == 'k' ? "c, " : "", i);
	buf_puts(&e->shared, "}\n\n");
}

/* If there are many handlers, their print statements share functions. */
static bool record_shared(struct emit *e, struct expr *x, const struct arg *args, size_t n)
{
	char *letters = arena_alloc(e->a, n + 1);
	struct buf call;

	if (!e->compact || !n)
		return false;
	buf_init(&call);
	for (size_t i = 0; i < n; i++) {
		if (args[i].st) {
			buf_deinit(&call);
			return false;
		}
		letters[i] = args[i].v.type == T_STRING ? 's' :
			     args[i].v.type == T_STACK ? 'k' : 'l';
		buf_printf(&call, ", %s", args[i].v.text);
	}
	letters[n] = '\0';
	if (emit_shared_once(e, arena_printf(e->a, "out_%s", letters)))
		out_function(e, letters);
	emit_line(e, "out_%s(c, %d%s);", letters, x->u.print.id, call.s);
	buf_deinit(&call);
	return true;
}

static void record(struct emit *e, struct expr *x, const struct arg *args, size_t n)
{
	const struct probe *p = e->fn->probe;
	bool fast = p && site_kind_is_hot(p->kind) && !e->fn->at_entry && !e->fn->prints;
	const char *room, *begin = fast ? "prt_fast_out_begin" : "prt_out_begin";
	size_t fixed;

	e->fn->prints = true;
	if (record_shared(e, x, args, n))
		return;
	room_of(e, args, n, &fixed, &room);
	if (!n) {
		emit_line(e, "%s(c, %d, %zu);", begin, x->u.print.id, fixed);
		return;
	}
	e->fn->uses_out = true;
	emit_line(e, "o = %s(c, %d, %zu%s);", begin, x->u.print.id, fixed, room);
	if (n == 1) {
		emit_line(e, "if (o)");
		e->fn->depth++;
		emit_put(e, &args[0], "o", "");
		e->fn->depth--;
		return;
	}
	emit_open(e, "if (o)");
	for (size_t i = 0; i < n; i++)
		emit_put(e, &args[i], "o", i + 1 < n ? "o = " : "");
	emit_close(e);
}

/* The argument block is in the workspace, because each of its strings may have the greatest
 * length. */
static struct emit_val sprint(struct emit *e, struct expr *x, const struct arg *args, size_t n)
{
	struct print_statement *st = e->p->sprints.v[x->u.print.id];
	const char *t = emit_temp(e, TMP_STR);
	const char *buf = x == e->fn->returned ? "ret" : emit_temp(e, TMP_BUF);
	const char *fmt = emit_val_str(e, st->format, st->format_len).text;
	unsigned words = 0;

	for (size_t i = 0; i < n; i++)
		words += args[i].st ? args[i].words :
			 args[i].v.type == T_STRING ? (4 + e->maxstr + 7) / 8 : 1;
	if (!n) {
		emit_line(e, "%s = prt_sprintf(%s, %s, \"\", NULL, 0);", t, buf, fmt);
		return emit_val_text(t, T_STRING, V_STABLE);
	}
	e->fn->needs_workspace = true;
	if (e->fn->arg_words < words)
		e->fn->arg_words = words;
	e->fn->uses_keyp = true;
	for (size_t i = 0; i < n; i++)
		emit_put(e, &args[i], i ? "k" : "(char *)f->args", "k = ");
	emit_line(e, "%s = prt_sprintf(%s, %s, \"%s\", f->args, (u32)(k - (char *)f->args));",
		  t, buf, fmt, st->types ? st->types : "");
	return emit_val_text(t, T_STRING, V_STABLE);
}

struct emit_val emit_print(struct emit *e, struct expr *x)
{
	VEC(struct expr *) all = { 0 };
	size_t n = x->u.print.args.n + x->u.print.hist_keys.n;
	struct arg *args;
	bool shares;

	if (e->fn->rehearses && !PRINT_IS_SPRINT(x->u.print.kind)) {
		vec_each(it, &x->u.print.args)
			emit_rehearse_operand(e, *it);
		return emit_val_num(e, 0);
	}
	vec_each(it, &x->u.print.args)
		vec_push(e->a, &all, *it);
	vec_each(it, &x->u.print.hist_keys)
		vec_push(e->a, &all, *it);
	shares = emit_map_share(e, all.v, n);
	args = arguments(e, all.v, n);
	emit_map_share_end(e, shares);
	if (PRINT_IS_SPRINT(x->u.print.kind))
		return sprint(e, x, args, n);
	record(e, x, args, n);
	return emit_val_num(e, 0);
}
