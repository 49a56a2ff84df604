/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From $-expressions to access paths.
 *
 * A walk follows the expression from left to right and knows at each point the type it stands on
 * and how far the value has come:
 *   ON_VALUE    the 64-bit value is in hand (a parameter in a register)
 *   ON_ADDRESS  the value in hand is the address of an object of that type, not read yet
 *   ON_PIECES   the object itself was passed by value in registers or stack slots of 8 bytes
 * Only -> and [] on a pointer follow it, so the last member is read once, with its own size.
 *
 * A name that stands for several functions may have several prototypes. The expression is followed
 * through each; only where all of them lead to the same access is there an answer. Some BTF keeps
 * one function of each name; where several symbols have the name, its prototype is no answer.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "locate/abi/abi.h"
#include "locate/btf/btf.h"
#include "locate/kernel_module.h"
#include "locate/kernel_private.h"
#include "locate/locate.h"
#include "session.h"

enum standing { ON_VALUE, ON_ADDRESS, ON_PIECES };

struct walk {
	struct session *s;
	const struct site *site;
	const struct btf_func *func;
	enum probe_kind kind;
	struct expr *e;
	bool quiet;
	struct access *access;
	enum standing standing;
	uint32_t type;           /* where the walk stands */
	unsigned pieces;         /* ON_PIECES: how many there are, from access->n on */
	uint32_t bit_offset;     /* ON_PIECES: from their start; ON_ADDRESS: of a bit-field */
	uint32_t bit_size;       /* of a bit-field; 0: none */
	uint32_t end;            /* the expression up to here ends at this offset of the source */
};

__attribute__((format(printf, 5, 6)))
static int fail(struct walk *w, struct range r, enum diag_id id, int err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (!w->quiet)
		diag_error(w->s->diag, r, id, "%s", arena_vprintf(w->s->arena, fmt, ap));
	va_end(ap);
	return err;
}

__attribute__((format(printf, 2, 3)))
static void hint(struct walk *w, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (!w->quiet)
		diag_hint(w->s->diag, "%s", arena_vprintf(w->s->arena, fmt, ap));
	va_end(ap);
}

/* The expression as written, up to where the walk stands. */
static const char *text_so_far(struct walk *w)
{
	struct range r = w->e->range;
	if (!r.src || w->end <= r.start || w->end > r.src->len)
		return w->e->u.context.name;
	return arena_strndup(w->s->arena, r.src->text + r.start, w->end - r.start);
}

static const char *type_text(struct walk *w, uint32_t type)
{
	return btf_types_name(w->func->db, w->s->arena, type);
}

static void add_step(struct walk *w, struct access_step step)
{
	if (step.kind == AS_ADD && step.add == 0)
		return;
	size_t n = w->access->steps.n;
	if (step.kind == AS_ADD && n && w->access->steps.v[n - 1].kind == AS_ADD)
		w->access->steps.v[n - 1].add += step.add;
	else
		vec_push(w->s->arena, &w->access->steps, step);
}

static void add_bytes(struct walk *w, int64_t bytes)
{
	add_step(w, (struct access_step){ .kind = AS_ADD, .add = bytes });
}

/* ---- where it starts ---- */

static int unknown_variable(struct walk *w)
{
	struct name_list names = {0};
	const char *name = w->e->u.context.name;
	locate_context_names(w->s, w->site, w->kind, &names);
	fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT, "'%s' is not a parameter of '%s'",
	     name, w->func->name);
	if (names.v.n == 0) {
		hint(w, "it has no parameters");
		return -ENOENT;
	}
	const char *nearest = diag_nearest(name, names.v.v, names.v.n);
	if (nearest) {
		hint(w, "did you mean '%s'?", nearest);
		return -ENOENT;
	}
	const char *all = names.v.v[0];
	for (size_t i = 1; i < names.v.n; i++)
		all = arena_printf(w->s->arena, "%s, %s", all, names.v.v[i]);
	hint(w, "known here: %s; local variables need debug information, which comes later", all);
	return -ENOENT;
}

/* The site as the family with $variables writes it. */
static const char *typed_point(struct walk *w)
{
	const struct site *site = w->site;
	if (strcmp(site->object, "kernel") == 0)
		return arena_printf(w->s->arena, "kernel.function(\"%s\")", site->symbol);
	return arena_printf(w->s->arena, "module(\"%s\").function(\"%s\")", site->object,
			    site->symbol);
}

