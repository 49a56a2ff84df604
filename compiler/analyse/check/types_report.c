/* SPDX-License-Identifier: GPL-2.0 */
/* Reports the errors of type inference: both sides of a disagreement, and a hint. */
#include <string.h>

#include "ast/print.h"
#include "analyse/check/types.h"
#include "analyse/resolve/resolve.h"

static const char *a_type(enum type t)
{
	switch (t) {
	case T_LONG: return "a long";
	case T_DOUBLE: return "a double";
	case T_STRING: return "a string";
	case T_STACK: return "a stack";
	case T_STATS: return "an aggregate";
	case T_VOID: return "without a value";
	case T_UNKNOWN: break;
	}
	return "unknown";
}

/* Names what is at @e: "'n'", "the result of 'f'", "this". */
static const char *subject(struct types *x, const struct expr *e)
{
	struct arena *a = x->s->arena;
	const struct symbol *sym = ast_base_symbol(e);

	if (sym)
		return arena_printf(a, sym->is_array ? "a value of '%s'" : "'%s'", sym->name);
	if (e->kind == EX_CALL)
		return arena_printf(a, "the result of '%s'", e->u.call.name);
	if (e->kind == EX_CONTEXT)
		return arena_printf(a, "'%s'", e->u.context.name);
	return "this";
}

/* The second half of the sentence: the context that wants the type. */
static const char *demand(struct types *x, const struct want *w)
{
	struct arena *a = x->s->arena;
	const char *t = a_type(w->t);

	switch (w->kind) {
	case W_OPERATOR:
		if (w->t == T_DOUBLE)
			return arena_printf(a, "the other operand of '%s' is %s", w->name, t);
		return arena_printf(a, "'%s' needs %s", w->name, t);
	case W_SAME:
		return arena_printf(a, "the left side of '%s' is %s", w->name, t);
	case W_BRANCH:
		return arena_printf(a, "the other branch of '?:' is %s", t);
	case W_VARIABLE:
		if (w->sym->is_array)
			return arena_printf(a, "the values of '%s' are %ss", w->sym->name,
					    print_type_name(w->t));
		return arena_printf(a, "'%s' is %s", w->sym->name, t);
	case W_KEY:
		return arena_printf(a, "key %d of '%s' is %s", w->n, w->sym->name, t);
	case W_PARAM:
		return arena_printf(a, "parameter '%s' of '%s' is %s", w->sym->name, w->fn->name,
				    t);
	case W_RESULT:
		return arena_printf(a, "the result of '%s' is %s", w->fn->name, t);
	case W_CONDITION:
		return arena_printf(a, "a condition needs %s", t);
	case W_FORMAT:
		return arena_printf(a, "'%s%c' needs %s", w->n == '*' ? "" : "%", w->n, t);
	case W_THING:
		return arena_printf(a, "%s needs %s", w->name, t);
	case W_VALUE:
		break;
	}
	return arena_printf(a, "%s is needed", t);
}

static void note_variable(struct types *x, const struct symbol *sym)
{
	if (sym->type == T_UNKNOWN || !sym->type_range.src)
		return;
	if (sym->is_array)
		diag_note(x->s->diag, sym->type_range, "the values of '%s' are %s because of this",
			  sym->name, sym->type == T_STATS ? "aggregates" :
			  arena_printf(x->s->arena, "%ss", print_type_name(sym->type)));
	else
		diag_note(x->s->diag, sym->type_range, "'%s' is %s because of this", sym->name,
			  a_type(sym->type));
}

static void note_function(struct types *x, const struct function *f)
{
	if (f->ret_range.src)
		diag_note(x->s->diag, f->ret_range, "the result of '%s' is %s because of this",
			  f->name, a_type(f->ret));
}

/* Notes why @e has its type, if that was decided elsewhere. */
static void note_expr(struct types *x, const struct expr *e)
{
	const struct symbol *sym = ast_base_symbol(e);

	if (sym)
		note_variable(x, sym);
	else if (e->kind == EX_CALL && e->u.call.targets.n)
		note_function(x, e->u.call.targets.v[0]);
}

