/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 3: makes one C file, which includes runtime/abi/script.h and nothing else, of the typed
 * program.
 *
 * How an expression becomes C
 *   Emitting an expression appends statements to the C function being written and returns an
 *   operand: a short C expression for its value. The statements are in the order in which the
 *   script evaluates; everything that can fail or has effects is a statement of its own, followed
 *   by its error test. Literals, reads and plain arithmetic stay in the text of the operand.
 *   Invariant: the text of an operand may be evaluated later. Code that emits several operands
 *   holds earlier ones (emit_val_hold: in a temporary) if a later one has effects, as
 *   emit_expr_list does.
 *
 * Strings are references ({pointer, length}). V_LOCAL and V_SHARED operands refer to storage that
 * later effects may change, so holding one copies the bytes into a temporary of the workspace.
 *
 * Temporaries are numbered by kind and released at the end of the statement that took them, so the
 * workspace has as many as the deepest statement needs. Anything that is open across statements
 * (iterators, held limits) belongs to the enclosing statement.
 *
 * Errors: a statement that fails goes to fn->fail, which is the function's `out`, its `unlock` in
 * the locked span of a probe, or the catch of a try. A label is written only if it is used.
 */
#ifndef EMIT_UNIT_H
#define EMIT_UNIT_H

#include "ast/walk.h"
#include "program/program.h"
#include "shared/buf.h"
#include "state.h"

struct emit_entry;
struct emit_finfo;
struct emit_fn;

/* Written in place of the probe's number in names within a handler, so that texts of handlers can
 * be compared. Script text never contains this character: comments, string literals and
 * emit_script_c() replace it. */
#define EMIT_NUMBER "\002"

/* Facts about a probe's handler. */
struct emit_pinfo {
	unsigned workspace_size; /* bytes of the workspace that it needs itself */
	unsigned leaves;     /* 1: it can fail, 2: it prints */
	bool outputs;        /* it, or a function that it calls, may print */
	bool bare;           /* uses nothing of its context but the bank */
	bool rehearsed;      /* rehearse_N exists */
	bool reads_first;    /* the same, and emit_rehearse_reads_first() */
};

/* Kernel modules with sites, in the order of their numbers. */
struct emit_module { const char *name, *build_id; }; /* build_id NULL: not known */
struct emit_modules { VEC(struct emit_module) v; };

/* Program files with sites and the processes that are meant, in the order of their numbers. */
struct emit_scopes { VEC(const struct user_scope *) v; };

struct emit {
	struct state *s;
	struct program *p;
	struct arena *a;
	struct buf *out;
	struct emit_fn *fn;
	struct map funcs;          /* cname -> struct emit_finfo */
	bool wants_pn;             /* some function returns the names of aliases */
	bool leaves_marks;         /* some function leaves marks in strings: abi/mark_names.h */
	VEC(struct emit_finfo *) finfos;
	VEC(struct range) srclocs;    /* source locations, by their numbers */
	struct map srcloc_numbers;
	VEC(struct source *) files; /* file numbers of the description */
	VEC(struct emit_pinfo) probes; /* in their order, after they were written */
	/* text of a handler or a rehearsal, with EMIT_NUMBER -> the struct probe for which it was
	 * written */
	struct map handlers;
	struct emit_entry *entries; /* of each probe */
	int64_t maxstr;            /* MAXSTRINGLEN */
	bool rehearses;            /* some handler has a rehearsal */
	bool compact;              /* there are many handlers: prefer small code to fast code */
	struct buf shared;         /* functions that several handlers use */
	struct map shared_names;
	bool slices;               /* "in" or delete searches a slice with an iterator */
	struct emit_modules modules;
	struct emit_scopes scopes;
	struct map receivers;      /* "OBJECT NAME" of a tracepoint -> the function of its type */
};

/** emit_shared_once - whether the function of that name has to be written to e->shared now; true
 *  once. */
bool emit_shared_once(struct emit *e, const char *name);
/** emit_shared_parameters - ", TYPE vN" for each letter: l is a long, s a string, k a stack. */
void emit_shared_parameters(struct emit *e, const char *letters);

/** emit_srcloc - the number of the source location of a range. */
unsigned emit_srcloc(struct emit *e, struct range r);
/** emit_file - the number of a source in the self-description. */
unsigned emit_file(struct emit *e, struct source *src);
/** emit_quoted - @n bytes as a C string literal. */
const char *emit_quoted(struct emit *e, const char *s, size_t n);
/** emit_script_c - C of the script at @r, between a "#line" for its location and a "#line" back to
 *  the C text, whose number is filled in when the file is complete. */
void emit_script_c(struct buf *b, struct range r, const char *text, size_t n);
/** emit_numbered - @text with @number in place of each EMIT_NUMBER. */
void emit_numbered(struct buf *b, const char *text, int number);

#endif
