/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The number of a type must be known before the type is written, because types refer to each other
 * in cycles. So a DIE gets its number when it is first met, and is appended to a queue, which is
 * written in the order of the numbers. All cycles pass through a structure or union, whose members
 * are read only when it is written. Pointers and typedefs ask for their targets at once, so that
 * they can be found in the kernel's BTF.
 *
 * Most structures of a kernel are reached from a pointer to a task. If the kernel has no BTF, all
 * translations therefore add to one BTF, and of the copies of a definition that units have, one is
 * translated (definitions.h).
 */
#include "target/dwarf/values/types.h"

#include <dwarf.h>
#include <string.h>

#include "base/map.h"
#include "target/btf/btf_write.h"
#include "target/dwarf/private.h"
#include "target/dwarf/values/complete.h"
#include "target/dwarf/values/definitions.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/written.h"
#include "target/kernel/kernel.h"
#include "state.h"

enum {
	/* types that refer to each other; only damaged information is deeper */
	MAX_DEPTH = 64,
	MAX_TYPES = 1000000,  /* of one translation */
};

#define NO_DIE ((Dwarf_Off)-1)

/* The type into which a DIE was translated. */
struct translation {
	struct access_type type; /* db NULL: not translated yet */
	Dwarf_Off die;
	unsigned round;       /* the last translation that assigned ... */
	uint32_t id;          /* ... this number */
	/* If they are alone, the DIE whose translation it shares; NO_DIE: not looked up yet. */
	Dwarf_Off same;
	bool open;            /* in progress: meeting it again means a cycle */
};

/* A type that has a number but is not written yet. */
struct queued_type {
	enum { W_SCALAR, W_ON, W_ARRAY, W_STRUCT, W_ENUM, W_DECLARED, W_FUNCTION } kind;
	Dwarf_Die die;
	enum btf_scalar scalar;
	enum btf_on on;
	uint32_t target;      /* W_ON, W_ARRAY */
	uint32_t n;           /* W_ARRAY: elements */
};

/* A type that is looked up by its name. */
struct taken_type { Dwarf_Die die; bool is_void; unsigned pointers; };

struct dwarf_types {
	struct arena *arena;
	struct dwarf_db *of;
	struct btf_db *base;  /* the kernel's, or NULL */
	bool of_user;         /* types of a program */
	bool alone;           /* types of the kernel or a module, without BTF of the kernel */
	/* The base, or if they are alone, what was translated; NULL: neither. */
	struct btf_db *below;
	struct map known;     /* offset of a DIE -> struct translation */
	struct dwarf_written *written; /* of->written */
	struct map named;     /* dwarf_types_by_name() */
	struct complete_types complete;
	/* State of the current translation. */
	struct btf_writer *writer, *common; /* common: of what is below, if they are alone */
	VEC(struct queued_type) queue;
	VEC(struct translation *) fresh; /* those with a number of it */
	VEC(struct taken_type) taken;    /* for named.c */
	unsigned round;       /* its number */
	bool own;             /* write a requested type even if the BTF below has it */
};

struct dwarf_types *dwarf_types_open(struct state *s, struct dwarf_db *db)
{
	const char *why;

	if (db->types)
		return db->types;

	struct dwarf_types *t = db->types = NEW(s->arena, struct dwarf_types);

	t->arena = s->arena;
	map_init(&t->named, s->arena);
	map_init(&t->known, s->arena);
	t->of = db;
	t->written = db->written = NEW(s->arena, struct dwarf_written);
	t->of_user = db->is_program || db->is_32bit;
	t->complete = (struct complete_types){ .arena = s->arena, .db = db };
	/* A program's types are independent of types of the kernel with the same name. */
	t->base = s->kernel && !t->of_user ? kernel_btf(s->kernel, &why) : NULL;
	t->alone = !t->base && !t->of_user;
	t->below = t->base;
	return t;
}

void dwarf_types_close(struct dwarf_types *t)
{
	if (!t)
		return;
	vec_each(it, &t->written->v)
		btf_db_close(it->db);
	t->written->v.n = 0;
	map_init(&t->known, t->arena);
}

/* ---- known types ---- */