static void note_want(struct types *x, const struct want *w)
{
	switch (w->kind) {
	case W_VARIABLE:
	case W_PARAM:
		note_variable(x, w->sym);
		break;
	case W_KEY:
		if (w->sym->key_range[w->n - 1].src)
			diag_note(x->s->diag, w->sym->key_range[w->n - 1],
				  "key %d of '%s' is %s because of this", w->n, w->sym->name,
				  a_type(w->t));
		break;
	case W_RESULT:
		note_function(x, w->fn);
		break;
	case W_SAME:
	case W_BRANCH:
		note_expr(x, w->peer);
		break;
	default:
		break;
	}
}

void types_report_mismatch(struct types *x, const struct expr *e, enum type t, const struct want *w)
{
	if (!x->report)
		return;
	diag_error(x->s->diag, e->range, E_TYPE_MISMATCH, "%s is %s, but %s", subject(x, e),
		   a_type(t), demand(x, w));
	if (t == T_DOUBLE || w->t == T_DOUBLE)
		doubles_hint(x, t, w);
	else if (w->kind == W_OPERATOR && t == T_STRING && w->name[0] == '+')
		diag_hint(x->s->diag, "'.' concatenates strings");
	else if (w->kind == W_OPERATOR && strcmp(w->name, ".") == 0 && e->kind == EX_CONTEXT)
		diag_hint(x->s->diag, "a member is reached by '->'; sprint(...) makes a string of "
			  "a long");
	else if (w->kind == W_OPERATOR && t == T_LONG && w->t == T_STRING)
		diag_hint(x->s->diag, "sprint(...) makes a string of a long");
	else if (w->kind == W_FORMAT && t == T_STRING && w->n != '*')
		diag_hint(x->s->diag, "%%s prints a string");
	else if (w->kind == W_FORMAT && t == T_LONG && e->kind == EX_CONTEXT)
		diag_hint(x->s->diag, "%%d prints a long; kernel_string(...) and user_string(...) "
			  "read the text at an address");
	else if (w->kind == W_OPERATOR && strcmp(w->name, "<<<") == 0)
		diag_hint(x->s->diag, "an aggregate collects numbers; counts by text are those of "
			  "an array: NAME[TEXT]++");
	else if (w->kind == W_FORMAT && t == T_LONG)
		diag_hint(x->s->diag, "%%d prints a long");
	note_expr(x, e);
	note_want(x, w);
}

/* A misspelt "return VALUE" is reported as such. */
static bool holds_unknown_word(const struct expr *call)
{
	vec_each(f, &call->u.call.targets)
		vec_each(local, &(*f)->locals)
			if ((*local)->unassigned && (*local)->type == T_UNKNOWN)
				return true;
	return false;
}

void types_report_void(struct types *x, const struct expr *e)
{
	if (!x->report || (e->kind == EX_CALL && holds_unknown_word(e)))
		return;
	if (e->kind != EX_CALL) {
		diag_error(x->s->diag, e->range, E_TYPE_MISMATCH, "this has no value");
		return;
	}
	diag_error(x->s->diag, e->range, E_TYPE_MISMATCH, "'%s' has no value", e->u.call.name);
	if (e->u.call.targets.n)
		diag_note(x->s->diag, e->u.call.targets.v[0]->name_range,
			  "'%s' never returns one", e->u.call.name);
}

void types_report_overloads(struct types *x, const struct expr *call, const struct function *a,
			    const struct function *b)
{
	if (!x->report)
		return;
	diag_error(x->s->diag, call->range, E_TYPE_MISMATCH, "the result of '%s' is %s, but that "
		   "of its overload is %s", a->name, a_type(a->ret), a_type(b->ret));
	note_function(x, a);
	note_function(x, b);
}

void types_report_aggregate(struct types *x, const struct expr *e, const struct symbol *sym)
{
	if (!x->report)
		return;
	diag_error(x->s->diag, e->range, E_AGGREGATE, sym->is_array ?
		   "the values of '%s' are aggregates and can't be used as such" :
		   "'%s' is an aggregate and can't be used as a value", sym->name);
	diag_hint(x->s->diag, "read a value from it: @count, @sum, @min, @max, @avg or @variance");
	note_variable(x, sym);
}

