/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clang says how a class is passed by DW_AT_calling_convention (DWARF 5, 5.7.1). gcc does not, but
 * describes the special members that the source declares, with DW_AT_deleted and DW_AT_defaulted
 * (5.7.8). Those that the source does not declare, or leaves to the compiler, follow from the bases
 * and members by the rules of C++20, [class.copy.ctor] and [class.dtor].
 */
#include "target/dwarf/values/classes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "target/dwarf/values/read.h"

enum {
	CLASS_DEPTH = 16,
	CLASSES_MAX = 2000,  /* parts of one class; only damaged information has more */
};

/* A special member; of several parts, the last one of this list decides. */
enum special {
	SPECIAL_TRIVIAL, SPECIAL_WRITTEN, SPECIAL_DELETED, SPECIAL_DOUBTFUL,
	SPECIAL_ABSENT,  /* there is no move constructor: the copy constructor serves for it */
};

struct specials { enum special copy, move, destructor; };

/* The special members in the source. */
struct declared {
	bool copy, move, destructor, assigns_copy, assigns_move;
	/* SPECIAL_TRIVIAL: "= default", which its parts decide */
	struct specials how;
	bool is_virtual;       /* it has virtual functions or virtual bases */
	/* a constructor may be a copy constructor, if its other parameters have defaults */
	bool is_doubtful;
};

struct reading_class {
	struct dwarf_types *t;
	int *left;             /* classes that may still be read */
	Dwarf_Die die;
	int depth;
};

static enum special worse(enum special a, enum special b)
{
	return a > b ? a : b;
}

bool classes_of(Dwarf_Die *from, Dwarf_Die *ret)
{
	Dwarf_Die type = *from;

	for (int i = 0; i < CLASS_DEPTH; i++) {
		switch (dwarf_tag(&type)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			*ret = type;
			return true;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_atomic_type:
		case DW_TAG_array_type:
			break;
		default:
			return false;
		}
		if (!dwarf_read_target(&type, &type))
			return false;
	}
	return false;
}

/* ---- what the source declares ---- */

/* The first parameter after the object itself. Returns the number of parameters, or 0 for a
 * template, which is no special member. */
static int first_parameter(Dwarf_Die *function, Dwarf_Die *ret)
{
	Dwarf_Die child;
	int n = 0;

	if (dwarf_child(function, &child) != 0)
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
			return 0;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
		    dwarf_hasattr(&child, DW_AT_artificial))
			continue;
		if (n++ == 0)
			*ret = child;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

/* The kind of reference (a tag) to the class that the function's first parameter is, or 0. */
static int reference_to(const struct reading_class *r, Dwarf_Die *function, int *n)
{
	Dwarf_Die parameter, type, target, own = r->die;
	int tag;

	*n = first_parameter(function, &parameter);
	if (!*n || !dwarf_read_target(&parameter, &type))
		return 0;
	tag = dwarf_tag(&type);
	if ((tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) ||
	    !dwarf_read_target(&type, &type) || !classes_of(&type, &target) ||
	    target.addr != own.addr)
		return 0;
	return tag;
}

/* Whether it has the name of the class, without the arguments of a template. */
static bool is_constructor(const struct reading_class *r, const char *name)
{
	Dwarf_Die class = r->die;
	const char *own = dwarf_read_name(&class);
	size_t n = strcspn(own, "<");

	return n && strncmp(name, own, n) == 0 && !name[n];
}

/* Whether "= default" is described: by DWARF 5, and before it by gcc since version 7, unless it was
 * asked for standard attributes only. A unit of a type (DWARF 4) does not name its compiler. */
