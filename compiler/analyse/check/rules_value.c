/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of values: the targets of assignments, and literals. */
#include <string.h>

#include "analyse/check/rules.h"
#include "ast/operators.h"

/* Whether it is a variable or an element of an array. */
static bool is_place(const struct expr *e)
{
	return ast_base_symbol(e) != NULL;
}

/* Describes @e for a message about assigning to it. */
static const char *what_is(struct check *c, const struct expr *e)
{
	switch (e->kind) {
	case EX_NUM:
	case EX_REAL:
	case EX_STR:
		return "a literal";
	case EX_CALL:
		return arena_printf(c->s->arena, "the result of '%s'", e->u.call.name);
	case EX_AGG:
		return "a value read from an aggregate";
	case EX_INDEX:
		return "a bucket of a histogram";
	case EX_ASSIGN:
		return "an assignment";
	default:
		return "the value of an expression";
	}
}

/* Why a value of the kernel can't be assigned; NULL if it can. */
static const char *no_place(const struct access *ac)
{
	const struct location_piece *piece;

	if (ac->is_floating)
		return "is a floating-point number, which can be read only";
	if (ac->result == AR_READ)
		return NULL;
	if (ac->result == AR_SHOW)
		return "is text";
	if (ac->steps.n || ac->base == AB_VALUE)
		return "is an address, not the object there";
	if (ac->base == AB_SYSCALL_ARG)
		return "may be in one of two registers";
	if (ac->at_entry_saved)
		return "is a copy of what was passed";
	if (ac->base != AB_LOCATION)
		return NULL;
	piece = ac->location->pieces.n == 1 ? &ac->location->pieces.v[0] : NULL;
	return piece && piece->is_value && piece->ops.n == 1 && piece->ops.v[0].kind == LO_REG &&
	       strcmp(piece->ops.v[0].name, "sp") != 0 ?
		NULL : "is not stored separately there";
}

/* Whether an assignment is at the beginning of a condition: "if ($x = 0)". */
static bool is_in_condition(struct range left)
{
	const char *text = left.src->text, *p = text + left.start;

	while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return p > text && strchr("(&|", p[-1]);
}

static void write_context(struct check *c, const struct rule *r, const struct expr *left)
{
	const struct access *ac = left->u.context.access;
	const char *why, *text;

	if (!ac) /* reported already */
		return;
	text = ac->text ? ac->text : left->u.context.name;
	why = no_place(ac);
	if (why) {
		diag_error(c->s->diag, left->range, r->id, "'%s' %s: it can't be assigned", text,
			   why);
		return;
	}
	if (c->s->opt.guru || (left->range.src && left->range.src->in_tapset))
		return;
	diag_error(c->s->diag, left->range, E_GURU, "assigning to '%s' needs guru mode", text);
	if (left->range.src && is_in_condition(left->range))
		diag_hint(c->s->diag, "'==' compares");
	else
		diag_hint(c->s->diag, "give -g; the kernel continues with the changed value");
}

static void not_lvalue(struct check *c, const struct rule *r, const struct rule_at *at,
		       struct expr *e)
{
	const struct expr *left = e->kind == EX_ASSIGN ? e->u.assign.left :
				  e->kind == EX_INCDEC ? e->u.incdec.a : NULL;

	(void)at;
	if (!left || is_place(left))
		return;
	if (left->kind == EX_CONTEXT) {
		write_context(c, r, left);
		return;
	}
	diag_error(c->s->diag, left->range, r->id, "%s can't be changed", what_is(c, left));
	diag_hint(c->s->diag, "only variables and elements of arrays can%s",
		  e->kind == EX_ASSIGN && e->u.assign.op == OP_SET ? "; '==' compares" : "");
}

static void delete_value(struct check *c, const struct rule *r, const struct rule_at *at,
			 struct stmt *s)
{
	(void)at;
	if (s->kind != ST_DELETE || !s->u.expr || is_place(s->u.expr))
		return;
	diag_error(c->s->diag, s->u.expr->range, r->id, "%s can't be deleted",
		   what_is(c, s->u.expr));
	diag_hint(c->s->diag, "delete takes a variable, an array or an element of one");
}

void rules_literal(struct check *c, const struct expr *e)
{
	size_t most = (size_t)c->s->opt.caps.maxstringlen - 1;

	if (e->kind != EX_STR || e->u.str.len <= most || !e->range.src || e->range.src->in_tapset)
		return;
	diag_warn(c->s->diag, e->range, E_LIMIT,
		  "this literal has %zu bytes, and strings have %zu at most: the rest is cut off",
		  e->u.str.len, most);
	diag_hint(c->s->diag, "-D MAXSTRINGLEN=N makes strings longer; the format of printf() may "
		  "have any length");
}

static void long_literal(struct check *c, const struct rule *r, const struct rule_at *at,
			 struct expr *e)
{
	(void)r;
	(void)at;
	rules_literal(c, e);
}

const struct rule rules_value[] = {
	{ "not-lvalue", E_NOT_LVALUE, .expr = not_lvalue },
	{ "delete-value", E_NOT_LVALUE, .stmt = delete_value },
	{ "long-literal", E_LIMIT, .expr = long_literal },
	{ 0 },
};
