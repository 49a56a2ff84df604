/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Type inference over the whole program.
 *
 * Nothing in a script has to be declared, so a type is decided by the first thing that determines
 * it: a literal that is assigned, an operator that needs a number, a conversion in a format. A
 * decision never changes, with one exception: something inferred to be a stack becomes a string if
 * it is assigned a string as well. One round walks every body: types_expr() computes an
 * expression's type from its parts, types_match() compares it with the type that the context wants,
 * and, if the expression is still open, hands the wanted type down to the variables and functions
 * in it. Rounds are repeated until one decides nothing. Then a last round reports errors: since
 * decisions are final, each disagreement is found exactly once, in the order of the script.
 *
 * A stack is converted to text where a string is wanted, and a string to a stack where a parameter
 * is declared as one; a last walk inserts these conversions. So that a stack does not become a
 * string too early, strings that are merely wanted decide nothing (`open`) until assignments have
 * decided everything that they can.
 *
 * If something remains open: a function whose result is not constrained (it only returns itself)
 * returns a long; a global that -G sets has the type of that value; any other variable, and the
 * value of embedded C that is used, is an error (E_TYPE_UNKNOWN).
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ast/print.h"
#include "ast/walk.h"
#include "analyse/check/check.h"
#include "analyse/check/types.h"

enum { MAX_ROUNDS = 256 };

void types_decide(struct types *x, struct symbol *sym, enum type t, struct range r)
{
	if (sym->type != T_UNKNOWN || t == T_UNKNOWN || t == T_VOID)
		return;
	sym->type = t;
	sym->type_range = x->decided = r;
	x->changed = true;
}

void types_decide_result(struct types *x, struct function *f, enum type t, struct range r)
{
	if (f->ret != T_UNKNOWN || t == T_UNKNOWN || t == T_VOID)
		return;
	f->ret = t;
	f->ret_range = x->decided = r;
	x->changed = true;
}

enum type types_unresolved(const struct expr *e)
{
	bool shown = e->kind == EX_CONTEXT ? e->u.context.pretty || e->u.context.plain :
		     e->kind == EX_AT ? e->u.at.pretty || e->u.at.plain :
		     e->u.deref.pretty || e->u.deref.plain;

	return shown ? T_STRING : T_UNKNOWN;
}

static void stmt_types(struct types *x, struct stmt *s);

/* A loop variable gets the type of the key, and the key that of the variable. */
static void loop_variable(struct types *x, struct expr *var, struct symbol *sym, int key)
{
	enum type t = key < 0 ? sym->type : sym->key_type[key];

	if (t == T_STRING && types_expr(x, var) == T_STACK) {
		types_soften(x, var);
		return;
	}
	/* The text of a stack is assigned. */
	if (t == T_STACK && types_expr(x, var) == T_STRING)
		return;
	if (t != T_UNKNOWN && t != T_STATS) {
		types_expect(x, var, (struct want){ .t = t, .kind = key < 0 ? W_VARIABLE : W_KEY,
						    .n = key + 1, .sym = sym });
		return;
	}
	if (key >= 0) {
		types_key(x, sym, var, key);
		return;
	}
	if (t == T_STATS) {
		types_report_aggregate(x, var, sym);
		return;
	}
	types_decide(x, sym, types_expr(x, var), var->range);
}

/* The number of a bucket of a histogram, or its count. */
static void bucket_variable(struct types *x, struct expr *var)
{
	if (!var || !var->u.name.sym)
		return;
	types_match(x, var, types_expr(x, var), WANT_LONG_FOR("a bucket of a histogram"));
}

static void foreach_types(struct types *x, struct foreach *f)
{
	struct symbol *sym = ast_base_symbol(f->array);

	if (f->limit)
		types_expect(x, f->limit, WANT_LONG_FOR("the limit of a loop"));
	if (f->array->kind == EX_AGG) {
		types_histogram(x, f->array);
		bucket_variable(x, f->keys.v[0]);
		bucket_variable(x, f->value);
	}
	if (sym && sym->type == T_DOUBLE && f->sort_dir && !f->sort_key)
		doubles_report_sort(x, f);
	if (sym) {
		if (f->array->kind == EX_INDEX)
			types_keys(x, sym, f->array->u.index.keys.v, f->array->u.index.keys.n);
		f->array->type = sym->type;
		for (size_t i = 0; i < f->keys.n && (int)i < sym->nkeys && i < 9; i++)
			loop_variable(x, f->keys.v[i], sym, (int)i);
		if (f->value)
			loop_variable(x, f->value, sym, -1);
	}
	stmt_types(x, f->body);
}

static void return_types(struct types *x, struct expr *e)
{
	struct function *f = x->fn;
	enum type t;

	if (!e)
		return;
	t = types_expr(x, e);
	if (!f) /* in a probe: the rules report it */
		return;
	if (f->ret != T_UNKNOWN)
		types_match(x, e, t, (struct want){ .t = f->ret, .kind = W_RESULT, .fn = f });
	else if (t == T_VOID)
		types_report_void(x, e);
	else if (t == T_UNKNOWN)
		types_report_embedded(x, e);
	else
		types_decide_result(x, f, t, e->range);
}

