/* SPDX-License-Identifier: GPL-2.0 */
/* The printers of the library and of users: how $value$ shows an object of a certain type. */
#ifndef LOCATE_VALUES_PRINTER_H
#define LOCATE_VALUES_PRINTER_H

#include "ast/ast.h"
#include "program/access.h"

struct state;

/* The result of a printer for an object. */
struct printer_finds {
	enum printer_kind kind;
	/* The items that push its operands on the stack of runtime/abi/show.h: of a text, its
	 * address and length; of elements, the address of the first one and their number; of
	 * another value outside of the object, its address. */
	struct access_items items;
	struct access_type type; /* of the elements, or of another value */
	/* another value within the object: its position; then there are no items */
	bool inside;
	uint32_t bit, bit_size;
};

/**
 * printer_find - apply the first printer that fits a structure
 * @type: without typedefs and qualifiers
 * @has:  whether the object's bytes from @offset on are available; NULL: all are
 *
 * A printer fits if it is for the type, and the type has all members that the printer names.
 * returns false if there is none; unless @quiet, a printer of the user's that is for the type is
 * then reported.
 */
bool printer_find(struct state *s, struct access_type type,
		  bool (*has)(void *data, uint32_t offset, uint32_t size), void *data, bool quiet,
		  struct printer_finds *ret);

#endif
