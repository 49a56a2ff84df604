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
#include "dwarf/values/definitions.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dwarf/cached.h"
#include "dwarf/values/read.h"
#include "shared/search.h"

enum {
	MOST_STEPS = 8,        /* from a typedef to what it stands for, in the comparison */
	SCRATCH_TYPES = 1000,  /* between which memory is given back */
};

static const struct dwarf_cached_kind kind = { "dwarf-types", "probec-types 2" };

struct definitions_head { uint32_t n, text_size; };
struct definition { uint32_t text, die; };

struct dwarf_definitions {
	struct dwarf_cached cached;
	const struct definitions_head *head; /* NULL: it could not be made */
	const struct definition *all;
	const char *text;
};

/* The letters of kinds; those of types in the order in which they are reported. */
static const char type_letters[] = "tsueb", constant_letter = 'c', function_letter = 'f';

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
	/* FNV-1a */
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

/* ---- making ---- */

struct made_definition { const char *text; uint32_t die, nr; };

struct definitions_maker {
	struct arena *arena, *scratch;
	unsigned in_scratch;     /* types that were read into it */
	struct map known;        /* hash of kind, name and contents -> anything */
	VEC(struct made_definition) all;
	bool failed;             /* an offset exceeds the range of the index */
};

static void mix_type(struct definitions_maker *m, uint64_t *h, Dwarf_Die *die, int steps);

static void mix_members(struct definitions_maker *m, uint64_t *h, Dwarf_Die *die)
{
	struct dwarf_members members = {0};

	dwarf_read_members(m->scratch, die, &members);
	vec_each(one, &members.v) {
		mix_text(h, one->name);
		mix_number(h, (uint64_t)one->bit_offset << 32 | one->bit_size);
	}
}

static void mix_constants(struct definitions_maker *m, uint64_t *h, Dwarf_Die *die)
{
	struct btf_constants constants = {0};

	dwarf_read_constants(m->scratch, die, &constants);
	vec_each(one, &constants.v) {
		mix_text(h, one->name);
		mix_number(h, (uint64_t)one->value);
	}
}

/* The bounds of an array, and the parameters of a function or its type. */
static void mix_children(struct definitions_maker *m, uint64_t *h, Dwarf_Die *die, int steps)
{
	Dwarf_Die child, type;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		uint64_t n = 0;

		if (!dwarf_read_number(&child, DW_AT_count, &n))
			dwarf_read_number(&child, DW_AT_upper_bound, &n);
		mix_number(h, n);
		mix_text(h, dwarf_read_name(&child));
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    dwarf_read_target(&child, &type))
			mix_type(m, h, &type, steps);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* Mixes in all that a type consists of. The names of typedefs on the way do not matter. */
static void mix_type(struct definitions_maker *m, uint64_t *h, Dwarf_Die *die, int steps)
{
	uint64_t size = 0, encoding = 0;
	int tag = dwarf_tag(die);
	Dwarf_Die target;

	if (tag != DW_TAG_typedef) {
		mix_number(h, (uint64_t)tag);
		mix_text(h, dwarf_read_name(die));
		dwarf_read_number(die, DW_AT_byte_size, &size);
		dwarf_read_number(die, DW_AT_encoding, &encoding);
		mix_number(h, size << 8 | encoding);
	}
	if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type) {
		mix_members(m, h, die);
		return;
	}
	if (tag == DW_TAG_enumeration_type) {
		mix_constants(m, h, die);
		return;
	}
	if (steps == 0)
		return;
	if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type || tag == DW_TAG_subprogram)
		mix_children(m, h, die, steps - 1);
	if (dwarf_read_target(die, &target))
		mix_type(m, h, &target, steps - 1);
}

static void add(struct definitions_maker *m, char letter, const char *name, uint64_t hash,
		Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	mix(&hash, &letter, 1);
	mix_text(&hash, name);
	if (map_get_number(&m->known, hash))
		return;

	struct made_definition one = { arena_printf(m->arena, "%c%s", letter, name),
				       (uint32_t)offset, (uint32_t)m->all.n };

	map_set_number(&m->known, hash, m);
	m->failed |= offset > UINT32_MAX;
	vec_push(m->arena, &m->all, one);
}

