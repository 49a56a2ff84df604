/* SPDX-License-Identifier: GPL-2.0 */
/* Access paths ($param->member[i]) as C: program/access.h says how they are evaluated. */
#include <string.h>

#include "target/arch/arch.h"
#include "emit/access.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/value.h"

const char *emit_access_slot(struct emit *e, enum access_base base, unsigned n, bool of_user,
			     struct range r)
{
	const char *t;

	if (base == AB_SIMD_ARG)
		return arena_printf(e->a, "prt_user_simd(%u)", n);
	if (base == AB_STACK_ARG)
		return arena_printf(e->a, "prt_arg_stack%s(c, %u, %u)", of_user ? "_user" : "", n,
				    emit_srcloc(e, r));
	/* Above the return address. */
	t = arena_printf(e->a, "PRT_REG(c, %s) + %u", emit_register(e, ARCH_STACK_POINTER),
			 4 * (n + 1));
	return arena_printf(e->a, "(u64)prt_read_user(c, %s, %d, false, %u)", t,
			    base == AB_STACK_PAIR_32 ? 8 : 4, emit_srcloc(e, r));
}

static const char *base(struct emit *e, const struct access *ac, const struct emit_val *start,
			struct range r)
{
	const char *t;

	if (ac->base == AB_VALUE)
		return arena_printf(e->a, "(u64)%s", emit_val_wide(e, *start));
	if (ac->base == AB_LOCATION && (!ac->at_entry_saved || e->fn->at_entry))
		return emit_location(e, ac, start, r);
	e->fn->uses_context = true;
	if (ac->base == AB_RETURN)
		return "(u64)c->retval";
	if (ac->base == AB_SIMD_RETURN)
		return arena_printf(e->a, "prt_user_simd(%u)", ac->n);
	if (ac->base == AB_SYSCALL_ARG)
		return arena_printf(e->a, "(u64)prt_called_arg(c, %u)", ac->n);
	if (ac->at_entry_saved && !e->fn->at_entry)
		return arena_printf(e->a, "c->saved[%u]", ac->saved_index);
	if (ac->base == AB_REG_ARG)
		return arena_printf(e->a, "prt_arg_reg(c, %u)", ac->n);
	if (ac->base == AB_SIMD_ARG)
		return emit_access_slot(e, ac->base, ac->n, ac->of_user, r);
	t = emit_temp(e, TMP_ADDR);
	emit_line(e, "%s = %s;", t, emit_access_slot(e, ac->base, ac->n, ac->of_user, r));
	emit_fail_if(e, "c->err");
	return t;
}

/* Emits the base and all indices first: they are expressions of the script, which may need
 * statements. */
static struct emit_val *operands(struct emit *e, struct expr *x, struct expr *last)
{
	const struct access *ac = x->u.context.access;
	struct expr **v = arena_alloc(e->a, (ac->steps.n + 1) * sizeof(*v));
	struct emit_val *ret = arena_alloc(e->a, (ac->steps.n + 1) * sizeof(*ret));

	v[0] = x->u.context.base;
	for (size_t i = 0; i < ac->steps.n; i++)
		if (ac->steps.v[i].kind == AS_INDEX)
			v[i + 1] = ac->steps.v[i].index;
	emit_expr_list(e, v, ac->steps.n + 1, last, ret);
	return ret;
}

static const char *reader(const struct access *ac)
{
	return ac->of_user ? "prt_read_user" : "prt_read";
}

static const char *walk_steps(struct emit *e, const struct access *ac, const char *at,
			      const struct emit_val *index, struct range r)
{
	for (size_t i = 0; i < ac->steps.n; i++) {
		const struct access_step *step = &ac->steps.v[i];

		if (step->kind == AS_ADD) {
			if (step->add)
				at = arena_printf(e->a, "%s %c %llu", at, step->add < 0 ? '-' : '+',
						  (unsigned long long)(step->add < 0 ?
								       0 - (uint64_t)step->add :
								       (uint64_t)step->add));
		} else if (step->kind == AS_INDEX) {
			at = arena_printf(e->a, "%s + (u64)%s * %u", at,
					  emit_val_operand(e, index[i]), step->scale);
		} else {
			const char *t = emit_temp(e, TMP_ADDR);

			emit_line(e, "%s = (u64)%s(c, %s, %u, false, %u);", t, reader(ac),
				  at, step->scale, emit_srcloc(e, r));
			emit_fail_if(e, "c->err");
			at = t;
		}
	}
	return at;
}

