/* SPDX-License-Identifier: GPL-2.0 */
/* The grammar's actions on probe points and declarations. */
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "base/words.h"
#include "parse/tree.h"
#include "records.h"

/* The most probe points to which the braces of one probe point may expand. */
#define POINTS_MAX 10000

struct pp_set *tree_pp_part(struct parser *p, struct range r, const char *name, bool has_arg,
			    struct expr *arg)
{
	struct pp_component c = { r, name, has_arg, arg };
	struct pp_seq *seq = NEW(p->arena, struct pp_seq);
	struct pp_set *set = NEW(p->arena, struct pp_set);

	vec_push(p->arena, &seq->v, c);
	vec_push(p->arena, &set->v, seq);
	return set;
}

static void append(struct parser *p, struct pp_seq *to, const struct pp_seq *from, bool clone)
{
	for (size_t i = 0; i < from->v.n; i++) {
		struct pp_component c = from->v.v[i];

		if (clone)
			c.arg = ast_clone_expr(p->arena, c.arg);
		vec_push(p->arena, &to->v, c);
	}
}

struct pp_set *tree_pp_join(struct parser *p, struct range r, struct pp_set *a, struct pp_set *b)
{
	struct pp_set *ret = NEW(p->arena, struct pp_set);

	vec_each(seq, &a->v) {
		if (!(*seq)->suffix && !(*seq)->cond)
			continue;
		parser_error(p, r, E_SYNTAX,
			     "'?', '!' and conditions may follow only the last component");
		break;
	}
	if (a->v.n == 1 && b->v.n == 1) {
		append(p, a->v.v[0], b->v.v[0], false);
		a->v.v[0]->suffix = b->v.v[0]->suffix;
		a->v.v[0]->cond = b->v.v[0]->cond;
		return a;
	}
	if (a->v.n * b->v.n > POINTS_MAX) {
		parser_error(p, r, E_LIMIT, "the braces expand to more than %d probe points",
			     POINTS_MAX);
		return a;
	}
	for (size_t i = 0; i < a->v.n; i++) {
		for (size_t j = 0; j < b->v.n; j++) {
			struct pp_seq *seq = NEW(p->arena, struct pp_seq);

			append(p, seq, a->v.v[i], true);
			append(p, seq, b->v.v[j], true);
			seq->suffix = b->v.v[j]->suffix;
			seq->cond = ast_clone_expr(p->arena, b->v.v[j]->cond);
			vec_push(p->arena, &ret->v, seq);
		}
	}
	return ret;
}

void tree_pp_add(struct parser *p, struct pp_set *set, const struct pp_set *more)
{
	for (size_t i = 0; i < more->v.n; i++)
		vec_push(p->arena, &set->v, more->v.v[i]);
}

void tree_pp_end(struct parser *p, struct range r, struct pp_set *set, int suffix,
		 struct expr *cond)
{
	for (size_t i = 0; i < set->v.n; i++) {
		struct pp_seq *seq = set->v.v[i];
		struct expr *c = i ? ast_clone_expr(p->arena, cond) : cond;

		if (seq->suffix != '!' && suffix)
			seq->suffix = suffix;
		if (seq->cond && c)
			c = tree_binary(p, r, OP_LAND, c, seq->cond);
		if (c)
			seq->cond = c;
	}
}

struct pp_list *tree_points(struct parser *p, struct range r, const struct pp_set *set)
{
	struct pp_list *list = NEW(p->arena, struct pp_list);

	for (size_t i = 0; i < set->v.n; i++) {
		struct probe_point *pp = points_new(p->arena, r);
		struct pp_seq *seq = set->v.v[i];

		tree_take(&pp->parts, &seq->v);
		pp->optional = seq->suffix == '?';
		pp->sufficient = seq->suffix == '!';
		pp->cond = seq->cond;
		vec_push(p->arena, &list->v, pp);
	}
	return list;
}

void tree_points_add(struct parser *p, struct pp_list *list, const struct pp_list *more)
{
	for (size_t i = 0; i < more->v.n; i++)
		vec_push(p->arena, &list->v, more->v.v[i]);
}

void tree_decl(struct parser *p, enum decl_kind kind, void *node)
{
	struct decl d = { kind, node };

	if (kind == DECL_EMBEDDED)
		vec_push(p->arena, &p->script->embedded, node);
	vec_push(p->arena, &p->script->order, d);
}

void tree_private(struct parser *p, size_t first)
{
	for (size_t i = first; i < p->script->order.n; i++) {
		struct decl *d = &p->script->order.v[i];

		switch (d->kind) {
		case DECL_GLOBAL:
			((struct symbol *)d->node)->is_private = true;
			break;
		case DECL_FUNCTION:
			((struct function *)d->node)->is_private = true;
			break;
		case DECL_PROBE:
		case DECL_ALIAS:
			((struct probe_decl *)d->node)->is_private = true;
			break;
		case DECL_EMBEDDED:
		case DECL_PRINTER:
			break;
		}
	}
}

