/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Location expressions of debug information, translated to programs (struct location). Nothing is
 * guessed: if one operation can't be translated, the expression is refused with the name of that
 * operation.
 */
#ifndef DWARF_VALUES_LOCATION_H
#define DWARF_VALUES_LOCATION_H

#include "target/dwarf/private.h"
#include "program/access.h"

/* The place at which an expression is evaluated. */
struct location_place {
	struct dwarf_db *db;
	uint64_t pc;
	Dwarf_Die function;    /* the function around it that is not inlined; addr NULL: none */
	bool entry;            /* it is the function's first instruction */
};

/**
 * location_of - the location of a variable or parameter at @at->pc
 * @ret: its pieces; the type is not set
 * @why: the reason of a failure, as in "'$x' is not available: ..."
 *
 * returns 0, -ENODATA (not available there), or -ENOTSUP (its expression has an unknown operation)
 */
int location_of(const struct location_place *at, Dwarf_Die *die, struct location *ret,
		const char **why);

/** location_is_nowhere - whether a variable or parameter has no location and no constant value for
 *  any address. */
bool location_is_nowhere(Dwarf_Die *die);
/** location_is_whole - whether it has one location for all addresses. */
bool location_is_whole(Dwarf_Die *die);

/** cfi_frame - the operations that compute the canonical frame address at @pc; owned by @db.
 *  Returns NULL if it is not known. */
const Dwarf_Op *cfi_frame(struct dwarf_db *db, uint64_t pc, size_t *n);
/** cfi_above - the canonical frame address at @pc minus the register @reg, as struct pt_regs names
 *  it. Returns false if call frame information does not have it by that register.
 *  @end: it is the same up to this address */
bool cfi_above(struct dwarf_db *db, uint64_t pc, const char *reg, int64_t *ret, uint64_t *end);

/** slot_at_entry - the location of a parameter at the first instruction of a program's function,
 *  @at, if its later location is in the caller's stack. Returns false if it is not. */
bool slot_at_entry(const struct location_place *at, Dwarf_Die *die, struct location *ret);
/** slot_is_of_caller - whether a location is in the caller's stack. */
bool slot_is_of_caller(const struct location_place *at, const struct location *l);

/** address_program - the operations that compute the address of a variable that is at @address in
 *  debug information. Returns false if no symbol can name it. */
struct location_ops { VEC(struct location_op) v; };
bool address_program(struct dwarf_db *db, uint64_t address, struct location_ops *ret,
		      bool *per_cpu);

/** address_of_symbol - the address, in terms of debug information, of the data with the global name
 *  @name in @db. Returns false if there is none. */
bool address_of_symbol(struct dwarf_db *db, const char *name, uint64_t *ret);

/** address_is_thread_local - whether the symbol table has a thread-local variable at @offset of the
 *  object's own ones that may be the one with that name, or linkage name. */
bool address_is_thread_local(struct dwarf_db *db, uint64_t offset, const char *name);
/** address_of_thread_local - the offset of the only thread-local variable with that name, or
 *  linkage name, and its size. Returns false if there is none, or several. */
bool address_of_thread_local(struct dwarf_db *db, const char *name, uint64_t *offset,
			     uint64_t *size);

#endif
