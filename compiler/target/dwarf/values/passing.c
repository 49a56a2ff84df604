/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How parameters and results are passed where BTF does not tell: by the language of the unit
 * (DW_AT_language), classes of C++ (classes.h), and types that BTF has no name for. The processor's
 * part is in arch/passing.c.
 */
#include <dwarf.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/btf/btf.h"
#include "target/dwarf/values/classes.h"
#include "target/dwarf/values/params.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "target/object/demangle.h"
#include "state.h"

enum { TYPE_DEPTH = 32, MEMBERS_MAX = 500 };

enum language { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_RUST, LANGUAGE_OTHER };

static enum language language_of(Dwarf_Die *function)
{
	switch (dwarf_units_language(function)) {
	case DWARF_LANGUAGE_C:
		return LANGUAGE_C;
	case DWARF_LANGUAGE_CPP:
		return LANGUAGE_CPP;
	case DWARF_LANGUAGE_RUST:
		return LANGUAGE_RUST;
	default:
		return LANGUAGE_OTHER;
	}
}

/* ---- types ---- */

/* The type without typedefs and qualifiers. Returns false for void. */
static bool bare_type(Dwarf_Die *of, Dwarf_Die *ret)
{
	Dwarf_Die type = *of;

	for (int i = 0; i < TYPE_DEPTH; i++) {
		if (!dwarf_read_target(&type, &type))
			return false;
		switch (dwarf_tag(&type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			continue;
		}
		*ret = type;
		return true;
	}
	return false;
}

static bool is_vector(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_GNU_vector);
}

/* The number of vector registers for a number that BTF calls an integer or a float, but that is not
 * passed as such: complex and decimal numbers, and floats of 16 bytes that are no long double. 0:
 * it is something else. */
static unsigned odd_number(Dwarf_Die *type)
{
	uint64_t encoding = 0, size = 0;

	if (dwarf_tag(type) != DW_TAG_base_type)
		return 0;
	dwarf_read_number(type, DW_AT_encoding, &encoding);
	dwarf_read_number(type, DW_AT_byte_size, &size);
	if (encoding == DW_ATE_complex_float)
		return size > 8 ? 2 : 1;
	if (encoding == DW_ATE_decimal_float)
		return 1;
	return encoding == DW_ATE_float && size == 16 &&
	       strcmp(dwarf_read_name(type), "long double") != 0;
}

/* Complex numbers in more than two words; of long doubles, they are returned in registers of their
 * own. gcc has complex integers, too. */
static bool is_large_complex(Dwarf_Die *type, bool is_result)
{
	uint64_t encoding = 0, size = 0;

	if (dwarf_tag(type) != DW_TAG_base_type)
		return false;
	dwarf_read_number(type, DW_AT_encoding, &encoding);
	dwarf_read_number(type, DW_AT_byte_size, &size);
	if (encoding == DW_ATE_complex_float)
		return size > 16 && !(is_result && strstr(dwarf_read_name(type), "long double"));
	return encoding >= DW_ATE_lo_user && size > 8;
}

/* Whether it is a number of two words. LLVM before 18 passes each word for itself, against the
 * psABI, which has both in registers or both on the stack. */
static bool is_wide(Dwarf_Die *type)
{
	uint64_t encoding = 0, size = 0;

	return dwarf_tag(type) == DW_TAG_base_type &&
	       dwarf_read_number(type, DW_AT_byte_size, &size) && size == 16 &&
	       dwarf_read_number(type, DW_AT_encoding, &encoding) && encoding != DW_ATE_float;
}

/* A part of a structure that is passed in a way of its own. */
static bool is_odd(Dwarf_Die *type)
{
	return is_vector(type) || odd_number(type) || dwarf_tag(type) == DW_TAG_ptr_to_member_type;
}

/* An array that ends a structure and has no bound. */
static bool is_flexible_array(Dwarf_Die *type)
{
	Dwarf_Die bound;

	return dwarf_tag(type) == DW_TAG_array_type && !is_vector(type) &&
	       dwarf_read_child(type, DW_TAG_subrange_type, &bound) &&
	       !dwarf_hasattr(&bound, DW_AT_count) && !dwarf_hasattr(&bound, DW_AT_upper_bound);
}

