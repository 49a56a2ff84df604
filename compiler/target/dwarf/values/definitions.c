/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The index of definitions, made in one walk over the outermost scopes of all units, which takes
 * seconds for a kernel. Its index is cached (cached.h):
 *
 *   struct definitions_head
 *   struct definition  all[n]  by kind and name, then in the order of the file
 *   char               text[]  a letter for the kind and the name, with a NUL
 *
 * Definitions are compared by a hash of 64 bits of what they consist of.
 */
#include "target/dwarf/values/definitions.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "shared/search.h"
#include "target/dwarf/cached.h"
#include "target/dwarf/values/read.h"

enum {
	MAX_DEPTH = 64,        /* types within types; only damaged information is deeper */
	SCRATCH_TYPES = 10000, /* between which memory is given back */
};

/* The hash of nothing, of FNV-1a. */
static const uint64_t NO_HASH = 0xcbf29ce484222325u;

struct definitions_head { uint32_t n, text_size; };
struct definition { uint64_t hash; uint32_t text, die; };

/* Mixes contents into hashes. Many members of a unit are of the same few types. */
struct hasher {
	struct arena *arena;
	struct map parts;        /* offset of a DIE -> hash of what it is, as a pointer */
	int depth;
};

struct dwarf_definitions {
	struct dwarf_cached cached;
	const struct definitions_head *head; /* NULL: it could not be made */
	const struct definition *all;
	const char *text;
	const char *why;          /* it could not be made */
	struct hasher hasher;     /* for definitions_same() */
};

/* The letters of what is not a type (letter_of()). */
static const char constant_letter = 'c', function_letter = 'f';

/* '\0' for a kind that scripts can't name. */
static char letter_of(int tag)
{
	switch (tag) {
	case DW_TAG_typedef: return 't';
	case DW_TAG_structure_type: return 's';
	case DW_TAG_union_type: return 'u';
	case DW_TAG_enumeration_type: return 'e';
	case DW_TAG_base_type: return 'b';
	default: return '\0';
	}
}

/* ---- comparing ---- */

static void mix(uint64_t *h, const void *bytes, size_t n)
{
	for (const unsigned char *p = bytes; n; n--, p++)
		*h = (*h ^ *p) * 0x100000001b3u;
}

static void mix_text(uint64_t *h, const char *text)
{
	mix(h, text, strlen(text) + 1);
}