void tree_global(struct parser *p, struct range r, const char *name, bool wrap,
		 const struct token *size, struct expr *init)
{
	struct symbol *sym = NEW(p->arena, struct symbol);

	sym->kind = SYM_GLOBAL;
	sym->name = name;
	sym->range = r;
	sym->wrap = wrap;
	sym->is_array = wrap || size->kind;
	sym->size = size->num < PRT_MAP_MAX ? size->num : PRT_MAP_MAX;
	sym->init = init;
	if (size->kind && size->num < 1)
		parser_error(p, size->range, E_LIMIT,
			     "the array '%s' needs room for at least one element", name);
	if (size->kind && size->num > PRT_MAP_MAX)
		diag_warn(p->diag, size->range, E_LIMIT,
			  "an array has at most %d elements, so this one has no more",
			  PRT_MAP_MAX);
	if (init && sym->is_array) {
		parser_error(p, init->range, E_SYNTAX,
			     "the array '%s' can't have an initial value", name);
		diag_hint(p->diag, "fill it in probe begin");
	}
	vec_push(p->arena, &p->script->globals, sym);
	tree_decl(p, DECL_GLOBAL, sym);
}

void tree_global_order(struct parser *p, const struct sort *sort)
{
	struct symbol *sym = p->script->globals.v[p->script->globals.n - 1];

	sym->order_dir = sort->dir;
	sym->order_agg = sort->agg;
}

enum type tree_type(struct parser *p, struct range r, const char *name)
{
	if (strcmp(name, "stack") == 0)
		return T_STACK;
	if (strcmp(name, "double") == 0)
		return T_DOUBLE;
	parser_error(p, r, E_SYNTAX, "there is no type '%s'", name);
	diag_hint(p->diag, "the types are long, double, string and stack");
	return T_UNKNOWN;
}

struct function *tree_function(struct parser *p, struct range r, const char *name,
			       struct range name_range, enum type declared, struct range type_range)
{
	struct function *f = NEW(p->arena, struct function);

	f->name = name;
	f->range = r;
	f->name_range = name_range;
	f->src = p->src;
	f->declared = declared;
	f->ret_range = declared ? type_range : (struct range){ 0 };
	vec_push(p->arena, &p->script->functions, f);
	tree_decl(p, DECL_FUNCTION, f);
	return f;
}

void tree_function_body(struct range r, struct function *f, struct stmt *body)
{
	f->body = body;
	f->range = r;
}

void tree_function_code(struct range r, struct function *f, const struct token *code)
{
	f->embedded = code->s;
	f->embedded_len = code->len;
	f->embedded_range = code->range;
	f->range = r;
}

static struct function *last_function(struct parser *p)
{
	return p->script->functions.v[p->script->functions.n - 1];
}

void tree_param(struct parser *p, struct range r, const char *name, enum type type,
		struct range type_range)
{
	struct symbol *sym = NEW(p->arena, struct symbol);

	sym->kind = SYM_PARAM;
	sym->name = name;
	sym->range = r;
	sym->type = type;
	if (type)
		sym->type_range = type_range;
	vec_push(p->arena, &last_function(p)->params, sym);
}

void tree_function_priority(struct parser *p, const struct token *prio)
{
	last_function(p)->has_priority = true;
	last_function(p)->priority = prio->num;
	if (prio->num < 1)
		parser_error(p, prio->range, E_SYNTAX,
			     "the priority of a function is 1 or more");
}

void tree_probe(struct parser *p, struct range r, const struct pp_list *names,
		const struct pp_list *points, struct stmt *body, struct stmt *epilogue)
{
	struct probe_decl *d = NEW(p->arena, struct probe_decl);

	d->range = r;
	d->src = p->src;
	d->body = body;
	d->epilogue = epilogue;
	tree_take(&d->points, &points->v);
	if (!names) {
		vec_push(p->arena, &p->script->probes, d);
		tree_decl(p, DECL_PROBE, d);
		return;
	}
	tree_take(&d->names, &names->v);
	d->epilogue_form = names->epilogue;
	vec_each(pp, &d->names)
		if ((*pp)->optional || (*pp)->sufficient || (*pp)->cond)
			parser_error(p, (*pp)->range, E_SYNTAX,
				     "the name of an alias takes no '?', '!' or condition");
	if (names->epilogue && epilogue) {
		parser_error(p, epilogue->range, E_SYNTAX,
			     "an alias that is defined by '+=' has one block");
		diag_hint(p->diag, "'=' takes one that runs before the handler, and one after it");
	}
	vec_push(p->arena, &p->script->aliases, d);
	tree_decl(p, DECL_ALIAS, d);
}