/* Whether @is holds for a part of a structure, or there are more parts than *left. */
static bool has_part(Dwarf_Die *class, bool (*is)(Dwarf_Die *type), int depth, int *left)
{
	Dwarf_Die child, type;

	if (depth > TYPE_DEPTH || dwarf_child(class, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_read_declared(&child) || !bare_type(&child, &type))
			continue;
		if (--*left < 0 || is(&type) ||
		    (classes_of(&type, &type) && has_part(&type, is, depth + 1, left)))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static unsigned asked_alignment(Dwarf_Die *of, int depth, int *left);

static unsigned alignment_of_parts(Dwarf_Die *class, int depth, int *left)
{
	Dwarf_Die child;
	unsigned most = 0;

	if (dwarf_child(class, &child) != 0)
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if (tag != DW_TAG_inheritance &&
		    (tag != DW_TAG_member || dwarf_read_declared(&child)))
			continue;

		unsigned one = asked_alignment(&child, depth, left);

		most = one > most ? one : most;
	} while (dwarf_siblingof(&child, &child) == 0);
	return most;
}

/* The alignment in bytes that the source asks for, of a type, of a member, or of a part of these;
 * 0: it asks for none. */
static unsigned asked_alignment(Dwarf_Die *of, int depth, int *left)
{
	uint64_t own = 0;
	unsigned inside = 0;
	Dwarf_Die target;

	if (depth > TYPE_DEPTH || --*left < 0)
		return 0;
	dwarf_read_number(of, DW_AT_alignment, &own);
	switch (dwarf_tag(of)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		inside = alignment_of_parts(of, depth + 1, left);
		break;
	case DW_TAG_member:
	case DW_TAG_inheritance:
	case DW_TAG_array_type:
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_atomic_type:
		if (dwarf_read_target(of, &target))
			inside = asked_alignment(&target, depth + 1, left);
		break;
	}
	return own > inside ? (unsigned)own : inside;
}

static struct btf_passing unknown(const char *why)
{
	return (struct btf_passing){ .how = BTF_PASS_UNKNOWN, .why = why };
}

static struct btf_passing vector(Dwarf_Die *type)
{
	Dwarf_Word size = 0, one = 0;
	uint64_t encoding = 0;
	Dwarf_Die element;

	dwarf_aggregate_size(type, &size);
	if (bare_type(type, &element)) {
		dwarf_aggregate_size(&element, &one);
		dwarf_read_number(&element, DW_AT_encoding, &encoding);
	}
	/* A vector of one double is on the stack. */
	if (one == size && encoding == DW_ATE_float)
		return unknown("how its type is passed is not known");
	return size == 8 || size == 16 ?
	       (struct btf_passing){ .how = BTF_PASS_FLOATS, .words = 1 } :
	       unknown("how a vector of that size is passed depends on the compiler's options");
}

/* A pointer to a function of a class is the function and what is added to the object. */
static struct btf_passing pointer_to_member(Dwarf_Die *type)
{
	Dwarf_Die target;
	bool of_function = bare_type(type, &target) &&
			   dwarf_tag(&target) == DW_TAG_subroutine_type;

	return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = of_function ? 2 : 1 };
}

/* ---- classes ---- */

static bool is_frame_based(const Dwarf_Op *op)
{
	return op->atom == DW_OP_fbreg || op->atom == DW_OP_call_frame_cfa;
}

/* The argument register to which the operation adds a number. */
static bool is_argument_based(const Dwarf_Op *op, bool of_32bit)
{
	const char *name = op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31 ?
			   arch_register(op->atom - DW_OP_breg0, of_32bit) : NULL;

	return name && strcmp(name, ARCH_STACK_POINTER) != 0 && arch_may_pass(name, of_32bit);
}

/* An expression shows whether its location is that of a pointer to the parameter. */
static enum classes_passed of_expression(const Dwarf_Op *ops, size_t n, bool of_32bit)
{
	if (n == 2 && is_frame_based(&ops[0]) && ops[1].atom == DW_OP_deref)
		return CLASSES_BY_ADDRESS;
	if (n == 1 && is_argument_based(&ops[0], of_32bit))
		return CLASSES_BY_ADDRESS;
	if ((n == 1 && is_frame_based(&ops[0])) ||
	    (n && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31))
		return CLASSES_BY_VALUE;
	return CLASSES_UNKNOWN;
}

/* The locations of a parameter show how it is passed. */
static enum classes_passed of_location(const struct param *p)
{
	Dwarf_Die die = p->own;
	enum classes_passed ret = CLASSES_UNKNOWN;
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	uint8_t address_size = 8;
	ptrdiff_t at = 0;
	Dwarf_Die unit;
	size_t n;

