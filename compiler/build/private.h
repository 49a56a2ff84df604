/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 4, private. Everything slow is done once per kernel: kbuild compiles the runtime as a module
 * without a script, which leaves its objects and the exact command lines for compiler, objtool and
 * linker. A script is then one small file that compiler and objtool process in the same way, and
 * its object is appended to the runtime.
 */
#ifndef BUILD_PRIVATE_H
#define BUILD_PRIVATE_H

#include <stdbool.h>

#include "target/kbuild/kbuild.h"

struct state;

/* ---- key.c: what a result depends on ---- */

/** build_key_link - an identity of the linked module, which is the same for the same @rt and
 *  script's @object: 40 hexadecimal digits. */
const char *build_key_link(struct state *s, const struct kbuild_runtime *rt, const char *object);
/** build_key_module - the identity of everything that the module depends on and that is known
 *  before the script is parsed. */
const char *build_key_module(struct state *s);
/** build_key_around - the identity in s->cache_key together with what the bits of enum around
 *  stand for. */
const char *build_key_around(struct state *s, unsigned around);

/* ---- script.c, versions.c, append.c, link.c: the steps ---- */

/** build_script_object - compile C text. Returns the path of the object, or NULL after a report. */
const char *build_script_object(struct state *s, const struct kbuild_runtime *rt,
				const struct buf *c_text);
/** build_versions_add - add the checksums and namespaces of the kernel's symbols that embedded C
 *  uses. Returns the path of another object, @object if there are none, or NULL after a report. */
const char *build_versions_add(struct state *s, const struct kbuild_runtime *rt,
			       const char *object);
/** build_append - link the relocatable objects @runtime and @object to @module, as "ld -r" does.
 *  @build_id: IDENTITY_LEN hexadecimal digits, or NULL for none. Returns 0, -ENOTSUP if something
 *  in the objects needs ld, or another -errno of writing @module. */
int build_append(struct state *s, const char *runtime, const char *object, const char *build_id,
		 const char *module);
/** build_link_module - link runtime and script to a module in s->tmp_dir. Returns its path, or NULL
 *  after a report. */
const char *build_link_module(struct state *s, const struct kbuild_runtime *rt,
			      const char *object);

/* ---- sign_keys.c: keys for signing ---- */

/* Paths of a private key and of its certificate. */
struct build_sign_key {
	const char *key, *cert;
};

/** build_sign_required - whether the running kernel only accepts signed modules, by its signature
 *  enforcement or lockdown as sysfs shows them below @root ("" but for tests). */
bool build_sign_required(struct arena *a, const char *root);

/**
 * build_sign_find - the first key that can be read with its certificate: that of a kernel that was
 *                   built here, that of --make-key, those of the system for modules
 * @root: the directory of the system's keys, "" but for tests
 * @tree: the kernel's build tree, or NULL
 * @own:  the directory of --make-key, or NULL
 *
 * returns 0; -EACCES if @ret is the first one that this user may not read; -ENOENT
 */
int build_sign_find(struct arena *a, const char *root, const char *tree, const char *own,
		    struct build_sign_key *ret);

/* ---- sign.c: --sign ---- */

/** build_sign_name - the name of a signed module for which the user gave none. */
const char *build_sign_name(struct state *s);
/** build_sign_program - the path of sign-file in the kernel's build tree, or NULL without a
 *  tree. */
const char *build_sign_program(struct state *s);
/** build_sign_module - append the signature. Returns 0, or -1 after a report. */
int build_sign_module(struct state *s, const char *module);

/* ---- cache.c: modules as entries of the cache ---- */

/** build_cache_store - put a module into the cache. Returns its path there, or NULL if it can't be
 *  cached. */
const char *build_cache_store(struct state *s, const char *module);
/** build_cache_deliver - the path where the user finds a module: @path, or its copy in the working
 *  directory (-p4 with -m, and -p4 of a module that is not cached). NULL after a report. */
const char *build_cache_deliver(struct state *s, const char *path, bool cached);

#endif
