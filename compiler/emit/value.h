/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operands: short C expressions with their type and how long they stay true, and the variables that
 * they read. operand.c, names.c.
 */
#ifndef EMIT_VALUE_H
#define EMIT_VALUE_H

#include "emit/unit.h"

struct emit_fn;

/* How long the text of an operand is valid. In order: an operand made of two has the greater
 * value. */
enum emit_hold {
	V_CONST,  /* a literal */
	V_STABLE, /* a temporary, or a parameter that is never assigned */
	V_LOCAL,  /* reads a local variable: until it is assigned */
	V_SHARED, /* reads a global or an array element: until one is changed, also by a callee */
};

struct emit_val {
	/* usable as a whole expression or an argument; see emit_val_operand() */
	const char *text;
	const char *opposite; /* is_bool: a condition that is its negation; NULL: unknown */
	bool compound;        /* the text needs parentheses beside another operator */
	enum type type;
	enum emit_hold hold;
	bool is_num;  /* a literal number: num */
	bool narrow;  /* C type int: must be widened before arithmetic */
	bool is_bool; /* 0 or 1, usable as a C condition */
	int64_t num;
	size_t len;   /* V_CONST string: its bytes */
	/* In place of a text, a key for emit_map_get() alone: the runtime's function that gets the
	 * element; NULL: it has a text. */
	const char *get;
};

/* A C condition. */
struct emit_cond {
	const char *text;
	const char *opposite; /* its negation; NULL: use !(text) */
};

/** emit_name_lvalue - C lvalue of a scalar variable's long, its struct prt_strbuf or struct
 *  prt_stat, or of an array's struct prt_map_ref. */
const char *emit_name_lvalue(struct emit *e, const struct symbol *sym);
/** emit_name_read - the value of a scalar. */
struct emit_val emit_name_read(struct emit *e, struct symbol *sym);
/** emit_name_store - assign a value to a scalar variable. */
void emit_name_store(struct emit *e, const struct symbol *sym, struct emit_val v);
/** emit_name_in_workspace - whether a local or parameter is stored in the workspace. */
bool emit_name_in_workspace(const struct emit_fn *fn, const struct symbol *sym);
/** emit_name_globals - write the declarations of all globals: the bank, then single variables. */
void emit_name_globals(struct emit *e);

/** emit_val_num, emit_val_str, emit_val_text, emit_val_compound - values: a number, a literal of
 *  @len bytes, C text that needs no parentheses (a name, a call, a cast), other C text. */
struct emit_val emit_val_num(struct emit *e, int64_t n);
struct emit_val emit_val_str(struct emit *e, const char *s, size_t len);
struct emit_val emit_val_text(const char *text, enum type type, enum emit_hold hold);
struct emit_val emit_val_compound(const char *text, enum type type, enum emit_hold hold);
/** emit_val_operand - its text as an operand of another operator. */
const char *emit_val_operand(struct emit *e, struct emit_val v);
/** emit_literal - a C string literal of @s, cut to the greatest length of a string. */
const char *emit_literal(struct emit *e, const char *s, size_t len);
/** emit_val_hold - the same value, which nothing changes until the end of the statement. */
struct emit_val emit_val_hold(struct emit *e, struct emit_val v);
/** emit_val_lasting - the same value; a stack becomes one that may outlive the hit. */
struct emit_val emit_val_lasting(struct emit *e, struct emit_val v);
/** emit_val_as_text - the text of a stack. */
struct emit_val emit_val_as_text(struct emit *e, struct emit_val v, struct range r);
/** emit_val_named - a string with the names that its marks stand for, for code that looks into it;
 *  any other value as it is. */
struct emit_val emit_val_named(struct emit *e, struct emit_val v);
/** emit_val_once - the same value with a text that is cheap to evaluate repeatedly. */
struct emit_val emit_val_once(struct emit *e, struct emit_val v);
/** emit_val_wide - the text of a long as an expression of C type s64. */
const char *emit_val_wide(struct emit *e, struct emit_val v);

#endif