static void mix_number(uint64_t *h, uint64_t number)
{
	mix(h, &number, sizeof(number));
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

static void hasher_begin(struct hasher *x)
{
	*x = (struct hasher){ .arena = arena_create() };
	map_init(&x->parts, x->arena);
}

static void hasher_end(struct hasher *x)
{
	arena_destroy(x->arena);
}

static void mix_type(struct hasher *x, uint64_t *h, Dwarf_Die *die);

/* Mixes in the type of a member, an element or a parameter. A name stands for what it names, which
 * is compared as a definition of its own: one unit may only declare what another one defines. */
static void mix_part(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	Dwarf_Die part = *die;
	const char *name = "";
	int tag = dwarf_tag(&part), i = 0;

	for (; (tag == DW_TAG_typedef || is_qualifier(tag)) && i < MAX_DEPTH; i++) {
		if (tag == DW_TAG_typedef)
			name = dwarf_read_name(&part);
		if (!dwarf_read_target(&part, &part))
			return;
		tag = dwarf_tag(&part);
	}
	if (*dwarf_read_name(&part))
		name = dwarf_read_name(&part);
	if (!definitions_word(&part) || !*name) {
		mix_type(x, h, &part);
		return;
	}
	mix_number(h, (uint64_t)tag);
	mix_text(h, name);
}

static void mix_target(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	uint64_t part;
	Dwarf_Die target;

	if (!dwarf_read_target(die, &target) || x->depth == MAX_DEPTH)
		return;
	part = (uintptr_t)map_get_number(&x->parts, dwarf_dieoffset(&target));
	if (!part) {
		part = NO_HASH;
		x->depth++;
		mix_part(x, &part, &target);
		x->depth--;
		map_set_number(&x->parts, dwarf_dieoffset(&target), (void *)(uintptr_t)part);
	}
	mix_number(h, part);
}

static void mix_members(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	struct dwarf_members members = {0};

	dwarf_read_members(x->arena, die, &members);
	for (size_t i = 0; i < members.v.n; i++) {
		const struct btf_member_sketch *one = &members.v.v[i];

		mix_text(h, one->name);
		mix_number(h, (uint64_t)one->bit_offset << 32 | one->bit_size);
		mix_target(x, h, &members.dies.v[i]);
	}
}

static void mix_constants(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	struct btf_constants constants = {0};

	dwarf_read_constants(x->arena, die, &constants);
	vec_each(one, &constants.v) {
		mix_text(h, one->name);
		mix_number(h, (uint64_t)one->value);
	}
}

/* The bounds of an array, and the parameters of a function or its type. */
static void mix_children(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		uint64_t n = 0;

		if (!dwarf_read_number(&child, DW_AT_count, &n))
			dwarf_read_number(&child, DW_AT_upper_bound, &n);
		mix_number(h, n);
		mix_text(h, dwarf_read_name(&child));
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			mix_target(x, h, &child);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* Mixes in all that a type consists of. The names of typedefs on the way do not matter. */
static void mix_type(struct hasher *x, uint64_t *h, Dwarf_Die *die)
{
	uint64_t size = 0, encoding = 0;
	int tag = dwarf_tag(die);

	mix_number(h, (uint64_t)tag);
	mix_text(h, dwarf_read_name(die));
	dwarf_read_number(die, DW_AT_byte_size, &size);
	dwarf_read_number(die, DW_AT_encoding, &encoding);
	mix_number(h, size << 8 | encoding);
	switch (tag) {
	case DW_TAG_structure_type: case DW_TAG_union_type:
		mix_members(x, h, die);
		return;
	case DW_TAG_enumeration_type:
		mix_constants(x, h, die);
		return;
	case DW_TAG_array_type: case DW_TAG_subroutine_type: case DW_TAG_subprogram:
		mix_children(x, h, die);
		break;
	}
	mix_target(x, h, die);
}

static uint64_t hash_begin(char letter, const char *name)
{
	uint64_t hash = NO_HASH;

	mix(&hash, &letter, 1);
	mix_text(&hash, name);
	return hash;
}

/* Tells a definition from others that differ. */
static uint64_t hash_of(struct hasher *x, char letter, const char *name, Dwarf_Die *die)
{
	uint64_t hash = hash_begin(letter, name);

	mix_type(x, &hash, die);
	return hash;
}

/* ---- making ---- */

struct made_definition { const char *text; uint64_t hash; uint32_t die, nr; };

struct definitions_maker {
	struct arena *arena;
	struct hasher hasher;
	unsigned hashed;         /* types since its memory was given back */
	struct map known;        /* hash of kind, name and contents -> anything */
	VEC(struct made_definition) all;
	bool failed;             /* an offset exceeds the range of the index */
};

static void add(struct definitions_maker *m, char letter, const char *name, uint64_t hash,
		Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	if (map_get_number(&m->known, hash))
		return;

	struct made_definition one = { arena_printf(m->arena, "%c%s", letter, name), hash,
				       (uint32_t)offset, (uint32_t)m->all.n };

	map_set_number(&m->known, hash, m);
	m->failed |= offset > UINT32_MAX;
	vec_push(m->arena, &m->all, one);
}

static void add_constants(struct definitions_maker *m, Dwarf_Die *die)
{
	struct btf_constants constants = {0};

	dwarf_read_constants(m->hasher.arena, die, &constants);
	vec_each(one, &constants.v) {
		uint64_t hash = hash_begin(constant_letter, one->name);

		mix_number(&hash, (uint64_t)one->value);
		add(m, constant_letter, one->name, hash, die);
	}
}

static bool is_function_without_code(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_declaration) &&
	       !dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges) &&
	       !dwarf_hasattr(die, DW_AT_inline);
}

