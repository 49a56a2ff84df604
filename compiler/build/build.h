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

/** build_sign_choose - before build_lookup(): find the key and certificate of --sign auto, or of a
 *  module for a running kernel that only accepts signed ones, and store them in the options.
 *  Returns 0, also if the latter has none, or -1 after E_SIGN was reported. */
int build_sign_choose(struct state *s);

/** build_make_key - --make-key: make a key and a certificate for signing, and print what is left to
 *  the user. Returns 0, or -1 after a report. */
int build_make_key(struct state *s);

#endif
