/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of type inference; types.c explains it. */
#ifndef CHECK_TYPES_H
#define CHECK_TYPES_H

#include "program/program.h"
#include "state.h"

struct types {
	struct state *s;
	struct program *p;
	struct function *fn; /* the body being walked, NULL in a probe */
	bool changed;        /* this round decided something, */
	struct range decided; /* the last time because of this */
	bool report;         /* the last round, which reports errors */
	/* a stack may still reach a place where a string is wanted, so that place decides nothing
	 * yet */
	bool open;
	/* likewise, an operand that is open may still become a double */
	bool open_numbers;
	/* everything is decided: insert conversions between stacks and strings */
	bool convert;
	VEC(const struct symbol *) not_aggregates; /* those that were reported */
};

enum want_kind {
	W_VALUE,     /* any value, but there must be one */
	W_OPERATOR,  /* name: the operator */
	W_SAME,      /* name: the operator with `peer` on the other side */
	W_BRANCH,    /* the other branch of ?:, `peer` */
	W_VARIABLE,  /* sym */
	W_KEY,       /* key n (from 1) of sym */
	W_PARAM,     /* parameter sym of fn */
	W_RESULT,    /* the result of fn */
	W_CONDITION,
	W_FORMAT,    /* n: the letter of the conversion, or * */
	W_THING,     /* name: a description of what needs it */
};

/* The type that the context of an expression wants, and a description of the context for messages.
 * T_UNKNOWN: any type. */
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

/** types_expr - the type of an expression by its parts, or T_UNKNOWN if it is not known yet.
 *  Decides the types of variables that the expression determines. */
enum type types_expr(struct types *x, struct expr *e);
/** types_unresolved - the type of an EX_CONTEXT, EX_AT or EX_DEREF that could not be resolved; only
 *  lists meet one. A member that is unknown may have any type, but what is shown as text is a
 *  string. */
enum type types_unresolved(const struct expr *e);
/** types_match - @e, whose type is @t, is used where @w is wanted: decide open types in @e, or
 *  report the disagreement. */
void types_match(struct types *x, struct expr *e, enum type t, struct want w);
/** types_expect - types_expr() and types_match(). */
void types_expect(struct types *x, struct expr *e, struct want w);
/** types_keys - the keys of @sym; NULL keys ("*") are skipped. */
void types_keys(struct types *x, struct symbol *sym, struct expr **keys, size_t n);
/** types_key - one key, number @i from 0. */
void types_key(struct types *x, struct symbol *sym, struct expr *key, int i);
/** types_histogram - @hist_log or @hist_linear in a context that allows them. */
void types_histogram(struct types *x, struct expr *e);
/** types_decide / types_decide_result - decide the type of a variable's value or of a function's
 *  result by its use at @r. */
void types_decide(struct types *x, struct symbol *sym, enum type t, struct range r);
void types_decide_result(struct types *x, struct function *f, enum type t, struct range r);

/** types_soften - make a string of @e, an assigned expression whose type has been a stack. */
void types_soften(struct types *x, struct expr *e);

/** doubles_are_used - whether the script may have a value of type double, before types are
 *  known. */
bool doubles_are_used(const struct program *p);
/** doubles_type - the type of an arithmetic operation that doubles have (+ - * /), by the types of
 *  its operands: T_DOUBLE, T_UNKNOWN if it is not known yet, or T_LONG. */
enum type doubles_type(const struct types *x, enum binary_op op, enum type a, enum type b);
/** doubles_compare - match the operands of a comparison, of types @a and @b, if one is a double.
 *  Returns false if the comparison is one of other values. */
bool doubles_compare(struct types *x, struct expr *e, enum type a, enum type b);
/** doubles_convert - make a double of @e if it is a literal integer, perhaps with a sign. Returns
 *  false if it is not one. */
bool doubles_convert(struct types *x, struct expr *e);
/** doubles_lower - replace the operators whose operands are doubles by OP_DOUBLE_*; comes last. */
void doubles_lower(struct state *s, struct program *p);
/** doubles_report_key - a double is the key of an array. doubles_report_sort - an array is sorted
 *  by values that are doubles. doubles_hint - the next step after an error, where @t is not the
 *  wanted type, and one of the two is a double. */
void doubles_report_key(struct types *x, const struct expr *key);
void doubles_report_sort(struct types *x, const struct foreach *f);
void doubles_hint(struct types *x, enum type t, const struct want *w);

/** types_report_mismatch, _void, _overloads, _aggregate, _not_aggregate - errors: @e has type @t,
 *  not @w; it has no value; overloads differ in their results; an aggregate is used as a value; a
 *  value is used as an aggregate. All are silent before the last round. */
void types_report_mismatch(struct types *x, const struct expr *e, enum type t,
			   const struct want *w);
void types_report_void(struct types *x, const struct expr *e);
void types_report_overloads(struct types *x, const struct expr *call, const struct function *a,
			    const struct function *b);
void types_report_aggregate(struct types *x, const struct expr *e, const struct symbol *sym);
void types_report_not_aggregate(struct types *x, const struct expr *e, const struct symbol *sym);
/** types_report_embedded - if @e calls embedded C, report that nothing decides the type of its
 *  value; silent before the last round. Such a value must not be guessed: C code that fills a
 *  string would write to an arbitrary address if its value were a long. */
void types_report_embedded(struct types *x, const struct expr *e);
/** types_report_unassigned - report variables that are never assigned; comes before the last
 *  round. */
void types_report_unassigned(struct types *x);
/** types_report_unknown - report everything that is open after the last round. */
void types_report_unknown(struct types *x);

#endif
