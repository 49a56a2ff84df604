/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Supplies the results of a kernel's own build: its compiler and flags, and the runtime, which
 * kbuild compiles once per kernel as a module without a script. Pass 4 links scripts with it; types
 * of headers are compiled with these flags before pass 2 ends.
 */
#ifndef KBUILD_KBUILD_H
#define KBUILD_KBUILD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

struct state;
struct sha256;

struct kbuild_words {
	VEC(const char *) w;
};

/* One kernel's runtime, ready to be joined with scripts. Strings in the state's arena. */
struct kbuild_runtime {
	const char *key;           /* kbuild_key_runtime() */
	const char *object_file;   /* path of runtime.o: everything but the script */
	const char *direct;        /* path of the module with trampolines, or NULL */
	struct kbuild_words cc;      /* compiler, flags that change code; no -O -c -o, no files */
	struct kbuild_words headers; /* what finds the kernel's headers: for embedded C only */
	struct kbuild_words objtool; /* without the file; empty where the kernel uses none */
	struct kbuild_words ld;      /* linker, flags, script of the last link; no -o, no files */
};

/* ---- tool.c: commands ---- */

/** kbuild_word - add one word. */
void kbuild_word(struct state *s, struct kbuild_words *w, const char *word);
/** kbuild_run - run a tool of the build in @dir and append its output to @log; with -vvv they
 *  are shown. 0; or -1 with E_NO_COMPILER (it could not be started) reported, or 1: it failed. */
int kbuild_run(struct state *s, const struct kbuild_words *w, const char *dir,
	       struct buf *log);

/* ---- key.c: the identity of a kernel's build tree and compiler ---- */

/* Raised when the way modules are put together changes. */
#define KBUILD_KEY_VERSION "2"

/** kbuild_key_compiler - name of the compiler that the script's kernel was built with
 *  ("gcc-12"), "gcc" when the tree does not say. */
const char *kbuild_key_compiler(struct state *s);
/** kbuild_key_config - the value of a CONFIG_ symbol in the kernel's build tree, without quotes;
 *  NULL: it has none. */
const char *kbuild_key_config(struct state *s, const char *name);
/** kbuild_key_runtime - name of the runtime object: build tree, compiler, runtime
 *  sources. */
const char *kbuild_key_runtime(struct state *s);
/** kbuild_key_add_tree - add the build tree, as far as a module depends on it, and its compiler and
 *  linker to a hash. */
void kbuild_key_add_tree(struct state *s, struct sha256 *c);
/** kbuild_key_add_runtime - add the runtime's sources by their identities (names, sizes, times). */
void kbuild_key_add_runtime(struct state *s, struct sha256 *c);

/* ---- flags.c: kbuild's .cmd files ---- */

/**
 * kbuild_flags_split - the words of one shell command of a .cmd file
 * @text: the text after ":="; make's $$ and $(pound) are undone; a ";" is a word
 */
void kbuild_flags_split(struct state *s, const char *text, struct kbuild_words *ret);
/** kbuild_flags_collect - after kbuild: fill @rt's words from the .cmd files in @dir; @tree is
 *  what relative paths mean; @objects gets the objects of the module. 0, or -1 when kbuild left
 *  something else than expected (E_BUILD reported). */
int kbuild_flags_collect(struct state *s, const char *dir, const char *tree,
			struct kbuild_runtime *rt, struct kbuild_words *objects);
/** kbuild_flags_save / kbuild_flags_load - the words as a file. 0 or -errno. */
int kbuild_flags_save(const struct kbuild_runtime *rt, const char *path);
int kbuild_flags_load(struct state *s, const char *path, struct kbuild_runtime *rt);

/* ---- runtime.c, header.c ---- */

/** kbuild_runtime_get - the runtime of the script's kernel, built if necessary. 0, or -1:
 *  reported. */
int kbuild_runtime_get(struct state *s, struct kbuild_runtime *ret);

/**
 * kbuild_header - compile a file that includes headers, for the types in its debug information
 * @headers:   "<a.h><b.h>"
 * @of_kernel: compile them as the kernel's modules are compiled, else as a program
 * @why:       on failure, the reason
 * returns the path of the object in s->tmp_dir, or NULL
 */
const char *kbuild_header(struct state *s, const char *headers, bool of_kernel, const char **why);

#endif
