/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 3, private to this folder: the typed program becomes one C file that includes
 * runtime/abi/script.h and nothing else.
 *
 * How an expression becomes C
 *   Emitting an expression appends statements to the C function being written and returns an
 *   operand: a short C expression for its value. The statements stand in the order in which the
 *   script evaluates; everything that can fail or has effects is a statement of its own, with its
 *   error test after it. Literals, reads and plain arithmetic stay in the operand's text.
 *   Invariant: an operand's text may be evaluated late, so whoever emits several operands holds
 *   the earlier ones (emit_val_hold: into a temporary) when a later one has effects.
 *   emit_expr_list does.
 *
 * Strings are references ({pointer, length}); V_LOCAL and V_SHARED operands refer to storage that
 * later effects may change, so holding one copies the bytes into a temporary of the workspace.
 *
 * Temporaries are numbered by kind and given back at the end of the statement that took them, so
 * the workspace has as many as the deepest statement needs. What is open across statements
 * (iterators, held limits) belongs to the enclosing statement.
 *
 * Ways out: every failing statement goes to fn->fail: the function's `out`, its `unlock` inside the
 * locked span of a probe, or the catch of a try. Labels are written only where something goes.
 */
#ifndef EMIT_PRIVATE_H
#define EMIT_PRIVATE_H

#include "ast/walk.h"
#include "base/buf.h"
#include "program/program.h"
#include "state.h"

/* The time for which an operand's text stays valid. Ordered: an operand made of two is the
 * larger. */
enum emit_hold {
	V_CONST,  /* a literal */
	V_STABLE, /* a temporary, or a parameter that is never assigned */
	V_LOCAL,  /* reads a local variable: until it is assigned */
	V_SHARED, /* reads a global or an array element: until one is changed, also by a callee */
};

struct emit_val {
	const char *text;     /* as a whole expression or an argument; see emit_val_operand() */
	const char *opposite; /* is_bool: a condition that is its negation; NULL: none is at hand */
	bool compound;        /* beside another operator the text needs parentheses */
	enum type type;
	enum emit_hold hold;
	bool is_num;  /* a literal number: num */
	bool narrow;  /* C type int: must be widened before arithmetic */
	bool is_bool; /* 0 or 1, a C condition without a comparison */
	int64_t num;
	size_t len;   /* V_CONST string: its bytes */
};

/* A C condition. */
struct emit_cond {
	const char *text;
	const char *opposite; /* its negation, or NULL: !(text) is */
};

/* Temporaries of a C function, by kind. */
enum emit_temp {
	TMP_LONG,  /* s64 tN */
	TMP_STR,   /* struct prt_str vN */
	TMP_ENTRY, /* void *eN: an array's entry */
	TMP_ADDR,  /* u64 aN: an address on the way of an access path */
	TMP_NEXT,  /* bool nN: an overload ended with next */
	TMP_ITER,  /* struct prt_iter *itN, NULL while closed */
	TMP_BUF,   /* f->sN: MAXSTRINGLEN bytes */
	TMP_KINDS
};

struct emit_marks {
	unsigned n[TMP_KINDS];
};

struct emit_label {
	const char *name;
	unsigned used; /* gotos */
};

/* A loop of the script around the statement being emitted. */
struct emit_loop {
	struct emit_label *on_continue; /* NULL: C's continue is right */
	unsigned depth;                 /* 1: no loop is around it */
	struct emit_loop *outer;
};

