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
	/* words: interned text; strings: decoded bytes; embedded C: the text between the braces; in
	 * the arena, with a NUL */
	const char *s;
	size_t len;
	int op;             /* TOK_PRINT: enum print_kind; TOK_AGG: enum agg_op; TOK_PRETTY: 1, 2 */
	int64_t num;        /* TOK_NUMBER, once feed.c has converted it */
	const char *bad;    /* why it is not valid, or NULL; reported if the grammar sees it */
	enum diag_id bad_id;
};

/* A text that is being scanned. There are several while arguments are pasted. */
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
	uint32_t start;          /* beginning of the current match */
	uint32_t open;           /* beginning of the current comment or embedded C */
	struct map words;        /* text -> struct scan_word */
};

/** scanner_init / scanner_deinit - scan @src; all memory except flex's own buffers comes from
 *  @a. */
void scanner_init(struct scanner *sc, struct arena *a, struct source *src);
void scanner_deinit(struct scanner *sc);

/** scanner_next - the next raw token. Never fails: an invalid one has ->bad set. */
void scanner_next(struct scanner *sc, struct token *ret);

/** scanner_paste - continue with @src as if its text were here, then after the last token. */
void scanner_paste(struct scanner *sc, struct source *src, const struct expansion *via);

#endif
