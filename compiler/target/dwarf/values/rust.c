/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How Rust passes parameters and results. Its own convention is not specified, and debug
 * information names neither it nor `extern "C"`. But compilers from 1.63 to 1.95 agree on this, and
 * so does C's convention unless a comment says otherwise:
 *
 *   - A number, a pointer, an enumeration without data, and a structure of only one of them are
 *     passed in one register.
 *   - So is any other type of at most 8 bytes.
 *   - A pair of two of them (&str, a slice, Option<u64>) is passed in two registers, even if both
 *     fit in one, where C uses one.
 *   - For anything else, the caller passes the address, where C copies it to the stack or uses two
 *     registers. The locations of a parameter show which is the case.
 *   - A result is returned as it would be passed, or at an address that the caller passes, if it is
 *     no pair and larger than 16 bytes. Between 9 and 16 bytes, compilers differ.
 *   - Values without a size are not passed.
 *
 * A type is a pair by rules (rustc's "scalar pair") of which this follows the certain part. Types
 * beyond it are refused, with all later parameters.
 */
#include <dwarf.h>
#include <string.h>

#include "target/btf/btf.h"
#include "target/dwarf/values/params.h"
#include "target/dwarf/values/read.h"

/* How deep types within types are followed, and how many of them for one parameter: there may be no
 * end to those of a damaged file. */
enum { LAYOUT_DEPTH = 24, LAYOUT_TYPES = 10000, FIELDS_MAX = 3, WORD = 8 };

enum layout_kind { LAYOUT_NOTHING, LAYOUT_NUMBER, LAYOUT_FLOAT, LAYOUT_PAIR, LAYOUT_OTHER,
		   LAYOUT_UNKNOWN };

struct layout {
	enum layout_kind kind;
	uint64_t size;
	uint64_t second;     /* LAYOUT_PAIR: where the second part is */
	bool is_pointer;     /* LAYOUT_NUMBER */
	bool is_own;         /* LAYOUT_PAIR: a type that only Rust has, never passed as in C */
};

/* A member that has a size. */
struct field {
	struct layout layout;
	uint64_t at;
};
/* The first of them, and their number. */
struct fields {
	struct field v[FIELDS_MAX];
	unsigned n;
	bool all_numbers;    /* they have no floating point and nothing unknown inside */
};

/* How many levels and types may still be read for one parameter or result. */
struct limits { int levels, types; };

static struct layout layout_of(Dwarf_Die *type, struct limits *l);

static const struct layout unknown = { .kind = LAYOUT_UNKNOWN };

static uint64_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size = 0;

	return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static void read_fields(Dwarf_Die *type, struct limits *l, struct fields *ret)
{
	Dwarf_Die child, of;

	*ret = (struct fields){ .all_numbers = true };
	if (dwarf_child(type, &child) != 0)
		return;
	do {
		struct field one = { .at = 0 };

		if (dwarf_tag(&child) != DW_TAG_member || dwarf_read_declared(&child) ||
		    !dwarf_read_target(&child, &of))
			continue;
		dwarf_read_number(&child, DW_AT_data_member_location, &one.at);
		one.layout = layout_of(&of, l);
		if (one.layout.kind == LAYOUT_NOTHING)
			continue;
		ret->all_numbers &= one.layout.kind != LAYOUT_FLOAT &&
				    one.layout.kind != LAYOUT_UNKNOWN;
		if (ret->n < FIELDS_MAX)
			ret->v[ret->n] = one;
		ret->n++;
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* A type that is no pair. A small one with floating point may be passed in either kind of
 * register. */
static struct layout other(uint64_t size, bool all_numbers)
{
	return all_numbers || size > WORD ?
	       (struct layout){ .kind = LAYOUT_OTHER, .size = size } : unknown;
}

/* Two fields of a type of @size bytes: a pair, if they are where nothing but their alignment puts
 * them. */
static struct layout pair_of(const struct field *a, const struct field *b, uint64_t size)
{
	const struct field *low = a->at <= b->at ? a : b, *high = low == a ? b : a;
	uint64_t align = high->layout.size, most = align > low->layout.size ? align :
									       low->layout.size;

	if (a->layout.kind == LAYOUT_UNKNOWN || b->layout.kind == LAYOUT_UNKNOWN ||
	    a->layout.kind == LAYOUT_FLOAT || b->layout.kind == LAYOUT_FLOAT)
		return unknown;
	if (a->layout.kind != LAYOUT_NUMBER || b->layout.kind != LAYOUT_NUMBER || low->at ||
	    high->at != (low->layout.size + align - 1) / align * align ||
	    size != (high->at + align + most - 1) / most * most)
		return other(size, true);
	return (struct layout){ .kind = LAYOUT_PAIR, .size = size, .second = high->at };
}

static struct layout structure(Dwarf_Die *type, struct limits *l)
{
	struct fields f;
	uint64_t size = size_of(type);
	struct layout ret;

	read_fields(type, l, &f);
	if (size == 0)
		return (struct layout){ .kind = LAYOUT_NOTHING };
	if (f.n == 0)
		return unknown;
	if (f.n == 1 && (f.v[0].layout.kind == LAYOUT_UNKNOWN ||
			 f.v[0].layout.kind == LAYOUT_FLOAT))
		return unknown;
	if (f.n == 1 && !f.v[0].at && f.v[0].layout.size == size)
		return f.v[0].layout;
	ret = f.n == 2 ? pair_of(&f.v[0], &f.v[1], size) : other(size, f.all_numbers);
	ret.is_own = *dwarf_read_name(type) == '(';
	return ret;
}

/* ---- enumerations with data ---- */

/* The variants with data. */
struct variants {
	struct fields first, second;
	unsigned n;
	bool is_unknown;
};

static void read_variants(Dwarf_Die *part, struct limits *l, struct variants *ret)
{
	Dwarf_Die child, member, type;

	*ret = (struct variants){ 0 };
	if (dwarf_child(part, &child) != 0)
		return;
	do {
		struct fields f;

		if (dwarf_tag(&child) != DW_TAG_variant || dwarf_child(&child, &member) != 0 ||
		    !dwarf_read_target(&member, &type))
			continue;
		read_fields(&type, l, &f);
		ret->is_unknown |= !f.all_numbers;
		if (f.n == 0)
			continue;
		if (ret->n++ == 0)
			ret->first = f;
		else
			ret->second = f;
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* The only variant with data, of one field: where that is all, other variants are values that it
 * can't have; otherwise a number before it tells them apart. */
static struct layout of_one_field(const struct field *f, uint64_t size)
{
	if (f->at == 0 && f->layout.size == size)
		return f->layout;
	if (f->layout.kind != LAYOUT_NUMBER)
		return other(size, true);
	return f->at && f->at + f->layout.size == size ?
	       (struct layout){ .kind = LAYOUT_PAIR, .size = size, .second = f->at } : unknown;
}

/* Two variants of one field: a pair, if the fields are alike. */
static struct layout of_two(const struct field *a, const struct field *b, uint64_t size)
{
	bool numbers = a->layout.kind == LAYOUT_NUMBER && b->layout.kind == LAYOUT_NUMBER;

	if (!numbers || a->at != b->at || a->layout.size != b->layout.size)
		return other(size, true);
	/* Compilers differ in whether a pointer is like a number. */
	if (a->layout.is_pointer != b->layout.is_pointer || !a->at ||
	    a->at + a->layout.size != size)
		return unknown;
	return (struct layout){ .kind = LAYOUT_PAIR, .size = size, .second = a->at };
}

static struct layout enumeration(Dwarf_Die *type, Dwarf_Die *part, struct limits *l)
{
	uint64_t size = size_of(type);
	struct variants v;
	struct layout ret = unknown;

	read_variants(part, l, &v);
	if (size == 0)
		return (struct layout){ .kind = LAYOUT_NOTHING };
	if (v.is_unknown || v.n > 2)
		return size > 2 * WORD && !v.is_unknown ? other(size, true) : unknown;
	if (v.n == 0)
		return size <= WORD ? (struct layout){ .kind = LAYOUT_NUMBER, .size = size } :
				      unknown;
	if (v.n == 1 && v.first.n == 1)
		ret = of_one_field(&v.first.v[0], size);
	else if (v.n == 2 && v.first.n == 1 && v.second.n == 1)
		ret = of_two(&v.first.v[0], &v.second.v[0], size);
	else if (v.n == 1 && v.first.n == 2 && (!v.first.v[0].at || !v.first.v[1].at))
		ret = pair_of(&v.first.v[0], &v.first.v[1], size);
	else
		ret = other(size, true);
	ret.is_own = true;
	return ret;
}

/* ---- all types ---- */

static struct layout number(Dwarf_Die *type)
{
	uint64_t encoding = 0, size = size_of(type);

	dwarf_read_number(type, DW_AT_encoding, &encoding);
	if (size == 0)
		return (struct layout){ .kind = LAYOUT_NOTHING };
	if (size > WORD)
		return unknown;
	return (struct layout){ .kind = encoding == DW_ATE_float ? LAYOUT_FLOAT : LAYOUT_NUMBER,
				.size = size };
}

static struct layout array(Dwarf_Die *type, struct limits *l)
{
	uint64_t size = size_of(type);
	Dwarf_Die of;

	if (dwarf_hasattr(type, DW_AT_GNU_vector) || !dwarf_read_target(type, &of))
		return unknown;
	if (size == 0)
		return (struct layout){ .kind = LAYOUT_NOTHING };

	struct layout element = layout_of(&of, l);

	return other(size, element.kind != LAYOUT_FLOAT && element.kind != LAYOUT_UNKNOWN);
}

/* The types of core::arch and core::simd are passed in vector registers, or not. */
static bool is_vector(const char *name)
{
	return strncmp(name, "__m", 3) == 0 || strncmp(name, "Simd<", 5) == 0;
}

static struct layout by_tag(Dwarf_Die *type, struct limits *l)
{
	Dwarf_Die part;

	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return number(type);
	case DW_TAG_pointer_type:
		return (struct layout){ .kind = LAYOUT_NUMBER, .size = WORD, .is_pointer = true };
	case DW_TAG_enumeration_type:
		return number(type);
	case DW_TAG_array_type:
		return array(type, l);
	case DW_TAG_typedef:
		return dwarf_read_target(type, &part) ? layout_of(&part, l) : unknown;
	case DW_TAG_structure_type:
		if (is_vector(dwarf_read_name(type)))
			return unknown;
		return dwarf_read_child(type, DW_TAG_variant_part, &part) ?
			       enumeration(type, &part, l) : structure(type, l);
	case DW_TAG_union_type:
		return size_of(type) > 4 * WORD ? other(size_of(type), true) : unknown;
	default:
		return unknown;
	}
}

static struct layout layout_of(Dwarf_Die *type, struct limits *l)
{
	struct layout ret = unknown;

	/* Beyond a limit, nothing of the whole type is known: what is there may be empty. */
	if (--l->levels < 0)
		l->types = 0;
	if (--l->types >= 0)
		ret = by_tag(type, l);
	l->levels++;
	return ret;
}

/* The layout of a parameter's or result's type. */
static struct layout whole(Dwarf_Die *type)
{
	struct limits l = { .levels = LAYOUT_DEPTH, .types = LAYOUT_TYPES };
	struct layout ret = layout_of(type, &l);

	return l.types >= 0 ? ret : unknown;
}

/* ---- how it is passed ---- */

static struct btf_passing refused(const char *why)
{
	return (struct btf_passing){ .how = BTF_PASS_UNKNOWN, .why = why };
}

/* Two words have a register each. */
static struct btf_passing pair(const struct layout *l)
{
	struct btf_passing ret = { .how = BTF_PASS_EACH, .words = 2 };

	if (l->second == WORD)
		return ret;
	ret.why = "its two parts are in two registers";
	return l->is_own ? ret : refused("it is not known whether it is passed as Rust or as C "
					 "does it");
}

struct btf_passing rust_param(Dwarf_Die *param, bool is_address)
{
	Dwarf_Die type;
	struct layout l = unknown;

	if (dwarf_read_target(param, &type))
		l = whole(&type);
	switch (l.kind) {
	case LAYOUT_NOTHING:
		return (struct btf_passing){ .how = BTF_PASS_NOTHING, .why = "its type is empty" };
	case LAYOUT_NUMBER:
		return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = 1 };
	case LAYOUT_FLOAT:
		return (struct btf_passing){ .how = BTF_PASS_FLOATS, .words = 1 };
	case LAYOUT_PAIR:
		return pair(&l);
	case LAYOUT_OTHER:
		if (l.size <= WORD)
			return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = 1 };
		if (is_address)
			return (struct btf_passing){ .how = BTF_PASS_ADDRESS };
		break;
	case LAYOUT_UNKNOWN:
		break;
	}
	return refused("Rust does not specify how its type is passed");
}

struct btf_passing rust_result(Dwarf_Die *function)
{
	Dwarf_Die type;
	struct layout l = { .kind = LAYOUT_NOTHING };

	if (dwarf_read_target(function, &type))
		l = whole(&type);
	switch (l.kind) {
	case LAYOUT_NOTHING:
		return (struct btf_passing){ .how = BTF_PASS_NOTHING, .why = "its type is empty" };
	case LAYOUT_NUMBER:
		return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = 1 };
	case LAYOUT_FLOAT:
		return (struct btf_passing){ .how = BTF_PASS_FLOATS, .words = 1 };
	case LAYOUT_PAIR:
		if (l.second == WORD)
			return (struct btf_passing){ .how = BTF_PASS_EACH, .words = 2 };
		return (struct btf_passing){ .how = BTF_PASS_NOTHING,
					     .why = "its two parts are returned in two registers" };
	case LAYOUT_OTHER:
		if (l.size <= WORD)
			return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = 1 };
		if (l.size > 2 * WORD)
			return (struct btf_passing){ .how = BTF_PASS_ADDRESS };
		break;
	case LAYOUT_UNKNOWN:
		break;
	}
	return refused("Rust does not specify how its type is returned");
}

bool rust_is_closure(Dwarf_Die *function)
{
	static const char *const calls[] = { "call", "call_mut", "call_once" };
	const char *name = dwarf_read_name(function);
	size_t n = strcspn(name, "<");

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strlen(calls[i]) == n && strncmp(name, calls[i], n) == 0)
			return true;
	return strchr(name, '{');
}