/* Why there is no BTF to look the site's function up in; NULL: there is. */
static const char *missing_btf(struct walk *w)
{
	const char *why = NULL;
	if (strcmp(w->site->object, "kernel") == 0)
		return kernel_btf(w->s->kernel, &why) ? NULL : why;
	struct kernel_module *m = kernel_module_find(w->s, w->s->kernel, w->site->object, &why);
	return m && kernel_module_btf(w->s, w->s->kernel, m, &why) ? NULL : why;
}

static int start_at_return(struct walk *w, struct abi_place *place)
{
	const char *function = w->func->name;
	if (w->kind != PK_RETURN) {
		fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
		     "'$return' is known only where a function returns");
		hint(w, "probe %s.return", typed_point(w));
		return -ENOENT;
	}
	*place = abi_x86_64_return(w->func);
	w->type = btf_func_return(w->func);
	if (place->where == ABI_NOWHERE && !place->why)
		return fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
			    "'%s' returns nothing: there is no '$return'", function);
	return 0;
}

static int start_at_param(struct walk *w, struct abi_place *place)
{
	const char *name = w->e->u.context.name + 1; /* without its $ */
	unsigned n = btf_func_nparams(w->func);
	for (unsigned i = 0; i < n; i++) {
		const char *param = btf_func_param(w->func, i, &w->type);
		if (param && strcmp(param, name) == 0) {
			*place = abi_x86_64_param(w->func, i);
			w->access->at_entry_saved = w->kind == PK_RETURN;
			return 0;
		}
	}
	return unknown_variable(w);
}

static int start(struct walk *w)
{
	struct abi_place place = {0};
	bool is_return = strcmp(w->e->u.context.name, "$return") == 0;
	int err = is_return ? start_at_return(w, &place) : start_at_param(w, &place);
	if (err)
		return err;
	bool by_value = btf_types_shape(w->func->db, w->type).kind == BTF_STRUCT;
	w->standing = by_value ? ON_PIECES : ON_VALUE;
	w->access->n = place.first;
	w->pieces = place.n;
	switch (place.where) {
	case ABI_NOWHERE:
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL, "'%s' is not available: %s",
			    w->e->u.context.name, place.why);
	case ABI_REGISTERS:
		w->access->base = AB_REG_ARG;
		break;
	case ABI_STACK:
		w->access->base = AB_STACK_ARG;
		break;
	case ABI_RETURN_VALUE:
		w->access->base = AB_RETURN;
		break;
	case ABI_RETURN_MEMORY:
		w->access->base = AB_RETURN;
		w->standing = ON_ADDRESS;
		break;
	}
	return 0;
}

/* ---- steps ---- */

/* From pieces to the one that holds @bits bits at the walk's place. */
static int pick_piece(struct walk *w, uint32_t bits)
{
	unsigned piece = w->bit_offset / 64;
	if (w->bit_offset % 64 + bits > 64)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' lies across two registers, which can't be read as one value",
			    text_so_far(w));
	if (piece >= w->pieces)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' lies outside of what was passed", text_so_far(w));
	if (piece > 0 && w->access->base == AB_RETURN)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is returned in a second register, which is not available",
			    text_so_far(w));
	w->access->n += piece;
	w->bit_offset %= 64;
	w->standing = ON_VALUE;
	return 0;
}

/* The walk stands on a pointer: go to what it points to. */
static int follow(struct walk *w, uint32_t target)
{
	if (w->standing == ON_PIECES) {
		int err = pick_piece(w, 64);
		if (err)
			return err;
	} else if (w->standing == ON_ADDRESS) {
		add_step(w, (struct access_step){ .kind = AS_DEREF });
	}
	w->standing = ON_ADDRESS;
	w->type = target;
	return 0;
}

/* Where the name of a member stands: the parser may count the arrow in. */
static struct range member_range(const struct accessor *step)
{
	struct range r = step->range;
	size_t len = strlen(step->member);
	if (r.src && r.end - r.start > len)
		r.start = r.end - (uint32_t)len;
	return r;
}

static int no_member(struct walk *w, const struct accessor *step, const struct btf_shape *shape)
{
	struct btf_names names = {0};
	fail(w, member_range(step), E_NO_MEMBER, -ENOENT, "'%s' has no member '%s'",
	     type_text(w, shape->id), step->member);
	btf_types_member_names(w->func->db, w->s->arena, shape->id, &names);
	const char *nearest = diag_nearest(step->member, names.v.v, names.v.n);
	if (nearest)
		hint(w, "did you mean '%s'?", nearest);
	return -ENOENT;
}

