/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of a function with code: as its source declares them, where a copy that the
 * compiler made may lack some, and as its code has them.
 */
#ifndef DWARF_VALUES_PARAMS_H
#define DWARF_VALUES_PARAMS_H

#include "target/arch/flow.h"
#include "target/btf/btf.h"
#include "target/dwarf/private.h"

struct param {
	Dwarf_Die declared;    /* DW_TAG_formal_parameter, or DW_TAG_unspecified_parameters */
	Dwarf_Die own;         /* the one of the code, which has locations */
	bool has_own;          /* it has one */
};
struct params {
	Dwarf_Die function;    /* with code */
	Dwarf_Die declared;    /* its prototype: the same DIE, or its abstract origin */
	VEC(struct param) v;   /* numbered as btf_func_param() does */
};

/** params_of - read the parameters of the function around a place, which is not inlined there.
 *  Returns false if it is none. */
bool params_of(struct dwarf_db *db, const struct dwarf_place *at, struct params *ret);

/** entry_code - the code of a program at an address; *@n: the bytes up to the end of its section.
 *  NULL: there is none. */
const unsigned char *entry_code(const struct dwarf_db *db, uint64_t pc, size_t *n);

/** entry_taken - as dwarf_taken(), for the function with code at @pc. */
bool entry_taken(const struct dwarf_db *db, Dwarf_Die *function, uint64_t pc,
		  struct arch_taken *ret);

/** passing_of - how the result and the parameters are passed, for struct btf_func; NULL: as C
 *  passes values of their types. Owned by the arena. */
const struct btf_passing *passing_of(struct state *s, struct dwarf_db *db,
				     const struct params *params);

/** passing_is_promoted - whether callers pass a parameter of type float as a double, which the
 *  function converts: it is defined without a prototype. */
bool passing_is_promoted(Dwarf_Die *function, Dwarf_Die *param);
#define PASSING_PROMOTED "the function has no prototype, so its callers pass a double"

/** rust_param, rust_result - how Rust passes a parameter, and the result of a function.
 *  @is_address: the locations of the parameter show that its address is passed. */
struct btf_passing rust_param(Dwarf_Die *param, bool is_address);
struct btf_passing rust_result(Dwarf_Die *function);
/** rust_is_closure - whether the function may have parameters that debug information does not list,
 *  or others instead of those. */
bool rust_is_closure(Dwarf_Die *function);

#endif
