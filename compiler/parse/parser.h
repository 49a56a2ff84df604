/* SPDX-License-Identifier: GPL-2.0 */
/* The data of the grammar's actions: the state of one parse, and the interface to its tokens. */
#ifndef PARSE_PARSER_H
#define PARSE_PARSER_H

#include "ast/ast.h"
#include "base/diag.h"
#include "parse/token.h"

struct state;
struct feed; /* compiler/parse/feed.c */

struct parser {
	struct state *state;
	struct arena *arena;
	struct diag *diag;
	struct source *src;
	struct script *script;      /* filled by the declarations */
	struct feed *feed;
	unsigned errors;            /* number of errors that this parse reported */
	bool cut_short;             /* a comment or embedded C was not closed, which was reported */
	bool after_bad;             /* the text before @last was reported */
	const char *foreign;        /* the last word of another language in this block, or NULL */
	struct token last;          /* the token that the grammar looked at last */
	struct token previous;      /* the one before it */
	VEC(struct expr *) starred; /* uses of a[*] that no delete has claimed yet */
};

#define parser_error(p, ...) ((p)->errors++, diag_error((p)->diag, __VA_ARGS__))

/** parser_before - whether --compatible asks for the language as it was before @version. Never in
 *  tapsets, which are written for the present one. */
bool parser_before(const struct parser *p, const char *version);

/** feed_next - the next token of the grammar: preprocessed, strings joined, components of probe
 *  points joined; after a syntax error also tokens that end the statement. */
void feed_next(struct parser *p, struct token *ret);

/** feed_syntax_error - the last token did not fit: skip tokens that would only cause more
 *  errors. */
void feed_syntax_error(struct parser *p);

/** feed_recovered - the grammar has found the end of the wrong statement or block. */
void feed_recovered(struct parser *p);

/** expected_report - report E_SYNTAX at @last; @names: the grammar's names of tokens that would
 *  have fitted. */
void expected_report(struct parser *p, const struct token *last, const char *const *names, int n);

#endif
