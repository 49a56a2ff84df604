/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printers are data: a type, and expressions over the members of an object of that type, which
 * become operations on a stack of numbers that the runtime carries out (runtime/show.c). One type
 * may have several layouts, so printers are tried in their order, and one whose members do not
 * exist does not fit.
 */
#include "analyse/locate/values/printer.h"

#include <string.h>

#include "target/arch/arch.h"
#include "ast/walk.h"
#include "target/btf/btf.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/locate.h"
#include "show_limits.h"
#include "state.h"

/* ---- types ---- */

/* Whether a name fits a pattern, in which "*" stands for any text; compilers differ in spaces. */
static bool fits(const char *pattern, const char *name)
{
	const char *star = NULL, *after = NULL;

	for (;;) {
		pattern += strspn(pattern, " ");
		name += strspn(name, " ");
		if (*pattern == '*') {
			star = ++pattern;
			after = name;
		} else if (*pattern == *name) {
			if (!*name)
				return true;
			pattern++;
			name++;
		} else if (star && *after) {
			pattern = star;
			name = ++after;
		} else {
			return false;
		}
	}
}

static const char *without_word(const char *name)
{
	static const char *const words[] = { "struct ", "union ", "class " };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return name + strlen(words[i]);
	return name;
}

/* A printing of one object. */
struct printing {
	struct state *s;
	struct access_type type;
	bool (*has)(void *data, uint32_t offset, uint32_t size);
	void *data;
	struct dwarf_source_name name;
	struct printer_finds *ret;
	unsigned depth;     /* numbers on the stack */
};

static bool is_for(const struct printing *p, const struct printer_type *type)
{
	return p->name.language && strcmp(p->name.language, type->language) == 0 &&
	       fits(without_word(type->pattern), p->name.name);
}

/* ---- expressions ---- */

static bool compile(struct printing *p, const struct expr *e, struct access_type *points_to);

static bool add(struct printing *p, struct access_item item, int pushes)
{
	item.text = "";
	p->depth += (unsigned)pushes;
	vec_push(p->s->arena, &p->ret->items.v, item);
	return p->depth <= PRT_SHOW_STACK;
}

static bool add_number(struct printing *p, int64_t n)
{
	return n == (int32_t)n &&
	       add(p, (struct access_item){ .kind = SHOW_NUMBER, .offset = (uint32_t)n }, 1);
}

static bool add_operator(struct printing *p, enum binary_op op)
{
	return add(p, (struct access_item){ .kind = SHOW_OPERATOR, .op = op }, -1);
}

/* Adds a number of bytes to the address on the stack. */
static bool add_bytes(struct printing *p, int64_t n)
{
	return n == 0 || (add_number(p, n) && add_operator(p, OP_ADD));
}

static bool add_read(struct printing *p, int64_t offset, const struct access *ac, uint32_t size)
{
	bool is_signed = ac && ac->is_signed;

	return offset == (int32_t)offset && add(p, (struct access_item){
		.kind = is_signed ? SHOW_READ_SIGNED : SHOW_READ, .offset = (uint32_t)offset,
		.size = size, .bit_offset = ac ? (uint8_t)ac->bit_offset : 0,
		.bit_size = ac ? (uint8_t)ac->bit_size : 0 }, 0);
}

/* A read of the object itself, whose address was pushed last, @offset bytes from its start. */
static void note_own(struct printing *p, int64_t offset, uint32_t size)
{
	size_t n = p->ret->items.v.n;

	if (p->has && n && p->ret->items.v.v[n - 1].kind == SHOW_OBJECT &&
	    !p->has(p->data, (uint32_t)offset, size))
		p->ret->items.v.v[n - 1].kind = SHOW_UNKNOWN;
}

/* The steps of a path from the address on the stack. *@rest: bytes that are still to be added. */
static bool compile_steps(struct printing *p, const struct access *ac, int64_t *rest)
{
	*rest = 0;
	vec_each(step, &ac->steps) {
		switch (step->kind) {
		case AS_ADD:
			*rest += step->add;
			break;
		case AS_DEREF:
			note_own(p, *rest, step->scale);
			if (!add_read(p, *rest, NULL, step->scale))
				return false;
			*rest = 0;
			break;
		case AS_INDEX:
			if (!add_bytes(p, *rest) || !compile(p, step->index, NULL) ||
			    !add_number(p, step->scale) || !add_operator(p, OP_MUL) ||
			    !add_operator(p, OP_ADD))
				return false;
			*rest = 0;
		}
	}
	return true;
}

