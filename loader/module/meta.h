/* SPDX-License-Identifier: GPL-2.0 */
/* A module's description of itself: the text of its .probec section (runtime/abi/records.h),
 * parsed. */
#ifndef LOADER_META_H
#define LOADER_META_H

#include <stddef.h>
#include <stdint.h>

#include "common/position.h"

#define META_NO_SRCLOC UINT32_MAX

struct meta_probe {
	const char *kind, *pp;
	uint32_t place; /* index into places, or META_NO_PLACE */
	int overrides;  /* it may leave the function without running it */
};

struct meta_site {
	uint32_t probe;
	const char *object, *symbol, *pp;
	uint32_t namesake; /* which of the symbols of that name, from 0 */
	uint64_t offset;
	int wildcard; /* 1: may be missing */
	int optional; /* 1: nobody waits for its module */
	const char *kind; /* of its probe */
	int is_found; /* 1: the kernel half finds it itself; it is no symbol */
	int is_data;  /* 1: a variable; with no symbol the offset is its address */
};

struct meta_module {
	const char *name, *build_id; /* build_id "-": not known */
};

struct meta_print {
	const char *types; /* "" for none */
	const char *format;
	size_t format_len; /* the format may hold NULs */
	uint32_t place;
	const char *names;  /* of the arguments, a newline between two; NULL: not told */
	const char *global; /* the global that is shown because nobody reads it, or NULL */
};

struct meta_global {
	const char *name;
	int is_string;
	const char *symbol; /* it holds the address of that variable of the kernel; NULL: it is the
			     * script's own */
};

struct meta {
	const char *compiler;           /* version of the compiler */
	const char *release, *build_id; /* build_id "-": not known */
	const char *script;
	int has_stacks; /* the session has a table of stacks */
	int uses_target; /* the script calls target() */
	uint32_t nprobes, nsites, nprints, nplaces, nglobals, nmodules, nprograms;
	struct meta_probe *probes;
	struct meta_site *sites;
	struct meta_print *prints; /* by number; format NULL: a number that no print has */
	struct position *places;
	struct meta_global *globals;
	struct meta_module *modules; /* of the kernel that sites are in; all have a name */
	struct meta_module *programs; /* files that sites are in; names are whole paths */
	char *memory; /* what all the strings point into */
};

/**
 * meta_parse - parse the text of a .probec section
 * @text, @len: the section's bytes, copied; nothing in them is trusted
 * @ret:        filled on success; owned by the caller: meta_deinit()
 * @why:        on failure, what is wrong, with the line
 *
 * returns 0, or -1: not such a text, damaged, or of an unknown version. Every index in @ret is
 * checked: probes of sites and places are within their tables.
 */
int meta_parse(const char *text, size_t len, struct meta *ret, char *why, size_t why_size);
void meta_deinit(struct meta *m);
/** meta_of_kernel - whether the site is in the kernel itself; else its object is a module. */
int meta_of_kernel(const struct meta_site *s);
/** meta_name - the text of argument @i of a print statement, @len gets its bytes; NULL: not told.
 */
const char *meta_name(const struct meta_print *p, unsigned i, size_t *len);
/** meta_keys - how many arguments of a shown global are keys. */
unsigned meta_keys(const struct meta_print *p);

#endif
