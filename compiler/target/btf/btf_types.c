/* SPDX-License-Identifier: GPL-2.0 */
/* Types: their kind without typedefs, their members, and how C writes them. */
#include <string.h>

#include "base/arena.h"
#include "target/btf/btf_private.h"

/* Typedefs, qualifiers and structures nest at most this deep; only damaged BTF goes further. */
enum { MAX_DEPTH = 64 };
/* Members that one question looks at, with those of structures inside. In damaged BTF a structure
 * may be inside itself, several times at each depth; the largest of Linux 6.12 has 2,773. */
enum { MAX_MEMBERS = 1 << 17 };

static bool is_transparent(const struct btf_type *t)
{
	return btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t);
}

static uint32_t peel(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf_private_type(db, id);

	for (int depth = 0; is_transparent(t) && depth < MAX_DEPTH; depth++) {
		id = t->type;
		t = btf_private_type(db, id);
	}
	return id;
}

/* The size of a value in bytes; 0 if the type has none. */
static uint64_t size_of(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf_private_type(db, id);
	uint64_t n = 1, size = 0;

	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		switch (btf_kind(t)) {
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(n, btf_array(t)->nelems, &n))
				return 0;
			t = btf_private_type(db, btf_array(t)->type);
			continue;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
		case BTF_KIND_VAR:
		case BTF_KIND_DECL_TAG:
			t = btf_private_type(db, t->type);
			continue;
		case BTF_KIND_PTR:
			size = btf_db_pointer_size(db);
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_DATASEC:
		case BTF_KIND_FLOAT:
			size = t->size;
			break;
		}
		return __builtin_mul_overflow(n, size, &size) ? 0 : size;
	}
	return 0;
}

/* Linux 6.0 has enums of 64 bits and the flag in all; its pahole sets it for each that has a
 * negative constant (Documentation/bpf/btf.rst, BTF_KIND_ENUM). */
static bool has_signs(const struct btf_db *db, uint32_t id)
{
	for (const struct btf_db *at = btf_types_owner(db, id); at; at = at->base)
		if (at->has_signs)
			return true;
	return false;
}

bool btf_private_enum_signed(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf_private_type(db, id);
	bool is_signed = btf_kflag(t);

	if (!btf_is_enum(t) || is_signed || has_signs(db, id))
		return is_signed;
	for (unsigned i = 0; i < btf_private_vlen(t); i++)
		is_signed |= btf_enum(t)[i].val < 0;
	return is_signed;
}

struct btf_shape btf_types_shape(const struct btf_db *db, uint32_t id)
{
	id = peel(db, id);

	const struct btf_type *t = btf_private_type(db, id);
	struct btf_shape shape = { .id = id, .kind = BTF_VOID };

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		shape.kind = BTF_INTEGER;
		shape.size = t->size;
		shape.is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		shape.kind = BTF_INTEGER;
		shape.size = t->size;
		shape.is_signed = btf_private_enum_signed(db, id);
		break;
	case BTF_KIND_PTR:
		shape.kind = BTF_POINTER;
		shape.target = t->type;
		shape.size = btf_db_pointer_size(db);
		break;
	case BTF_KIND_ARRAY:
		shape.kind = BTF_ARRAY;
		shape.target = btf_array(t)->type;
		shape.nelems = btf_array(t)->nelems;
		shape.size = size_of(db, id);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		shape.kind = BTF_STRUCT;
		shape.size = t->size;
		break;
	case BTF_KIND_FLOAT:
		shape.kind = BTF_FLOATING;
		shape.size = t->size;
		break;
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
		shape.kind = BTF_FUNCTION;
		break;
	case BTF_KIND_FWD:
		shape.kind = BTF_INCOMPLETE;
		break;
	}
	return shape;
}

/* A member without a name whose own members belong to the structure around it. */
static bool is_anonymous(const struct btf_db *db, const struct btf_member *m)
{
	return !*btf_private_name(db, m->name_off) &&
	       btf_is_composite(btf_private_type(db, peel(db, m->type)));
}

/* Returns the number of members of a type that is looked into, which it takes from *left. */
static unsigned members_inside(const struct btf_type *t, int depth, unsigned *left)
{
	unsigned n = btf_is_composite(t) ? btf_private_vlen(t) : 0;

	if (depth > MAX_DEPTH || n > *left)
		return 0;
	*left -= n;
	return n;
}

static bool find_member(const struct btf_db *db, uint32_t id, const char *name, uint32_t base,
			struct btf_member_place *ret, int depth, unsigned *left)
{
	const struct btf_type *t = btf_private_type(db, id);
	unsigned n = members_inside(t, depth, left);

	const struct btf_member *m = btf_members(t);

