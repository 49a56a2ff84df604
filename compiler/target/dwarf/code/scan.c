/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds functions by name in all of .debug_info. A kernel's file has no index, and symbol tables
 * lack the names of functions that are always inlined. libdw is not used, because it would take 5.7
 * instead of 0.93 billion instructions for Debian's kernel 6.1.
 *
 * A unit is a sequence of entries; each begins with the number of its abbreviation, which lists
 * attributes and their forms. Most entries are irrelevant and are skipped: quickly if all forms
 * have a fixed size, and together with their children if they say where the next sibling begins.
 * The scan reads the names of subprograms, and the origins of inlined subroutines and concrete
 * subprograms. An origin may come after its copies, so these are joined at the end of the unit.
 *
 * A function of C++ or Rust is known by its linkage name. If it has none, because no other unit can
 * call it, its name is made of its own and those of the namespaces, types and functions around it.
 * Either may be in a declaration to which the entry refers, so the walk enters namespaces and types
 * there. dwz moves such declarations into other units, so copies are joined with names at the end.
 *
 * The file is not trusted: every read is checked against the end of its section. Other forms of
 * names or references are not found.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "shared/bytes.h"
#include "shared/memory.h"
#include "target/dwarf/code/scanned.h"
#include "target/dwarf/private.h"
#include "target/object/demangle.h"

enum {
	ABBREVS_MAX = 1 << 16,
	SCOPES_MAX = 64,   /* nesting depth; names of deeper scopes are left out */
};

enum what {
	W_OTHER, W_SUBPROGRAM, W_INLINED,
	W_CLOSED, /* has nothing of interest below it */
	W_TYPE,   /* the same in C, but in C++ and Rust it may have methods */
	W_SPACE,  /* a namespace or class */
	W_UNIT,
	W_PARTIAL, /* a unit that dwz made, in any language */
};

struct spec {
	uint16_t attr, form;
	int32_t value; /* DW_FORM_implicit_const */
};

struct abbrev {
	uint32_t first, n;  /* in the specs */
	int32_t fixed;      /* bytes of all attributes; -1: not fixed */
	int32_t sibling_at; /* position of DW_AT_sibling (ref4) among them; -1: not fixed */
	uint8_t what;       /* enum what */
	bool children;
};

struct scan {
	/* The current part: the offset of its first DIE, and its sections. */
	Dwarf_Off base;
	struct dwarf_section info, abbrev, str, line_str, str_offsets;
	bool (*wants)(void *data, const char *name);
	void *data;
	struct arena *arena;           /* for names with their scopes */
	bool joins_late;               /* join at the end of the last unit, not of each */
	/* State of the current unit. */
	unsigned depth;                /* of the current entry; the unit's own has 0 */
	/* names of the entries around it, by depth; NULL: no name */
	const char *scopes[SCOPES_MAX];
	const unsigned char *unit;     /* its header */
	unsigned version, address_size, offset_size;
	bool has_scopes;               /* it may be in a language with scopes */
	uint64_t strings;              /* its part of str_offsets, for names by their numbers */
	struct abbrev *abbrevs;        /* by number */
	uint32_t nabbrevs;
	struct { struct spec *v; size_t n, cap; } specs;
	struct scanned scanned;        /* what was found in it */
	bool damaged;                  /* units or entries could not be read */
};

/* ---- forms ---- */

/* The bytes of a form, or -1 if they vary. */
static int form_size(const struct scan *f, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1: case DW_FORM_ref1: case DW_FORM_flag: case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2: case DW_FORM_ref2: case DW_FORM_strx2: case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3: case DW_FORM_addrx3: return 3;
	case DW_FORM_data4: case DW_FORM_ref4: case DW_FORM_strx4: case DW_FORM_addrx4:
	case DW_FORM_ref_sup4: return 4;
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset: case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt: return (int)f->offset_size;
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8: case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return (int)f->address_size;
	case DW_FORM_ref_addr: return (int)(f->version < 3 ? f->address_size : f->offset_size);
	default: return -1;
	}
}