void types_report_not_aggregate(struct types *x, const struct expr *e, const struct symbol *sym)
{
	if (!x->report)
		return;
	if (!sym) {
		diag_error(x->s->diag, e->range, E_AGGREGATE, "this is not an aggregate");
		diag_hint(x->s->diag, "an aggregate is a global variable that is filled by <<<");
		return;
	}
	vec_each(it, &x->not_aggregates)
		if (*it == sym)
			return;
	vec_push(x->s->arena, &x->not_aggregates, sym);
	diag_error(x->s->diag, e->range, E_AGGREGATE, sym->is_array ?
		   "the values of '%s' are %ss, not aggregates" : "'%s' is a %s, not an aggregate",
		   sym->name, print_type_name(sym->type));
	note_variable(x, sym);
}

static void report_unknown(struct types *x, const struct symbol *sym)
{
	if (sym->type == T_UNKNOWN) {
		diag_error(x->s->diag, sym->range, E_TYPE_UNKNOWN, sym->is_array ?
			   "the type of the values of '%s' can't be inferred" :
			   "the type of '%s' can't be inferred", sym->name);
		if (sym->kind == SYM_PARAM)
			diag_hint(x->s->diag, "declare it: %s:long or %s:string", sym->name,
				  sym->name);
		else
			diag_hint(x->s->diag, "its use does not show the type: assign %s",
				  sym->is_array ? "one of them" : "a value to it");
	}
	for (int i = 0; sym->is_array && i < sym->nkeys && i < 9; i++)
		if (sym->key_type[i] == T_UNKNOWN)
			diag_error(x->s->diag, sym->range, E_TYPE_UNKNOWN,
				   "the type of key %d of '%s' can't be inferred", i + 1,
				   sym->name);
}

void types_report_embedded(struct types *x, const struct expr *e)
{
	struct function *f;

	if (!x->report || e->kind != EX_CALL || !e->u.call.targets.n)
		return;
	f = e->u.call.targets.v[0];
	if (f->body)
		return;
	diag_error(x->s->diag, e->range, E_TYPE_UNKNOWN, "nothing shows whether '%s' returns a "
							 "long or a string", f->name);
	diag_note(x->s->diag, f->name_range, "declare it here: %s:long or %s:string", f->name,
		  f->name);
	f->ret = T_LONG; /* one message for each function */
}

static void unassigned_global(struct types *x, const struct symbol *g)
{
	struct diag *d = x->s->diag;

	if (g->type != T_UNKNOWN) {
		diag_warn(d, g->range, E_UNUSED, "global '%s' is read and never assigned", g->name);
	} else if (g->is_array) {
		diag_error(d, g->range, E_TYPE_UNKNOWN, "nothing assigns an element of '%s', and "
			   "no use of it shows whether they are longs or strings", g->name);
		diag_hint(d, "assign one where it becomes known");
	} else {
		diag_error(d, g->range, E_TYPE_UNKNOWN, "nothing assigns '%s', and no use of it "
			   "shows whether it is a long or a string", g->name);
		diag_hint(d, "assign it where its value becomes known, or give it one here: "
			  "global %s = 0", g->name);
	}
}

void types_report_unassigned(struct types *x)
{
	vec_each(g, &x->p->globals)
		if ((*g)->unassigned)
			unassigned_global(x, *g);
	vec_each(pr, &x->p->probes)
		vec_each(local, &(*pr)->locals)
			if ((*local)->unassigned)
				resolve_unassigned(x->s, *local, (*local)->type != T_UNKNOWN);
	vec_each(f, &x->p->functions)
		vec_each(local, &(*f)->locals)
			if ((*local)->unassigned)
				resolve_unassigned(x->s, *local, (*local)->type != T_UNKNOWN);
}

void types_report_unknown(struct types *x)
{
	vec_each(g, &x->p->globals)
		report_unknown(x, *g);
	vec_each(f, &x->p->functions) {
		vec_each(param, &(*f)->params)
			report_unknown(x, *param);
		vec_each(local, &(*f)->locals)
			report_unknown(x, *local);
	}
	vec_each(pr, &x->p->probes)
		vec_each(local, &(*pr)->locals)
			report_unknown(x, *local);
}