	for (unsigned i = 0; i < n; i++) {
		if (!*name || strcmp(btf_private_name(db, m[i].name_off), name) != 0)
			continue;
		*ret = (struct btf_member_place){
			.type = m[i].type, .bit_offset = base + btf_member_bit_offset(t, i),
			.bit_size = btf_member_bitfield_size(t, i),
		};
		return true;
	}
	/* Base classes come first, and members of the class hide theirs. */
	for (unsigned i = n; i-- > 0;)
		if (is_anonymous(db, &m[i]) &&
		    find_member(db, peel(db, m[i].type), name, base + btf_member_bit_offset(t, i),
				ret, depth + 1, left))
			return true;
	return false;
}

bool btf_types_member(const struct btf_db *db, uint32_t id, const char *name,
		      struct btf_member_place *ret)
{
	unsigned left = MAX_MEMBERS;

	return find_member(db, peel(db, id), name, 0, ret, 0, &left);
}

static void member_names(const struct btf_db *db, struct arena *a, uint32_t id,
			 struct btf_names *ret, int depth, unsigned *left)
{
	const struct btf_type *t = btf_private_type(db, id);
	const struct btf_member *m = btf_members(t);
	unsigned n = members_inside(t, depth, left);

	for (unsigned i = 0; i < n; i++) {
		if (is_anonymous(db, &m[i]))
			member_names(db, a, peel(db, m[i].type), ret, depth + 1, left);
		else if (*btf_private_name(db, m[i].name_off))
			vec_push(a, &ret->v, btf_private_name(db, m[i].name_off));
	}
}

void btf_types_member_names(const struct btf_db *db, struct arena *a, uint32_t id,
			    struct btf_names *ret)
{
	unsigned left = MAX_MEMBERS;

	member_names(db, a, peel(db, id), ret, 0, &left);
}

/* A search for a member in the structures inside a type. */
struct inner_search {
	const struct btf_db *db;
	struct arena *arena;
	const char *name, *rest;  /* rest: `name` without its prefix */
	const char *same, *alike; /* the paths that were found; NULL: none */
	unsigned nsame, nalike;
	unsigned left;            /* members that it may still look at */
};

/* The name of a member without its prefix: "daddr" of "skc_daddr". NULL if the rest is too short to
 * be distinctive. */
static const char *behind_prefix(const char *name)
{
	const char *p = strchr(name + strspn(name, "_"), '_');

	return p && strlen(p) > 3 ? p + 1 : NULL;
}

static void search_inner(struct inner_search *n, uint32_t id, const char *path, int depth)
{
	const struct btf_type *t = btf_private_type(n->db, id);
	const struct btf_member *m = btf_members(t);
	unsigned all = members_inside(t, depth, &n->left);

	for (unsigned i = 0; i < all; i++) {
		const char *name = btf_private_name(n->db, m[i].name_off);
		const char *sep = *path && *name ? "->" : "", *rest = behind_prefix(name);
		const char *here = arena_printf(n->arena, "%s%s%s", path, sep, name);

		if (*path && strcmp(name, n->name) == 0) {
			n->same = here;
			n->nsame++;
		} else if (*path && n->rest && rest && strcmp(rest, n->rest) == 0) {
			n->alike = here;
			n->nalike++;
		}
		search_inner(n, peel(n->db, m[i].type), here, depth + 1);
	}
}

const char *btf_types_inner_member(const struct btf_db *db, struct arena *a, uint32_t id,
				   const char *name)
{
	struct inner_search n = {
		.db = db, .arena = a, .name = name, .rest = behind_prefix(name),
		.left = MAX_MEMBERS,
	};

	search_inner(&n, peel(db, id), "", 0);
	if (n.nsame)
		return n.nsame == 1 ? n.same : NULL;
	return n.nalike == 1 ? n.alike : NULL;
}

unsigned btf_types_nmembers(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf_private_type(db, peel(db, id));

	return btf_is_composite(t) ? btf_private_vlen(t) : 0;
}

const char *btf_types_nth_member(const struct btf_db *db, uint32_t id, unsigned i,
				 struct btf_member_place *ret)
{
	const struct btf_type *t = btf_private_type(db, peel(db, id));

	*ret = (struct btf_member_place){
		.type = btf_members(t)[i].type, .bit_offset = btf_member_bit_offset(t, i),
		.bit_size = btf_member_bitfield_size(t, i),
	};
	return btf_private_name(db, btf_members(t)[i].name_off);
}

/* "struct" and the name, if there is one. */
static const char *tagged_name(struct arena *a, const char *word, const char *name)
{
	return *name ? arena_printf(a, "%s %s", word, name) : arena_printf(a, "%s {...}", word);
}

/* The qualifier comes first in "const char", but last in "char *const". */
static const char *qualified_name(struct arena *a, const char *word, const char *name)
{
	size_t len = strlen(name);

	if (len && name[len - 1] == '*')
		return arena_printf(a, "%s%s", name, word);
	return arena_printf(a, "%s %s", word, name);
}