static void add_top(void *data, Dwarf_Die *die)
{
	struct definitions_maker *m = data;
	char letter = is_function_without_code(die) ? function_letter : letter_of(dwarf_tag(die));
	const char *name = letter ? dwarf_read_name(die) : "";

	if (m->hashed++ == SCRATCH_TYPES) {
		hasher_end(&m->hasher);
		hasher_begin(&m->hasher);
		m->hashed = 0;
	}
	if (letter == 'e')
		add_constants(m, die);
	if (!*name || dwarf_read_declared(die))
		return;
	add(m, letter, name, hash_of(&m->hasher, letter, name, die), die);
}

static int by_text(const void *a, const void *b)
{
	const struct made_definition *one = a, *other = b;
	int order = strcmp(one->text, other->text);

	return order ? order : (one->nr > other->nr) - (one->nr < other->nr);
}

static void write_all(struct definitions_maker *m, struct buf *ret)
{
	struct definitions_head head = { (uint32_t)m->all.n, 0 };

	if (m->all.n)
		qsort(m->all.v, m->all.n, sizeof(*m->all.v), by_text);
	vec_each(one, &m->all)
		head.text_size += (uint32_t)strlen(one->text) + 1;
	buf_write(ret, &head, sizeof(head));
	head.text_size = 0;
	vec_each(one, &m->all) {
		struct definition d = { one->hash, head.text_size, one->die };

		buf_write(ret, &d, sizeof(d));
		head.text_size += (uint32_t)strlen(one->text) + 1;
	}
	vec_each(one, &m->all)
		buf_write(ret, one->text, strlen(one->text) + 1);
}

static bool make(struct dwarf_db *db, struct buf *ret)
{
	struct definitions_maker m = { .arena = arena_create() };

	hasher_begin(&m.hasher);
	map_init(&m.known, m.arena);
	if (!dwarf_read_top(db, add_top, &m))
		db->definitions->why = arena_printf(db->arena, "%s is damaged (%s): install it "
						    "again", db->path, dwarf_errmsg(-1));
	else if (m.failed)
		db->definitions->why = arena_printf(db->arena, "%s has more than 4 GiB of it, "
							       "which is not supported", db->path);
	else
		write_all(&m, ret);
	hasher_end(&m.hasher);
	arena_destroy(m.arena);
	return !db->definitions->why;
}

/* ---- opening ---- */

/* Returns false if the bytes are invalid. */
static bool find_parts(void *index)
{
	struct dwarf_definitions *x = index;
	const struct definitions_head *h = (const struct definitions_head *)x->cached.bytes;
	size_t size = x->cached.size;

	if (size < sizeof(*h) ||
	    sizeof(*h) + (uint64_t)h->n * sizeof(*x->all) + h->text_size != size)
		return false;
	x->all = (const struct definition *)(h + 1);
	x->text = (const char *)(x->all + h->n);
	if (h->text_size && x->text[h->text_size - 1] != '\0')
		return false;
	x->head = h;
	return true;
}

static const struct dwarf_cached_kind kind = {
	"dwarf-types", "probec-types 3", "index of types", make, find_parts,
};

/* Returns NULL if it can't be made. */
static const struct dwarf_definitions *index_of(struct dwarf_db *db)
{
	if (!db->definitions) {
		db->definitions = NEW(db->arena, struct dwarf_definitions);
		hasher_begin(&db->definitions->hasher);
		dwarf_cached_open(db, &kind, dwarf_db_bytes(db, ".debug_info").size,
				  db->definitions);
	}
	return db->definitions->head ? db->definitions : NULL;
}

bool dwarf_types_indexed(struct dwarf_db *db, const char **why)
{
	if (index_of(db))
		return true;
	*why = db->definitions->why;
	return false;
}

