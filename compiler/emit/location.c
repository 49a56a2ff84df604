/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locations (struct location) as C. The stack is resolved while emitting: each entry is a C
 * expression of type u64 that is short enough to be repeated.
 */
#include <ctype.h>
#include <string.h>

#include "emit/access.h"
#include "emit/function.h"
#include "emit/tables.h"
#include "emit/value.h"

struct location_stack {
	struct emit *e;
	struct emit_val v[64];
	unsigned n;
	unsigned srcloc;
	const char *entry_reg; /* value of LO_ENTRY_REG */
	bool of_user;     /* addresses are in the memory of the process */
};

static void push_value(struct location_stack *st, struct emit_val v)
{
	if (strlen(emit_val_operand(st->e, v)) > 40) {
		const char *t = emit_temp(st->e, TMP_ADDR);

		emit_line(st->e, "%s = %s;", t, v.text);
		v = emit_val_text(t, T_LONG, V_STABLE);
	}
	st->v[st->n++] = v;
}

static void push(struct location_stack *st, const char *text)
{
	push_value(st, emit_val_text(text, T_LONG, V_STABLE));
}

/* Push the text of an expression with operators. */
static void push_compound(struct location_stack *st, const char *text)
{
	push_value(st, emit_val_compound(text, T_LONG, V_STABLE));
}

static const char *pop(struct location_stack *st)
{
	return emit_val_operand(st->e, st->v[--st->n]);
}

/* Pushes a value whose computation can fail, which is a statement of its own. */
static void push_checked(struct location_stack *st, const char *text)
{
	const char *t = emit_temp(st->e, TMP_ADDR);

	emit_line(st->e, "%s = (u64)%s;", t, text);
	emit_fail_if(st->e, "c->err");
	push(st, t);
}

static const char *number_literal(struct location_stack *st, int64_t n)
{
	if (n >= 0 && n < 4096)
		return arena_printf(st->e->a, "%lldull", (long long)n);
	return arena_printf(st->e->a, "%#llxull", (unsigned long long)n);
}