static int step_member(struct walk *w, const struct accessor *step)
{
	const struct btf_db *db = w->func->db;
	uint32_t written = w->type;
	struct btf_shape shape = btf_types_shape(db, w->type);
	struct btf_member_place member;
	if (shape.kind == BTF_POINTER && !w->bit_size) {
		struct btf_shape target = btf_types_shape(db, shape.target);
		if (target.kind == BTF_STRUCT) {
			int err = follow(w, shape.target);
			if (err)
				return err;
		}
		shape = target;
	}
	if (shape.kind == BTF_INCOMPLETE)
		return fail(w, member_range(step), E_BAD_ACCESS, -EINVAL,
			    "'%s' is only declared in the kernel's BTF: its members are not known",
			    type_text(w, shape.id));
	if (shape.kind != BTF_STRUCT)
		return fail(w, member_range(step), E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has no members", text_so_far(w),
			    type_text(w, written));
	if (!btf_types_member(db, shape.id, step->member, &member))
		return no_member(w, step, &shape);
	w->type = member.type;
	w->bit_size = member.bit_size;
	if (w->standing == ON_PIECES) {
		w->bit_offset += member.bit_offset;
	} else if (member.bit_size) {
		w->bit_offset = member.bit_offset;
	} else {
		add_bytes(w, member.bit_offset / 8);
	}
	return 0;
}

/* The element @step of something whose elements have @size bytes; @n of them, 0: not known. */
static int add_index(struct walk *w, const struct accessor *step, uint64_t size, uint64_t n)
{
	bool constant = step->index->kind == EX_NUM;
	int64_t index = constant ? step->index->u.num.v : 0;
	/* Arrays of one element at the end of a structure often have more. */
	if (constant && n > 1 && (index < 0 || (uint64_t)index >= n))
		return fail(w, step->index->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' has %llu elements: there is no [%lld]", text_so_far(w),
			    (unsigned long long)n, (long long)index);
	if (w->standing == ON_PIECES) {
		if (!constant)
			return fail(w, step->index->range, E_BAD_ACCESS, -EINVAL,
				    "'%s' is passed by value: only a constant index can be used",
				    text_so_far(w));
		w->bit_offset += (uint32_t)(index * (int64_t)size * 8);
	} else if (constant) {
		add_bytes(w, index * (int64_t)size);
	} else {
		add_step(w, (struct access_step){
			.kind = AS_INDEX, .index = step->index, .scale = (uint32_t)size,
			.limit = (int64_t)n,
		});
	}
	return 0;
}

static int step_index(struct walk *w, const struct accessor *step)
{
	const struct btf_db *db = w->func->db;
	struct btf_shape shape = btf_types_shape(db, w->type);
	bool is_pointer = shape.kind == BTF_POINTER && !w->bit_size;
	if (!is_pointer && shape.kind != BTF_ARRAY)
		return fail(w, step->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has no elements", text_so_far(w),
			    type_text(w, w->type));
	uint64_t size = btf_types_shape(db, shape.target).size;
	if (size == 0)
		return fail(w, step->range, E_BAD_ACCESS, -EINVAL,
			    "the elements of '%s', of type '%s', have no known size",
			    text_so_far(w), type_text(w, shape.target));
	if (is_pointer) {
		int err = follow(w, shape.target);
		return err ? err : add_index(w, step, size, 0);
	}
	w->type = shape.target;
	return add_index(w, step, size, shape.nelems);
}

/* ---- the result ---- */

static bool is_aggregate(const struct btf_shape *shape)
{
	return shape->kind == BTF_STRUCT || shape->kind == BTF_ARRAY ||
	       shape->kind == BTF_FUNCTION || shape->kind == BTF_INCOMPLETE ||
	       shape->kind == BTF_VOID;
}

/* An address is what is asked for, or what a structure or an array stands for. */
static int finish_address(struct walk *w, bool written)
{
	struct access *access = w->access;
	if (w->bit_size)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is a bit-field: it has no address", text_so_far(w));
	if (w->standing != ON_ADDRESS) {
		fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
		     "'%s' is passed by value: it has no address", text_so_far(w));
		if (btf_types_shape(w->func->db, w->type).kind == BTF_STRUCT)
			hint(w, "name one of its members, as in %s->member", text_so_far(w));
		return -EINVAL;
	}
	access->result = AR_VALUE;
	access->size = 8;
	access->is_pointer = true;
	access->type_name = type_text(w, w->type);
	if (written)
		access->type_name = btf_types_pointer_name(w->func->db, w->s->arena, w->type);
	return 0;
}