/* The names of the values of enums are tables of their own, by the numbers of their items. */
static void show_names(struct emit *e, const struct access_items *items)
{
	for (size_t i = 0; i < items->v.n; i++) {
		const struct access_names *names = items->v.v[i].names;

		if (!names)
			continue;
		emit_line(e, "static const struct prt_word names_%zu[] = {", i);
		vec_each(it, &names->v)
			emit_line(e, "\t{ 0x%llxULL, %s },", (unsigned long long)it->value,
				  emit_quoted(e, it->name, strlen(it->name)));
		emit_line(e, "};");
	}
}

static void show_item(struct emit *e, const struct access_item *it, size_t nr, const char *kind)
{
	static const char *const operators[] = {
		[OP_ADD] = "ADD", [OP_SUB] = "SUB", [OP_MUL] = "MUL", [OP_DIV] = "DIV",
		[OP_MOD] = "MOD", [OP_AND] = "AND", [OP_OR] = "OR", [OP_XOR] = "XOR",
		[OP_SHL] = "SHL", [OP_SHR] = "SHR", [OP_EQ] = "EQ", [OP_NE] = "NE",
		[OP_LT] = "LT", [OP_LE] = "LE", [OP_GT] = "GT", [OP_GE] = "GE",
	};
	const char *text = emit_quoted(e, it->text, strlen(it->text));

	if (it->kind == SHOW_OPERATOR)
		emit_line(e, "{ %s, PRT_SHOW_%s, 0, PRT_SHOW_OPERATOR, 0, 0, 0 },", text,
			  operators[it->op]);
	else if (it->names)
		emit_line(e, "{ %s, %u, %u, PRT_SHOW_%s, %u, %u, %zu, names_%zu },", text,
			  it->offset, it->size, kind, it->bit_offset, it->bit_size,
			  it->names->v.n, nr);
	else
		emit_line(e, "{ %s, %u, %u, PRT_SHOW_%s, %u, %u, %u },", text, it->offset, it->size,
			  kind, it->bit_offset, it->bit_size, it->most);
}

/* The words of a value without an address. */
static const char *show_words(struct emit *e, struct expr *x)
{
	size_t n = x->u.context.words.n;
	struct emit_val *v = arena_alloc(e->a, n * sizeof(*v));
	const char *ret = "";

	emit_expr_list(e, x->u.context.words.v, n, NULL, v);
	for (size_t i = 0; i < n; i++)
		ret = arena_printf(e->a, "%s(u64)%s, ", ret, emit_val_wide(e, v[i]));
	return ret;
}

/* The items are a table beside the code; a value without an address is stored in a variable. */
static struct emit_val show(struct emit *e, struct expr *x, const char *at)
{
	static const char *const kinds[] = {
		[SHOW_TEXT] = "TEXT", [SHOW_SIGNED] = "SIGNED", [SHOW_UNSIGNED] = "UNSIGNED",
		[SHOW_POINTER] = "POINTER", [SHOW_DOUBLE] = "DOUBLE",
		[SHOW_CHAR] = "CHAR", [SHOW_CHARS] = "CHARS",
		[SHOW_STRING] = "STRING", [SHOW_CHARS_PLAIN] = "CHARS_PLAIN",
		[SHOW_STRING_PLAIN] = "STRING_PLAIN", [SHOW_OBJECT] = "OBJECT",
		[SHOW_NUMBER] = "NUMBER", [SHOW_UNKNOWN] = "UNKNOWN", [SHOW_READ] = "READ",
		[SHOW_READ_SIGNED] = "READ_SIGNED", [SHOW_OPERATOR] = "OPERATOR",
		[SHOW_SELECT] = "SELECT", [SHOW_COUNTED] = "COUNTED",
		[SHOW_COUNTED_PLAIN] = "COUNTED_PLAIN", [SHOW_ELEMENTS] = "ELEMENTS",
		[SHOW_AT] = "AT", [SHOW_WHEN] = "WHEN",
	};
	const struct access *ac = x->u.context.access;
	const char *t = emit_temp(e, TMP_STR), *buf = emit_temp(e, TMP_BUF), *a;
	const char *words = NULL;