static void delete_types(struct types *x, struct expr *e)
{
	struct symbol *sym = ast_base_symbol(e);

	if (!sym)
		return;
	if (e->kind == EX_INDEX) {
		types_keys(x, sym, e->u.index.keys.v, e->u.index.keys.n);
		e->u.index.array->type = sym->type;
	}
	e->type = sym->type;
}

static void condition(struct types *x, struct expr *e)
{
	if (e)
		types_expect(x, e, (struct want){ .t = T_LONG, .kind = W_CONDITION });
}

static void child_types(struct expr **e, void *x)
{
	if (*e)
		types_expr(x, *e);
}

static void child_stmt_types(struct stmt **s, void *x)
{
	stmt_types(x, *s);
}

static void catch_types(struct types *x, struct expr *message)
{
	if (message && types_expr(x, message) == T_STACK)
		types_soften(x, message);
	else if (message)
		types_expect(x, message, (struct want){
			.t = T_STRING, .kind = W_THING, .name = "the message of catch" });
}

static void stmt_types(struct types *x, struct stmt *s)
{
	struct child_visitor children = {
		.expr = child_types, .stmt = child_stmt_types, .data = x,
	};

	if (!s)
		return;
	switch (s->kind) {
	case ST_IF:
		condition(x, s->u.if_.c);
		stmt_types(x, s->u.if_.then);
		stmt_types(x, s->u.if_.els);
		break;
	case ST_WHILE:
		condition(x, s->u.while_.c);
		stmt_types(x, s->u.while_.body);
		break;
	case ST_FOR:
		child_types(&s->u.for_.init, x);
		condition(x, s->u.for_.c);
		child_types(&s->u.for_.step, x);
		stmt_types(x, s->u.for_.body);
		break;
	case ST_FOREACH:
		foreach_types(x, &s->u.foreach);
		break;
	case ST_RETURN:
		return_types(x, s->u.expr);
		break;
	case ST_DELETE:
		delete_types(x, s->u.expr);
		break;
	case ST_TRY:
		stmt_types(x, s->u.try_.body);
		catch_types(x, s->u.try_.var);
		stmt_types(x, s->u.try_.handler);
		break;
	default:
		ast_stmt_children(s, &children);
	}
}

static bool visit_value(struct stmt **s, void *data)
{
	bool *found = data;

	*found |= (*s)->kind == ST_RETURN && (*s)->u.expr;
	return !*found;
}

static bool returns_value(struct stmt *body)
{
	bool found = false;
	struct visitor v = { .stmt = visit_value, .data = &found };

	walk_stmt(&body, &v);
	return found;
}

/* Whether embedded C gives its function a value; if so, its callers decide the type. */
static bool embedded_value(const struct function *f)
{
	static const char leave[] = "STAP_RETURN";
	const char *p = f->embedded, *end = p + f->embedded_len;

	if (ast_mentions(f, "STAP_RETVALUE") || ast_mentions(f, "THIS->__retvalue"))
		return true;
	while ((p = memmem(p, (size_t)(end - p), leave, sizeof(leave) - 1))) {
		p += sizeof(leave) - 1;
		while (p < end && (isspace((unsigned char)*p) || *p == '('))
			p++;
		if (p < end && *p != ')')
			return true;
	}
	return false;
}

/* Types that the script states: declarations and initial values. */
static void start_symbol(struct types *x, struct symbol *sym)
{
	sym->declared = sym->type != T_UNKNOWN;
	if (sym->declared && !sym->type_range.src)
		sym->type_range = sym->range;
	if (!sym->init)
		return;
	types_expect(x, sym->init, WANT_VALUE);
	types_decide(x, sym, sym->init->type, sym->init->range);
}

static void start(struct types *x)
{
	vec_each(g, &x->p->globals)
		start_symbol(x, *g);
	vec_each(it, &x->p->functions) {
		struct function *f = *it;

		vec_each(param, &f->params)
			start_symbol(x, *param);
		if (f->declared != T_UNKNOWN)
			types_decide_result(x, f, f->declared, f->name_range);
		else if (f->body ? !returns_value(f->body) : !embedded_value(f))
			f->ret = T_VOID;
	}
}

static void round_once(struct types *x)
{
	x->changed = false;
	vec_each(f, &x->p->functions) {
		x->fn = *f;
		stmt_types(x, (*f)->body);
	}
	x->fn = NULL;
	vec_each(pr, &x->p->probes) {
		stmt_types(x, (*pr)->entry);
		condition(x, (*pr)->cond);
		stmt_types(x, (*pr)->body);
	}
}

/* Most scripts need two or three rounds. False: an error, as the types follow from each other in a
 * chain against the order of the script, of which each round finds one. */
