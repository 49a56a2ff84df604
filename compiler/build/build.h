/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 4 inside. What is slow is done once per kernel: kbuild compiles the runtime as a module
 * without a script, and leaves behind its objects and the exact words by which it called
 * compiler, objtool and linker. A script is then one small file through the same three tools.
 */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "base/vec.h"

struct session;

struct build_words {
	VEC(const char *) w;
};

/* One kernel's runtime, ready to be joined with scripts. Strings in the session's arena. */
struct build_runtime {
	const char *key;           /* build_key_runtime() */
	const char *object;        /* path of runtime.o: everything but the script */
	const char *direct;        /* path of the module with trampolines, or NULL */
	struct build_words cc;     /* compiler, flags that change code; no -O -c -o, no files */
	struct build_words headers; /* what finds the kernel's headers: for embedded C only */
	struct build_words objtool; /* without the file; empty where the kernel uses none */
	struct build_words ld;     /* linker, flags and script of the last link; no -o, no files */
};

/* ---- files.c: small helpers ---- */

/** build_files_copy - copy a file; @dst appears whole or not at all (rename). 0 or -errno. */
int build_files_copy(const char *src, const char *dst);
/** build_files_read - append a whole file. 0 or -errno. */
int build_files_read(const char *path, struct buf *b);
/** build_files_write - write a new file, whole or not at all. 0 or -errno. */
int build_files_write(const char *path, const void *data, size_t n);
/** build_files_word - add one word. */
void build_files_word(struct session *s, struct build_words *w, const char *word);
/** build_files_run - run a tool of the build in @dir, its words appended to @log; with -vvv they
 *  are shown. 0; or -1 with E_NO_COMPILER (it could not be started) reported, or 1: it failed. */
int build_files_run(struct session *s, const struct build_words *w, const char *dir,
		    struct buf *log);

/* ---- key.c: what a result depends on ---- */

/** build_key_compiler - name of the compiler that the kernel of the session was built with
 *  ("gcc-12"), "gcc" when the tree does not say. */
const char *build_key_compiler(struct session *s);
/** build_key_config - the value of a CONFIG_ symbol in the session's build tree, without quotes;
 *  NULL: it has none. */
const char *build_key_config(struct session *s, const char *name);
/** build_key_runtime - name of the session's runtime object: build tree, compiler, runtime
 *  sources. */
const char *build_key_runtime(struct session *s);
/** build_key_link - name of what @rt and the script's @object are linked to, the same for the same
 *  two: 40 hexadecimal digits. */
const char *build_key_link(struct session *s, const struct build_runtime *rt, const char *object);
/** build_key_module - name of the module: everything it depends on. */
const char *build_key_module(struct session *s);

/* ---- flags.c: kbuild's .cmd files ---- */

/**
 * build_flags_split - the words of one shell command of a .cmd file
 * @text: what stands behind ":="; make's $$ and $(pound) are undone; a ";" is a word
 */
void build_flags_split(struct session *s, const char *text, struct build_words *ret);
/** build_flags_collect - after kbuild: fill @rt's words from the .cmd files in @dir; @tree is
 *  what relative paths mean; @objects gets the objects of the module. 0, or -1 when kbuild left
 *  something else than expected (E_BUILD reported). */
int build_flags_collect(struct session *s, const char *dir, const char *tree,
			struct build_runtime *rt, struct build_words *objects);
/** build_flags_save / build_flags_load - the words as a file. 0 or -errno. */
int build_flags_save(const struct build_runtime *rt, const char *path);
int build_flags_load(struct session *s, const char *path, struct build_runtime *rt);

/* ---- runtime.c, script.c, versions.c, link.c: the steps ---- */

/** build_runtime_get - the runtime of the session's kernel, built if need be. 0, or -1:
 *  reported. */
int build_runtime_get(struct session *s, struct build_runtime *ret);
/** build_script_object - C text to an object; NULL: reported. */
const char *build_script_object(struct session *s, const struct build_runtime *rt,
				const struct buf *c_text);
/** build_versions_add - the script's object with the checksums of what embedded C takes from the
 *  kernel; the path of another object. NULL: reported. */
const char *build_versions_add(struct session *s, const struct build_runtime *rt,
			       const char *object);
/** build_link_module - runtime and script to a module in s->tmp_dir; NULL: reported. */
const char *build_link_module(struct session *s, const struct build_runtime *rt,
			      const char *object);

/* ---- sign.c: --sign ---- */

/** build_sign_name - the name of a module that is signed and was given none. */
const char *build_sign_name(struct session *s);
/** build_sign_program - the path of sign-file in the session's build tree; NULL: there is no
 *  tree. */
const char *build_sign_program(struct session *s);
/** build_sign_module - append the signature. 0, or -1: reported. */
int build_sign_module(struct session *s, const char *module);

/* ---- cache.c ---- */

/** build_cache_dir - <cache>/NAME, made if need be; NULL when nothing can be cached. */
const char *build_cache_dir(struct session *s, const char *name);
/** build_cache_store - put a module into the cache; its path there, or NULL when it could not. */
const char *build_cache_store(struct session *s, const char *module);
/** build_cache_deliver - where the user finds a module: @path, or its copy in the working directory
 *  (-p4 with -m, and -p4 of a module that is not cached). NULL: reported. */
const char *build_cache_deliver(struct session *s, const char *path, bool cached);

#endif