	if (ac->show_value) {
		a = emit_temp(e, TMP_ADDR);
		emit_line(e, "%s = %s;", a, at);
		at = arena_printf(e->a, "(u64)&%s", a);
	}
	if (x->u.context.words.n)
		words = show_words(e, x);
	emit_line(e, "%s = ({", t);
	show_names(e, &ac->items);
	emit_line(e, "static const struct prt_show items[] = {");
	e->fn->depth += 2;
	vec_each(it, &ac->items.v)
		show_item(e, it, (size_t)(it - ac->items.v.v), kinds[it->kind]);
	e->fn->depth -= 2;
	if (words)
		emit_line(e, "}; const u64 words[] = { %s", words);
	emit_line(e, "}; prt_show(c, %s, %s, items, %zu, PRT_SHOW_%s, %u); });", buf,
		  words ? "(u64)words" : at, ac->items.v.n, !ac->of_user ? "KERNEL" :
		  words || ac->show_value ? "IN_HAND" : "USER", emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
	return emit_val_text(t, T_STRING, V_STABLE);
}

const char *emit_access_open(struct emit *e, struct expr *x, struct expr *last)
{
	const struct access *ac = x->u.context.access;

	if (x->u.context.words.n)
		return NULL;

	const struct emit_val *v = operands(e, x, last);

	return walk_steps(e, ac, base(e, ac, v, x->range), v + 1, x->range);
}

/* A number of type double; a float is converted, which is exact. */
static struct emit_val floating(struct emit *e, const struct access *ac, struct emit_val v)
{
	bool is_float = ac->size == 4 || ac->bit_size == 32;

	if (!ac->is_floating || !is_float)
		return v;
	return emit_val_text(arena_printf(e->a, "prt_fp_of_float((u32)%s)",
					  emit_val_operand(e, v)), T_LONG, v.hold);
}

static struct emit_val scalar(struct emit *e, struct expr *x, const char *at)
{
	const struct access *ac = x->u.context.access;
	const char *sign = ac->is_signed ? "true" : "false", *t;

	if (ac->result == AR_VALUE) {
		t = ac->bit_size ? arena_printf(e->a, "prt_bits(%s, %u, %u, %s)", at,
						ac->bit_offset, ac->bit_size, sign)
				 : arena_printf(e->a, "prt_cut(%s, %u, %s)", at, ac->size, sign);
		/* In guru mode its registers may be assigned later in the statement. */
		return emit_val_text(t, T_LONG, ac->steps.n || ac->base == AB_VALUE ||
				     e->s->opt.guru ? V_SHARED : V_STABLE);
	}
	t = emit_temp(e, TMP_LONG);
	emit_line(e, "%s = %s(c, %s, %u, %s, %u);", t, reader(ac), at, ac->size,
		  ac->bit_size ? "false" : sign, emit_srcloc(e, x->range));
	emit_fail_if(e, "c->err");
	if (ac->bit_size)
		return emit_val_text(arena_printf(e->a, "prt_bits((u64)%s, %u, %u, %s)", t,
						  ac->bit_offset, ac->bit_size, sign),
				     T_LONG, V_STABLE);
	return emit_val_text(t, T_LONG, V_STABLE);
}

struct emit_val emit_access_value(struct emit *e, struct expr *x, const char *at)
{
	const struct access *ac = x->u.context.access;

	return ac->result == AR_SHOW ? show(e, x, at) : floating(e, ac, scalar(e, x, at));
}

struct emit_val emit_access(struct emit *e, struct expr *x)
{
	return emit_access_value(e, x, emit_access_open(e, x, NULL));
}