static bool compile_path(struct printing *p, const struct access *ac,
			 struct access_type *points_to)
{
	int64_t rest;

	if (ac->is_floating || !compile_steps(p, ac, &rest))
		return false;
	if (points_to && ac->is_pointer)
		*points_to = ac->target;
	if (ac->result == AR_VALUE)
		return add_bytes(p, rest);
	note_own(p, rest, ac->size);
	return add_read(p, rest, ac, ac->size);
}

/* The access path of "$this->member ...". */
static const struct access *path_of(struct printing *p, const struct expr *e)
{
	struct expr *own = ast_clone_expr(p->s->arena, e);

	return locate_object(p->s, p->type, own, true) ? NULL : own->u.context.access;
}

static bool compile_this(struct printing *p, const struct expr *e, struct access_type *points_to)
{
	const struct access *ac = path_of(p, e);

	/* A structure is no number, unlike its address. */
	if (!ac || (ac->result == AR_VALUE && e->u.context.path.n && !e->u.context.address &&
		    btf_types_shape(ac->target.db, ac->target.id).kind == BTF_STRUCT))
		return false;
	return add(p, (struct access_item){ .kind = SHOW_OBJECT }, 1) &&
	       compile_path(p, ac, points_to);
}

/* @cast(address, "type")->member ... */
static bool compile_cast(struct printing *p, const struct expr *e, struct access_type *points_to)
{
	struct expr *path = ast_expr(p->s->arena, EX_CONTEXT, e->range);
	const char *name = e->u.at.args.v[1]->u.str.s;
	struct access_type target;

	path->u.context.name = e->u.at.name;
	path->u.context.address = e->u.at.address;
	memcpy(&path->u.context.path, &e->u.at.path, sizeof(path->u.context.path));
	target = p->type;
	if (locate_type_beside(p->s, &target, name) ||
	    locate_value(p->s, target, path, true))
		return false;
	return compile(p, e->u.at.args.v[0], NULL) &&
	       compile_path(p, path->u.context.access, points_to);
}

/* -a is 0 - a, ~a is a ^ -1, and !a is a == 0. */
static bool compile_unary(struct printing *p, const struct expr *e)
{
	const struct expr *a = e->u.unary.a;

	switch (e->u.unary.op) {
	case OP_TEXT:
	case OP_STACK:
		break;
	case OP_NEG:
		return add_number(p, 0) && compile(p, a, NULL) && add_operator(p, OP_SUB);
	case OP_COMPL:
		return compile(p, a, NULL) && add_number(p, -1) && add_operator(p, OP_XOR);
	case OP_NOT:
		return compile(p, a, NULL) && add_number(p, 0) && add_operator(p, OP_EQ);
	case OP_PLUS:
		return compile(p, a, NULL);
	case OP_DOUBLE_NEG:
		break;
	}
	return false;
}

static bool compile(struct printing *p, const struct expr *e, struct access_type *points_to)
{
	switch (e->kind) {
	case EX_NUM:
		return add_number(p, e->u.num.v);
	case EX_CONTEXT:
		return compile_this(p, e, points_to);
	case EX_AT:
		return compile_cast(p, e, points_to);
	case EX_UNARY:
		return compile_unary(p, e);
	case EX_BINARY:
		return compile(p, e->u.binary.a, points_to) && compile(p, e->u.binary.b, NULL) &&
		       add_operator(p, e->u.binary.op);
	case EX_COND:
		return compile(p, e->u.cond.c, NULL) && compile(p, e->u.cond.a, points_to) &&
		       compile(p, e->u.cond.b, NULL) &&
		       add(p, (struct access_item){ .kind = SHOW_SELECT }, -2);
	default:
		return false;
	}
}

/* ---- printers ---- */

/* The type of the elements: that of a template parameter, or what the pointer points to, or if the
 * printer names an array, the type of its elements. */