/* The translation of a DIE, which is created without a type. */
static struct translation *translated(struct dwarf_types *t, Dwarf_Off die)
{
	struct translation *k = map_get_number(&t->known, die);

	if (!k) {
		k = NEW(t->arena, struct translation);
		k->same = NO_DIE;
		k->die = die;
		map_set_number(&t->known, die, k);
	}
	return k;
}

/* Whether the BTF below has the DIE. */
static bool is_below(const struct dwarf_types *t, const struct translation *k)
{
	return t->below && k->type.db == t->below;
}

/* ---- numbers ---- */

static uint32_t id_of(struct dwarf_types *t, Dwarf_Die *die, int depth);

static uint32_t target_id(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	Dwarf_Die target;

	return dwarf_read_target(die, &target) ? id_of(t, &target, depth + 1) : 0;
}

static uint32_t queue_type(struct dwarf_types *t, struct queued_type w)
{
	if (t->queue.n >= MAX_TYPES)
		return 0;
	vec_push(t->arena, &t->queue, w);
	return btf_write_first(t->writer) + (uint32_t)t->queue.n - 1;
}

static uint32_t scalar_id(struct dwarf_types *t, Dwarf_Die *die)
{
	uint64_t encoding = 0, size = 0;
	enum btf_scalar kind = BTF_SCALAR_UNSIGNED;

	dwarf_read_number(die, DW_AT_encoding, &encoding);
	dwarf_read_number(die, DW_AT_byte_size, &size);
	if (encoding == DW_ATE_boolean)
		kind = BTF_SCALAR_BOOL;
	else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
		kind = BTF_SCALAR_SIGNED;
	else if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
		kind = BTF_SCALAR_FLOAT;

	uint32_t id = t->base && !t->own ?
		btf_match_scalar(t->base, dwarf_read_name(die), kind, (uint32_t)size) : 0;

	return id ? id : queue_type(t, (struct queued_type){
		.kind = W_SCALAR, .die = *die, .scalar = kind, .n = (uint32_t)size });
}

static uint32_t on_id(struct dwarf_types *t, Dwarf_Die *die, enum btf_on on, int depth)
{
	bool own = t->own;

	t->own = false;

	uint32_t target = target_id(t, die, depth);

	t->own = own;

	const char *name = on == BTF_ON_TYPEDEF ? dwarf_read_name(die) : NULL;
	uint32_t id = t->base && !own ? btf_match_on(t->base, on, name, target) : 0;

	return id ? id : queue_type(t, (struct queued_type){ .kind = W_ON, .die = *die, .on = on,
						   .target = target });
}

/* The outer bounds come first: int[2][3] is an array of two int[3]. @left_out: the number of bounds
 * to leave out; with 1, the result is the type of the elements. */
static uint32_t array_id(struct dwarf_types *t, Dwarf_Die *die, size_t left_out, int depth)
{
	VEC(uint32_t) bounds = {0};
	Dwarf_Die child;

	if (dwarf_child(die, &child) == 0) {
		do {
			uint64_t n = 0;

			if (dwarf_tag(&child) != DW_TAG_subrange_type || bounds.n == MAX_DEPTH)
				continue;
			/* The upper bound of an array without elements is -1. */
			if (!dwarf_read_number(&child, DW_AT_count, &n) &&
			    dwarf_read_number(&child, DW_AT_upper_bound, &n))
				n = n >= UINT32_MAX ? 0 : n + 1;
			vec_push(t->arena, &bounds, (uint32_t)n);
		} while (dwarf_siblingof(&child, &child) == 0);
	}

	uint32_t id = target_id(t, die, depth);

	for (size_t i = bounds.n; i > left_out; i--)
		id = queue_type(t, (struct queued_type){ .kind = W_ARRAY, .target = id,
					       .n = bounds.v[i - 1] });
	return id;
}

/* A reference is a pointer. A reference to an array points to its elements, so that it can be
 * indexed as in the source. */
static uint32_t reference_id(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	Dwarf_Die target = *die;

	/* A damaged one may refer to itself. */
	for (int i = 0; i < MAX_DEPTH && dwarf_read_target(&target, &target); i++)
		if (dwarf_tag(&target) != DW_TAG_const_type && dwarf_tag(&target) != DW_TAG_typedef)
			break;
	if (dwarf_tag(&target) != DW_TAG_array_type)
		return on_id(t, die, BTF_ON_POINTER, depth);
	return queue_type(t, (struct queued_type){
		.kind = W_ON, .die = *die, .on = BTF_ON_POINTER,
		.target = array_id(t, &target, 1, depth + 1) });
}

