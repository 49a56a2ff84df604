/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 4: makes a module of the script's C. */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

struct buf;
struct state;

/** build_lookup - search the cache before pass 1. Returns the path of a module for this script, its
 *  arguments, options, tapsets, kernel, compiler and runtime, or NULL if it has to be built. */
const char *build_lookup(struct state *s);

/** build_module - pass 4: build a module from C text, and cache it. Returns its path, or NULL after
 *  errors were reported. */
const char *build_module(struct state *s, const struct buf *c_text);

#endif