/* The smallest aligned unit that holds the whole bit-field, so that nothing beyond the structure is
 * read; a packed one may need 8 bytes that are not aligned. */
static int finish_bit_field(struct walk *w)
{
	struct access *access = w->access;
	uint32_t start = w->bit_offset, end = w->bit_offset + w->bit_size;
	for (uint32_t size = 1; size <= 8; size *= 2) {
		uint32_t unit = start / 8 / size * size;
		if (end <= (unit + size) * 8) {
			add_bytes(w, unit);
			access->size = (uint8_t)size;
			access->bit_offset = (uint16_t)(start - unit * 8);
			return 0;
		}
	}
	if (start % 8 + w->bit_size > 64)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "the bit-field '%s' lies across 9 bytes, which can't be read",
			    text_so_far(w));
	add_bytes(w, start / 8);
	access->size = 8;
	access->bit_offset = (uint16_t)(start % 8);
	return 0;
}

static int finish_scalar(struct walk *w, const struct btf_shape *shape)
{
	struct access *access = w->access;
	if (shape->kind == BTF_FLOATING)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s': floating point is not available", text_so_far(w),
			    type_text(w, w->type));
	if (shape->size > 8)
		return fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has %llu bytes; a value has 8",
			    text_so_far(w), type_text(w, w->type),
			    (unsigned long long)shape->size);
	access->size = (uint8_t)shape->size;
	access->is_signed = shape->is_signed;
	access->is_pointer = shape->kind == BTF_POINTER;
	access->type_name = type_text(w, w->type);
	access->bit_size = (uint16_t)w->bit_size;
	if (w->standing == ON_ADDRESS) {
		access->result = AR_READ;
		return w->bit_size ? finish_bit_field(w) : 0;
	}
	access->result = AR_VALUE;
	if (w->standing == ON_VALUE)
		return 0;
	uint32_t bits = w->bit_size ? w->bit_size : (uint32_t)shape->size * 8;
	int err = pick_piece(w, bits);
	if (!err && (w->bit_offset || w->bit_size)) {
		access->size = 8;
		access->bit_offset = (uint16_t)w->bit_offset;
		access->bit_size = (uint16_t)(bits == 64 ? 0 : bits);
	}
	return err;
}

static int follow_expression(struct walk *w)
{
	int err = start(w);
	if (err)
		return err;
	w->end = w->e->range.end;
	if (w->e->u.context.path.n)
		w->end = w->e->u.context.path.v[0].range.start;
	vec_each(step, &w->e->u.context.path) {
		err = step->member ? step_member(w, step) : step_index(w, step);
		if (err)
			return err;
		w->end = step->range.end;
	}
	struct btf_shape shape = btf_types_shape(w->func->db, w->type);
	if (w->e->u.context.address || is_aggregate(&shape))
		return finish_address(w, w->e->u.context.address);
	return finish_scalar(w, &shape);
}

/* ---- all prototypes of the name ---- */

static bool same_access(const struct access *a, const struct access *b)
{
	if (a->base != b->base || a->n != b->n || a->steps.n != b->steps.n ||
	    a->result != b->result || a->size != b->size || a->is_signed != b->is_signed ||
	    a->bit_offset != b->bit_offset || a->bit_size != b->bit_size ||
	    strcmp(a->type_name, b->type_name) != 0)
		return false;
	for (size_t i = 0; i < a->steps.n; i++) {
		const struct access_step *sa = &a->steps.v[i], *sb = &b->steps.v[i];
		if (sa->kind != sb->kind || sa->add != sb->add || sa->index != sb->index ||
		    sa->scale != sb->scale)
			return false;
	}
	return true;
}

static int walk_one(const struct walk *common, const struct btf_func *func, bool quiet,
		    struct access **ret)
{
	struct walk w = *common;
	w.func = func;
	w.quiet = quiet;
	w.access = NEW(w.s->arena, struct access);
	w.end = w.e->range.end;
	w.access->text = text_so_far(&w);
	int err = follow_expression(&w);
	*ret = w.access;
	return err;
}

