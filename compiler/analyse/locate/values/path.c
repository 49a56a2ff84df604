/* SPDX-License-Identifier: GPL-2.0 */
/* Follows members and indices, and makes the value at the end: path.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ast/walk.h"
#include "base/words.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/values/headers.h"
#include "analyse/locate/values/path.h"
#include "analyse/locate/values/printer.h"
#include "state.h"

enum { MAX_POINTERS = 16 };

int path_fail(struct walk *w, struct range r, enum diag_id id, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!w->quiet)
		diag_error(w->s->diag, r, id, "%s", arena_vprintf(w->s->arena, fmt, ap));
	va_end(ap);
	return err;
}

void path_hint(struct walk *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!w->quiet)
		diag_hint(w->s->diag, "%s", arena_vprintf(w->s->arena, fmt, ap));
	va_end(ap);
}

const char *path_text(struct walk *w)
{
	struct range r = w->e->range;

	if (!r.src || w->end <= r.start || w->end > r.src->len)
		return w->e->u.context.name;
	return arena_strndup(w->s->arena, r.src->text + r.start, w->end - r.start);
}

const char *path_type(struct walk *w, uint32_t type)
{
	return btf_types_name(w->db, w->s->arena, type);
}

unsigned path_first_param(enum probe_kind kind)
{
	return site_kind_is_trace(kind) ? 1 : 0;
}

int path_param(const struct btf_func *f, enum probe_kind kind, const char *name)
{
	unsigned n = btf_func_nparams(f);

	for (unsigned i = path_first_param(kind); i < n; i++) {
		uint32_t type;
		char number[16];
		const char *param = btf_func_param(f, i, &type);

		snprintf(number, sizeof(number), "arg%u", i);
		if (param && (strcmp(param, name) == 0 ||
			      (site_kind_is_trace(kind) && strcmp(number, name) == 0)))
			return (int)i;
	}
	return -1;
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

void path_add(struct walk *w, int64_t bytes)
{
	add_step(w, (struct access_step){ .kind = AS_ADD, .add = bytes });
}

/* ---- steps ---- */

/* The same if debug information gives the location of the pieces. */
static int pick_location(struct walk *w, uint32_t bits)
{
	struct location *part = NEW(w->s->arena, struct location);

	if (!access_bits(w->s->arena, w->access->location, w->bit_offset, bits, part))
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
				 "'%s' is not available: the compiler does not store that part of "
				 "it", path_text(w));
	w->access->location = part;
	w->bit_offset = 0;
	w->standing = ON_VALUE;
	return 0;
}

/* The same in the slots of 4 bytes of a 32-bit program. */
static int pick_slot(struct walk *w, uint32_t bits)
{
	unsigned slot = w->bit_offset / 32, in = w->bit_offset % 32;

	if (in + bits > 64 || slot + (in + bits + 31) / 32 > w->pieces)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
				 "'%s' lies outside of what can be read as one value",
				 path_text(w));
	if (in + bits > 32)
		w->access->base = AB_STACK_PAIR_32;
	w->access->n += slot;
	w->bit_offset = in;
	w->standing = ON_VALUE;
	return 0;
}

/* Pick the piece that holds @bits bits at the current offset of the walk. */
static int pick_piece(struct walk *w, uint32_t bits)
{
	uint32_t own = w->piece_bits ? w->piece_bits : 64;
	unsigned piece = w->bit_offset / own;

	if (!bits)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
				 "'%s' can't be read: its type has no size", path_text(w));
	if (w->access->base == AB_LOCATION)
		return pick_location(w, bits);
	if (w->access->base == AB_STACK_ARG_32)
		return pick_slot(w, bits);
	if (w->bit_offset % own + bits > own)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' spans two registers, which can't be read as one value",
			    path_text(w));
	if (piece >= w->pieces)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' lies outside of the value that was passed", path_text(w));
	if (piece > 0 && w->access->base == AB_RETURN)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is returned in a second register, which is not available",
			    path_text(w));
	w->access->n += piece;
	w->bit_offset %= own;
	w->standing = ON_VALUE;
	return 0;
}

int path_enter(struct walk *w, uint32_t target)
{
	if (w->standing == ON_PIECES) {
		int err = pick_piece(w, 8 * btf_db_pointer_size(w->db));

		if (err)
			return err;
	} else if (w->standing == ON_ADDRESS) {
		add_step(w, (struct access_step){
			.kind = AS_DEREF, .scale = btf_db_pointer_size(w->db) });
	}
	w->standing = ON_ADDRESS;
	w->type = target;
	return 0;
}

/* The source range of a member's name; the parser may have included the arrow. */
static struct range member_range(const struct accessor *step)
{
	struct range r = step->range;
	size_t len = strlen(step->member);