const char *emit_register(struct emit *e, const char *name)
{
	char *upper = arena_strdup(e->a, name);

	for (char *p = upper; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return upper;
}

static const char *register_text(struct location_stack *st, const char *name)
{
	st->e->fn->uses_context = true;
	return arena_printf(st->e->a, "PRT_REG(c, %s)", emit_register(st->e, name));
}

static void push_symbol(struct location_stack *st, const struct location_op *op)
{
	const char *at = emit_name_read(st->e, op->global).text;

	if (op->n)
		push_compound(st, arena_printf(st->e->a, "(u64)%s + %s", at,
					       number_literal(st, op->n)));
	else
		push(st, arena_printf(st->e->a, "(u64)%s", at));
}

/* Pushes what the runtime finds in the process or the thread. */
static void push_of_process(struct location_stack *st, const struct location_op *op)
{
	struct arena *a = st->e->a;

	st->e->fn->uses_context = true;
	if (op->kind == LO_PROGRAM)
		push_checked(st, arena_printf(a, "prt_program_code(c, %u, %u)",
					      emit_files_row(st->e, op->program), st->srcloc));
	else if (op->kind == LO_THREAD)
		push_checked(st, arena_printf(a, "prt_thread_base(c, %u)", st->srcloc));
	else
		push_checked(st, arena_printf(a, "prt_thread_block(c, %u, %s, %u)",
					      emit_threads_row(st->e, op->layout), pop(st),
					      st->srcloc));
}

static void rotate(struct location_stack *st, int64_t n)
{
	struct emit_val top = st->v[st->n - 1];

	memmove(&st->v[st->n - n], &st->v[st->n - 1 - n], (size_t)n * sizeof(top));
	st->v[st->n - 1 - n] = top;
}

static void apply_binary(struct location_stack *st, enum location_op_kind kind)
{
	static const struct { const char *sign, *word; } ops[] = {
		[LO_ADD] = { "", "+" }, [LO_SUB] = { "", "-" }, [LO_MUL] = { "", "*" },
		[LO_AND] = { "", "&" }, [LO_OR] = { "", "|" }, [LO_XOR] = { "", "^" },
		[LO_EQ] = { "", "==" }, [LO_NE] = { "", "!=" },
		[LO_ULT] = { "", "<" }, [LO_ULE] = { "", "<=" },
		[LO_UGT] = { "", ">" }, [LO_UGE] = { "", ">=" },
		[LO_LT] = { "(s64)", "<" }, [LO_LE] = { "(s64)", "<=" },
		[LO_GT] = { "(s64)", ">" }, [LO_GE] = { "(s64)", ">=" },
		[LO_DIV] = { "(s64)", "div" }, [LO_MOD] = { "(s64)", "mod" },
		[LO_UDIV] = { "", "udiv" }, [LO_UMOD] = { "", "umod" },
	};
	struct arena *a = st->e->a;
	const char *right = pop(st), *left = pop(st), *text;

	switch (kind) {
	case LO_DIV:
	case LO_MOD:
	case LO_UDIV:
	case LO_UMOD:
		push_checked(st, arena_printf(a, "prt_%s(c, %s%s, %s%s, %u)", ops[kind].word,
					      ops[kind].sign, left, ops[kind].sign, right,
					      st->srcloc));
		break;
	case LO_SHL:
		push_compound(st, arena_printf(a, "%s < 64 ? %s << %s : 0", right, left, right));
		break;
	case LO_SHR:
		push_compound(st, arena_printf(a, "%s < 64 ? %s >> %s : 0", right, left, right));
		break;
	case LO_SAR:
		push(st, arena_printf(a, "(u64)((s64)%s >> (%s < 64 ? %s : 63))", left, right,
				      right));
		break;
	default:
		text = arena_printf(a, "%s%s %s %s%s", ops[kind].sign, left, ops[kind].word,
				    ops[kind].sign, right);
		if (kind >= LO_EQ)
			push(st, arena_printf(a, "(u64)(%s)", text));
		else
			push_compound(st, text);
	}
}

static void apply_op(struct location_stack *st, const struct location_op *op)
{
	struct arena *a = st->e->a;

	switch (op->kind) {
	case LO_CONST:
		push(st, number_literal(st, op->n));
		break;
	case LO_REG:
		push(st, register_text(st, op->name));
		break;
	case LO_SIMD:
		push(st, arena_printf(a, "prt_user_simd(%lld)", (long long)op->n));
		break;
	case LO_ENTRY_REG:
		push(st, st->entry_reg);
		break;
	case LO_SYMBOL:
		push_symbol(st, op);
		break;
	case LO_PROGRAM: case LO_THREAD: case LO_THREAD_BLOCK:
		push_of_process(st, op);
		break;
	case LO_PERCPU:
		st->e->fn->uses_context = true;
		push(st, arena_printf(a, "(u64)prt_this_cpu(c, %s)", pop(st)));
		break;
	case LO_DEREF:
		push_checked(st, arena_printf(a, "prt_read%s(c, %s, %lld, false, %u)",
					      st->of_user ? "_user" : "", pop(st),
					      (long long)op->n, st->srcloc));
		break;
	case LO_PICK:
		push_value(st, st->v[st->n - 1 - op->n]);
		break;
	case LO_ROT:
		rotate(st, op->n);
		break;
	case LO_DROP:
		pop(st);
		break;
	case LO_ZEXT:
	case LO_SEXT:
		push(st, arena_printf(a, "(u64)prt_cut(%s, %lld, %s)", pop(st), (long long)op->n,
				      op->kind == LO_SEXT ? "true" : "false"));
		break;
	case LO_NEG:
		push_compound(st, arena_printf(a, "0 - %s", pop(st)));
		break;
	case LO_NOT:
		push_compound(st, arena_printf(a, "~%s", pop(st)));
		break;
	default:
		apply_binary(st, op->kind);
	}
}

static const char *piece(struct emit *e, const struct access *ac, const struct location_piece *p,
			 const char *entry_reg, unsigned srcloc)
{
	struct location_stack st = { .e = e, .srcloc = srcloc, .entry_reg = entry_reg,
				    .of_user = ac->of_user };

	vec_each(op, &p->ops)
		apply_op(&st, op);
	return pop(&st);
}

const char *emit_location(struct emit *e, const struct access *ac, const struct emit_val *entry_reg,
			  struct range r)
{
	const struct location *l = ac->location;
	const char *all = NULL, *register_then = NULL;
	unsigned at = 0;

	if (l->entry_reg) {
		register_then = emit_temp(e, TMP_ADDR);
		emit_line(e, "%s = (u64)%s;", register_then, emit_val_wide(e, *entry_reg));
	}
	if (!l->pieces.v[0].bit_size)
		return piece(e, ac, &l->pieces.v[0], register_then, emit_srcloc(e, r));
	all = emit_temp(e, TMP_ADDR);
	vec_each(p, &l->pieces) {
		const char *v = piece(e, ac, p, register_then, emit_srcloc(e, r));

		emit_line(e, "%s %s (u64)prt_bits(%s, %u, %u, false) << %u;", all,
			  at ? "|=" : "=", v, p->bit_offset, p->bit_size, at);
		at += p->bit_size;
	}
	return all;
}