static void add_constants(struct definitions_maker *m, Dwarf_Die *die)
{
	struct btf_constants constants = {0};

	dwarf_read_constants(m->scratch, die, &constants);
	vec_each(one, &constants.v)
		add(m, constant_letter, one->name, (uint64_t)one->value, die);
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
	uint64_t hash = 0xcbf29ce484222325u;

	if (m->in_scratch++ == SCRATCH_TYPES) {
		arena_destroy(m->scratch);
		m->scratch = arena_create();
		m->in_scratch = 0;
	}
	if (letter == 'e')
		add_constants(m, die);
	if (!*name || dwarf_read_declared(die))
		return;
	mix_type(m, &hash, die, MOST_STEPS);
	add(m, letter, name, hash, die);
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
		struct definition d = { head.text_size, one->die };

		buf_write(ret, &d, sizeof(d));
		head.text_size += (uint32_t)strlen(one->text) + 1;
	}
	vec_each(one, &m->all)
		buf_write(ret, one->text, strlen(one->text) + 1);
}

static bool make(struct dwarf_db *db, struct buf *ret)
{
	struct definitions_maker m = { .arena = arena_create(), .scratch = arena_create() };

	map_init(&m.known, m.arena);
	dwarf_read_top(db->dwarf, add_top, &m);
	if (!m.failed)
		write_all(&m, ret);
	arena_destroy(m.scratch);
	arena_destroy(m.arena);
	return !m.failed;
}

/* ---- opening ---- */

/* Returns false if the bytes are invalid. */
static bool open_bytes(struct dwarf_definitions *x)
{
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

static void open_index(struct dwarf_db *db, struct dwarf_definitions *ret)
{
	uint64_t of = dwarf_db_bytes(db, ".debug_info").size;
	struct buf bytes;

	if (dwarf_cached_open(db, &kind, of, &ret->cached) && open_bytes(ret))
		return;
	dwarf_cached_close(&ret->cached);
	buf_init(&bytes);
	if (make(db, &bytes)) {
		dwarf_cached_put(db, &kind, of, &bytes, &ret->cached);
		open_bytes(ret);
	}
	buf_deinit(&bytes);
}

/* Returns NULL if it can't be made. */
static const struct dwarf_definitions *index_of(struct dwarf_db *db)
{
	if (!db->definitions) {
		db->definitions = NEW(db->arena, struct dwarf_definitions);
		open_index(db, db->definitions);
	}
	return db->definitions->head ? db->definitions : NULL;
}

void definitions_close(struct dwarf_db *db)
{
	if (db->definitions)
		dwarf_cached_close(&db->definitions->cached);
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
static size_t find(const struct dwarf_definitions *x, char letter, const char *name, size_t *n)
{
	size_t i;

	search_first(i, x->head->n, compare(x, i, letter, name) < 0);
	*n = 0;
	while (i + *n < x->head->n && compare(x, i + *n, letter, name) == 0)
		(*n)++;
	return i;
}

static void visit_kind(struct dwarf_db *db, char letter, const char *name,
		       void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	const struct dwarf_definitions *x = index_of(db);
	size_t n = 0, first = x ? find(x, letter, name, &n) : 0;
	Dwarf_Die die;

	for (size_t i = 0; i < n; i++)
		if (dwarf_db_die(db, x->all[first + i].die, &die))
			visit(data, &die);
}

void definitions_each(struct dwarf_db *db, const char *name,
		      void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	for (const char *letter = type_letters; *letter; letter++)
		visit_kind(db, *letter, name, visit, data);
}

void definitions_constant(struct dwarf_db *db, const char *name,
			  void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	visit_kind(db, constant_letter, name, visit, data);
}

bool definitions_only(struct dwarf_db *db, Dwarf_Die *die, Dwarf_Die *ret)
{
	char letter = letter_of(dwarf_tag(die));
	const char *name = letter && strchr("sue", letter) ? dwarf_read_name(die) : "";
	const struct dwarf_definitions *x = *name ? index_of(db) : NULL;
	size_t n = 0, first = x ? find(x, letter, name, &n) : 0;

	return n == 1 && dwarf_db_die(db, x->all[first].die, ret);
}

bool definitions_function(struct dwarf_db *db, const char *name, Dwarf_Die *ret)
{
	const struct dwarf_definitions *x = index_of(db);
	size_t n = 0, first = x ? find(x, function_letter, name, &n) : 0;

	return n == 1 && dwarf_db_die(db, x->all[first].die, ret);
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