	if (r.src && r.end - r.start > len)
		r.start = r.end - (uint32_t)len;
	return r;
}

/* ---- members that do not exist ---- */

/* The text of the expression before the step; NULL: it is not written there. */
static const char *text_before(struct walk *w, const struct accessor *step)
{
	struct range r = w->e->range;
	const char *text = r.src ? r.src->text + r.start : "";

	if ((*text != '$' && *text != '@') || step->range.src != r.src ||
	    step->range.start <= r.start)
		return NULL;
	return arena_strndup(w->s->arena, text, step->range.start - r.start);
}

/* Whether println(VALUE$) shows the members of the value before step @n, which has the type
 * @type. */
static bool shows_members(struct walk *w, size_t n, uint32_t type)
{
	struct expr *e = ast_clone_expr(w->s->arena, w->e);
	struct printer_finds found;

	if (printer_find(w->s, (struct access_type){ w->db, type }, NULL, NULL, true, &found))
		return false;
	if (w->standing != ON_PIECES)
		return true;
	e->u.context.path.n = n;
	e->u.context.pretty = 1;
	return locate_context(w->s, w->site, w->kind, e, true) == 0;
}

/* Hints at the members of a structure: at the expression that shows all, if it works. */
static void hint_members(struct walk *w, const char *value, bool is_shown,
			 const struct btf_names *names)
{
	enum { MOST = 8 };
	size_t n = names->v.n < MOST ? names->v.n : MOST;

	if (value && is_shown)
		path_hint(w, "println(%s$) shows all members", value);
	else if (names->v.n)
		path_hint(w, "its members are %s%s", words_join(w->s->arena, names->v.v, n),
			  n < names->v.n ? ", ..." : "");
}

/* The member whose name differs in leading underscores alone, as that of a task's state does since
 * kernel commit 2f064a59a11f, or NULL. */
static const char *underscored(const char *name, const struct btf_names *names)
{
	name += strspn(name, "_");
	vec_each(it, &names->v)
		if (*name && strcmp(*it + strspn(*it, "_"), name) == 0)
			return *it;
	return NULL;
}

static int no_member(struct walk *w, const struct accessor *step, const struct btf_shape *shape)
{
	struct btf_names names = {0};

	path_fail(w, member_range(step), E_NO_MEMBER, -ENOENT, "'%s' has no member '%s'",
	     path_type(w, shape->id), step->member);
	if (w->quiet)
		return -ENOENT;
	btf_types_member_names(w->db, w->s->arena, shape->id, &names);

	const char *same = underscored(step->member, &names);
	const char *nearest = same ? same : diag_nearest(step->member, names.v.v, names.v.n);
	const char *inner = btf_types_inner_member(w->db, w->s->arena, shape->id, step->member);

	if (inner)
		path_hint(w, "did you mean '%s'?", inner);
	else if (nearest)
		path_hint(w, "did you mean '%s'?", nearest);
	else
		hint_members(w, text_before(w, step), shows_members(w, (size_t)(step -
			     w->e->u.context.path.v), shape->id), &names);
	return -ENOENT;
}

/* gcc's plugin arranges members after their order has gone into the debug information, which is
 * why such a kernel has no BTF. */
static bool is_shuffled(const struct walk *w)
{
	const char *why;

	return !headers_of_user(w->s, w->db) && w->s->kernel && !kernel_btf(w->s->kernel, &why) &&
	       kernel_config(w->s, "CONFIG_GCC_PLUGIN_RANDSTRUCT");
}

int path_refuse_shuffled(struct walk *w, struct range r)
{
	if (!is_shuffled(w))
		return 0;
	path_fail(w, r, E_BAD_ACCESS, -ENODATA, "kernel %s randomizes the order of structure "
						"members, and its debug information does not have "
						"that order (RANDSTRUCT)",
		  kernel_release(w->s->kernel));
	path_hint(w, "embedded C can use the kernel's headers, where the compiler applies that "
		     "order");
	return -ENODATA;
}

static int only_declared(struct walk *w, const struct accessor *step, uint32_t type)
{
	struct dwarf_db *dwarf = dwarf_db_with_types(w->s, w->db);
	const char *missing = dwarf ? dwarf_missing_types(dwarf) : NULL;

	path_fail(w, member_range(step), E_BAD_ACCESS, -EINVAL,
		  "'%s' is only declared in %s: its members are not known", path_type(w, type),
		  dwarf ? "debug information" : "the kernel's BTF");
	if (missing)
		path_hint(w, "%s", missing);
	return -EINVAL;
}