	if (!p->has_own || !dwarf_attr(&die, DW_AT_location, &attr) ||
	    !dwarf_diecu(&die, &unit, &address_size, NULL))
		return ret;
	while (ret == CLASSES_UNKNOWN &&
	       (at = dwarf_getlocations(&attr, at, &base, &start, &end, &ops, &n)) > 0)
		ret = of_expression(ops, n, address_size == 4);
	return ret;
}

/* @of: what has the type of @die. */
static struct btf_passing class(struct dwarf_types *t, enum language language, Dwarf_Die *of,
				Dwarf_Die *die, const struct param *p)
{
	enum classes_passed how = CLASSES_BY_VALUE;
	int left = MEMBERS_MAX;
	Dwarf_Die type = *die;

	if (language == LANGUAGE_CPP) {
		how = classes_passed(t, die);
		if (how == CLASSES_UNKNOWN && p)
			how = of_location(p);
	}
	if (how == CLASSES_BY_ADDRESS)
		return (struct btf_passing){ .how = BTF_PASS_ADDRESS };
	if (how == CLASSES_UNKNOWN)
		return unknown(p ? "debug information does not say whether its class is passed by "
			       "address" : "debug information does not say whether its class is "
			       "returned in memory");
	dwarf_types_define(t, &type);
	if (has_part(&type, is_odd, 0, &left))
		return unknown("how its type is passed is not known");
	left = MEMBERS_MAX;

	bool is_flexible = !dwarf_units_is_by_gcc(of) &&
			   has_part(&type, is_flexible_array, 0, &left);

	left = MEMBERS_MAX;
	return (struct btf_passing){
		.how = is_flexible ? BTF_PASS_FLEXIBLE : BTF_PASS_BY_TYPE,
		.alignment = asked_alignment(&type, 0, &left),
	};
}

/* @p: NULL for the result. */
static struct btf_passing passing(struct dwarf_types *t, enum language language, Dwarf_Die *of,
				  const struct param *p)
{
	struct btf_passing ret = { .how = BTF_PASS_BY_TYPE };
	Dwarf_Die type;
	unsigned n;

	if (!bare_type(of, &type))
		return ret;
	if (is_large_complex(&type, !p))
		return unknown("how its type is passed is not known");
	n = odd_number(&type);
	if (n)
		return (struct btf_passing){ .how = BTF_PASS_FLOATS, .words = n };
	if (p && is_wide(&type) && !dwarf_units_is_by_gcc(of))
		return (struct btf_passing){ .how = BTF_PASS_EACH, .words = 2 };
	switch (dwarf_tag(&type)) {
	case DW_TAG_array_type:
		return is_vector(&type) ? vector(&type) : ret;
	case DW_TAG_ptr_to_member_type:
		return pointer_to_member(&type);
	case DW_TAG_unspecified_type: /* nullptr_t */
		return (struct btf_passing){ .how = BTF_PASS_WORDS, .words = 1 };
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return class(t, language, of, &type, p);
	default:
		return ret;
	}
}

/* ---- functions ---- */

/* Whether the source declares the types of all parameters beside their names, not behind them as
 * before C89. Compilers of C but gcc and clang do not say it. */
static bool has_prototype(Dwarf_Die *function)
{
	Dwarf_Die declared = *function;
	Dwarf_Attribute attr;

	if (dwarf_attr(function, DW_AT_abstract_origin, &attr) &&
	    !dwarf_formref_die(&attr, &declared))
		return true;
	return language_of(&declared) != LANGUAGE_C || dwarf_hasattr(&declared, DW_AT_prototyped) ||
	       (!dwarf_units_is_by_gcc(&declared) &&
		!strstr(dwarf_units_producer(&declared), "clang version "));
}

static bool is_float(Dwarf_Die *of)
{
	uint64_t encoding = 0, size = 0;
	Dwarf_Die type;

	return bare_type(of, &type) && dwarf_tag(&type) == DW_TAG_base_type &&
	       dwarf_read_number(&type, DW_AT_encoding, &encoding) && encoding == DW_ATE_float &&
	       dwarf_read_number(&type, DW_AT_byte_size, &size) && size == 4;
}

bool passing_is_promoted(Dwarf_Die *function, Dwarf_Die *param)
{
	return dwarf_tag(param) == DW_TAG_formal_parameter && !has_prototype(function) &&
	       is_float(param);
}

