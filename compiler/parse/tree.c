/* SPDX-License-Identifier: GPL-2.0 */
/* The grammar's actions on expressions and statements. */
#include "parse/tree.h"

#include <string.h>

#include "parse/literals.h"
#include "state.h"

#define PRINT_MAX_ARGS 32

/* One level outwards: the use of the macro or argument from which @r comes. */
static struct range outwards(struct range r)
{
	return (struct range){ r.via->src, r.via->start, r.via->end, r.via->outer };
}

static int nesting(struct range r)
{
	int n = 0;

	for (const struct expansion *x = r.via; x; x = x->outer)
		n++;
	return n;
}

struct range tree_join(struct range a, struct range b)
{
	int na, nb;

	if (!a.via && !b.via)
		return range_join(a, b);
	na = nesting(a);
	nb = nesting(b);
	while (a.src != b.src || a.via != b.via) {
		if (!na && !nb)
			return a;
		if (na >= nb) {
			a = outwards(a);
			na--;
		} else {
			b = outwards(b);
			nb--;
		}
	}
	return range_join(a, b);
}

struct expr *tree_num(struct parser *p, struct range r, int64_t v)
{
	return ast_number(p->arena, r, v);
}

struct expr *tree_real(struct parser *p, struct range r, const char *sign, const char *text)
{
	struct expr *e = ast_expr(p->arena, EX_REAL, r);

	e->type = T_DOUBLE;
	e->u.real.text = *sign ? arena_printf(p->arena, "%s%s", sign, text) : text;
	if (!literals_real(e->u.real.text, &e->u.real.bits))
		parser_error(p, r, E_LEX, "the number %s is too large for a double", text);
	return e;
}

struct expr *tree_str(struct parser *p, struct range r, const struct token *t)
{
	struct expr *e = ast_expr(p->arena, EX_STR, r);

	e->type = T_STRING;
	e->u.str.s = t->s;
	e->u.str.len = t->len;
	return e;
}

struct expr *tree_name(struct parser *p, struct range r, const char *name)
{
	struct expr *e = ast_expr(p->arena, EX_NAME, r);

	e->u.name.name = name;
	return e;
}

struct expr *tree_unary(struct parser *p, struct range r, enum unary_op op, struct expr *a)
{
	struct expr *e = ast_expr(p->arena, EX_UNARY, r);

	e->u.unary.op = op;
	e->u.unary.a = a;
	return e;
}

struct expr *tree_binary(struct parser *p, struct range r, enum binary_op op, struct expr *a,
			 struct expr *b)
{
	struct expr *e = ast_expr(p->arena, EX_BINARY, r);

	e->u.binary.op = op;
	e->u.binary.a = a;
	e->u.binary.b = b;
	return e;
}

/* "char *s = ...": it can mean nothing else. */
static void refuse_declaration(struct parser *p, const struct expr *left)
{
	if (left->kind != EX_BINARY || left->u.binary.op != OP_MUL ||
	    left->u.binary.a->kind != EX_NAME || left->u.binary.b->kind != EX_NAME)
		return;
	parser_error(p, left->range, E_SYNTAX, "this is a declaration of C");
	diag_hint(p->diag, "variables need no declaration here: write %s = VALUE",
		  left->u.binary.b->u.name.name);
}

struct expr *tree_assign(struct parser *p, struct range r, int op, struct expr *left,
			 struct expr *right)
{
	struct expr *e = ast_expr(p->arena, EX_ASSIGN, r);

	refuse_declaration(p, left);
	e->u.assign.op = op;
	e->u.assign.left = left;
	e->u.assign.right = right;
	return e;
}

struct expr *tree_incdec(struct parser *p, struct range r, bool inc, bool prefix, struct expr *a)
{
	struct expr *e = ast_expr(p->arena, EX_INCDEC, r);

	e->u.incdec.inc = inc;
	e->u.incdec.prefix = prefix;
	e->u.incdec.a = a;
	return e;
}

struct expr *tree_cond(struct parser *p, struct range r, struct expr *c, struct expr *a,
		       struct expr *b)
{
	struct expr *e = ast_expr(p->arena, EX_COND, r);

	e->u.cond.c = c;
	e->u.cond.a = a;
	e->u.cond.b = b;
	return e;
}

struct expr *tree_regex(struct parser *p, struct range r, bool negate, struct expr *a,
			const struct token *re)
{
	struct expr *e = ast_expr(p->arena, EX_REGEX, r);

	e->u.regex.negate = negate;
	e->u.regex.a = a;
	e->u.regex.re = re->s;
	e->u.regex.re_len = re->len;
	e->u.regex.re_range = re->range;
	return e;
}