static int step_member(struct walk *w, const struct accessor *step)
{
	const struct btf_db *db = w->db;
	uint32_t written = w->type;
	struct btf_shape shape = btf_types_shape(db, w->type);
	struct btf_member_place member;

	/* All pointers to pointers are followed, as in SystemTap, because a C++ reference to a
	 * pointer is one. */
	for (int i = 0; shape.kind == BTF_POINTER && !w->bit_size && i < MAX_POINTERS; i++) {
		struct btf_shape target = btf_types_shape(db, shape.target);

		if (target.kind == BTF_STRUCT || target.kind == BTF_POINTER) {
			int err = path_enter(w, shape.target);

			if (err)
				return err;
		}
		shape = target;
	}
	if (shape.kind == BTF_INCOMPLETE)
		return only_declared(w, step, shape.id);
	if (shape.kind != BTF_STRUCT)
		return path_fail(w, member_range(step), E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has no members", path_text(w),
			    path_type(w, written));
	if (!btf_types_member(db, shape.id, step->member, &member))
		return no_member(w, step, &shape);
	if (path_refuse_shuffled(w, member_range(step)))
		return -ENODATA;
	w->type = member.type;
	w->bit_size = member.bit_size;
	if (w->standing == ON_PIECES) {
		w->bit_offset += member.bit_offset;
	} else if (member.bit_size) {
		w->bit_offset = member.bit_offset;
	} else {
		path_add(w, member.bit_offset / 8);
	}
	return 0;
}

/* Adds the step to an element; the elements have @size bytes each, and there are @n, or 0 if that
 * is not known. */
static int add_index(struct walk *w, const struct accessor *step, uint64_t size, uint64_t n)
{
	bool constant = step->index->kind == EX_NUM;
	int64_t index = constant ? step->index->u.num.v : 0;

	/* An array of one element at the end of a structure often has more. */
	if (constant && n > 1 && (index < 0 || (uint64_t)index >= n))
		return path_fail(w, step->index->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' has %llu elements: there is no [%lld]", path_text(w),
			    (unsigned long long)n, (long long)index);
	if (w->standing == ON_PIECES) {
		if (!constant)
			return path_fail(w, step->index->range, E_BAD_ACCESS, -EINVAL,
				    "'%s' is passed by value: only a constant index can be used",
				    path_text(w));
		w->bit_offset += (uint32_t)(index * (int64_t)size * 8);
	} else if (constant) {
		path_add(w, index * (int64_t)size);
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
	const struct btf_db *db = w->db;
	struct btf_shape shape = btf_types_shape(db, w->type);
	bool is_pointer = shape.kind == BTF_POINTER && !w->bit_size;
	bool by_element = w->at_target && shape.kind != BTF_ARRAY;

	if (!by_element && !is_pointer && shape.kind != BTF_ARRAY)
		return path_fail(w, step->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has no elements", path_text(w),
			    path_type(w, w->type));

	uint32_t element = by_element ? w->type : shape.target;
	struct btf_shape of_element = btf_types_shape(db, element);
	uint64_t size = of_element.size;

	/* The order of members also decides how much is between them. */
	if (of_element.kind == BTF_STRUCT && path_refuse_shuffled(w, step->range))
		return -ENODATA;
	if (size == 0)
		return path_fail(w, step->range, E_BAD_ACCESS, -EINVAL,
			    "the elements of '%s', of type '%s', have no known size",
			    path_text(w), path_type(w, element));
	if (by_element)
		return add_index(w, step, size, 0);
	if (is_pointer) {
		int err = path_enter(w, shape.target);

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

/* Hints at how a structure without an address is read. */
static void hint_value(struct walk *w)
{
	struct btf_names names = {0};
	struct expr *e = ast_clone_expr(w->s->arena, w->e);

	if (w->quiet)
		return;
	e->u.context.pretty = 1;
	e->u.context.address = false;
	btf_types_member_names(w->db, w->s->arena, btf_types_shape(w->db, w->type).id, &names);

	const char *value = path_text(w);

	value += *value == '&';
	if (w->site && locate_context(w->s, w->site, w->kind, e, true) == 0)
		path_hint(w, "println(%s$) shows it", value);
	if (names.v.n)
		path_hint(w, "name one of its members, as in %s->%s", value, names.v.v[0]);
}

/* The value is an address, because the script asks for it, or because it is a structure or an
 * array. */
static int finish_address(struct walk *w, bool written)
{
	struct access *access = w->access;

	if (w->bit_size)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is a bit-field: it has no address", path_text(w));
	if (w->standing != ON_ADDRESS) {
		path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
		     "'%s' %s: it has no address", path_text(w),
		     w->access->base == AB_LOCATION ? "is not in memory" : "is passed by value");
		if (btf_types_shape(w->db, w->type).kind == BTF_STRUCT) {
			hint_value(w);
			access->type_name = path_type(w, w->type);
			w->e->u.context.access = access;
		}
		return -EINVAL;
	}
	access->result = AR_VALUE;
	access->size = 8;
	access->is_pointer = true;
	access->target = (struct access_type){ w->db, w->type };
	access->type_name = path_type(w, w->type);
	if (!written)
		access->object_size = (uint32_t)btf_types_shape(w->db, w->type).size;
	if (written)
		access->type_name = btf_types_pointer_name(w->db, w->s->arena, w->type);
	return 0;
}

/* Reads the smallest aligned unit that has the whole bit-field, so that nothing beyond the
 * structure is read. A packed bit-field may need 8 bytes that are not aligned. */
static int finish_bit_field(struct walk *w)
{
	struct access *access = w->access;
	uint32_t start = w->bit_offset, end = w->bit_offset + w->bit_size;

	for (uint32_t size = 1; size <= 8; size *= 2) {
		uint32_t unit = start / 8 / size * size;

		if (end <= (unit + size) * 8) {
			path_add(w, unit);
			access->size = (uint8_t)size;
			access->bit_offset = (uint16_t)(start - unit * 8);
			return 0;
		}
	}
	if (start % 8 + w->bit_size > 64)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "the bit-field '%s' spans 9 bytes, which can't be read",
			    path_text(w));
	path_add(w, start / 8);
	access->size = 8;
	access->bit_offset = (uint16_t)(start % 8);
	return 0;
}

const char *path_no_number(struct walk *w, const struct btf_shape *shape)
{
	const char *name = shape->kind == BTF_INTEGER || shape->kind == BTF_FLOATING ?
				   path_type(w, shape->id) : "";

	if (strcmp(name, "_BitInt") == 0 || strcmp(name, "unsigned _BitInt") == 0)
		return "debug information does not say how many bits that has";
	if (strncmp(name, "_Decimal", strlen("_Decimal")) == 0)
		return "the supported floating-point types are float and double";
	return shape->kind == BTF_FLOATING && strstr(name, "omplex") ?
		       "a complex number is not one number" : NULL;
}

static int finish_scalar(struct walk *w, const struct btf_shape *shape)
{
	const char *why = path_no_number(w, shape);
	struct access *access = w->access;

	if (why)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL, "'%s' is of type '%s': %s",
			    path_text(w), path_type(w, w->type), why);

	if (shape->kind == BTF_FLOATING && shape->size != 4 && shape->size != 8)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s': the supported floating-point types are float "
			    "and double", path_text(w), path_type(w, w->type));
	if (shape->size > 8)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			    "'%s' is of type '%s', which has %llu bytes; a value has 8",
			    path_text(w), path_type(w, w->type),
			    (unsigned long long)shape->size);
	access->size = (uint8_t)shape->size;
	access->is_signed = shape->is_signed;
	access->is_floating = shape->kind == BTF_FLOATING;
	access->is_pointer = shape->kind == BTF_POINTER;
	access->type = (struct access_type){ w->db, w->type };
	if (access->is_pointer)
		access->target = (struct access_type){ w->db, shape->target };
	access->type_name = path_type(w, w->type);
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