static bool find_definition(struct dwarf_types *t, Dwarf_Die *die, Dwarf_Die *ret)
{
	return t->of_user ? complete_find(&t->complete, die, ret) :
			    definitions_same(t->of, die, ret);
}

bool dwarf_types_define(struct dwarf_types *t, Dwarf_Die *die)
{
	Dwarf_Die own = *die;

	return !dwarf_read_declared(&own) || find_definition(t, &own, die);
}

static uint32_t struct_id(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;
	const char *name = dwarf_read_name(die);
	uint64_t size = 0;
	uint32_t id = 0;
	Dwarf_Die other;

	if (dwarf_read_declared(die)) {
		if (t->base)
			id = btf_match_struct(t->base, is_union, name, 0, NULL, 0);
		if (!id && find_definition(t, die, &other))
			return id_of(t, &other, depth + 1);
		return id ? id :
		       queue_type(t, (struct queued_type){ .kind = W_DECLARED, .die = *die });
	}
	if (t->base && *name && !t->own) {
		struct dwarf_members m = {0};

		dwarf_read_number(die, DW_AT_byte_size, &size);
		dwarf_read_members(t->arena, die, &m);
		if (m.v.n)
			id = btf_match_struct(t->base, is_union, name, size, m.v.v, m.v.n);
	}
	return id ? id : queue_type(t, (struct queued_type){ .kind = W_STRUCT, .die = *die });
}

static uint32_t enum_id(struct dwarf_types *t, Dwarf_Die *die)
{
	uint32_t id = 0;

	if (t->base && *dwarf_read_name(die) && !t->own) {
		struct btf_enum_sketch e;

		dwarf_read_enum(t->arena, die, &e);
		id = btf_match_enum(t->base, &e);
	}
	return id ? id : queue_type(t, (struct queued_type){ .kind = W_ENUM, .die = *die });
}

static uint32_t new_id(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return scalar_id(t, die);
	case DW_TAG_pointer_type:
		return on_id(t, die, BTF_ON_POINTER, depth);
	case DW_TAG_reference_type: case DW_TAG_rvalue_reference_type:
		return reference_id(t, die, depth);
	case DW_TAG_const_type:
		return on_id(t, die, BTF_ON_CONST, depth);
	case DW_TAG_volatile_type:
		return on_id(t, die, BTF_ON_VOLATILE, depth);
	case DW_TAG_restrict_type:
		return on_id(t, die, BTF_ON_RESTRICT, depth);
	case DW_TAG_typedef:
		return on_id(t, die, BTF_ON_TYPEDEF, depth);
	case DW_TAG_atomic_type:
		return target_id(t, die, depth);
	case DW_TAG_array_type:
		return array_id(t, die, 0, depth);
	case DW_TAG_structure_type: case DW_TAG_class_type: case DW_TAG_union_type:
		return struct_id(t, die, depth);
	case DW_TAG_enumeration_type:
		return enum_id(t, die);
	case DW_TAG_subroutine_type: case DW_TAG_subprogram:
		return queue_type(t, (struct queued_type){ .kind = W_FUNCTION, .die = *die });
	default:
		return 0;
	}
}

/* The DIE that is translated for all copies of a definition. */
static Dwarf_Die *first_copy(struct dwarf_types *t, Dwarf_Die *die, Dwarf_Die *ret)
{
	struct translation *k = translated(t, dwarf_parts_offset(t->of, die));

	if (k->same == NO_DIE)
		k->same = dwarf_parts_offset(t->of, definitions_same(t->of, die, ret) ? ret : die);
	return k->same != dwarf_parts_offset(t->of, die) && dwarf_parts_die(t->of, k->same, ret) ?
	       ret : die;
}

/* The number of @die in the current translation. Types of earlier translations that it does not go
 * on from are written again, because BTFs with one base can't refer to each other. */