/* The C function being written. */
struct emit_fn {
	struct function *func;  /* or NULL: a probe */
	struct probe *probe;    /* or NULL */
	const char *cname;      /* "probe_0", "fn_NAME" */
	struct buf body;
	int depth;
	unsigned now[TMP_KINDS], max[TMP_KINDS];
	unsigned key_bytes;       /* C local `key`: packed keys without strings */
	unsigned workspace_key_bytes; /* f->key: packed keys with strings */
	unsigned arg_words;       /* f->args: sprintf's block, in 8 bytes */
	unsigned scratch;         /* f->scratch: bytes for running regular expressions */
	bool keeps_match;         /* f->matched: a probe in whose program groups are used */
	bool uses_out, uses_keyp; /* `o`, `k` */
	bool prints;
	bool needs_workspace;     /* something lies in the workspace */
	bool can_fail;
	bool calls;               /* functions of the script, which may need the workspace */
	bool locked;              /* inside the locked span */
	bool at_entry;            /* runs when the function of a return probe is entered */
	bool heavy;               /* calls what needs a context */
	bool uses_context;        /* mentions it, other than for the bank, without being heavy */
	bool rehearses;           /* effects are left out: rehearse.c */
	unsigned tries;           /* bodies of try statements around what is written */
	struct emit_label *fail;  /* where errors go */
	struct emit_label *leave; /* where return and next go */
	/* The last goto on the outer level: its label, and where its line lies in body. */
	struct { const struct emit_label *to; size_t start, end; } last_goto;
	struct expr *returned;    /* what `return` stands before, while its value is written: its
				   * string may be made in `ret`; else NULL */
	struct emit_loop *loop;
	bool deep_loops;          /* too deep for gcc to keep variables in registers across them */
	unsigned nlabels;
	struct map reads;         /* cnames of locals that are read */
};

/* Stands in a handler, while it is written, for the number of its probe in names of its own, so
 * that handlers can be compared without it. Text of scripts has no such character: comments, string
 * literals and emit_script_c() replace it. */
#define EMIT_NUMBER "\002"

/* Bytes of the workspace that calls need. */
struct emit_deepest {
	unsigned plain;     /* of functions that don't recurse, one below the other */
	unsigned recursive; /* the most that one of them needs that does */
};

/* Facts about a function that its tree does not show. */
struct emit_finfo {
	struct function *func;
	VEC(struct emit_finfo *) callees;
	bool touches_locked; /* it or a callee uses a locked global */
	bool in_process;     /* reached by a process-context probe */
	bool wants_site, wants_regs, wants_target, wants_time;
	bool wants_space;    /* takes stacks of the process */
	bool sets_regs, overrides;
	bool reads_user;     /* memory of the process */
	bool fixed;          /* the same during a call of a function; needs no context */
	bool light;          /* needs no context */
	bool has_next;
	bool can_fail;
	unsigned steps;      /* statements of a call, loops and recursion left out */
	unsigned workspace_size; /* bytes of the workspace for itself */
	bool visiting, below_known;
	struct emit_deepest below; /* of it and what it calls; once below_known */
};

/* The functions that a return probe has at the entry of its function. */
struct emit_entry {
	bool cond, entry; /* functions: cond_N, entry_N */
	bool full;        /* entry_N needs a context */
	bool tests;       /* entry_N may turn the call away */
	bool data;        /* struct saved_N */
	unsigned workspace; /* bytes for entry_N */
};

struct emit_stmts {
	VEC(struct stmt *) v;
};

/* Facts about a probe's handler. */
struct emit_pinfo {
	unsigned workspace_size; /* bytes of the workspace for itself */
	unsigned leaves;     /* 1: it can fail, 2: it prints */
	bool bare;           /* of its context it looks at the bank alone */
	bool rehearsed;      /* rehearse_N is there */
};

/* The modules of the kernel that sites are in, in the order of their numbers. */
struct emit_module { const char *name, *build_id; }; /* build_id NULL: not known */
struct emit_modules { VEC(struct emit_module) v; };

/* The files of programs that sites are in, with whose processes they are for, in the order of their
 * numbers. */
struct emit_scopes { VEC(const struct user_scope *) v; };