static void skip_form(const struct scan *f, struct bytes *c, unsigned form)
{
	int size = form_size(f, form);

	if (size >= 0) {
		bytes_skip(c, (uint64_t)size);
		return;
	}
	switch (form) {
	case DW_FORM_sdata: case DW_FORM_udata: case DW_FORM_ref_udata: case DW_FORM_strx:
	case DW_FORM_addrx: case DW_FORM_GNU_str_index: case DW_FORM_GNU_addr_index:
	case DW_FORM_loclistx: case DW_FORM_rnglistx:
		bytes_uleb(c);
		break;
	case DW_FORM_exprloc: case DW_FORM_block: bytes_skip(c, bytes_uleb(c)); break;
	case DW_FORM_block1: bytes_skip(c, bytes_fixed(c, 1)); break;
	case DW_FORM_block2: bytes_skip(c, bytes_fixed(c, 2)); break;
	case DW_FORM_block4: bytes_skip(c, bytes_fixed(c, 4)); break;
	case DW_FORM_string: bytes_string(c); break;
	case DW_FORM_indirect: skip_form(f, c, (unsigned)bytes_uleb(c)); break;
	default: bytes_fail(c); /* unknown: the rest of the unit is skipped */
	}
}

/* ---- abbreviations ---- */

static enum what what_is(unsigned tag)
{
	switch (tag) {
	case DW_TAG_subprogram: return W_SUBPROGRAM;
	case DW_TAG_inlined_subroutine: return W_INLINED;
	case DW_TAG_structure_type: case DW_TAG_union_type: return W_TYPE;
	case DW_TAG_enumeration_type: case DW_TAG_subroutine_type: case DW_TAG_array_type:
	case DW_TAG_call_site: case DW_TAG_GNU_call_site: return W_CLOSED;
	case DW_TAG_namespace: case DW_TAG_class_type: case DW_TAG_module: return W_SPACE;
	case DW_TAG_compile_unit: return W_UNIT;
	case DW_TAG_partial_unit: return W_PARTIAL;
	default: return W_OTHER;
	}
}

static void add_spec(struct scan *f, struct abbrev *a, unsigned attr, unsigned form, int32_t value)
{
	int size = form_size(f, form);

	if (attr == DW_AT_sibling && form == DW_FORM_ref4)
		a->sibling_at = a->fixed;
	a->fixed = a->fixed < 0 || size < 0 ? -1 : a->fixed + size;
	memory_grow(f->specs.v, f->specs.n, f->specs.cap, 1024);
	f->specs.v[f->specs.n++] = (struct spec){ (uint16_t)attr, (uint16_t)form, value };
	a->n++;
}

/* Returns false if there are too many, or if they are damaged. */
static bool read_abbrevs(struct scan *f, uint64_t offset)
{
	struct bytes c;
	uint64_t code;

	if (offset >= f->abbrev.size)
		return false;
	c = (struct bytes){ .p = f->abbrev.start + offset,
			    .end = f->abbrev.start + f->abbrev.size };
	memset(f->abbrevs, 0, f->nabbrevs * sizeof(*f->abbrevs));
	f->nabbrevs = 0;
	f->specs.n = 0;
	while (c.p < c.end && (code = bytes_uleb(&c)) != 0) {
		if (code >= ABBREVS_MAX)
			return false;

		struct abbrev *a = &f->abbrevs[code];

		*a = (struct abbrev){ .first = (uint32_t)f->specs.n, .sibling_at = -1 };
		a->what = what_is((unsigned)bytes_uleb(&c));
		a->children = bytes_fixed(&c, 1);
		if (code >= f->nabbrevs)
			f->nabbrevs = (uint32_t)code + 1;
		while (c.p < c.end) {
			unsigned attr = (unsigned)bytes_uleb(&c), form = (unsigned)bytes_uleb(&c);
			int32_t value = 0;

			if (!attr && !form)
				break;
			/* The number is signed, but that of a language has fewer than 14 bits. */
			if (form == DW_FORM_implicit_const)
				value = (int32_t)bytes_uleb(&c);
			add_spec(f, a, attr, form, value);
		}
	}
	return true;
}

/* ---- entries ---- */

/* The attributes of a subprogram or inlined subroutine that are used. */
struct scanned_entry {
	const char *name, *linkage;
	Dwarf_Off origin, sibling; /* 0: none */
	bool is_inline, is_declaration, has_code;
};

/* The offset of a DIE. */
static Dwarf_Off offset_of(const struct scan *f, const unsigned char *die)
{
	return f->base + (Dwarf_Off)(die - f->info.start);
}

