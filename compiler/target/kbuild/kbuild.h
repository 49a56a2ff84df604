/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Supplies the results of a kernel's own build: its compiler and flags, and the runtime, which
 * kbuild compiles once per kernel as a module without a script. Pass 4 links scripts with it; types
 * of headers are compiled with these flags before pass 2 ends.
 */
#ifndef KBUILD_KBUILD_H
#define KBUILD_KBUILD_H

#include <stdbool.h>

#include "base/vec.h"
#include "shared/buf.h"

struct state;
struct sha256;

struct kbuild_words {
	VEC(const char *) w;
};

/* A kernel's runtime, which can be linked with scripts. Strings are in the state's arena. */
struct kbuild_runtime {
	const char *key;           /* kbuild_key_runtime() */
	const char *object_file;   /* path of runtime.o: everything except the script */
	/* the same after the kernel's linker script, to which a script can be appended */
	const char *linked_file;
	const char *direct;        /* path of the module with the trampolines, or NULL */
	/* compiler and flags that change code, without -O, -c, -o and files */
	struct kbuild_words cc;
	/* the commands that the compiler starts with these flags, without files; both are empty if
	 * the compiler does not show them */
	struct kbuild_words cc1, as;
	struct kbuild_words headers; /* flags that find the kernel's headers, only for embedded C */
	struct kbuild_words objtool; /* without the file; empty if the kernel does not use it */
	/* linker, flags and script of the last link, without -o and files */
	struct kbuild_words ld;
};

/* ---- tool.c: commands ---- */

/** kbuild_word - add one word. */
void kbuild_word(struct state *s, struct kbuild_words *w, const char *word);
/** kbuild_run - run a tool of the build in @dir and append its output to @log; with -vvv the
 *  command is shown. Returns its status as subprocess_run() does, or -1 after E_NO_COMPILER was
 *  reported because it could not be started. */
int kbuild_run(struct state *s, const struct kbuild_words *w, const char *dir,
	       struct buf *log);

/* ---- key.c: the identity of a kernel's build tree and compiler ---- */

/* Must be incremented when modules are linked in another way. */
#define KBUILD_KEY_VERSION "4"

/** kbuild_key_wanted - the compiler by which the script's kernel was built ("gcc-12"), or "gcc" if
 *  the tree does not show it. */
const char *kbuild_key_wanted(struct state *s);
/** kbuild_key_compiler - the same, or the nearest newer one if it is not installed and a newer one
 *  is. */
const char *kbuild_key_compiler(struct state *s);
/** kbuild_key_llvm - the end of the names of LLVM's linker and other tools ("-16", ""), if the
 *  kernel was built by them; otherwise NULL. */
const char *kbuild_key_llvm(struct state *s);
/** kbuild_key_tools - the word that makes kbuild use this compiler ("CC=gcc-12"), and LLVM's linker
 *  and other tools if the kernel was built by them ("LLVM=-16"). */
const char *kbuild_key_tools(struct state *s);
/** kbuild_is_clang - whether a compiler is clang, by the name of its program. */
bool kbuild_is_clang(const char *tool);
/** kbuild_key_tool - the name of a program of the kernel's build ("ld"), with a prefix
 *  ("aarch64-linux-gnu-ld") if the kernel is for another processor than this machine's. */
const char *kbuild_key_tool(struct state *s, const char *name);
/** kbuild_key_runtime - the identity of the runtime object: build tree, compiler, runtime
 *  sources. */
const char *kbuild_key_runtime(struct state *s);
/** kbuild_key_add_tree - add the parts of the build tree on which a module depends, its compiler
 *  and its linker to a hash. */
void kbuild_key_add_tree(struct state *s, struct sha256 *c);
/** kbuild_key_add_runtime - add the runtime's sources by their identities (names, sizes, times). */
void kbuild_key_add_runtime(struct state *s, struct sha256 *c);

/* ---- flags.c: kbuild's .cmd files ---- */

