/* SPDX-License-Identifier: GPL-2.0 */
/* C of users, with SystemTap's macros. embedded.c, embedded_globals.c. */
#ifndef EMIT_EMBEDDED_H
#define EMIT_EMBEDDED_H

#include "emit/unit.h"
#include "emit/value.h"

struct emit_finfo;

/** emit_embedded_native - whether @f is embedded C of the tapset library. */
bool emit_embedded_native(const struct function *f);
/** emit_embedded_find - whether the program has embedded C of a user; sets what build needs to
 *  know. */
void emit_embedded_find(struct emit *e);
/** emit_embedded_head - the kernel's headers, before everything else; emit_embedded_top - C outside
 *  of functions, and helpers of the macros. Nothing without embedded C of a user. */
void emit_embedded_head(struct emit *e);
void emit_embedded_top(struct emit *e);
/** emit_embedded_function - write the C function whose head is @prototype. */
void emit_embedded_function(struct emit *e, struct emit_finfo *fi, const char *prototype);
/** emit_embedded_globals - write STAP_GLOBAL_GET_ and _SET_ for the globals that @f names; returns
 *  the bytes of the workspace that they need. emit_embedded_forget_globals - undefine them after
 *  the function. */
unsigned emit_embedded_globals(struct emit *e, const struct function *f);
void emit_embedded_forget_globals(struct emit *e, const struct function *f);
/** emit_embedded_value - the value of %{ expression %}. */
struct emit_val emit_embedded_value(struct emit *e, struct expr *x);

#endif
