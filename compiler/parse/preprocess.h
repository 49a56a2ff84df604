/* SPDX-License-Identifier: GPL-2.0 */
/* Between scanner and grammar: script arguments, macros, conditionals. */
#ifndef PARSE_PREPROCESS_H
#define PARSE_PREPROCESS_H

#include "parse/parser.h"

struct macro;
struct macro_env;
struct token_list { VEC(struct token) v; };

/* Tokens in place of a macro or one of its parameters, which are read before the text continues. */
struct input_level {
	const struct token_list *tokens;
	size_t pos;
	const struct macro_env *env;  /* where "@param" is looked up; NULL: in the file */
	/* the body of a macro: its tokens get the range of the expansion */
	bool is_body;
	struct input_level *outer;
};

struct conditional {
	struct range at; /* its "%(" */
	bool is_else;    /* the branch after its "%:" is being read */
};

struct preprocess {
	struct parser *p;
	struct scanner scanner;
	struct input_level *level;          /* innermost, or NULL: the text */
	struct map macros;
	VEC(struct conditional) open; /* those whose taken branch is being read */
	char *config;                 /* the kernel's .config; NULL: not needed yet */
	bool kernel_reported;           /* the missing kernel has been reported */
	unsigned expansions;          /* number of uses of macros so far */
	unsigned replayed;            /* number of tokens of macros and arguments so far */
};

/** preprocess_init / preprocess_deinit - begin and end reading @p's text; preprocess_deinit() frees
 *  memory outside of the arena. */
void preprocess_init(struct preprocess *pp, struct parser *p);
void preprocess_deinit(struct preprocess *pp);

/** library_macro - a macro of the library by its name with "@", or NULL. */
struct macro *library_macro(struct state *s, const char *name);

/** preprocess_next - the next token after macros and conditionals. Errors of the preprocessor are
 *  reported here; tokens with ->bad set are not. */
void preprocess_next(struct preprocess *pp, struct token *ret);

/** preprocess_expand - the next token with macros expanded, but not conditionals. */
void preprocess_expand(struct preprocess *pp, struct token *ret);

#endif
