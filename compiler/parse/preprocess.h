/* SPDX-License-Identifier: GPL-2.0 */
/* Between scanner and grammar: script arguments, macros, conditionals. */
#ifndef PARSE_PREPROCESS_H
#define PARSE_PREPROCESS_H

#include "parse/parser.h"

struct macro;
struct macro_env;
struct token_list { VEC(struct token) v; };

/* Tokens that stand in for a macro or one of its parameters; they are read before the text goes
 * on. */
struct input_level {
	const struct token_list *tokens;
	size_t pos;
	const struct macro_env *env;  /* in which "@param" is looked up; NULL: the file */
	bool is_body;                 /* a macro's body: its tokens get the expansion's place */
	struct input_level *outer;
};

struct preprocess {
	struct parser *p;
	struct scanner scanner;
	struct input_level *level;          /* innermost, or NULL: the text */
	struct map macros;
	VEC(struct range) open;       /* conditionals whose taken branch is being read */
	char *config;                 /* the kernel's .config, once it was needed */
	bool kernel_reported;           /* the missing kernel has been reported */
	unsigned expansions;          /* uses of macros so far */
	unsigned replayed;            /* tokens of macros and arguments so far */
};

/** preprocess_init / preprocess_deinit - around the reading of @p's text; deinit frees what is not
 *  the arena's. */
void preprocess_init(struct preprocess *pp, struct parser *p);
void preprocess_deinit(struct preprocess *pp);

/** library_macro - a macro of the library by its name with "@", or NULL. */
struct macro *library_macro(struct state *s, const char *name);

/** preprocess_next - the next token of what is left of the text. Errors of the preprocessor are
 *  reported here; tokens with ->bad set are not. */
void preprocess_next(struct preprocess *pp, struct token *ret);

/** preprocess_expand - the next token with macros expanded, but not conditionals. */
void preprocess_expand(struct preprocess *pp, struct token *ret);

#endif
