/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out how a body uses each variable name. Only this file decides what a read and a write is,
 * for the names of pass 2a as for the facts of pass 2b. */
#ifndef AST_USES_H
#define AST_USES_H

#include "ast/ast.h"

enum {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_ARRAY = 4,   /* with an index, in foreach or in `in`: certainly an array */
	USE_EITHER = 8,  /* delete x: a scalar or an array */
	USE_STATS = 16,  /* <<<, @extractor: certainly an aggregate */
	USE_BOUND = 32,  /* set by foreach or catch, not by an assignment */
	USE_ADD = 64,    /* <<<, or ++ -- += -= whose value is not used: in any order */
	USE_OLD = 128,   /* a write that reads as well: |= and others, n++ whose value is used */
};

struct use {
	struct expr *name;  /* EX_NAME */
	unsigned flags;
	int nkeys;          /* USE_ARRAY: number of keys */
	const struct expr *element; /* EX_INDEX: the element that is used; NULL: another use */
	struct range range; /* the whole expression */
};

struct use_visitor {
	void (*use)(const struct use *u, void *data);
	/* called for every other expression before its children; may be NULL; may replace *e */
	void (*expr)(struct expr **e, void *data);
	/* called for every statement before its parts; may be NULL */
	void (*stmt)(struct stmt *s, void *data);
	/* called before (@enter) and after the body of a foreach; may be NULL */
	void (*foreach_body)(bool enter, void *data);
	void *data;
};

/** uses_stmt / uses_expr - visit in the order of evaluation. An update (++, +=) whose value is not
 *  used counts only as a write; a ?: whose value is not used uses neither of its branches' values.
 *  NULL subtrees are skipped. */
void uses_stmt(struct stmt **st, const struct use_visitor *v);
void uses_expr(struct expr **e, const struct use_visitor *v);

#endif