static const char *type_name(const struct btf_db *db, struct arena *a, uint32_t id, int depth);

static const char *pointer_name(const struct btf_db *db, struct arena *a, uint32_t target,
				int depth)
{
	const struct btf_type *t = btf_private_type(db, target);

	if (btf_kind(t) == BTF_KIND_FUNC_PROTO)
		return arena_printf(a, "%s (*)(...)", type_name(db, a, t->type, depth));

	const char *name = type_name(db, a, target, depth);
	size_t len = strlen(name);

	return arena_printf(a, "%s%s*", name, len && name[len - 1] == '*' ? "" : " ");
}

static const char *array_name(const struct btf_db *db, struct arena *a, const struct btf_type *t,
			      int depth)
{
	/* In C the outer bounds come first: int[2][3] is an array of two int[3]. */
	const struct btf_array *array = btf_array(t);
	const char *inner = type_name(db, a, array->type, depth);
	size_t stem = strcspn(inner, "[");

	return arena_printf(a, "%.*s[%u]%s", (int)stem, inner, array->nelems, inner + stem);
}

static const char *type_name(const struct btf_db *db, struct arena *a, uint32_t id, int depth)
{
	const struct btf_type *t = btf_private_type(db, id);
	const char *name = btf_private_name(db, t->name_off);

	if (++depth > MAX_DEPTH)
		return "?";
	switch (btf_kind(t)) {
	case BTF_KIND_UNKN:
		return "void";
	case BTF_KIND_STRUCT:
		return tagged_name(a, "struct", name);
	case BTF_KIND_UNION:
		return tagged_name(a, "union", name);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return tagged_name(a, "enum", name);
	case BTF_KIND_FWD:
		return tagged_name(a, btf_kflag(t) ? "union" : "struct", name);
	case BTF_KIND_PTR:
		return pointer_name(db, a, t->type, depth);
	case BTF_KIND_ARRAY:
		return array_name(db, a, t, depth);
	case BTF_KIND_CONST:
		return qualified_name(a, "const", type_name(db, a, t->type, depth));
	case BTF_KIND_VOLATILE:
		return qualified_name(a, "volatile", type_name(db, a, t->type, depth));
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return type_name(db, a, t->type, depth);
	case BTF_KIND_FUNC_PROTO:
		return arena_printf(a, "%s (...)", type_name(db, a, t->type, depth));
	default:
		return *name ? name : "?";
	}
}

const char *btf_types_name(const struct btf_db *db, struct arena *a, uint32_t id)
{
	return type_name(db, a, id, 0);
}

const char *btf_types_pointer_name(const struct btf_db *db, struct arena *a, uint32_t id)
{
	return pointer_name(db, a, id, 0);
}

static unsigned alignment(const struct btf_db *db, uint32_t id, int depth, unsigned *left)
{
	struct btf_shape shape = btf_types_shape(db, id);

	if (shape.kind == BTF_ARRAY && depth < MAX_DEPTH)
		return alignment(db, shape.target, depth + 1, left);
	if (shape.kind != BTF_STRUCT)
		return shape.size ? (unsigned)shape.size : 1;

	const struct btf_type *t = btf_private_type(db, shape.id);
	unsigned most = 1, n = members_inside(t, depth, left);

	for (unsigned i = 0; i < n; i++) {
		unsigned one = alignment(db, btf_members(t)[i].type, depth + 1, left);

		most = one > most ? one : most;
	}
	return most;
}

unsigned btf_types_alignment(const struct btf_db *db, uint32_t id)
{
	unsigned left = MAX_MEMBERS;

	return alignment(db, id, 0, &left);
}

/* The numbers of a type are being counted. */
struct floats {
	const struct btf_db *db;
	uint64_t size;  /* of each in bytes; 0: none was found yet */
	bool is_other;  /* it has something else, or numbers of another size */
	unsigned left;
};

static uint64_t count_floats(struct floats *f, uint32_t id, int depth)
{
	struct btf_shape shape = btf_types_shape(f->db, id);
	uint64_t all = 0;

	if (shape.kind == BTF_FLOATING) {
		f->is_other |= f->size && f->size != shape.size;
		f->size = shape.size;
		return 1;
	}
	if (shape.kind == BTF_ARRAY && depth < MAX_DEPTH && shape.nelems)
		return shape.nelems * count_floats(f, shape.target, depth + 1);
	if (shape.kind != BTF_STRUCT) {
		f->is_other = true;
		return 0;
	}

	const struct btf_type *t = btf_private_type(f->db, shape.id);
	unsigned n = members_inside(t, depth, &f->left);

	for (unsigned i = 0; i < n; i++) {
		uint64_t one = count_floats(f, btf_members(t)[i].type, depth + 1);

		if (!btf_is_union(t))
			all += one;
		else if (one > all)
			all = one;
	}
	return all;
}