/**
 * kbuild_flags_split - the words of one shell command of a .cmd file
 * @text: the text after ":="; make's $$ and $(pound) are undone; a ";" is a word
 */
void kbuild_flags_split(struct state *s, const char *text, struct kbuild_words *ret);
/** kbuild_flags_collect - after kbuild has run: fill @rt's words from the .cmd files in @dir.
 *  @tree: the directory of relative paths; @objects: gets the objects of the module. Returns 0, or
 *  -1 after E_BUILD was reported because kbuild left something unexpected. */
int kbuild_flags_collect(struct state *s, const char *dir, const char *tree,
			struct kbuild_runtime *rt, struct kbuild_words *objects);
/** kbuild_flags_save / kbuild_flags_load - write the words to a file, and read them. Return 0 or
 *  -errno. */
int kbuild_flags_save(const struct kbuild_runtime *rt, const char *path);
int kbuild_flags_load(struct state *s, const char *path, struct kbuild_runtime *rt);

/* ---- stages.c: compiling without the compiler's driver ---- */

/* The name of the C file that is compiled, which the compiler's answer names. */
#define KBUILD_STAGES_SOURCE "script.c"

/** kbuild_stages_find - ask @rt->cc for the commands by which it compiles, and store them in
 *  @rt->cc1 and @rt->as, which remain empty if the answer can't be read. */
void kbuild_stages_find(struct state *s, struct kbuild_runtime *rt);
/** kbuild_stages_known - whether @rt->cc1 and @rt->as do what @rt->cc does. Otherwise @rt->cc has
 *  to be used: variables of the user's environment choose other stages, or none are known. */
bool kbuild_stages_known(const struct kbuild_runtime *rt);

/* ---- runtime.c, header.c ---- */

/** kbuild_how_to_get_tree - the command that installs the build tree of the script's kernel, for a
 *  hint. */
const char *kbuild_how_to_get_tree(struct state *s);

/* Where root prepares runtimes for all users. */
#define KBUILD_PREPARED_BASE "/var/lib/probec"
#define KBUILD_PREPARED_DIR KBUILD_PREPARED_BASE "/runtime"

/** kbuild_runtime_get - the runtime of the script's kernel: one that root has prepared, or that of
 *  the user's cache, built if necessary. Returns 0, or -1 after a report. */
int kbuild_runtime_get(struct state *s, struct kbuild_runtime *ret);
/**
 * kbuild_runtime_prepare - build the runtime of the script's kernel, if it is not there
 * @for_all: in KBUILD_PREPARED_DIR, by root, instead of the user's cache
 * @built:   whether it was built now
 *
 * returns 0, or -1 after a report
 */
int kbuild_runtime_prepare(struct state *s, bool for_all, bool *built);

/* How headers are compiled: as the kernel's modules are, as for a program, for one of 32 bits. */
enum kbuild_headers { KBUILD_OF_KERNEL, KBUILD_OF_PROGRAM, KBUILD_OF_32BIT };

/**
 * kbuild_header - compile a file that includes headers, for the types in its debug information
 * @headers: "<a.h><b.h>"
 * @of:      how
 * @why:     the reason of a failure
 *
 * returns the path of the object in s->tmp_dir, or NULL
 */
const char *kbuild_header(struct state *s, const char *headers, enum kbuild_headers of,
			  const char **why);

/* The file that the compiler's messages name for a macro, by its line, and the beginning of the
 * name of the constant with its value. */
#define KBUILD_MACROS_FILE "probec-macros"
#define KBUILD_MACRO_PREFIX "probec_value_"
struct kbuild_macros { VEC(const char *) v; };
/** kbuild_macros - the same for the macros without parameters that match the shell pattern
 *  @pattern and are constant numbers: *@ret has their names, those that are defined as another
 *  name last, and the object an enumerator with the prefix for each. */
const char *kbuild_macros(struct state *s, const char *headers, enum kbuild_headers of,
			  const char *pattern, struct kbuild_macros *ret, const char **why);

#endif