/* ---- printers ---- */

struct printer_decl *tree_printer_type(struct parser *p, struct printer_decl *to, struct range r,
				       const char *language, struct range language_range,
				       const struct token *pattern)
{
	static const char *const languages[] = { "c", "cxx", "rust", "go" };
	struct printer_type type = { r, language, pattern->s };

	if (!to)
		to = NEW(p->arena, struct printer_decl);
	if (!words_has(languages, sizeof(languages) / sizeof(*languages), language)) {
		parser_error(p, language_range, E_SYNTAX, "a printer of '%s' is not known",
			     language);
		diag_hint(p->diag, "the languages are c, cxx (C++), rust and go");
	}
	vec_push(p->arena, &to->types, type);
	return to;
}

/* An expression over the members of the object, which the runtime can compute. */
static bool is_computed(const struct expr *e)
{
	switch (e->kind) {
	case EX_NUM:
		return true;
	case EX_CONTEXT:
		return strcmp(e->u.context.name, "$this") == 0 && !e->u.context.pretty;
	case EX_AT:
		return strcmp(e->u.at.name, "@cast") == 0 && e->u.at.args.n == 2 &&
		       e->u.at.args.v[1]->kind == EX_STR && !e->u.at.pretty &&
		       (e->u.at.path.n || e->u.at.address);
	case EX_UNARY:
		return e->u.unary.op == OP_NEG || e->u.unary.op == OP_NOT ||
		       e->u.unary.op == OP_COMPL || e->u.unary.op == OP_PLUS;
	case EX_BINARY:
		switch (e->u.binary.op) {
		case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_MOD: case OP_AND:
		case OP_OR: case OP_XOR: case OP_SHL: case OP_SHR: case OP_EQ: case OP_NE:
		case OP_LT: case OP_LE: case OP_GT: case OP_GE:
			return true;
		default:
			return false;
		}
	case EX_COND:
		return true;
	default:
		return false;
	}
}

static bool check_cast(struct parser *p, struct expr *e);

static bool check_computed(struct expr **pe, void *data)
{
	struct parser *p = data;

	if (is_computed(*pe))
		return (*pe)->kind != EX_AT || !check_cast(p, *pe);
	parser_error(p, (*pe)->range, E_SYNTAX, "a printer can't compute this");
	diag_hint(p->diag, "it has $this->member, @cast(address, \"type\")->member, numbers, and "
		  "operators on these");
	return false;
}

/* All of a cast is computed but the name of the type. */
static bool check_cast(struct parser *p, struct expr *e)
{
	struct visitor v = { .expr = check_computed, .data = p };

	walk_expr(&e->u.at.args.v[0], &v);
	for (size_t i = 0; i < e->u.at.path.n; i++)
		walk_expr(&e->u.at.path.v[i].index, &v);
	return true;
}

static void check_arguments(struct parser *p, struct printer_decl *d)
{
	struct visitor v = { .expr = check_computed, .data = p };

	for (size_t i = 0; i < d->args.n && i < 2; i++)
		walk_expr(&d->args.v[i], &v);
	if (d->args.n == 3 && d->args.v[2]->kind != EX_STR)
		parser_error(p, d->args.v[2]->range, E_SYNTAX, "the template parameter of the "
			     "elements' type is a literal string");
}

void tree_printer(struct parser *p, struct range r, struct printer_decl *d, const char *name,
		  struct range name_range, const struct expr_list *args)
{
	static const struct { const char *name; size_t least, most; } kinds[] = {
#define PRINTER(kind, text, fewest, highest) [kind] = { text, fewest, highest },
#include "ast/printers.def"
	};
	size_t i = 0, n = sizeof(kinds) / sizeof(*kinds);

	while (i < n && strcmp(kinds[i].name, name) != 0)
		i++;
	d->kind = (enum printer_kind)i;
	d->range = r;
	d->src = p->src;
	tree_take(&d->args, &args->v);
	if (i == n) {
		parser_error(p, name_range, E_SYNTAX, "a printer has no '%s'", name);
		diag_hint(p->diag, "there are text(address, length), elements(first, count), "
			  "range(first, end) and value(other)");
		return;
	}
	if (d->args.n < kinds[i].least || d->args.n > kinds[i].most) {
		parser_error(p, r, E_ARITY, "%s() takes %zu argument%s%s", name, kinds[i].least,
			     kinds[i].least == 1 ? "" : "s", kinds[i].most > kinds[i].least ?
			     ", and perhaps the template parameter of the elements' type" : "");
		return;
	}
	check_arguments(p, d);
	vec_push(p->arena, &p->script->printers, d);
	tree_decl(p, DECL_PRINTER, d);
}
