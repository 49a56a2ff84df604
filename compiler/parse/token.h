/* SPDX-License-Identifier: GPL-2.0 */
/* The raw tokens that the scanner (script.l) makes of a text, before arguments, macros and
 * conditionals are processed. */
#ifndef PARSE_TOKEN_H
#define PARSE_TOKEN_H

#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/source.h"

struct token {
	int kind;           /* TOK_* of script.tab.h; 0 at the end */
	struct range range;
	const char *s;      /* words: interned text; strings: decoded bytes; embedded C: what the
			     * braces hold; in the arena, with a NUL */
	size_t len;
	int op;             /* TOK_PRINT: enum print_kind; TOK_AGG: enum agg_op; TOK_PRETTY: 1, 2 */
	int64_t num;        /* TOK_NUMBER, once feed.c has converted it */
	const char *bad;    /* what is wrong with it, or NULL; reported if the grammar sees it */
	enum diag_id bad_id;
};

/* One text being scanned; a stack of them while arguments are pasted. */
struct scan_text {
	struct source *src;
	const struct expansion *via;
	uint32_t pos;       /* byte offset after the last match */
	struct scan_text *outer;
};

struct scanner {
	struct arena *arena;
	void *flex;              /* the yyscan_t */
	struct scan_text *text;
	uint32_t start;          /* where the current match began */
	uint32_t open;           /* where the current comment or embedded C began */
	struct map words;        /* text -> struct scan_word */
};

/** scanner_init / scanner_deinit - scan @src; all but flex's own buffers comes from @a. */
void scanner_init(struct scanner *sc, struct arena *a, struct source *src);
void scanner_deinit(struct scanner *sc);

/** scanner_next - the next raw token. Never fails: what is no token comes with ->bad set. */
void scanner_next(struct scanner *sc, struct token *ret);

/** scanner_paste - go on with @src, as if it stood here; then with the text after the last token.
 *  */
void scanner_paste(struct scanner *sc, struct source *src, const struct expansion *via);

#endif