static uint32_t id_of(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	Dwarf_Die first;

	if (t->alone)
		die = first_copy(t, die, &first);

	struct translation *k = translated(t, dwarf_parts_offset(t->of, die));

	if (k->open || depth > MAX_DEPTH)
		return 0;
	if (k->round == t->round)
		return k->id;
	if (is_below(t, k) && !t->own)
		return k->type.id;
	k->open = true;

	uint32_t id = new_id(t, die, depth);

	k->open = false;
	k->round = t->round;
	k->id = id;
	vec_push(t->arena, &t->fresh, k);
	if (t->below && id < btf_write_first(t->writer))
		k->type = (struct access_type){ t->below, id };
	return id;
}

/* ---- writing ---- */

static void write_struct(struct dwarf_types *t, Dwarf_Die *die)
{
	struct dwarf_members m = {0};
	uint64_t size = 0;

	dwarf_read_number(die, DW_AT_byte_size, &size);
	dwarf_read_members(t->arena, die, &m);
	for (size_t i = 0; i < m.v.n; i++)
		m.v.v[i].type = target_id(t, &m.dies.v[i], 0);
	btf_write_struct(t->writer, dwarf_tag(die) == DW_TAG_union_type, dwarf_read_name(die),
			 (uint32_t)size, m.v.v, m.v.n);
}

static void write_enum(struct dwarf_types *t, Dwarf_Die *die)
{
	struct btf_enum_sketch e;

	dwarf_read_enum(t->arena, die, &e);
	btf_write_enum(t->writer, &e);
}

static void write_function(struct dwarf_types *t, Dwarf_Die *die)
{
	VEC(struct btf_member_sketch) v = {0};
	Dwarf_Die child;
	uint32_t returns = target_id(t, die, 0);

	if (dwarf_child(die, &child) == 0) {
		do {
			int tag = dwarf_tag(&child);
			/* A parameter of a function has a name, that of a function type has
			 * none. */
			struct btf_member_sketch p = { .name = dwarf_read_name(&child) };

			if (tag == DW_TAG_formal_parameter)
				p.type = target_id(t, &child, 0);
			if (tag == DW_TAG_unspecified_parameters)
				p.name = "";
			if ((tag == DW_TAG_formal_parameter ||
			     tag == DW_TAG_unspecified_parameters) && v.n < DWARF_READ_MEMBERS)
				vec_push(t->arena, &v, p);
		} while (dwarf_siblingof(&child, &child) == 0);
	}
	btf_write_function(t->writer, returns, v.v, v.n);
}

static void write_one(struct dwarf_types *t, struct queued_type *w)
{
	switch (w->kind) {
	case W_SCALAR:
		btf_write_scalar(t->writer, dwarf_read_name(&w->die), w->scalar, w->n);
		break;
	case W_ON:
		btf_write_on(t->writer, w->on,
			     w->on == BTF_ON_TYPEDEF ? dwarf_read_name(&w->die) : NULL, w->target);
		break;
	case W_ARRAY:
		btf_write_array(t->writer, w->target, w->n);
		break;
	case W_STRUCT:
		write_struct(t, &w->die);
		break;
	case W_ENUM:
		write_enum(t, &w->die);
		break;
	case W_DECLARED:
		btf_write_declared(t->writer, dwarf_tag(&w->die) == DW_TAG_union_type,
				   dwarf_read_name(&w->die));
		break;
	case W_FUNCTION:
		write_function(t, &w->die);
		break;
	}
}

static void begin(struct dwarf_types *t)
{
	if (t->alone && !t->common)
		t->common = btf_write_begin(t->arena, NULL);
	t->writer = t->alone ? t->common : btf_write_begin(t->arena, t->base);
	t->queue.n = t->fresh.n = 0;
	t->round++;
}

/* Begins a BTF of its own on top of what was translated. */
static void begin_above(struct dwarf_types *t)
{
	begin(t);
	t->writer = btf_write_begin(t->arena, t->below);
}

/* The queue grows while it is written. Returns NULL if BTF can't hold so many types. */
static struct btf_db *end(struct dwarf_types *t)
{
	uint32_t first = btf_write_first(t->writer);

	for (size_t i = 0; i < t->queue.n; i++) {
		struct queued_type w = t->queue.v[i];

		write_one(t, &w);
	}

	struct btf_db *db = btf_write_end(t->writer);
	struct written_types *written = NULL;

