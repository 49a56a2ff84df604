/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of the probed code: $variables, @words and members become access paths, counters or calls.
 * autocast.c resolves members of values of the script, when all names are known.
 */
#ifndef RESOLVE_VALUES_H
#define RESOLVE_VALUES_H

#include "analyse/resolve/resolver.h"

/* ---- contextvars.c ---- */

/** contextvars_function - resolve @cast and the like in a function; if it is a copy for @p, also
 *  its $variables. */
void contextvars_function(struct resolver *r, struct function *f, struct probe *p);
/** contextvars_resolve - find the access paths of all $-expressions of a probe, and number the
 *  entry values of return probes. @plain: the body with the parts that unread_drop() removed. */
void contextvars_resolve(struct resolver *r, struct probe *p, struct stmt *plain);

/** contextvars_left - report the $-expressions that could not be resolved in code which an @defined
 *  of a script's value might have excluded, and has not. */
void contextvars_left(struct resolver *r);

/* ---- casts.c ---- */

/** casts_is - whether @e is an @word whose meaning depends on the kernel's types. */
bool casts_is(const struct expr *e);
/** casts_resolve - replace the @word at @pe by the value that it stands for. An @enumname or
 *  @flags whose type depends on its operand is left for autocast_resolve(). @p and @site, one of
 *  its sites, may be NULL. Returns 0, or -errno after an error. */
int casts_resolve(struct resolver *r, struct probe *p, const struct site *site, struct expr **pe,
		  bool quiet);
/** casts_start_path - make @e, an @word with members after it, the path of these members from
 *  @base. */
void casts_start_path(struct expr *e, struct expr *base);
/** casts_plain_variable - "$name" if @e is @var("name"), otherwise NULL. */
const char *casts_plain_variable(struct arena *a, const struct expr *e);
/** casts_become_local - if @e is @var("name") and @site, whose probe has that @kind, has a
 *  parameter or a local variable of that name, make it $name, as in C, where such a name hides a
 *  variable of the file. Returns whether it did. */
bool casts_become_local(struct resolver *r, const struct site *site, enum probe_kind kind,
			struct expr *e);
/** casts_function - make the one function in @text, as if the library had it, with a C name like
 *  @name. Returns NULL after a report. */
struct function *casts_function(struct resolver *r, const char *name, const char *text,
				size_t len);
/** casts_enumname - replace an @enumname or @flags of a value of that type. */
int casts_enumname(struct resolver *r, struct expr *e, struct access_type type, bool quiet);

/* ---- flags.c ---- */

/** flags_of_library - the function of the library that shows the flags of that name, or NULL. */
struct function *flags_of_library(struct resolver *r, const char *name);
/** flags_nearest - the name of flags of the library that is nearest to @name, or NULL. */
const char *flags_nearest(struct resolver *r, const char *name);
/** flags_of_constants - make a function that shows the names of a number's bits; NULL if no
 *  constant is left. Those that other constants name bit by bit are left out. */
struct function *flags_of_constants(struct resolver *r, const struct constant_list *all);

/* ---- variables.c ---- */

/** variables_of_program - the same for a variable of a program: of the file @where, or of the
 *  site's. Returns -ENXIO without a report if it is not about a program. */
int variables_of_program(struct resolver *r, struct probe *p, const struct site *site,
			 struct expr *e, const char *text, const char *where, bool quiet);
/** variables_resolve - replace an @var of "name" or "name@file" in @object ("kernel", a module;
 *  NULL: the kernel), as casts_resolve(). */
int variables_resolve(struct resolver *r, struct expr *e, const char *text, const char *object,
		      bool quiet);
/** variables_location - make globals that the loader sets to the addresses of the symbols of a
 *  location. */
void variables_location(struct resolver *r, const struct location *l);

/* ---- counters.c ---- */

/** counters_define - define the counter of @p. Reports a name that is taken. */
void counters_define(struct resolver *r, struct probe *p);
/** counters_read - replace @perf("NAME") by the counter's value. */
void counters_read(struct resolver *r, struct expr *e);
/** counters_check - report counters that are read but not defined, and those that are never
 *  read. */
void counters_check(struct resolver *r);

/* ---- entry_regs.c ---- */

/** entry_regs_resolve - make the base of @e, at @p's site, the value of a register at the entry of
 *  the function. */
void entry_regs_resolve(struct resolver *r, struct probe *p, struct expr *e);
/** entry_regs_probes - make the probes at entries that save the values needed since the last call.
 *  Returns false if none are needed. */
bool entry_regs_probes(struct resolver *r);

/* ---- writes.c ---- */

/** writes_register - replace an assignment to @kregister(n), also by ++ and --, by a call. Does
 *  nothing to other assignments. */
void writes_register(struct resolver *r, struct expr **pe);
/** writes_name - whether @body assigns the variable, array or $value that @e names. */
bool writes_name(struct stmt *body, const struct expr *e);

/* ---- autocast.c ---- */

/** autocast_resolve - carry types of pointers through variables and functions, and resolve the
 *  members that are reached from them. All names have been resolved. */
void autocast_resolve(struct resolver *r);
/** autocast_defined - whether the path @e of a value of the script exists. -1: not known yet, which
 *  becomes 0 if @last. */
int autocast_defined(struct resolver *r, const struct expr *e, bool last);

#endif
