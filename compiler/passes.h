/* SPDX-License-Identifier: GPL-2.0 */
/* The passes, one call each, as driver.c makes them. Each returns 0, or -1 when errors were
 * reported. */
#ifndef PASSES_H
#define PASSES_H

#include "base/buf.h"
#include "session.h"

/** parse_source - pass 1 for one text: scan, preprocess, parse. NULL when errors were reported;
 *  what could be parsed is dropped then. The source is appended to s->sources. */
struct script *parse_source(struct session *s, struct source *src);

/** parse_alone - what is wrong with s->main by its own text, where no other pass follows. */
int parse_alone(struct session *s);

/** resolve_program - pass 2a: tapsets, names, aliases, overloads, probe points to sites, $-values;
 *  makes s->program from s->main. */
int resolve_program(struct session *s);

/** resolve_list - the probe points that @what asks for, in no order; aliases become probes of
 *  s->program, whose locals stay when @locals is set. 1: some of that program has errors, which are
 *  not reported, so it can't be checked; -1: there is nothing, or errors were reported. */
struct listed {
	const char *point;        /* as a script writes it; "timer.s(number)": to be filled in */
	enum probe_kind kind;
	const struct site *site;  /* NULL: an alias, or a point without a place */
	size_t first, n;          /* an alias: its probes in s->program */
};
struct listed_points { VEC(struct listed) v; };
int resolve_list(struct session *s, const struct probe_decl *what, bool locals,
		 struct listed_points *ret);
/** resolve_library - every function of the library into s->program; as resolve_list(). */
int resolve_library(struct session *s);
/** resolve_aliases - every alias of the library and of the user's files, but private ones. */
struct alias_list { VEC(struct probe_decl *) v; };
int resolve_aliases(struct session *s, struct alias_list *ret);

/** resolve_unassigned - what is said of a local that nothing assigns: a warning where its use tells
 *  the type (@typed) and it may be meant to be 0 or "", else an error. */
void resolve_unassigned(struct session *s, const struct symbol *local, bool typed);

/** check_program - pass 2b: types, storage, formats, named checks; completes s->program. */
int check_program(struct session *s);

/** check_print_program - what -p2 shows. */
void check_print_program(struct session *s, struct buf *b);

/** emit_program - pass 3: the C text of the script unit. */
int emit_program(struct session *s, struct buf *b);

/**
 * kbuild_header - compile a file that includes headers, for the types in its debug information
 * @headers: "<a.h><b.h>"; those of the kernel are compiled as its modules are
 * @why:     on failure, the reason
 * returns the path of the object in s->tmp_dir, or NULL
 */
const char *kbuild_header(struct session *s, const char *headers, bool of_kernel, const char **why);

/** build_lookup - the cache, asked before pass 1: the path of a module that is right for this
 *  script, its arguments, options, tapsets, kernel, compiler and runtime; NULL: build it. */
const char *build_lookup(struct session *s);

/** build_shrink_cache - drop from the cache what is above its limit of size. */
void build_shrink_cache(struct session *s);

/** build_module - pass 4: C text to a module; stores it in the cache. NULL when errors were
 *  reported. */
const char *build_module(struct session *s, const struct buf *c_text);

#endif