struct expr *tree_embedded(struct parser *p, struct range r, const struct token *t)
{
	struct expr *e = ast_expr(p->arena, EX_EMBEDDED, r);

	e->u.embedded.text = t->s;
	e->u.embedded.len = t->len;
	return e;
}

static bool is_histogram(const struct expr *e)
{
	return e->kind == EX_AGG && AGG_IS_HISTOGRAM(e->u.agg.op);
}

static void need_indexable(struct parser *p, const struct expr *e)
{
	if (e->kind == EX_AGG && !is_histogram(e))
		parser_error(p, e->range, E_AGGREGATE, "only an array or a histogram has elements");
}

struct expr *tree_slice(struct parser *p, struct range r, struct expr *array,
			struct expr_list *keys)
{
	struct expr *e = ast_expr(p->arena, EX_INDEX, r);

	need_indexable(p, array);
	e->u.index.array = array;
	tree_take(&e->u.index.keys, &keys->v);
	return e;
}

struct expr *tree_index(struct parser *p, struct range r, struct expr *array,
			struct expr_list *keys)
{
	struct expr *e;

	/* The number that an aggregate function returns may be an address. */
	if (array->kind == EX_AGG && !is_histogram(array) && keys->v.n == 1 && keys->v.v[0]) {
		struct path *path = NEW(p->arena, struct path);

		tree_accessor(p, path, r, NULL, keys->v.v[0]);
		return tree_deref(p, r, array, path);
	}
	e = tree_slice(p, r, array, keys);
	if (is_histogram(array) && e->u.index.keys.n != 1)
		parser_error(p, r, E_ARITY, "a bucket of a histogram has one number, not %zu",
			     e->u.index.keys.n);
	vec_each(key, &e->u.index.keys) {
		if (*key)
			continue;
		vec_push(p->arena, &p->starred, e);
		break;
	}
	return e;
}

/* delete a[*]: the "*" is valid here. */
static void claim_starred(struct parser *p, const struct expr *e)
{
	if (p->starred.n && p->starred.v[p->starred.n - 1] == e)
		p->starred.n--;
}

struct expr *tree_in(struct parser *p, struct range r, struct expr_list *keys, struct expr *array)
{
	struct expr *e = ast_expr(p->arena, EX_IN, r);

	need_indexable(p, array);
	e->u.in.array = array;
	tree_take(&e->u.in.keys, &keys->v);
	return e;
}

struct expr *tree_call(struct parser *p, struct range r, const char *name, struct range name_range,
		       struct expr_list *args)
{
	struct expr *e = ast_expr(p->arena, EX_CALL, r);

	e->u.call.name = name;
	e->u.call.name_range = name_range;
	tree_take(&e->u.call.args, &args->v);
	return e;
}

/* Takes the format or delimiter, which must be a literal because the compiler has to know it. */
static struct expr *take_literal(struct parser *p, struct expr *e, struct expr_list *args,
				 const char *what)
{
	struct expr *lit;

	if (!args->v.n) {
		parser_error(p, e->range, E_FORMAT, "the %s, a literal string, is missing", what);
		return NULL;
	}
	lit = args->v.v[0];
	if (lit->kind != EX_STR) {
		parser_error(p, lit->range, E_FORMAT, "the %s must be a literal string", what);
		if (e->u.print.kind == PRINT_PRINTF || e->u.print.kind == PRINT_SPRINTF)
			diag_hint(p->diag, "a computed string is printed with \"%%s\"");
		return NULL;
	}
	e->u.print.format_range = lit->range;
	args->v.v++;
	args->v.n--;
	args->v.cap--;
	return lit;
}

/* Checks the number of values of a print without a format: print and sprint need one, those with a
 * delimiter two. */
static void check_print_values(struct parser *p, const struct expr *e, size_t n)
{
	switch (e->u.print.kind) {
	case PRINT_PRINT:
	case PRINT_SPRINT:
		if (n)
			break;
		parser_error(p, e->range, E_ARITY, "there is nothing to print");
		diag_hint(p->diag, e->u.print.kind == PRINT_PRINT ?
			  "println() prints an empty line" : "the empty string is \"\"");
		break;
	case PRINT_PRINTD:
	case PRINT_PRINTDLN:
	case PRINT_SPRINTD:
	case PRINT_SPRINTDLN:
		if (n >= 2 || !e->u.print.delim)
			break;
		parser_error(p, e->range, E_ARITY, "the delimiter separates values: at "
			     "least two are needed, not %zu", n);
		break;
	case PRINT_CHAR:
		if (n != 1)
			parser_error(p, e->range, E_ARITY, "print_char takes one value, not %zu",
				     n);
		break;
	default:
		break;
	}
}