struct emit {
	struct state *s;
	struct program *p;
	struct arena *a;
	struct buf *out;
	struct emit_fn *fn;
	struct map funcs;          /* cname -> struct emit_finfo */
	bool wants_pn;             /* some function returns the names of aliases */
	VEC(struct emit_finfo *) finfos;
	VEC(struct range) srclocs;    /* source locations, by their numbers */
	struct map srcloc_numbers;
	VEC(struct source *) files; /* file numbers of the description */
	VEC(struct emit_pinfo) probes; /* in their order, once they are written */
	struct map handlers;       /* text of a handler or a rehearsal, with EMIT_NUMBER in it ->
				    * the struct probe it was written for */
	struct emit_entry *entries; /* of each probe */
	int64_t maxstr;            /* MAXSTRINGLEN */
	bool rehearses;            /* some handler has a rehearsal */
	bool compact;              /* many handlers: small code rather than the fastest */
	struct buf shared;         /* functions that handlers have in common */
	struct map shared_names;
	bool slices;               /* "in" or delete look through a slice with an iterator */
	struct emit_modules modules;
	struct emit_scopes scopes;
};

/* ---- emit.c: lines, labels, temporaries, places ---- */

/** emit_line - one indented line of the function being written; a newline is added. */
void emit_line(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** emit_open / emit_close - a line that opens a block ("if (x)": " {" is added), and its end. */
void emit_open(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_close(struct emit *e);
/** emit_comment - the script's text of [range.start, end), its first line, as a comment line. */
void emit_comment(struct emit *e, struct range r, uint32_t end);
/** emit_comment_text - @n bytes made suitable for a comment. */
const char *emit_comment_text(struct emit *e, const char *s, size_t n);
/** emit_cut - take the text written since @pos (of fn->body.len) out of the body again. */
char *emit_cut(struct emit *e, size_t pos);

/** emit_shared_once - whether the function of that name is to be written to e->shared now: true
 *  the first time. */
bool emit_shared_once(struct emit *e, const char *name);
/** emit_shared_parameters - ", TYPE vN" for each letter: l is a long, s a string, k a stack. */
void emit_shared_parameters(struct emit *e, const char *letters);

/** emit_label_new - a label of the function being written; its name begins with @stem. */
struct emit_label *emit_label_new(struct emit *e, const char *stem);
/** emit_label_put - the label, if something goes there. */
void emit_label_put(struct emit *e, const struct emit_label *l);
/** emit_goto - "goto NAME;", marked as used. */
void emit_goto(struct emit *e, struct emit_label *l);
/** emit_fail_if - to fn->fail when the C condition holds. */
void emit_fail_if(struct emit *e, const char *cond);

/** emit_temp - name of a fresh temporary; kept until emit_release of an earlier mark. */
const char *emit_temp(struct emit *e, enum emit_temp kind);
/** emit_mark / emit_release - temporaries that were taken since the mark may be used again. */
struct emit_marks emit_mark(const struct emit *e);
void emit_release(struct emit *e, struct emit_marks m);

/** emit_srcloc - number of a script range for errors and prints. */
unsigned emit_srcloc(struct emit *e, struct range r);
/** emit_file - number of a source in the description. */
unsigned emit_file(struct emit *e, struct source *src);
/** emit_quoted - @n bytes as a C string literal. */
const char *emit_quoted(struct emit *e, const char *s, size_t n);
/** emit_script_c - C from the script at @r, as lines between "#line" to that place and
 *  "#line" back to the C text, whose number is filled in when the file is complete. */
void emit_script_c(struct buf *b, struct range r, const char *text, size_t n);
/** emit_numbered - @text with @number in place of each EMIT_NUMBER. */
void emit_numbered(struct buf *b, const char *text, int number);

/* ---- names.c: where variables live ---- */

/** emit_name_lvalue - C lvalue of a scalar variable's long, its struct prt_strbuf or struct
 *  prt_stat, or of an array's struct prt_map_ref. */
const char *emit_name_lvalue(struct emit *e, const struct symbol *sym);
/** emit_name_read - a scalar's value. */
struct emit_val emit_name_read(struct emit *e, struct symbol *sym);
/** emit_name_store - assign an operand to a scalar variable. */
void emit_name_store(struct emit *e, const struct symbol *sym, struct emit_val v);
/** emit_name_in_workspace - whether a local or parameter is kept in the workspace. */
bool emit_name_in_workspace(const struct emit_fn *fn, const struct symbol *sym);
/** emit_name_globals - declarations of all globals: the bank, then the single ones. */
void emit_name_globals(struct emit *e);

/* ---- operand.c, expr.c, assign.c ---- */

/** emit_expr_value - the lines that evaluate @x, and its value as C text. */
struct emit_val emit_expr_value(struct emit *e, struct expr *x);
/** emit_expr_discard - for the effects only. */
void emit_expr_discard(struct emit *e, struct expr *x);
/** emit_expr_cond - a C condition that is true when the script's value is not 0. */
struct emit_cond emit_expr_cond(struct emit *e, struct expr *x);
/** emit_expr_negated - the text of its negation. */
const char *emit_expr_negated(struct emit *e, struct emit_cond cond);
/** emit_expr_list - operands in order, each held against the effects of later ones; @last may be
 *  NULL, or an expression evaluated after them by the caller. */
void emit_expr_list(struct emit *e, struct expr **v, size_t n, struct expr *last,
		    struct emit_val *ret);
/** emit_expr_effects - whether evaluating changes variables. */
bool emit_expr_effects(struct expr *x);

/** emit_val_num, emit_val_str, emit_val_text, emit_val_compound - values: a number, a literal of
 *  @len bytes, C text that no operator can tear apart (a name, a call, a cast), other C text. */
struct emit_val emit_val_num(struct emit *e, int64_t n);
struct emit_val emit_val_str(struct emit *e, const char *s, size_t len);
struct emit_val emit_val_text(const char *text, enum type type, enum emit_hold hold);
struct emit_val emit_val_compound(const char *text, enum type type, enum emit_hold hold);
/** emit_val_operand - its text as an operand of another operator. */
const char *emit_val_operand(struct emit *e, struct emit_val v);
/** emit_literal - a C string literal of the part of @s that fits into a string of the script. */
const char *emit_literal(struct emit *e, const char *s, size_t len);
/** emit_val_hold - the same value, no longer changed by anything until the end of the statement. */
struct emit_val emit_val_hold(struct emit *e, struct emit_val v);
/** emit_val_lasting - the same value; a stack such that it may outlive the hit. */
struct emit_val emit_val_lasting(struct emit *e, struct emit_val v);
/** emit_val_as_text - the text of a stack. */
struct emit_val emit_val_as_text(struct emit *e, struct emit_val v, struct range r);
/** emit_val_once - the same value with a text that is cheap to repeat. */
struct emit_val emit_val_once(struct emit *e, struct emit_val v);
/** emit_val_wide - the same of a long, with C type s64. */
const char *emit_val_wide(struct emit *e, struct emit_val v);

/** emit_assign / emit_assign_incdec - an assignment; ++ or --. @want: its value is asked for; else
 *  what is returned means nothing. */
struct emit_val emit_assign(struct emit *e, struct expr *x, bool want);
struct emit_val emit_assign_incdec(struct emit *e, struct expr *x, bool want);

/* ---- rehearse.c: what a handler reads of its process, without its effects ---- */

/** emit_rehearse_reads - whether a statement or an expression reads memory of the process, also in
 *  what it calls. */
bool emit_rehearse_reads(struct emit *e, struct stmt *s, struct expr *x);
/** emit_rehearse_wanted - whether @p is hit in a program and reads its memory. */
bool emit_rehearse_wanted(struct emit *e, const struct probe *p);
/** emit_rehearse_function - whether a rehearsal calls @f by a function of its own, rehearse_NAME:
 *  it reads the memory of the process, and has effects. */
bool emit_rehearse_function(const struct emit_finfo *fi);
/** emit_rehearse_left - whether the effects of @f are left out, with all of @f. */
bool emit_rehearse_left(const struct emit_fn *fn, const struct emit_finfo *fi);
/** emit_rehearse_keeps - whether the function being written may change @sym: always, but in a
 *  rehearsal only a variable of its own. */
bool emit_rehearse_keeps(const struct emit_fn *fn, const struct symbol *sym);
/** emit_rehearse_drop - a value that is not used. */
void emit_rehearse_drop(struct emit *e, struct emit_val v);
/** emit_rehearse_operand - evaluate @x, which may be no value at all (a histogram), for what it
 *  reads. */
void emit_rehearse_operand(struct emit *e, struct expr *x);
/** emit_rehearse_assigned - the value of an assignment that is left out: @right or, where that is
 *  NULL, @left as it is. @want: as for emit_assign(). */
struct emit_val emit_rehearse_assigned(struct emit *e, struct expr *left, struct expr *right,
				       bool want);
/** emit_rehearse_nothing - the value that replaces an expression that is left out. */
struct emit_val emit_rehearse_nothing(struct emit *e, enum type type);

/* ---- location.c ---- */

/** emit_location - the value or address that debug information's program leaves, as a C expression
 *  of type u64. @entry_reg: the value of the expression's base; used where
 *  @l->entry_reg is set. */
const char *emit_location(struct emit *e, const struct access *ac, const struct emit_val *entry_reg,
			  struct range r);

/* ---- graph.c, func.c ---- */

/** emit_func_collect - fill e->funcs: the call graph and what follows from it. */
void emit_func_collect(struct emit *e);
/** emit_func_info - the facts that emit_func_collect() found about @f. */
struct emit_finfo *emit_func_info(struct emit *e, const struct function *f);
/** emit_func_all - prototypes and bodies. */
void emit_func_all(struct emit *e);
/** emit_func_call - a call; @want: as for emit_assign(). */
struct emit_val emit_func_call(struct emit *e, struct expr *x, bool want);
/** emit_func_steps - statements that one run of @s executes at most, loops left out. */
unsigned emit_func_steps(struct emit *e, struct stmt *s);
/** emit_func_callees - call @visit for every function that @s calls, directly. */
void emit_func_callees(struct emit *e, struct stmt *s, struct expr *cond,
		       void (*visit)(struct emit_finfo *fi, void *data), void *data);
/** emit_func_sets_regs - whether a statement itself assigns to a parameter or to what is
 *  returned. */
bool emit_func_sets_regs(struct stmt *s);
/** emit_takes_user_stacks - whether the script takes stacks of processes. */
bool emit_takes_user_stacks(const struct emit *e);
/** emit_func_touches_locked - whether a statement or expression uses a locked global, also in what
 *  it calls. */
bool emit_func_touches_locked(struct emit *e, struct stmt *s, struct expr *x);
/** emit_func_begin / emit_func_finish - the C function being written; finish writes its workspace
 *  struct, head, declarations and body to e->out and returns the bytes of its workspace. */
void emit_func_begin(struct emit *e, struct emit_fn *fn, const char *cname);
unsigned emit_func_finish(struct emit *e, const char *head, const char *result,
			  struct emit_label *out);

/* ---- embedded.c: C of users, with SystemTap's macros ---- */

/** emit_embedded_native - whether @f is embedded C of the library itself. */
bool emit_embedded_native(const struct function *f);
/** emit_embedded_find - whether the program has embedded C of a user; sets what build must know. */
void emit_embedded_find(struct emit *e);
/** emit_embedded_head - the kernel's headers, before everything else; emit_embedded_top - what
 *  stands outside of functions, and what the macros need. Nothing where there is none. */
void emit_embedded_head(struct emit *e);
void emit_embedded_top(struct emit *e);
/** emit_embedded_function - the C function whose head is @prototype. */
void emit_embedded_function(struct emit *e, struct emit_finfo *fi, const char *prototype);
/** emit_embedded_globals - STAP_GLOBAL_GET_ and _SET_ of what @f names; returns the bytes of the
 *  workspace that they take. emit_embedded_forget_globals - after the function. */
unsigned emit_embedded_globals(struct emit *e, const struct function *f);
void emit_embedded_forget_globals(struct emit *e, const struct function *f);
/** emit_embedded_value - %{ expression %}. */
struct emit_val emit_embedded_value(struct emit *e, struct expr *x);

/* ---- owner.c ---- */

/** emit_owner_test - the handler being written is left where the hit is no event of @p's processes;
 *  nothing where @p has none. */
void emit_owner_test(struct emit *e, const struct probe *p);

/* ---- chain.c ---- */

/** emit_chain_asked - whether a place of @p counts only where certain calls led to it. */
bool emit_chain_asked(const struct probe *p);
/** emit_chain_tables - write the calls that a chain of calls requires; emit_chain_test - leave the
 *  handler being written unless they led to the hit. */
void emit_chain_tables(struct emit *e, const struct probe *p);
void emit_chain_test(struct emit *e, const struct probe *p);

/* ---- stmt.c, foreach.c, probe.c, entry.c, map.c, agg.c, print.c, regex.c, access.c, tables.c,
 * meta.c ---- */

/** emit_stmt / emit_stmt_foreach - one statement, those within it included. */
void emit_stmt(struct emit *e, struct stmt *s);
void emit_stmt_foreach(struct emit *e, struct stmt *s);
/** emit_stmt_loop_head - steps and breathing at the top of a loop's body. */
void emit_stmt_loop_head(struct emit *e, struct range r, struct stmt *body);
/** emit_stmt_loop_body - the statements of a loop; @on_continue as in struct emit_loop. */
void emit_stmt_loop_body(struct emit *e, struct stmt *body, struct emit_label *on_continue);

/** emit_probe_all - the handlers of all probes. */
void emit_probe_all(struct emit *e);
/** emit_probe_has_hit - whether all that is done at a hit of @p can be a function of the script. */
bool emit_probe_has_hit(const struct probe *p);
/** emit_probe_statements - the condition @cond (or NULL) and @list, in the locked span that they
 *  need; @locks: name of the array of locks. */
void emit_probe_statements(struct emit *e, struct probe *p, struct expr *cond,
			   const struct emit_stmts *list, const char *locks,
			   struct emit_label *out);
/** emit_entry - the functions that run when the function of return probe @p is entered. What they
 *  decide leaves *@cond and @list. */
void emit_entry(struct emit *e, struct probe *p, struct expr **cond, struct emit_stmts *list);
/** emit_entry_plain - whether a function only returns what it makes of its parameters and of other
 *  functions. */
bool emit_entry_plain(const struct function *f);
/** emit_entry_callees - emit_func_callees() of all that a probe has. */
void emit_entry_callees(struct emit *e, const struct probe *p,
			void (*visit)(struct emit_finfo *fi, void *data), void *data);

/** emit_map_keys - operands of the keys, an array in the arena; @last as for emit_expr_list. */
struct emit_val *emit_map_keys(struct emit *e, struct expr **keys, size_t n, struct expr *last);
/** emit_map_find / emit_map_get - name of a temporary that points to the entry; find may give NULL,
 *  get fails instead. */
const char *emit_map_find(struct emit *e, const struct symbol *sym, struct emit_val *keys);
const char *emit_map_get(struct emit *e, const struct symbol *sym, struct emit_val *keys,
			 struct range r);
/** emit_map_add - a[k] <<< v by a function that all uses of the array share. */
void emit_map_add(struct emit *e, const struct symbol *sym, struct emit_val *keys,
		  struct emit_val v, struct range r);
/** emit_map_read - a[k]; emit_map_in - [k] in a; emit_map_delete - delete a[k], delete a, and of
 *  slices. */
struct emit_val emit_map_read(struct emit *e, struct expr *x);
struct emit_val emit_map_in(struct emit *e, struct expr *x);
void emit_map_delete(struct emit *e, struct expr *x);
/** emit_map_slice_keys - keys of a[*, k] (NULL: "*"), held while the slice is looked through. */
struct emit_val *emit_map_slice_keys(struct emit *e, struct expr **keys, size_t n);
/** emit_map_mismatch - C condition: the entry under the iterator is not in the slice; NULL: all
 *  are. */
const char *emit_map_mismatch(struct emit *e, const struct symbol *sym, const char *it,
			      struct expr **keys, const struct emit_val *v);
/** emit_map_iter_start / emit_map_iter_end - an open iterator; @sort: "key, dir, agg". */
const char *emit_map_iter_start(struct emit *e, const struct symbol *sym, const char *sort,
				const char *limit, struct range r);
void emit_map_iter_end(struct emit *e, const char *it);

/** emit_agg_shape - "ops, buckets, low, high, width" as C text. */
const char *emit_agg_shape(struct emit *e, const struct symbol *sym);
/** emit_agg_buckets - the number of buckets of its histogram; 0: it has none. */
unsigned emit_agg_buckets(const struct symbol *sym);
/** emit_agg_helpers - one inline function an aggregate that adds a value. */
void emit_agg_helpers(struct emit *e);
/** emit_agg_add - s <<< v; emit_agg_value - @count(s) and the like; emit_agg_bucket -
 *  @hist_log(s)[i]. */
void emit_agg_add(struct emit *e, struct expr *x);
struct emit_val emit_agg_value(struct emit *e, struct expr *x);
struct emit_val emit_agg_bucket(struct emit *e, struct expr *x);
/** emit_agg_stat - C expression for the struct prt_stat * of an aggregate (may be NULL). */
const char *emit_agg_stat(struct emit *e, struct expr *a);
/** emit_agg_symbol - the variable of an EX_NAME or EX_INDEX. */
struct symbol *emit_agg_symbol(const struct expr *a);
/** emit_agg_type - C expression for its struct prt_stat_type *. */
const char *emit_agg_type(struct emit *e, const struct expr *a);

/** emit_print - a call of the print family; only the sprint family has a value. */
struct emit_val emit_print(struct emit *e, struct expr *x);
/** emit_regex_tables - the program's regular expressions. */
void emit_regex_tables(struct emit *e);
/** emit_regex - a =~ "re". */
struct emit_val emit_regex(struct emit *e, struct expr *x);
/** emit_access - a $value of the kernel, read. */
struct emit_val emit_access(struct emit *e, struct expr *x);
/** emit_access_open - walk an access path to its end, before @last (or NULL) is evaluated; gives
 *  what is there: an address where something is read or shown, else the value. emit_access_value -
 *  the value that an expression has there. */
const char *emit_access_open(struct emit *e, struct expr *x, struct expr *last);
struct emit_val emit_access_value(struct emit *e, struct expr *x, const char *at);
/** emit_register - the name of a register as PRT_REG() takes it. */
const char *emit_register(struct emit *e, const char *name);
/** emit_write - an assignment to a value of the kernel; emit_write_incdec - ++ and -- of one. */
struct emit_val emit_write(struct emit *e, struct expr *x, bool want);
struct emit_val emit_write_incdec(struct emit *e, struct expr *x, bool want);
/** emit_assign_long - apply the operator of an assignment @x to the C lvalue @to. */
void emit_assign_long(struct emit *e, struct expr *x, const char *to, struct emit_val v);

/** emit_tables - the tables of runtime/abi/script.h: struct prt_script and what it points to. */
void emit_tables(struct emit *e);
/** emit_tables_find - fill e->modules and e->scopes. */
void emit_tables_find(struct emit *e);
/** emit_files_find - fill e->scopes. */
void emit_files_find(struct emit *e);
/** emit_files_row - the row of @scope in e->scopes. */
unsigned emit_files_row(const struct emit *e, const struct user_scope *scope);
/** emit_files - the table. */
void emit_files(struct emit *e);
/** emit_meta - section .probec, as runtime/abi/records.h has it. */
void emit_meta(struct emit *e);

#endif