/* gcc describes parameters of constructors and destructors that the source does not have: one that
 * is never passed, and one that is passed to those of base classes alone. */
static bool is_hidden(Dwarf_Die *param, const char *name)
{
	return dwarf_hasattr(param, DW_AT_artificial) && strcmp(dwarf_read_name(param), name) == 0;
}

static struct btf_passing parameter(struct dwarf_types *t, enum language language,
				    Dwarf_Die *function, struct param *p)
{
	static const struct btf_passing not_passed = {
		.how = BTF_PASS_NOTHING, .why = "it is not passed to this function",
	};
	static const struct btf_passing promoted = {
		.how = BTF_PASS_PROMOTED, .why = PASSING_PROMOTED,
	};

	if (language == LANGUAGE_OTHER)
		return unknown("the calling convention of its language is not known");
	if (dwarf_tag(&p->declared) != DW_TAG_formal_parameter)
		return (struct btf_passing){ .how = BTF_PASS_BY_TYPE };
	if (is_hidden(&p->declared, "__in_chrg") ||
	    (is_hidden(&p->declared, "__vtt_parm") && !p->has_own))
		return not_passed;
	if (passing_is_promoted(function, &p->declared))
		return promoted;
	if (language == LANGUAGE_RUST)
		return rust_param(&p->declared, of_location(p) == CLASSES_BY_ADDRESS);
	return passing(t, language, &p->declared, p);
}

static struct btf_passing result(struct dwarf_types *t, enum language language, Dwarf_Die *function)
{
	Dwarf_Die type;

	if (!dwarf_read_target(function, &type))
		return (struct btf_passing){ .how = BTF_PASS_BY_TYPE };
	if (language == LANGUAGE_OTHER)
		return unknown("the calling convention of its language is not known");
	if (language == LANGUAGE_RUST && rust_is_closure(function))
		return unknown("debug information does not list all parameters of a closure");
	return language == LANGUAGE_RUST ? rust_result(function) :
					   passing(t, language, function, NULL);
}

/* The rules for vectors, and for languages but C and C++, are those of programs of 64 bits. */
static struct btf_passing of_32bit(struct btf_passing p, bool is_result)
{
	if (p.how == BTF_PASS_FLOATS || p.how == BTF_PASS_EACH || p.how == BTF_PASS_PROMOTED ||
	    (p.how == BTF_PASS_WORDS && is_result))
		return unknown("how its type is passed in programs of 32 bits is not known");
	return p;
}

/* Whether the name of a C++ function has more parameters than debug information: without
 * optimization, clang leaves out what is passed by address and not used. */
static bool lacks_parameters(struct arena *a, const struct params *params)
{
	Dwarf_Die function = params->function, declared;
	const char *linkage = dwarf_scopes_linkage(&function);
	int n = 0;

	if (!linkage || !demangle_is_mangled(linkage))
		return false;
	vec_each(p, &params->v) {
		declared = p->declared;
		n += !dwarf_hasattr(&declared, DW_AT_artificial);
	}
	return demangle_parameters(demangle_shown(a, linkage)) > n;
}

const struct btf_passing *passing_of(struct state *s, struct dwarf_db *db,
				     const struct params *params)
{
	struct dwarf_types *t = dwarf_types_open(s, db);
	struct btf_passing *ret = arena_alloc(s->arena, (params->v.n + 1) * sizeof(*ret));
	Dwarf_Die function = params->declared;
	enum language language = language_of(&function);
	bool is_c = true, lacks = language == LANGUAGE_CPP && lacks_parameters(s->arena, params);

	ret[0] = result(t, language, &function);
	for (size_t i = 0; i < params->v.n; i++)
		ret[i + 1] = lacks ? unknown("debug information does not list all parameters") :
				     parameter(t, language, &function, &params->v.v[i]);
	for (size_t i = 0; i <= params->v.n && db->is_32bit; i++)
		ret[i] = language == LANGUAGE_RUST && ret[i].how != BTF_PASS_BY_TYPE ?
			 unknown("the calling convention of its language is not known") :
			 of_32bit(ret[i], i == 0);
	for (size_t i = 0; i <= params->v.n; i++)
		is_c &= ret[i].how == BTF_PASS_BY_TYPE && !ret[i].alignment;
	return is_c ? NULL : ret;
}