struct expr *tree_print(struct parser *p, struct range r, enum print_kind kind,
			struct expr_list *args)
{
	struct expr *e = ast_expr(p->arena, EX_PRINT, r), *lit;

	e->u.print.kind = kind;
	switch (kind) {
	case PRINT_PRINTF:
	case PRINT_SPRINTF:
		lit = take_literal(p, e, args, "format");
		if (lit) {
			e->u.print.format = lit->u.str.s;
			e->u.print.format_len = lit->u.str.len;
		}
		break;
	case PRINT_PRINTD:
	case PRINT_PRINTDLN:
	case PRINT_SPRINTD:
	case PRINT_SPRINTDLN:
		lit = take_literal(p, e, args, "delimiter");
		if (lit) {
			e->u.print.delim = lit->u.str.s;
			e->u.print.delim_len = lit->u.str.len;
		}
		break;
	default:
		break;
	}
	check_print_values(p, e, args->v.n);
	if (args->v.n > PRINT_MAX_ARGS)
		parser_error(p, r, E_LIMIT, "%zu values in one print, at most %d are allowed",
			     args->v.n, PRINT_MAX_ARGS);
	tree_take(&e->u.print.args, &args->v);
	return e;
}

struct expr *tree_agg(struct parser *p, struct range r, enum agg_op op, struct expr *a,
		      struct expr_list *args)
{
	struct expr *e = ast_expr(p->arena, EX_AGG, r);
	size_t n = args ? args->v.n : 0;

	e->u.agg.op = op;
	e->u.agg.a = a;
	if (args)
		tree_take(&e->u.agg.args, &args->v);
	if (a->kind != EX_NAME && a->kind != EX_INDEX)
		parser_error(p, a->range, E_AGGREGATE,
			     "expected an aggregate: a variable or an element");
	if (op == AGG_HIST_LINEAR && n != 3)
		parser_error(p, r, E_ARITY, "@hist_linear takes an aggregate, low, high and width");
	else if (op == AGG_VARIANCE && n > 1)
		parser_error(p, r, E_ARITY, "@variance takes an aggregate and optionally a bit "
					    "shift");
	else if (op == AGG_QUANTILE && (n < 1 || n > 2))
		parser_error(p, r, E_ARITY, "@quantile takes an aggregate, a percentage, and "
					    "optionally its scale");
	else if (op == AGG_HIST_EXP && n > 1)
		parser_error(p, r, E_ARITY, "@hist_exp takes an aggregate and optionally the "
					    "number of rows per power of two");
	else if ((op < AGG_VARIANCE || op == AGG_HIST_LOG) && n)
		parser_error(p, r, E_ARITY, "this function takes only an aggregate");
	return e;
}

struct expr_list *tree_list(struct parser *p, struct expr *e)
{
	struct expr_list *ret = NEW(p->arena, struct expr_list);

	vec_push(p->arena, &ret->v, e);
	return ret;
}

/* ---- statements ---- */

struct stmt *tree_block(struct parser *p, struct range r, const struct stmt_list *body)
{
	struct stmt *s = ast_stmt(p->arena, ST_BLOCK, r);

	tree_take(&s->u.block, &body->v);
	return s;
}

struct stmt *tree_stmt_expr(struct parser *p, enum stmt_kind kind, struct range r, struct expr *e)
{
	struct stmt *s = ast_stmt(p->arena, kind, r);

	s->u.expr = e;
	if (kind == ST_DELETE)
		claim_starred(p, e);
	return s;
}

struct stmt *tree_return(struct parser *p, struct range r, struct range word, struct range value,
			 struct expr *e)
{
	struct source *src = word.src;

	if (src == value.src && word.via == value.via && value.start > word.end &&
	    memchr(src->text + word.end, '\n', value.start - word.end)) {
		diag_warn(p->diag, value, E_NEXT_LINE,
			  "this is the value of a 'return' on an earlier line");
		diag_hint(p->diag,
			  "write 'return;' if it has no value, or put the value on its line");
	}
	return tree_stmt_expr(p, ST_RETURN, r, e);
}

struct stmt *tree_if(struct parser *p, struct range r, struct expr *c, struct stmt *then,
		     struct stmt *els)
{
	struct stmt *s = ast_stmt(p->arena, ST_IF, r);