static bool settle(struct types *x)
{
	int rounds = 0;

	do {
		if (rounds++ == MAX_ROUNDS) {
			diag_error(x->s->diag, x->decided, E_LIMIT,
				   "this type follows from others in a chain of more than %d",
				   MAX_ROUNDS);
			diag_hint(x->s->diag,
				  "write what decides the first of them before the others");
			return false;
		}
		round_once(x);
	} while (x->changed);
	return true;
}

static bool is_number(const char *text)
{
	char *end;

	errno = 0;
	(void)strtoll(text, &end, 0);
	return *text && !*end && errno == 0;
}

static bool is_decimal(const char *text)
{
	char *end;

	(void)strtod(text, &end);
	return *text && !*end;
}

static void to_string(struct types *x, struct symbol *sym)
{
	if (sym->type != T_STACK || sym->declared)
		return;
	sym->type = T_STRING;
	x->changed = true;
}

/* Embedded C of a user gets stacks as strings. */
static void soften_embedded(struct types *x)
{
	vec_each(f, &x->p->functions)
		vec_each(it, &(*f)->globals)
			for (int i = -1; i < it->sym->nkeys && i < 9; i++) {
				if (i < 0)
					to_string(x, it->sym);
				else if (it->sym->key_type[i] == T_STACK)
					it->sym->key_type[i] = T_STRING;
			}
}

static bool has_stacks(const struct program *p)
{
	vec_each(f, &p->functions) {
		if ((*f)->declared == T_STACK)
			return true;
		vec_each(param, &(*f)->params)
			if ((*param)->type == T_STACK)
				return true;
	}
	return false;
}

/* -G: the value must have the right type, or decides the type if nothing else does. */
static void take_option_values(struct types *x)
{
	vec_each(it, &x->p->globals) {
		struct symbol *g = *it;

		if (g->g_value)
			to_string(x, g);
		if (g->g_value)
			types_decide(x, g, is_number(g->g_value) ? T_LONG : T_STRING, g->range);
	}
}

static void check_option_values(struct types *x)
{
	struct diag *d = x->s->diag;
	struct range nowhere = { 0 };

	vec_each(it, &x->p->globals) {
		struct symbol *g = *it;

		if (!g->g_value || (g->type != T_LONG && g->type != T_DOUBLE))
			continue;
		if (g->type == T_LONG ? is_number(g->g_value) : is_decimal(g->g_value))
			continue;
		diag_error(d, nowhere, E_OPTION, "-G %s=%s: '%s' is a %s, and this is not a "
			   "number of 64 bits", g->name, g->g_value, g->name,
			   print_type_name(g->type));
		diag_note(d, g->type_range, "'%s' is a %s because of this", g->name,
			  print_type_name(g->type));
	}
}

/* Whether a global is read, and nothing assigns it or shows its type: a mistake. */
static bool is_open_to_readers(const struct program *p)
{
	vec_each(it, &p->globals)
		if ((*it)->unassigned && (*it)->type == T_UNKNOWN)
			return true;
	return false;
}

/* Nothing shows the type of a global that is printed at the end and nowhere read: numbers. A type
 * that is chosen so must not spread to a global that the script reads. */
static void close_shown(struct types *x)
{
	if (is_open_to_readers(x->p))
		return;
	vec_each(it, &x->p->globals) {
		struct symbol *g = *it;

		if (!g->shown)
			continue;
		types_decide(x, g, T_LONG, g->range);
		for (int i = 0; i < g->nkeys && i < 9; i++) {
			if (g->key_type[i] != T_UNKNOWN)
				continue;
			g->key_type[i] = T_LONG;
			g->key_range[i] = g->range;
			x->changed = true;
		}
	}
}

/* Functions that only return themselves: nothing contradicts a long, unless a value could not be
 * resolved. */
static void close_results(struct types *x)
{
	if (x->p->is_partial)
		return;
	vec_each(f, &x->p->functions)
		types_decide_result(x, *f, T_LONG, (*f)->name_range);
}

void types_infer(struct state *s, struct program *p)
{
	struct types x = { .s = s, .p = p };
	unsigned before = diag_errors(s->diag);

	start(&x);
	x.open = p->has_stacks = has_stacks(p);
	x.open_numbers = doubles_are_used(p);
	if (!settle(&x))
		return;
	take_option_values(&x);
	soften_embedded(&x);
	(void)settle(&x);
	x.open = x.open_numbers = false;
	(void)settle(&x);
	close_shown(&x);
	(void)settle(&x);
	check_option_values(&x);
	types_report_unassigned(&x);
	x.report = true;
	round_once(&x);
	x.report = false;
	if (diag_errors(s->diag) == before)
		types_report_unknown(&x);
	if (diag_errors(s->diag) != before)
		return;
	close_results(&x);
	(void)settle(&x);
	x.convert = true;
	round_once(&x);
	doubles_lower(s, p);
}