static int ambiguous(struct walk *w, const struct btf_func *funcs)
{
	fail(w, w->e->range, E_AMBIGUOUS, -ENOTUNIQ,
	     "'%s' differs between the %u functions named '%s'", w->e->u.context.name, funcs->of,
	     funcs->name);
	for (unsigned i = 0; i < funcs->of; i++)
		hint(w, "%s", btf_func_text(w->s->arena, &funcs[i]));
	return -ENOTUNIQ;
}

static int doubtful(struct walk *w, const struct btf_func *func)
{
	fail(w, w->e->range, E_AMBIGUOUS, -ENOTUNIQ,
	     "'%s' is not available: there are %u functions named '%s' and BTF has the prototype "
	     "of only one", w->e->u.context.name, func->doubtful, func->name);
	hint(w, "%s", btf_func_text(w->s->arena, func));
	hint(w, "int_arg(n) and pointer_arg(n) give arguments by number");
	return -ENOTUNIQ;
}

static int walk_all(struct walk *w)
{
	const struct btf_func *funcs = w->site->proto;
	struct access *first, *other;
	if (funcs->doubtful)
		return doubtful(w, funcs);
	int first_err = walk_one(w, &funcs[0], w->quiet || funcs->of > 1, &first);
	for (unsigned i = 1; i < funcs->of; i++) {
		int err = walk_one(w, &funcs[i], true, &other);
		if (err != first_err || (!err && !same_access(first, other)))
			return ambiguous(w, funcs);
	}
	if (first_err && funcs->of > 1 && !w->quiet)
		walk_one(w, &funcs[0], false, &first);
	if (!first_err) {
		w->e->u.context.access = first;
		w->e->type = T_LONG;
	}
	return first_err;
}

/* Why a site has no prototype. */
static int no_prototype(struct walk *w)
{
	const char *symbol = w->site->symbol, *name = w->e->u.context.name, *why;
	struct range r = w->e->range;
	if (strncmp(w->site->pp, "kprobe.", 7) == 0) {
		fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: kprobe.function() knows no $variables", name);
		hint(w, "use %s, or int_arg(n) and pointer_arg(n)", typed_point(w));
	} else if (strchr(symbol, '.')) {
		fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: the calling convention does not hold for compiler "
		     "clones as '%s'", name, symbol);
		hint(w, "it needs debug information, which comes later");
	} else if ((why = missing_btf(w))) {
		bool of_kernel = strcmp(w->site->object, "kernel") == 0;
		fail(w, r, E_NO_BTF, -ENODATA, "'%s' needs the BTF of %s %s, which is missing",
		     name, of_kernel ? "kernel" : "the module", of_kernel ?
		     kernel_release(w->s->kernel) : w->site->object);
		hint(w, "%s", why);
	} else {
		fail(w, r, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		     "'%s' is not available: BTF has no prototype of '%s'", name, symbol);
		hint(w, "int_arg(n) and pointer_arg(n) give its arguments by number");
	}
	return -ENODATA;
}

int locate_context(struct session *s, const struct site *site, enum probe_kind kind, struct expr *e,
		   bool quiet)
{
	struct walk w = { .s = s, .site = site, .kind = kind, .e = e, .quiet = quiet };
	if (!site)
		return fail(&w, e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
			    "'%s': this kind of probe has no $variables", e->u.context.name);
	if (e->u.context.pretty)
		return fail(&w, e->range, E_NOT_SUPPORTED, -EINVAL,
			    "pretty-printing with '$' at the end of '%s' is not supported",
			    e->u.context.name);
	return site->proto ? walk_all(&w) : no_prototype(&w);
}

void locate_context_names(struct session *s, const struct site *site, enum probe_kind kind,
			  struct name_list *ret)
{
	if (!site || !site->proto)
		return;
	unsigned n = btf_func_nparams(site->proto);
	for (unsigned i = 0; i < n; i++) {
		uint32_t type;
		const char *name = btf_func_param(site->proto, i, &type);
		if (name && *name)
			vec_push(s->arena, &ret->v, arena_printf(s->arena, "$%s", name));
	}
	if (kind == PK_RETURN && btf_func_return(site->proto) != 0)
		vec_push(s->arena, &ret->v, "$return");
}

bool locate_same_context(const struct site *a, const struct site *b)
{
	if (a->proto == b->proto)
		return true;
	if (!a->proto || !b->proto || a->proto->of != b->proto->of ||
	    a->proto->doubtful || b->proto->doubtful)
		return false;
	for (unsigned i = 0; i < a->proto->of; i++) {
		if (!btf_func_same(&a->proto[i], &b->proto[i]))
			return false;
	}
	return true;
}
