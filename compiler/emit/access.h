/* SPDX-License-Identifier: GPL-2.0 */
/* Values of the probed code: reading ($-expressions, registers) and writing. access.c, location.c,
 * write.c. */
#ifndef EMIT_ACCESS_H
#define EMIT_ACCESS_H

#include "emit/unit.h"
#include "emit/value.h"

/** emit_location - the value or address that a location computes, as a C expression of type u64.
 *  @entry_reg: the value of the expression's base, used if @l->entry_reg is set. */
const char *emit_location(struct emit *e, const struct access *ac, const struct emit_val *entry_reg,
			  struct range r);

/** emit_access - read a $-expression. */
struct emit_val emit_access(struct emit *e, struct expr *x);
/** emit_access_slot - the contents of slot @n of the stack at a function's entry, for one of the
 *  AB_STACK_... bases; a failure sets c->err. */
const char *emit_access_slot(struct emit *e, enum access_base base, unsigned n, bool of_user,
			     struct range r);
/** emit_access_open - follow an access path to its end, before @last (or NULL) is evaluated.
 *  Returns an address if memory is read or shown there, otherwise the value. emit_access_value -
 *  the value of an expression there. */
const char *emit_access_open(struct emit *e, struct expr *x, struct expr *last);
struct emit_val emit_access_value(struct emit *e, struct expr *x, const char *at);
/** emit_register - the name of a register as PRT_REG() takes it. */
const char *emit_register(struct emit *e, const char *name);
/** emit_write - an assignment to a value of the kernel; emit_write_incdec - ++ and -- of one. */
struct emit_val emit_write(struct emit *e, struct expr *x, bool want);
struct emit_val emit_write_incdec(struct emit *e, struct expr *x, bool want);

#endif