	if (!db)
		return NULL;
	if (t->of_user)
		btf_db_set_user(db);
	if (t->of->is_32bit)
		btf_db_set_32bit(db);
	if (db != t->below)
		written = written_add(t->written, t->arena, db);
	if (t->writer == t->common)
		t->below = db;
	/* Types below can't refer to those above. */
	vec_each(it, &t->fresh) {
		if ((*it)->id >= first && (!t->alone || db == t->below))
			(*it)->type = (struct access_type){ db, (*it)->id };
		if (written && t->of_user && (*it)->id >= first)
			written_note(written, t->arena, (*it)->id, (*it)->die);
	}
	return db;
}

/* ---- requests ---- */

bool dwarf_types_at(struct dwarf_types *t, Dwarf_Die *die, struct access_type *ret)
{
	struct translation *k = die ? translated(t, dwarf_parts_offset(t->of, die)) : NULL;

	if (k && k->type.db) {
		*ret = k->type;
		return true;
	}
	*ret = (struct access_type){ t->base, 0 };
	if (!die && t->base)
		return true;
	begin(t);
	ret->id = die ? id_of(t, die, 0) : 0;
	if (t->below && ret->id < btf_write_first(t->writer)) {
		ret->db = t->below;
		return true;
	}
	ret->db = end(t);
	return ret->db;
}

bool dwarf_types_of(struct dwarf_types *t, Dwarf_Die *die, struct access_type *ret)
{
	Dwarf_Die target;

	return dwarf_types_at(t, dwarf_read_target(die, &target) ? &target : NULL, ret);
}

/* The number of a type that is looked up by its name: it is written even if the BTF below has it,
 * unless its name finds it there. */
static uint32_t named_id(struct dwarf_types *t, Dwarf_Die *die)
{
	static const struct { int tag; enum btf_word word; } named[] = {
		{ DW_TAG_structure_type, BTF_WORD_STRUCT }, { DW_TAG_union_type, BTF_WORD_UNION },
		{ DW_TAG_enumeration_type, BTF_WORD_ENUM }, { DW_TAG_typedef, BTF_ANY },
	};
	uint32_t id = id_of(t, die, 0);

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		if (dwarf_tag(die) != named[i].tag || id >= btf_write_first(t->writer))
			continue; /* it was written, or has no name */
		if (btf_lookup_type(t->below, named[i].word, dwarf_read_name(die)) == id)
			continue;

		struct translation *k = translated(t, dwarf_parts_offset(t->of, die));

		k->round = 0;
		t->own = true;
		id = id_of(t, die, 0);
		t->own = false;
	}
	return id;
}

/* ---- for named.c ---- */

void dwarf_types_begin(struct dwarf_types *t)
{
	t->taken.n = 0;
}

void dwarf_types_take(struct dwarf_types *t, Dwarf_Die *die, unsigned pointers)
{
	struct taken_type one = { .is_void = !die, .pointers = pointers };

	if (die)
		one.die = *die;
	vec_push(t->arena, &t->taken, one);
}

/* The pointer that is found first is the one that a further pointer has to point to. */
static uint32_t pointer_id(struct dwarf_types *t, uint32_t target)
{
	bool is_there = t->below && target < btf_write_first(t->writer);
	uint32_t id = is_there ? btf_lookup_pointer(t->below, target) : 0;

	return id ? id : queue_type(t, (struct queued_type){ .kind = W_ON, .on = BTF_ON_POINTER,
							     .target = target });
}

/* If they are alone, what the types consist of goes to the BTF of all translations first. */
struct btf_db *dwarf_types_end(struct dwarf_types *t, bool all)
{
	begin(t);
	if (t->alone && !all) {
		vec_each(one, &t->taken)
			if (!one->is_void)
				id_of(t, &one->die, 0);
		if (!end(t))
			return NULL;
		begin_above(t);
	}
	vec_each(one, &t->taken) {
		uint32_t id = one->is_void ? 0 : named_id(t, &one->die);

		for (unsigned i = 0; i < one->pointers; i++)
			id = pointer_id(t, id);
	}
	return end(t);
}

struct map *dwarf_types_by_name(struct dwarf_types *t)
{
	return &t->named;
}
