/* SPDX-License-Identifier: GPL-2.0 */
/* Access paths ($param->member[i]) as C: locate/access.h says how they are evaluated. */
#include "emit/emit.h"

static const char *base(struct emit *e, const struct access *ac, struct range r)
{
	const char *t;

	if (ac->base == AB_RETURN)
		return "(u64)c->retval";
	if (ac->at_entry_saved)
		return arena_printf(e->a, "c->saved[%u]", ac->saved_slot);
	if (ac->base == AB_REG_ARG)
		return arena_printf(e->a, "prt_arg_reg(c, %u)", ac->n);
	t = emit_temp(e, TMP_ADDR);
	emit_line(e, "%s = prt_arg_stack(c, %u, %u);", t, ac->n, emit_place(e, r));
	emit_fail_if(e, "c->err");
	return t;
}

/* All indices first: they are script expressions and may have statements of their own. */
static struct emit_val *indices(struct emit *e, const struct access *ac)
{
	struct expr **v = arena_alloc(e->a, (ac->steps.n + 1) * sizeof(*v));

	for (size_t i = 0; i < ac->steps.n; i++)
		if (ac->steps.v[i].kind == AS_INDEX)
			v[i] = ac->steps.v[i].index;

	struct emit_val *ret = arena_alloc(e->a, (ac->steps.n + 1) * sizeof(*ret));

	emit_expr_list(e, v, ac->steps.n, NULL, ret);
	return ret;
}

static const char *walk_steps(struct emit *e, const struct access *ac, const char *at,
			      struct range r)
{
	struct emit_val *index = indices(e, ac);

	for (size_t i = 0; i < ac->steps.n; i++) {
		const struct access_step *step = &ac->steps.v[i];

		if (step->kind == AS_ADD) {
			if (step->add)
				at = arena_printf(e->a, "%s %c %llu", at, step->add < 0 ? '-' : '+',
						  (unsigned long long)(step->add < 0 ?
								       0 - (uint64_t)step->add :
								       (uint64_t)step->add));
		} else if (step->kind == AS_INDEX) {
			at = arena_printf(e->a, "%s + (u64)%s * %u", at, index[i].text,
					  step->scale);
		} else {
			const char *t = emit_temp(e, TMP_ADDR);

			emit_line(e, "%s = (u64)prt_read(c, %s, 8, false, %u);", t, at,
				  emit_place(e, r));
			emit_fail_if(e, "c->err");
			at = t;
		}
	}
	return at;
}

struct emit_val emit_access(struct emit *e, struct expr *x)
{
	const struct access *ac = x->u.context.access;
	const char *sign = ac->is_signed ? "true" : "false", *t;
	const char *at = walk_steps(e, ac, base(e, ac, x->range), x->range);

	if (ac->result == AR_VALUE) {
		t = ac->bit_size ? arena_printf(e->a, "prt_bits(%s, %u, %u, %s)", at,
						ac->bit_offset, ac->bit_size, sign)
				 : arena_printf(e->a, "prt_cut(%s, %u, %s)", at, ac->size, sign);
		return emit_val_text(t, T_LONG, ac->steps.n ? V_SHARED : V_STABLE);
	}
	t = emit_temp(e, TMP_LONG);
	emit_line(e, "%s = prt_read(c, %s, %u, %s, %u);", t, at, ac->size,
		  ac->bit_size ? "false" : sign, emit_place(e, x->range));
	emit_fail_if(e, "c->err");
	if (ac->bit_size)
		return emit_val_text(arena_printf(e->a, "prt_bits((u64)%s, %u, %u, %s)", t,
						  ac->bit_offset, ac->bit_size, sign),
				     T_LONG, V_STABLE);
	return emit_val_text(t, T_LONG, V_STABLE);
}
