/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions as the source of C++ and Rust has them. Symbols and linkage names
 * (DW_AT_linkage_name) are mangled: by the Itanium C++ ABI, section 5.1, by Rust's RFC 2603 ("v0"),
 * or in Rust's older form, which is Itanium's with a hash at the end. libiberty decodes them.
 */
#ifndef OBJECT_DEMANGLE_H
#define OBJECT_DEMANGLE_H

#include <stdbool.h>

#include "base/arena.h"

/** demangle_is_mangled - whether a symbol's name looks like a mangled one. */
bool demangle_is_mangled(const char *symbol);
/** demangle_is_rust - whether it is that of a function of Rust. */
bool demangle_is_rust(const char *symbol);

/**
 * demangle_shown - the name that users see for a symbol or linkage name
 *
 * returns "ns::Class::method(int) const", without a return type and without the hash of a Rust
 * name, or @symbol itself if it is not mangled. Owned by @a.
 */
const char *demangle_shown(struct arena *a, const char *symbol);

/** demangle_parameters - the number of parameters in such a name; "..." is one. -1: no list. */
int demangle_parameters(const char *shown);

/** demangle_name - the same without parameters, qualifiers and tags ("[abi:cxx11]"). */
const char *demangle_name(struct arena *a, const char *symbol);

/**
 * demangle_variant - the variant of a constructor or destructor that a symbol is
 *
 * By section 5.1.4.3 of the ABI, one constructor or destructor may have several functions, which
 * one name in the source stands for. A later variant never calls an earlier one for the same
 * object, whereas an earlier one either does all of the work or calls a later one.
 */
enum demangle_variant {
	DEMANGLE_NO_VARIANT,   /* neither a constructor nor a destructor */
	DEMANGLE_DELETING,     /* destroys a whole object and frees its memory */
	DEMANGLE_COMPLETE,     /* of a whole object, with its virtual bases */
	DEMANGLE_BASE,         /* of an object within another one */
	DEMANGLE_UNIFIED,      /* of gcc: what the others share, or the source of copies */
};
enum demangle_variant demangle_variant(struct arena *a, const char *symbol);

/*
 * A function's name as a script writes it, prepared for many comparisons. It means a function if it
 * equals
 *  - the symbol,
 *  - or the decoded name, with or without its list of parameters and the qualifiers after that,
 *    with or without the arguments of templates (generic arguments in Rust);
 *  - or, of a method of Rust's, "Type::method" where the decoded name is "<Type>::method" or
 *    "<Type as Trait>::method",
 *  - or the end of such a name from after a "::" on, unless the pattern begins with "::".
 * Tags such as "[abi:cxx11]" may be left out. In parameters and arguments, types of the standard
 * library may be written as in sources (spell.h), and const may be before or after its type.
 * Spaces do not matter except between words; * ? [...] are as in fnmatch(3), and * goes over "::",
 * unless they are a part of an operator's name, of a tag, or of a type in a list of parameters or
 * arguments.
 */
struct demangle_pattern {
	const char *text;      /* as written */
	const char *wanted;    /* the same without "::" at the beginning and without spaces */
	const char *glob;      /* `text` for fnmatch() */
	const char *literal;   /* a part of every mangled symbol that matches; "": none is known */
	/* compare with symbols only, because the object has no mangled names */
	bool plain;
	bool is_glob;
	bool anchored;         /* it begins with "::" */
	bool has_params;       /* it has a '(' */
	bool has_lists;        /* it has a '(' or '<' */
	bool has_tags;         /* it has an "[abi:..." */
	bool may_be_exact;     /* it has parameters or scopes, as names of other languages than C */
	/* only functions that are shown by this very name: set by who found one, because others may
	 * have the same name without qualifiers, tags and default arguments */
	bool is_exact;
	bool wants_thunks;     /* it names thunks; otherwise they do not match */
};

/** demangle_is_pattern - whether a name has one of * ? [...] that is not a part of the name. */
bool demangle_is_pattern(const char *text);
/** demangle_pattern_read - prepare a pattern. @plain: as the field. @ret is valid as long as @a and
 *  @text. */
void demangle_pattern_read(struct arena *a, const char *text, bool plain,
			   struct demangle_pattern *ret);
/** demangle_is_same - whether a function is shown by a name with parameters or scopes, letter by
 *  letter. */
bool demangle_is_same(const struct demangle_pattern *p, const char *symbol);
/** demangle_matches - whether the pattern means a function. @symbol: a symbol, a linkage name, or a
 *  decoded name. Cheap for a symbol that lacks the literal. */
bool demangle_matches(const struct demangle_pattern *p, const char *symbol);

#endif
