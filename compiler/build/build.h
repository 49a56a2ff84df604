/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 4: C to a module. */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

struct buf;
struct state;

/** build_lookup - look in the cache, before pass 1: the path of a module that is right for this
 *  script, its arguments, options, tapsets, kernel, compiler and runtime; NULL: build it. */
const char *build_lookup(struct state *s);

/** build_module - pass 4: C text to a module; stores it in the cache. NULL when errors were
 *  reported. */
const char *build_module(struct state *s, const struct buf *c_text);

#endif