static Dwarf_Off read_reference(struct scan *f, struct bytes *c, unsigned form)
{
	Dwarf_Off unit = offset_of(f, f->unit);

	switch (form) {
	case DW_FORM_ref1: return unit + bytes_fixed(c, 1);
	case DW_FORM_ref2: return unit + bytes_fixed(c, 2);
	case DW_FORM_ref4: return unit + bytes_fixed(c, 4);
	case DW_FORM_ref8: return unit + bytes_fixed(c, 8);
	case DW_FORM_ref_udata: return unit + bytes_uleb(c);
	case DW_FORM_ref_addr: return f->base + bytes_fixed(c, (size_t)form_size(f, form));
	default: skip_form(f, c, form); return 0;
	}
}

/* The string of a number: DWARF 5, 7.26. clang names everything so. */
static const char *numbered(const struct scan *f, uint64_t nr)
{
	const struct dwarf_section *table = &f->str_offsets;
	uint64_t left = f->strings < table->size ? table->size - f->strings : 0;
	uint64_t at = 0;

	if (nr >= left / f->offset_size)
		return NULL;
	memcpy(&at, table->start + f->strings + nr * f->offset_size, f->offset_size);
	return dwarf_string_at(&f->str, at);
}

static const char *read_name(struct scan *f, struct bytes *c, unsigned form)
{
	switch (form) {
	case DW_FORM_strx: case DW_FORM_GNU_str_index: return numbered(f, bytes_uleb(c));
	case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3: case DW_FORM_strx4:
		return numbered(f, bytes_fixed(c, (size_t)form_size(f, form)));
	case DW_FORM_strp: return dwarf_string_at(&f->str, bytes_fixed(c, f->offset_size));
	case DW_FORM_line_strp:
		return dwarf_string_at(&f->line_str, bytes_fixed(c, f->offset_size));
	case DW_FORM_string: return bytes_string(c);
	default: skip_form(f, c, form); return NULL;
	}
}

static struct scanned_entry read_entry(struct scan *f, struct bytes *c, const struct abbrev *a)
{
	struct scanned_entry e = {0};

	for (uint32_t i = 0; i < a->n; i++) {
		struct spec s = f->specs.v[a->first + i];

		switch (s.attr) {
		case DW_AT_name: e.name = read_name(f, c, s.form); continue;
		case DW_AT_linkage_name: case DW_AT_MIPS_linkage_name:
			e.linkage = read_name(f, c, s.form);
			continue;
		case DW_AT_abstract_origin: case DW_AT_specification:
			e.origin = read_reference(f, c, s.form);
			continue;
		case DW_AT_sibling: e.sibling = read_reference(f, c, s.form); continue;
		case DW_AT_inline: e.is_inline = true; break;
		case DW_AT_declaration: e.is_declaration = true; break;
		case DW_AT_low_pc: case DW_AT_ranges: e.has_code = true; break;
		}
		skip_form(f, c, s.form);
	}
	return e;
}

static bool is_wanted(const struct scan *f, const char *name)
{
	return !f->wants || f->wants(f->data, name);
}

/* Reads an entry of interest and advances @c past it, or past everything below it. */
static void visit_entry(struct scan *f, struct bytes *c, const struct abbrev *a, Dwarf_Off die)
{
	struct scanned_entry e = read_entry(f, c, a);

	if (a->what == W_INLINED) {
		if (e.origin)
			scanned_add_copy(&f->scanned, die, e.origin, DWARF_FOUND_INLINED);
		return;
	}
	/* gcc's link-time optimization gives code an entry apart from the one with the name. */
	if (e.name && !e.is_declaration && (e.is_inline || e.has_code || f->joins_late) &&
	    is_wanted(f, e.name))
		scanned_add(&f->scanned, die, e.name,
			    e.has_code ? DWARF_FOUND_FUNCTION : DWARF_FOUND_ABSTRACT);
	else if (!e.name && e.origin && e.has_code)
		scanned_add_copy(&f->scanned, die, e.origin, DWARF_FOUND_CLONE);
	if (a->children && e.sibling > die && !e.has_code && e.sibling <= offset_of(f, c->end))
		c->p = f->info.start + (e.sibling - f->base);
}