static bool tells_default(Dwarf_Die *die)
{
	const char *producer = dwarf_units_producer(die), *release = strstr(producer, "C++");
	Dwarf_Half version = 0;

	dwarf_cu_info(die->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	release = release ? strchr(release, ' ') : NULL;
	return version >= 5 || (release && strtol(release, NULL, 10) >= 7 &&
				!strstr(producer, "-gstrict-dwarf"));
}

static enum special how_declared(Dwarf_Die *function)
{
	uint64_t defaulted = DW_DEFAULTED_no;

	if (dwarf_hasattr(function, DW_AT_deleted))
		return SPECIAL_DELETED;
	if (!tells_default(function))
		return SPECIAL_DOUBTFUL;
	dwarf_read_number(function, DW_AT_defaulted, &defaulted);
	return defaulted == DW_DEFAULTED_in_class ? SPECIAL_TRIVIAL : SPECIAL_WRITTEN;
}

static void read_constructor(Dwarf_Die *function, int reference, struct declared *d)
{
	enum special one = how_declared(function);

	/* There may be one of a const object and one of another. */
	if (reference == DW_TAG_reference_type) {
		d->how.copy = d->copy && one == SPECIAL_DELETED ? d->how.copy :
							       worse(d->how.copy, one);
		d->copy = true;
	} else {
		d->how.move = one;
		d->move = true;
	}
}

static void read_function(const struct reading_class *r, Dwarf_Die *function, struct declared *d)
{
	const char *name = dwarf_read_name(function);
	uint64_t virtuality = DW_VIRTUALITY_none;
	int reference, n;

	dwarf_read_number(function, DW_AT_virtuality, &virtuality);
	d->is_virtual |= virtuality != DW_VIRTUALITY_none;
	/* The parts decide what the compiler declares itself. */
	if (dwarf_hasattr(function, DW_AT_artificial))
		return;
	if (*name == '~') {
		/* Several have conditions, of which debug information has none. */
		d->how.destructor = d->destructor ? SPECIAL_DOUBTFUL : how_declared(function);
		d->destructor = true;
		return;
	}
	reference = reference_to(r, function, &n);
	if (!reference)
		return;
	if (strcmp(name, "operator=") == 0) {
		d->assigns_copy |= reference == DW_TAG_reference_type;
		d->assigns_move |= reference == DW_TAG_rvalue_reference_type;
	} else if (is_constructor(r, name)) {
		d->is_doubtful |= n > 1;
		if (n == 1)
			read_constructor(function, reference, d);
	}
}

/* ---- what the language defines ---- */

static struct specials specials_of(struct reading_class r);

/* Adds a base or a member to what decides about members that the compiler defines. */
static void add_part(const struct reading_class *r, Dwarf_Die *part, struct specials *all)
{
	Dwarf_Die type, class;

	if (!dwarf_read_target(part, &type) || !classes_of(&type, &class))
		return;

	struct specials one = specials_of((struct reading_class){ r->t, r->left, class,
								  r->depth + 1 });
	enum special move = one.move == SPECIAL_ABSENT ? one.copy : one.move;

	all->copy = worse(all->copy, one.copy);
	all->move = worse(all->move, move);
	all->destructor = worse(all->destructor, one.destructor);
}

static void read_children(const struct reading_class *r, struct declared *d, struct specials *parts)
{
	Dwarf_Die class = r->die, child;
	uint64_t virtuality;

	if (dwarf_child(&class, &child) != 0)
		return;
	do {
		virtuality = DW_VIRTUALITY_none;
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			read_function(r, &child, d);
			break;
		case DW_TAG_inheritance:
			dwarf_read_number(&child, DW_AT_virtuality, &virtuality);
			d->is_virtual |= virtuality != DW_VIRTUALITY_none;
			add_part(r, &child, parts);
			break;
		case DW_TAG_member:
			if (!dwarf_read_declared(&child))
				add_part(r, &child, parts);
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

static struct specials combine(const struct declared *d, const struct specials *parts)
{
	const struct specials *own = &d->how;
	enum special least = d->is_virtual ? SPECIAL_WRITTEN : SPECIAL_TRIVIAL;
	enum special copy = worse(parts->copy, least), move = worse(parts->move, least);
	struct specials ret = { own->copy, own->move, own->destructor };

	if (!d->copy && (d->move || d->assigns_move))
		ret.copy = SPECIAL_DELETED;
	else if (own->copy == SPECIAL_TRIVIAL)
		ret.copy = copy;
	if (!d->move && (d->copy || d->assigns_copy || d->assigns_move || d->destructor))
		ret.move = SPECIAL_ABSENT;
	else if (own->move == SPECIAL_TRIVIAL)
		ret.move = move == SPECIAL_DELETED ? SPECIAL_ABSENT : move;
	if (own->destructor == SPECIAL_TRIVIAL)
		ret.destructor = parts->destructor;
	/* Only if nothing else makes it special. */
	if (d->is_doubtful && ret.copy == SPECIAL_TRIVIAL)
		ret.copy = SPECIAL_DOUBTFUL;
	return ret;
}

/* Whether it is gcc, which describes what the source says of special members. */
static bool is_described(Dwarf_Die *class)
{
	Dwarf_Die unit;

	return dwarf_units_is_by_gcc(class) ||
	       (dwarf_diecu(class, &unit, NULL, NULL) && dwarf_tag(&unit) == DW_TAG_type_unit &&
		dwarf_hasattr(&unit, DW_AT_GNU_odr_signature));
}

static struct specials specials_of(struct reading_class r)
{
	static const struct specials by_value = { 0 };
	static const struct specials by_address = { SPECIAL_WRITTEN, SPECIAL_WRITTEN,
						    SPECIAL_WRITTEN };
	static const struct specials doubtful = { SPECIAL_DOUBTFUL, SPECIAL_DOUBTFUL,
						  SPECIAL_DOUBTFUL };
	struct specials parts = { 0 };
	struct declared d = { 0 };
	uint64_t convention = 0;

	if (r.depth > CLASS_DEPTH || --*r.left < 0 || !dwarf_types_define(r.t, &r.die))
		return doubtful;
	dwarf_read_number(&r.die, DW_AT_calling_convention, &convention);
	if (convention == DW_CC_pass_by_reference || convention == DW_CC_pass_by_value)
		return convention == DW_CC_pass_by_value ? by_value : by_address;
	if (!is_described(&r.die))
		return doubtful;
	read_children(&r, &d, &parts);
	return combine(&d, &parts);
}

enum classes_passed classes_passed(struct dwarf_types *t, Dwarf_Die *die)
{
	int left = CLASSES_MAX;
	const struct specials s = specials_of((struct reading_class){ t, &left, *die, 0 });

	if (s.copy == SPECIAL_WRITTEN || s.move == SPECIAL_WRITTEN ||
	    s.destructor == SPECIAL_WRITTEN)
		return CLASSES_BY_ADDRESS;
	if (s.copy == SPECIAL_DOUBTFUL || s.move == SPECIAL_DOUBTFUL ||
	    s.destructor == SPECIAL_DOUBTFUL)
		return CLASSES_UNKNOWN;
	return s.copy == SPECIAL_DELETED && (s.move == SPECIAL_DELETED ||
					     s.move == SPECIAL_ABSENT) ? CLASSES_BY_ADDRESS :
									 CLASSES_BY_VALUE;
}
