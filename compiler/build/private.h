/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 4 inside. What is slow is done once per kernel: kbuild compiles the runtime as a module
 * without a script, and leaves behind its objects and the exact command lines with which it called
 * compiler, objtool and linker. A script is then one small file through the same three tools.
 */
#ifndef BUILD_PRIVATE_H
#define BUILD_PRIVATE_H

#include <stdbool.h>

#include "kbuild/kbuild.h"

struct state;

/* ---- key.c: what a result depends on ---- */

/** build_key_link - name of what @rt and the script's @object are linked to, the same for the same
 *  two: 40 hexadecimal digits. */
const char *build_key_link(struct state *s, const struct kbuild_runtime *rt, const char *object);
/** build_key_module - name of the module: everything it depends on. */
const char *build_key_module(struct state *s);

/* ---- script.c, versions.c, link.c: the steps ---- */

/** build_script_object - C text to an object; NULL: reported. */
const char *build_script_object(struct state *s, const struct kbuild_runtime *rt,
				const struct buf *c_text);
/** build_versions_add - the script's object with the checksums of what embedded C takes from the
 *  kernel; the path of another object. NULL: reported. */
const char *build_versions_add(struct state *s, const struct kbuild_runtime *rt,
			       const char *object);
/** build_link_module - runtime and script to a module in s->tmp_dir; NULL: reported. */
const char *build_link_module(struct state *s, const struct kbuild_runtime *rt,
			      const char *object);

/* ---- sign.c: --sign ---- */

/** build_sign_name - the name of a module that is signed and was given none. */
const char *build_sign_name(struct state *s);
/** build_sign_program - the path of sign-file in the kernel's build tree; NULL: there is no
 *  tree. */
const char *build_sign_program(struct state *s);
/** build_sign_module - append the signature. 0, or -1: reported. */
int build_sign_module(struct state *s, const char *module);

/* ---- cache.c: modules as entries of the cache ---- */

/** build_cache_store - put a module into the cache; its path there, or NULL when it could not. */
const char *build_cache_store(struct state *s, const char *module);
/** build_cache_deliver - where the user finds a module: @path, or its copy in the working directory
 *  (-p4 with -m, and -p4 of a module that is not cached). NULL: reported. */
const char *build_cache_deliver(struct state *s, const char *path, bool cached);

#endif