static bool element_type(struct printing *p, const struct printer_decl *d,
			 struct access_type points_to)
{
	struct access_type type = points_to;
	struct btf_shape shape;

	if (d->args.n == 3 &&
	    !dwarf_source_argument(p->s, p->type, d->args.v[2]->u.str.s, &type))
		return false;
	if (!type.db)
		return false;
	shape = btf_types_shape(type.db, type.id);
	if (d->args.n < 3 && shape.kind == BTF_ARRAY)
		type.id = shape.target;
	p->ret->type = type;
	return btf_types_shape(type.db, type.id).size > 0;
}

static bool print_elements(struct printing *p, const struct printer_decl *d)
{
	struct access_type points_to = { 0 };
	uint64_t size;

	if (!compile(p, d->args.v[0], &points_to) || !element_type(p, d, points_to))
		return false;
	size = btf_types_shape(p->ret->type.db, p->ret->type.id).size;
	if (d->kind == PRINTER_ELEMENTS)
		return compile(p, d->args.v[1], NULL);
	return compile(p, d->args.v[1], NULL) && compile(p, d->args.v[0], NULL) &&
	       add_operator(p, OP_SUB) && size <= INT32_MAX && add_number(p, (int64_t)size) &&
	       add_operator(p, OP_DIV);
}

/* Another value, which is inside of the object if no pointer leads to it. */
static bool print_value(struct printing *p, const struct expr *e)
{
	const struct access *ac = e->kind == EX_CONTEXT ? path_of(p, e) : NULL;
	int64_t rest;

	if (!ac || ac->result == AR_SHOW || e->u.context.address)
		return false;
	p->ret->type = ac->result == AR_VALUE ? ac->target : ac->type;
	p->ret->inside = ac->steps.n == 0 ||
			 (ac->steps.n == 1 && ac->steps.v[0].kind == AS_ADD);
	if (p->ret->inside) {
		p->ret->bit = ac->steps.n ? (uint32_t)ac->steps.v[0].add * 8 : 0;
		p->ret->bit += ac->bit_offset;
		p->ret->bit_size = ac->bit_size;
		return e->u.context.path.n != 0;
	}
	return !ac->bit_size && add(p, (struct access_item){ .kind = SHOW_OBJECT }, 1) &&
	       compile_steps(p, ac, &rest) && add_bytes(p, rest);
}

static bool apply(struct printing *p, const struct printer_decl *d)
{
	*p->ret = (struct printer_finds){ .kind = d->kind };
	p->depth = 0;
	switch (d->kind) {
	case PRINTER_TEXT:
		return compile(p, d->args.v[0], NULL) && compile(p, d->args.v[1], NULL);
	case PRINTER_ELEMENTS:
	case PRINTER_RANGE:
		return print_elements(p, d);
	case PRINTER_VALUE:
		return print_value(p, d->args.v[0]);
	}
	return false;
}

static const struct printer_list *printers(struct state *s)
{
	struct printer_list *all = s->printers;

	if (all && !all->loaded) {
		all->loaded = true;
		all->load(all->data);
	}
	return all;
}

bool printer_find(struct state *s, struct access_type type,
		  bool (*has)(void *data, uint32_t offset, uint32_t size), void *data, bool quiet,
		  struct printer_finds *ret)
{
	const struct printer_list *all = printers(s);
	struct printing p = {
		.s = s, .type = type, .has = has, .data = data, .ret = ret,
	};
	const struct printer_decl *unfit = NULL;

	if (!all || !all->v.n)
		return false;
	if (!dwarf_source_name(s, type, &p.name))
		p.name = (struct dwarf_source_name){
			without_word(btf_types_name(type.db, s->arena, type.id)), "c" };
	vec_each(it, &all->v) {
		bool wanted = false;

		vec_each(t, &(*it)->types)
			wanted |= is_for(&p, t);
		if (wanted && apply(&p, *it))
			return true;
		if (wanted && (*it)->src->in_tapset < 2 && !unfit)
			unfit = *it;
	}
	if (unfit && !quiet) {
		diag_warn(s->diag, unfit->range, E_NO_MEMBER, "this printer does not fit '%s'",
			  p.name.name);
		diag_hint(s->diag, "it names a member that the type does not have, or elements "
			  "whose type is not known");
	}
	return false;
}