/* One word of a value without an address, as a number. */
static int finish_word(struct walk *w)
{
	uint64_t all = w->bit_size ? w->bit_size : btf_types_shape(w->db, w->type).size * 8;
	uint32_t from = (w->e->u.context.word - 1) * 64;
	uint32_t bits = all - from < 64 ? (uint32_t)(all - from) : 64;
	int err;

	if (w->standing != ON_PIECES)
		return -EINVAL;
	w->bit_offset += from;
	err = pick_piece(w, bits);
	w->access->result = AR_VALUE;
	w->access->size = 8;
	w->access->bit_offset = (uint16_t)w->bit_offset;
	w->access->bit_size = (uint16_t)(bits == 64 ? 0 : bits);
	w->access->type_name = "long";
	return err;
}

int path_follow(struct walk *w)
{
	int err;

	w->end = w->e->range.end;
	if (w->e->u.context.path.n)
		w->end = w->e->u.context.path.v[0].range.start;
	vec_each(step, &w->e->u.context.path) {
		err = step->member ? step_member(w, step) : step_index(w, step);
		if (err)
			return err;
		w->end = step->range.end;
		w->at_target = false;
	}
	if (w->e->u.context.word)
		return finish_word(w);
	if (w->e->u.context.pretty)
		return show_finish(w);

	struct btf_shape shape = btf_types_shape(w->db, w->type);

	if (w->e->u.context.address || is_aggregate(&shape))
		return finish_address(w, w->e->u.context.address);
	return finish_scalar(w, &shape);
}