void definitions_close(struct dwarf_db *db)
{
	if (!db->definitions)
		return;
	dwarf_cached_close(&db->definitions->cached);
	hasher_end(&db->definitions->hasher);
	db->definitions = NULL;
}

/* ---- asking ---- */

/* The letter and the name of a definition. */
static const char *text_of(const struct dwarf_definitions *x, size_t i)
{
	return x->all[i].text < x->head->text_size ? x->text + x->all[i].text : "";
}

static int compare(const struct dwarf_definitions *x, size_t i, char letter, const char *name)
{
	const char *text = text_of(x, i);

	return *text != letter ? (unsigned char)*text - (unsigned char)letter :
				 strcmp(text + 1, name);
}

/* The first definition, and in *@n their number. */
static size_t find_definitions(const struct dwarf_definitions *x, char letter, const char *name,
			       size_t *n)
{
	size_t i;

	search_first(i, x->head->n, compare(x, i, letter, name) < 0);
	*n = 0;
	while (i + *n < x->head->n && compare(x, i + *n, letter, name) == 0)
		(*n)++;
	return i;
}

/* Returns the number of definitions. */
static size_t visit_kind(struct dwarf_db *db, char letter, const char *name,
			 void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	const struct dwarf_definitions *x = index_of(db);
	size_t n = 0, first = x ? find_definitions(x, letter, name, &n) : 0;
	Dwarf_Die die;

	for (size_t i = 0; i < n; i++)
		if (dwarf_parts_die(db, x->all[first + i].die, &die))
			visit(data, &die);
	return n;
}

enum btf_word definitions_word(Dwarf_Die *die)
{
	switch (letter_of(dwarf_tag(die))) {
	case 's': return BTF_WORD_STRUCT;
	case 'u': return BTF_WORD_UNION;
	case 'e': return BTF_WORD_ENUM;
	default: return BTF_ANY;
	}
}

void definitions_each(struct dwarf_db *db, enum btf_word word, const char *name,
		      void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	static const char *const letters[] = {
		/* in the order of btf_lookup_type() */
		[BTF_ANY] = "tsueb", [BTF_WORD_STRUCT] = "s", [BTF_WORD_UNION] = "u",
		[BTF_WORD_ENUM] = "e",
	};
	size_t n = 0;

	for (const char *letter = letters[word]; *letter && n == 0; letter++)
		n = visit_kind(db, *letter, name, visit, data);
}

void definitions_constant(struct dwarf_db *db, const char *name,
			  void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	visit_kind(db, constant_letter, name, visit, data);
}

bool definitions_same(struct dwarf_db *db, Dwarf_Die *die, Dwarf_Die *ret)
{
	char letter = letter_of(dwarf_tag(die));
	const char *name = definitions_word(die) ? dwarf_read_name(die) : "";
	const struct dwarf_definitions *x = *name ? index_of(db) : NULL;
	size_t n = 0, i = x ? find_definitions(x, letter, name, &n) : 0, end = i + n;

	if (n == 0 || dwarf_read_declared(die))
		return n == 1 && dwarf_parts_die(db, x->all[i].die, ret);

	uint64_t hash = hash_of(&db->definitions->hasher, letter, name, die);

	while (i < end && x->all[i].hash != hash)
		i++;
	return i < end && dwarf_parts_die(db, x->all[i].die, ret);
}

bool definitions_function(struct dwarf_db *db, const char *name, Dwarf_Die *ret)
{
	const struct dwarf_definitions *x = index_of(db);
	size_t n = 0, first = x ? find_definitions(x, function_letter, name, &n) : 0;

	return n == 1 && dwarf_parts_die(db, x->all[first].die, ret);
}

void dwarf_type_names(struct dwarf_db *db, bool constants, struct btf_names *ret)
{
	const struct dwarf_definitions *x = index_of(db);

	for (size_t i = 0; x && i < x->head->n; i++) {
		const char *text = text_of(x, i);

		if (*text && *text != function_letter && (*text == constant_letter) == constants)
			vec_push(db->arena, &ret->v, text + 1);
	}
}