/* ---- entries of C++ and Rust ---- */

/* The name by which a function is found; thunks of gcc are called like their symbol. */
static const char *known_as(struct scan *f, const struct scanned_entry *e)
{
	const char *name = e->linkage ? e->linkage : e->name;

	if (e->linkage || !name || demangle_is_mangled(name))
		return name;
	for (unsigned i = f->depth < SCOPES_MAX ? f->depth : SCOPES_MAX; i-- > 0;) {
		if (f->scopes[i])
			name = arena_printf(f->arena, "%s::%s", f->scopes[i], name);
	}
	return name;
}

/* Enters the children of an entry with the name @name. */
static void enter_scope(struct scan *f, const char *name)
{
	if (f->depth < SCOPES_MAX)
		f->scopes[f->depth] = name;
	f->depth++;
}

static void visit_scoped(struct scan *f, struct bytes *c, const struct abbrev *a, Dwarf_Off die)
{
	struct scanned_entry e = read_entry(f, c, a);
	const char *name = NULL;

	if (a->what == W_SPACE || a->what == W_TYPE) {
		bool is_space = a->what == W_SPACE && !e.name;

		name = is_space ? "(anonymous namespace)" : e.name;
	} else if (a->what == W_INLINED) {
		if (e.origin)
			scanned_add_copy(&f->scanned, die, e.origin, DWARF_FOUND_INLINED);
	} else {
		const char *known = known_as(f, &e);

		name = e.name;
		if (known && is_wanted(f, known))
			scanned_add(&f->scanned, die, known, e.has_code && !e.is_declaration ?
				    DWARF_FOUND_FUNCTION : DWARF_FOUND_ABSTRACT);
		else if (!known && e.origin)
			scanned_add_copy(&f->scanned, die, e.origin,
					 e.has_code ? DWARF_FOUND_CLONE : DWARF_FOUND_ABSTRACT);
	}
	if (a->children)
		enter_scope(f, name);
}

static bool is_scoped(const struct abbrev *a)
{
	return a->what == W_SUBPROGRAM || a->what == W_INLINED || a->what == W_TYPE ||
	       a->what == W_SPACE;
}

static void read_scoped_entries(struct scan *f, struct bytes *c)
{
	f->depth = 0;
	while (c->p < c->end) {
		Dwarf_Off die = offset_of(f, c->p);
		uint64_t code = bytes_uleb(c);

		if (code == 0) {
			f->depth -= f->depth > 0;
			continue;
		}
		if (code >= f->nabbrevs)
			return;

		const struct abbrev *a = &f->abbrevs[code];

		if (is_scoped(a)) {
			visit_scoped(f, c, a, die);
			continue;
		}
		for (uint32_t i = 0; i < a->n; i++)
			skip_form(f, c, f->specs.v[a->first + i].form);
		if (a->children)
			enter_scope(f, NULL);
	}
}

/* ---- entries of C ---- */

static void read_entries(struct scan *f, struct bytes *c)
{
	while (c->p < c->end) {
		Dwarf_Off die = offset_of(f, c->p);
		uint64_t code = *c->p < 128 ? *c->p++ : bytes_uleb(c);

		if (code == 0)
			continue;
		if (code >= f->nabbrevs) {
			f->damaged = true;
			return;
		}

		const struct abbrev *a = &f->abbrevs[code];

		if (a->what == W_SUBPROGRAM || a->what == W_INLINED) {
			visit_entry(f, c, a, die);
			continue;
		}
		if ((a->what == W_CLOSED || a->what == W_TYPE) && a->children &&
		    a->sibling_at >= 0 && c->end - c->p >= a->sibling_at + 4) {
			uint32_t next;

			memcpy(&next, c->p + a->sibling_at, 4);
			if (f->unit + next > c->p && next <= (uint64_t)(c->end - f->unit)) {
				c->p = f->unit + next;
				continue;
			}
		}
		if (a->fixed >= 0) {
			bytes_skip(c, (uint64_t)a->fixed);
			continue;
		}
		for (uint32_t i = 0; i < a->n; i++)
			skip_form(f, c, f->specs.v[a->first + i].form);
	}
}

/* ---- units ---- */