bool btf_types_floats(const struct btf_db *db, uint32_t id, uint64_t *n, uint64_t *size)
{
	struct floats f = { .db = db, .left = MAX_MEMBERS };

	*n = count_floats(&f, id, 0);
	*size = f.size;
	return !f.is_other && *n && *n * *size == btf_types_shape(db, id).size;
}

bool btf_types_is_complex(const struct btf_db *db, uint32_t id)
{
	struct btf_shape shape = btf_types_shape(db, id);

	return shape.kind == BTF_FLOATING &&
	       strstr(btf_private_name(db, btf_private_type(db, shape.id)->name_off), "omplex");
}

static bool has_unaligned(const struct btf_db *db, uint32_t id, int depth, unsigned *left)
{
	struct btf_shape shape = btf_types_shape(db, id);

	if (shape.kind == BTF_ARRAY && depth < MAX_DEPTH)
		return has_unaligned(db, shape.target, depth + 1, left);
	if (shape.kind != BTF_STRUCT)
		return false;

	const struct btf_type *t = btf_private_type(db, shape.id);
	unsigned n = members_inside(t, depth, left);

	for (unsigned i = 0; i < n; i++) {
		uint32_t type = btf_members(t)[i].type;
		bool is_field = btf_member_bitfield_size(t, i) != 0;

		if (!is_field &&
		    btf_member_bit_offset(t, i) % (alignment(db, type, depth, left) * 8))
			return true;
		if (has_unaligned(db, type, depth + 1, left))
			return true;
	}
	return false;
}

bool btf_types_has_unaligned(const struct btf_db *db, uint32_t id)
{
	unsigned left = MAX_MEMBERS;

	return has_unaligned(db, id, 0, &left);
}

/* The numbers of the words that are being filled, and what is left of a damaged type. */
struct holding {
	const struct btf_db *db;
	enum btf_held *words;
	unsigned left;
};

static void hold(struct holding *h, uint64_t first_bit, uint64_t bits, enum btf_held what)
{
	for (uint64_t i = first_bit / 64; bits && i <= (first_bit + bits - 1) / 64 && i < 2; i++) {
		enum btf_held there = h->words[i];

		if ((there == BTF_HELD_X87 && what == BTF_HELD_FLOAT) ||
		    (there == BTF_HELD_FLOAT && what == BTF_HELD_X87))
			h->words[i] = BTF_HELD_MEMORY;
		else if (there < what)
			h->words[i] = what;
	}
}

static bool is_long_double(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf_private_type(db, id);

	return strcmp(btf_private_name(db, t->name_off), "long double") == 0;
}

static enum btf_held held_float(const struct btf_db *db, const struct btf_shape *shape)
{
	if (shape->size <= 8)
		return BTF_HELD_FLOAT;
	/* Other types of 16 bytes are in vector registers. */
	return is_long_double(db, shape->id) ? BTF_HELD_X87 : BTF_HELD_UNKNOWN;
}

static void hold_type(struct holding *h, uint32_t id, uint64_t bit, uint64_t bits, int depth)
{
	struct btf_shape shape = btf_types_shape(h->db, id);

	switch (shape.kind) {
	case BTF_INTEGER:
	case BTF_POINTER:
		hold(h, bit, bits ? bits : shape.size * 8, BTF_HELD_INTEGER);
		break;
	case BTF_FLOATING:
		hold(h, bit, shape.size * 8, held_float(h->db, &shape));
		break;
	case BTF_ARRAY: {
		uint64_t size = btf_types_shape(h->db, shape.target).size * 8;

		for (uint64_t i = 0; i < shape.nelems && size && bit < 128; i++, bit += size)
			if (depth < MAX_DEPTH)
				hold_type(h, shape.target, bit, 0, depth + 1);
		break;
	}
	case BTF_STRUCT: {
		const struct btf_type *t = btf_private_type(h->db, shape.id);
		unsigned n = members_inside(t, depth, &h->left);

		for (unsigned i = 0; i < n; i++)
			hold_type(h, btf_members(t)[i].type, bit + btf_member_bit_offset(t, i),
				  btf_member_bitfield_size(t, i), depth + 1);
		break;
	}
	default:
		hold(h, bit, 1, BTF_HELD_UNKNOWN);
	}
}

void btf_types_words(const struct btf_db *db, uint32_t id, enum btf_held words[2])
{
	struct holding h = { .db = db, .words = words, .left = MAX_MEMBERS };

	words[0] = words[1] = BTF_HELD_NOTHING;
	hold_type(&h, id, 0, 0, 0);
}

const struct btf_db *btf_types_owner(const struct btf_db *db, uint32_t id)
{
	while (id < db->first && db->base)
		db = db->base;
	return db;
}
