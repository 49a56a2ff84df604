/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Location expressions of debug information as programs (struct location). Nothing is guessed: an
 * expression with one operation that can't be carried over is refused by that operation's name.
 */
#ifndef DWARF_VALUES_LOCATION_H
#define DWARF_VALUES_LOCATION_H

#include "dwarf/private.h"
#include "program/access.h"

/* The place at which an expression is evaluated. */
struct location_place {
	struct dwarf_db *db;
	uint64_t pc;
	Dwarf_Die function;    /* the one around it that is not inlined; addr NULL: none */
	bool entry;            /* at its first instruction */
};

/**
 * location_of - where the variable or parameter of a DIE is at @at->pc
 * @ret: its pieces; the type is left alone
 * @why: where it is not available, the reason, as in "'$x' is not available: ..."
 * returns 0, or -ENODATA (not available there), -ENOTSUP (its expression is not known here)
 */
int location_of(const struct location_place *at, Dwarf_Die *die, struct location *ret,
		const char **why);

/** cfi_frame - the operations that give the canonical frame address at @pc; owned by @db, NULL: it
 *  is not known. */
const Dwarf_Op *cfi_frame(struct dwarf_db *db, uint64_t pc, size_t *n);

/** address_program - the operations that give the address of a variable that debug information has
 *  at @address; false: it belongs to nothing that can be named. */
struct location_ops { VEC(struct location_op) v; };
bool address_program(struct dwarf_db *db, uint64_t address, struct location_ops *ret,
		      bool *per_cpu);

/** address_of_symbol - the address, as debug information would write it, of the data that is @name
 *  to all files of @db; false if there is none. */
bool address_of_symbol(struct dwarf_db *db, const char *name, uint64_t *ret);

#endif
