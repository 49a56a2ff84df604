/* SPDX-License-Identifier: GPL-2.0 */
/* Between the files of type inference; types.c has the theory. */
#ifndef CHECK_TYPES_H
#define CHECK_TYPES_H

#include "program/program.h"
#include "state.h"

struct types {
	struct state *s;
	struct program *p;
	struct function *fn; /* the body being walked, NULL in a probe */
	bool changed;        /* this round decided something */
	bool report;         /* the last round: what disagrees is an error */
	bool open;           /* a stack may still come to where a string is wanted: that decides
			      * nothing yet */
	bool convert;        /* all is decided: stacks are converted where a string is wanted, and
			      * the reverse */
	VEC(const struct symbol *) not_aggregates; /* that was reported */
};

enum want_kind {
	W_VALUE,     /* any value will do, but it must be one */
	W_OPERATOR,  /* name: the operator */
	W_SAME,      /* name: the operator whose other side is `peer` */
	W_BRANCH,    /* the other branch of ?:, `peer` */
	W_VARIABLE,  /* sym */
	W_KEY,       /* key n (from 1) of sym */
	W_PARAM,     /* parameter sym of fn */
	W_RESULT,    /* the result of fn */
	W_CONDITION,
	W_FORMAT,    /* n: the letter of the conversion, or * */
	W_THING,     /* name: what needs it, in words */
};

/* The type that the context of an expression wants, and that context for the message. T_UNKNOWN:
 * any. */
struct want {
	enum type t;
	enum want_kind kind;
	const char *name;
	int n;
	struct symbol *sym;
	struct function *fn;
	const struct expr *peer;
};

#define WANT_VALUE ((struct want){ .kind = W_VALUE })
#define WANT_LONG_FOR(what) ((struct want){ .t = T_LONG, .kind = W_THING, .name = (what) })

/** types_expr - the type of an expression from its parts, T_UNKNOWN while it is not known.
 *  Decides the types of variables that the expression determines. */
enum type types_expr(struct types *x, struct expr *e);
/** types_match - @e, whose type is @t, stands where @w is wanted: decides what is open in @e,
 *  or says what disagrees. */
void types_match(struct types *x, struct expr *e, enum type t, struct want w);
/** types_expect - both of the above. */
void types_expect(struct types *x, struct expr *e, struct want w);
/** types_keys - keys of @sym; NULL keys ("*") are passed over. */
void types_keys(struct types *x, struct symbol *sym, struct expr **keys, size_t n);
/** types_key - one key, number @i from 0. */
void types_key(struct types *x, struct symbol *sym, struct expr *key, int i);
/** types_histogram - @hist_log or @hist_linear where one is allowed. */
void types_histogram(struct types *x, struct expr *e);
/** types_decide / types_decide_result - the type of a variable's value, of a function's, at the
 *  first deciding use, @r. */
void types_decide(struct types *x, struct symbol *sym, enum type t, struct range r);
void types_decide_result(struct types *x, struct function *f, enum type t, struct range r);

/** types_soften - @e, which is assigned and whose type is a stack so far, is a string from now
 *  on. */
void types_soften(struct types *x, struct expr *e);

/** types_report_mismatch, _void, _overloads, _aggregate, _not_aggregate - errors: @e is a @t and no
 *  @w; it has no value; overloads that differ in what they return; an aggregate that is used as a
 *  value; a value that is used as one. All are silent before the last round. */
void types_report_mismatch(struct types *x, const struct expr *e, enum type t,
			   const struct want *w);
void types_report_void(struct types *x, const struct expr *e);
void types_report_overloads(struct types *x, const struct expr *call, const struct function *a,
			    const struct function *b);
void types_report_aggregate(struct types *x, const struct expr *e, const struct symbol *sym);
void types_report_not_aggregate(struct types *x, const struct expr *e, const struct symbol *sym);
/** types_report_unassigned - variables that nothing assigns, before the round that reports. */
void types_report_unassigned(struct types *x);
/** types_report_unknown - everything that stayed open after the last round. */
void types_report_unknown(struct types *x);

#endif