	s->u.if_.c = c;
	s->u.if_.then = then;
	s->u.if_.els = els;
	return s;
}

struct stmt *tree_while(struct parser *p, struct range r, struct expr *c, struct stmt *body)
{
	struct stmt *s = ast_stmt(p->arena, ST_WHILE, r);

	s->u.while_.c = c;
	s->u.while_.body = body;
	return s;
}

struct stmt *tree_for(struct parser *p, struct range r, struct expr *init, struct expr *c,
		      struct expr *step, struct stmt *body)
{
	struct stmt *s = ast_stmt(p->arena, ST_FOR, r);

	s->u.for_.init = init;
	s->u.for_.c = c;
	s->u.for_.step = step;
	s->u.for_.body = body;
	return s;
}

struct sort_vars *tree_sort_vars(struct parser *p, const struct sort_var *var)
{
	struct sort_vars *ret = NEW(p->arena, struct sort_vars);

	vec_push(p->arena, &ret->v, *var);
	return ret;
}

static void set_sort(struct parser *p, struct foreach *fe, struct range r, int dir, int key)
{
	if (!dir)
		return;
	if (fe->sort_dir)
		parser_error(p, r, E_SYNTAX, "a foreach can sort by one thing only");
	fe->sort_dir = dir;
	fe->sort_key = key;
}

/* The key of a loop over a histogram is the number of a bucket, and buckets are sorted already. */
static void check_histogram_loop(struct parser *p, const struct foreach *fe)
{
	if (fe->keys.n != 1)
		parser_error(p, range_join(fe->keys.v[0]->range, fe->keys.v[fe->keys.n - 1]->range),
			     E_ARITY, "a bucket of a histogram has one number");
	if (fe->sort_dir)
		parser_error(p, fe->array->range, E_AGGREGATE,
			     "the buckets of a histogram are always in ascending order");
}

static void check_slice_loop(struct parser *p, const struct foreach *fe)
{
	if (fe->array->u.index.array->kind != EX_NAME)
		parser_error(p, fe->array->range, E_NOT_ARRAY,
			     "foreach needs the whole histogram, not one of its buckets");
	else if (fe->array->u.index.keys.n != fe->keys.n)
		parser_error(p, fe->array->range, E_ARITY, "the slice has %zu key%s, the loop %zu",
			     fe->array->u.index.keys.n, fe->array->u.index.keys.n == 1 ? "" : "s",
			     fe->keys.n);
}

struct stmt *tree_foreach(struct parser *p, struct range r, const struct sort_var *value,
			  const struct sort_vars *keys, struct expr *array, const struct sort *sort,
			  struct expr *limit, struct stmt *body)
{
	struct stmt *s = ast_stmt(p->arena, ST_FOREACH, r);
	struct foreach *fe = &s->u.foreach;

	need_indexable(p, array);
	fe->array = array;
	fe->limit = limit;
	fe->body = body;
	if (value) {
		fe->value = value->var;
		set_sort(p, fe, value->var->range, value->dir, 0);
	}
	for (size_t i = 0; i < keys->v.n; i++) {
		vec_push(p->arena, &fe->keys, keys->v.v[i].var);
		set_sort(p, fe, keys->v.v[i].var->range, keys->v.v[i].dir, (int)i + 1);
	}
	set_sort(p, fe, array->range, sort->dir, 0);
	fe->sort_has_agg = sort->has_agg;
	fe->sort_agg = sort->agg;
	if (sort->has_agg && sort->agg > AGG_VARIANCE)
		parser_error(p, array->range, E_AGGREGATE, sort->agg == AGG_QUANTILE ?
			     "foreach can't sort by @quantile: it needs a percentage" :
			     "foreach can't sort by a histogram");
	if (is_histogram(array))
		check_histogram_loop(p, fe);
	else if (array->kind == EX_INDEX)
		check_slice_loop(p, fe);
	return s;
}

struct stmt *tree_try(struct parser *p, struct range r, struct stmt *body, struct expr *var,
		      struct stmt *handler)
{
	struct stmt *s = ast_stmt(p->arena, ST_TRY, r);

	s->u.try_.body = body;
	s->u.try_.var = var;
	s->u.try_.handler = handler;
	return s;
}

void tree_finish(struct parser *p)
{
	vec_each(e, &p->starred)
		parser_error(p, (*e)->range, E_SYNTAX,
			     "'*' as an index is allowed only in delete, foreach and [..] in");
}