static uint64_t read_value(const struct scan *f, struct bytes *c, struct spec s)
{
	int size = form_size(f, s.form);

	if (s.form == DW_FORM_implicit_const)
		return (uint64_t)s.value;
	return size > 0 && size <= 8 ? bytes_fixed(c, (size_t)size) : bytes_uleb(c);
}

/* Reads what the unit's first entry, at @c, says of the others. Returns whether there are any. */
static bool read_first_entry(struct scan *f, struct bytes c)
{
	uint64_t code = bytes_uleb(&c);
	const struct abbrev *a = code < f->nabbrevs ? &f->abbrevs[code] : NULL;

	f->has_scopes = a && a->what == W_PARTIAL;
	f->strings = f->version < 5 ? 0 : 2 * f->offset_size; /* behind the table's header */
	for (uint32_t i = 0; a && (a->what == W_UNIT || a->what == W_PARTIAL) && i < a->n; i++) {
		struct spec s = f->specs.v[a->first + i];

		if (s.attr == DW_AT_str_offsets_base)
			f->strings = read_value(f, &c, s);
		else if (s.attr == DW_AT_language)
			f->has_scopes |= dwarf_units_language_has_scopes((int)read_value(f, &c, s));
		else
			skip_form(f, &c, s.form);
	}
	return !a || a->children;
}

/* Reads the unit at f->unit. Returns the beginning of the next one, or NULL. */
static const unsigned char *read_unit(struct scan *f)
{
	struct bytes c = { .p = f->unit, .end = f->info.start + f->info.size };
	uint64_t length = dwarf_units_length(&c, &f->offset_size), abbrevs;
	unsigned type = DW_UT_compile;

	if (!length)
		return NULL;
	c.end = c.p + length;
	f->version = (unsigned)bytes_fixed(&c, 2);
	if (f->version >= 5) {
		type = (unsigned)bytes_fixed(&c, 1);
		f->address_size = (unsigned)bytes_fixed(&c, 1);
		abbrevs = bytes_fixed(&c, f->offset_size);
		if (type == DW_UT_split_compile)
			bytes_skip(&c, 8); /* its number */
	} else {
		abbrevs = bytes_fixed(&c, f->offset_size);
		f->address_size = (unsigned)bytes_fixed(&c, 1);
	}
	if (f->version < 2 || f->version > 5 || !read_abbrevs(f, abbrevs)) {
		f->damaged = true;
	} else if ((type == DW_UT_compile || type == DW_UT_partial ||
		    type == DW_UT_split_compile) && read_first_entry(f, c)) {
		(f->joins_late && f->has_scopes ? read_scoped_entries : read_entries)(f, &c);
		if (!f->joins_late)
			scanned_report(&f->scanned);
	}
	return c.end;
}

/* Returns false if damage hides some of the units. */
static bool read_part(struct scan *f, const struct dwarf_part *part)
{
	const unsigned char *end = part->info.start ? part->info.start + part->info.size : NULL;

	f->base = part->base;
	f->info = part->info;
	f->abbrev = dwarf_parts_bytes(part, ".debug_abbrev");
	f->str = dwarf_parts_bytes(part, ".debug_str");
	f->line_str = dwarf_parts_bytes(part, ".debug_line_str");
	f->str_offsets = dwarf_parts_bytes(part, ".debug_str_offsets");
	f->unit = f->info.start;
	while (f->unit && f->unit < end)
		f->unit = read_unit(f);
	return f->unit == end;
}

bool dwarf_scan(struct dwarf_db *db, bool (*wants)(void *data, const char *name),
		void (*visit)(void *data, const struct dwarf_found *found), void *data)
{
	struct scan f = {
		.wants = wants, .data = data, .scanned = { .visit = visit, .data = data },
		.arena = db->arena, .joins_late = db->is_program,
		.abbrevs = memory_zeroed(ABBREVS_MAX, sizeof(*f.abbrevs)),
	};
	bool whole = read_part(&f, dwarf_parts_first(db));

	dwarf_split_load(db);
	for (size_t i = 1; db->split && i < db->parts.n; i++)
		whole &= read_part(&f, db->parts.v[i]);
	scanned_report(&f.scanned);
	whole &= !f.damaged;
	free(f.abbrevs);
	free(f.specs.v);
	scanned_deinit(&f.scanned);
	return whole;
}
