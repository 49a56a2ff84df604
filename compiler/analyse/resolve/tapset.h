/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The library, whose files are loaded when a name in them is needed, and the script's arguments,
 * which are globals of a script of their own (arguments.c).
 */
#ifndef RESOLVE_TAPSET_H
#define RESOLVE_TAPSET_H

#include "analyse/resolve/resolver.h"

/* ---- tapset.c ---- */

/** tapset_index - scan the -I directories and the library; reports what can't be read. */
struct library *tapset_index(struct resolver *r);
/** tapset_need_function - load the files that define a function @name. */
void tapset_need_function(struct resolver *r, const char *name);
/** tapset_need_global - load the files that declare a global @name for all files. */
void tapset_need_global(struct resolver *r, const char *name);
/** tapset_need_alias - load the files with an alias whose first component matches @pattern; of a
 *  table of aliases, the rows whose names match @second (NULL: all). */
void tapset_need_alias(struct resolver *r, const char *pattern, const char *second);
/** tapset_offer_printers - set the state's printers, which are loaded when a value may need one. */
void tapset_offer_printers(struct resolver *r);
/** tapset_need_all - load the whole library. */
void tapset_need_all(struct resolver *r);
/** tapset_function_names / tapset_alias_names - append the names that messages may suggest;
 *  @internal: only those of functions that scripts should not call, which begin with "_". */
struct suggestions { VEC(const char *) v; };
void tapset_function_names(struct resolver *r, bool internal, struct suggestions *ret);
void tapset_alias_names(struct resolver *r, struct suggestions *ret);

/* ---- arguments.c ---- */

/** arguments_script - a script that declares the arguments that the user's files use (argc, argv,
 *  argv_1 to argv_32) and those that -G sets; NULL if there are none. It is not loaded yet. */
struct script *arguments_script(struct resolver *r);

#endif
