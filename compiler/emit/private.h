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
#ifndef EMIT_PRIVATE_H
#define EMIT_PRIVATE_H

#include "ast/walk.h"
#include "base/buf.h"
#include "program/program.h"
#include "state.h"

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
	struct emit_label *on_continue; /* NULL: C's own continue works */
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
	bool uses_out, uses_keyp; /* uses the variables `o`, `k` */
	bool prints;
	bool needs_workspace;     /* something is stored in the workspace */
	bool can_fail;
	bool calls;               /* calls functions of the script, which may need the workspace */
	bool locked;              /* inside the locked span */
	bool at_entry;            /* runs when the function of a return probe is entered */
	bool heavy;               /* calls something that needs a context */
	/* makes elements of arrays: needs a context, but nothing that a hit sets in it */
	bool makes_elements;
	/* uses the context other than for the bank, without being heavy */
	bool uses_context;
	bool rehearses;           /* effects are left out: rehearse.c */
	unsigned tries;           /* number of try statements around the current one */
	struct emit_label *fail;  /* the target of errors */
	struct emit_label *leave; /* the target of return and next */
	/* The last goto on the outermost level: its label, and its position in `body`. */
	struct { const struct emit_label *to; size_t start, end; } last_goto;
	/* The operand of the `return` that is being written, whose string may be made in `ret`;
	 * otherwise NULL. */
	struct expr *returned;
	struct emit_loop *loop;
	bool deep_loops;          /* loops nest too deep for gcc to keep variables in registers */
	unsigned nlabels;
	struct map reads;         /* cnames of locals that are read, with their symbols */
};

/* Written in place of the probe's number in names within a handler, so that texts of handlers can
 * be compared. Script text never contains this character: comments, string literals and
 * emit_script_c() replace it. */
#define EMIT_NUMBER "\002"

/* Bytes of the workspace that calls need. */
struct emit_deepest {
	unsigned plain;     /* sum for functions that don't recurse and call each other */
	unsigned recursive; /* the most that one recursive function needs */
};

/* Facts about a function that its syntax tree does not show. */
struct emit_finfo {
	struct function *func;
	VEC(struct emit_finfo *) callees;
	bool touches_locked; /* it or a callee uses a locked global */
	bool in_process;     /* called by handlers of the session's thread */
	bool wants_site, wants_regs, wants_target, wants_time;
	bool wants_space;    /* takes stacks of the process, or names its addresses */
	bool wants_names;    /* names addresses of the process */
	bool wants_lines;    /* its value is shown with source lines */
	bool sets_regs, overrides;
	bool reads_user;     /* memory of the process */
	bool fixed;          /* the same during a call of a function; needs no context */
	bool light;          /* needs no context */
	bool has_next;
	bool can_fail;
	unsigned steps;      /* statements in one call, without loops and recursion */
	unsigned workspace_size; /* bytes of the workspace that it needs itself */
	bool visiting, below_known;
	struct emit_deepest below; /* the same with its callees; valid if below_known */
};

/* The processes in which a handler in a program does something. */
struct emit_processes {
	bool only_target;
	const char *pid_namespace; /* C text, the address of its number; NULL: any */
};

/* Facts that are decided before the handler runs: the processes, and the functions that a return
 * probe has at the entry of its function. */
struct emit_entry {
	struct emit_processes processes;
	bool cond, entry; /* the functions cond_N and entry_N exist */
	bool full;        /* entry_N needs a context */
	bool tests;       /* entry_N may reject the call */
	bool data;        /* struct saved_N exists */
	unsigned workspace; /* bytes for entry_N */
};

struct emit_stmts {
	VEC(struct stmt *) v;
};

/* Facts about a probe's handler. */
struct emit_pinfo {
	unsigned workspace_size; /* bytes of the workspace that it needs itself */
	unsigned leaves;     /* 1: it can fail, 2: it prints */
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

/* ---- emit.c: lines, labels, temporaries, places ---- */

/** emit_line - one indented line of the function being written; a newline is added. */
void emit_line(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** emit_open / emit_close - begin a block with a line ("if (x)", to which " {" is added), and end
 *  it. */
void emit_open(struct emit *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_close(struct emit *e);
/** emit_comment - a comment line with the first line of the script's text [range.start, end). */
void emit_comment(struct emit *e, struct range r, uint32_t end);
/** emit_comment_text - @n bytes of text, made suitable for a comment. */
const char *emit_comment_text(struct emit *e, const char *s, size_t n);
/** emit_cut - remove the text after @pos (of fn->body.len) from the body and return it. */
char *emit_cut(struct emit *e, size_t pos);

/** emit_shared_once - whether the function of that name has to be written to e->shared now; true
 *  once. */
bool emit_shared_once(struct emit *e, const char *name);
/** emit_shared_parameters - ", TYPE vN" for each letter: l is a long, s a string, k a stack. */
void emit_shared_parameters(struct emit *e, const char *letters);

/** emit_label_new - make a label of the current function; its name begins with @stem. */
struct emit_label *emit_label_new(struct emit *e, const char *stem);
/** emit_label_put - write the label, if something jumps to it. */
void emit_label_put(struct emit *e, const struct emit_label *l);
/** emit_goto - write "goto NAME;" and mark the label as used. */
void emit_goto(struct emit *e, struct emit_label *l);
/** emit_fail_if - jump to fn->fail if the C condition is true. */
void emit_fail_if(struct emit *e, const char *cond);

/** emit_temp - the name of a new temporary, which is valid until emit_release() of an earlier
 *  mark. */
const char *emit_temp(struct emit *e, enum emit_temp kind);
/** emit_mark / emit_release - release the temporaries that were taken since the mark. */
struct emit_marks emit_mark(const struct emit *e);
void emit_release(struct emit *e, struct emit_marks m);

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

/* ---- names.c: where variables live ---- */

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

/* ---- operand.c, expr.c, assign.c ---- */

/** emit_expr_value - emit the statements that evaluate @x; returns its value. */
struct emit_val emit_expr_value(struct emit *e, struct expr *x);
/** emit_expr_discard - evaluate @x for its effects only. */
void emit_expr_discard(struct emit *e, struct expr *x);
/** emit_expr_cond - a C condition for whether the value of @x is not 0. */
struct emit_cond emit_expr_cond(struct emit *e, struct expr *x);
/** emit_expr_negated - the negation of a condition. */
const char *emit_expr_negated(struct emit *e, struct emit_cond cond);
/** emit_expr_list - evaluate operands in order, and hold each against the effects of later ones.
 *  @last: NULL, or an expression that the caller evaluates after them. */
void emit_expr_list(struct emit *e, struct expr **v, size_t n, struct expr *last,
		    struct emit_val *ret);
/** emit_expr_effects - whether evaluating it changes variables. */
bool emit_expr_effects(struct expr *x);

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
/** emit_val_once - the same value with a text that is cheap to evaluate repeatedly. */
struct emit_val emit_val_once(struct emit *e, struct emit_val v);
/** emit_val_wide - the text of a long as an expression of C type s64. */
const char *emit_val_wide(struct emit *e, struct emit_val v);

/** emit_assign / emit_assign_incdec - an assignment; ++ or --. Unless @want, the result is not
 *  valid. */
struct emit_val emit_assign(struct emit *e, struct expr *x, bool want);
struct emit_val emit_assign_incdec(struct emit *e, struct expr *x, bool want);

/* ---- rehearse.c: what a handler reads of its process, without its effects ---- */

/** emit_rehearse_reads - whether a statement or an expression reads memory of the process, itself
 *  or in a function that it calls. */
bool emit_rehearse_reads(struct emit *e, struct stmt *s, struct expr *x);
/** emit_rehearse_wanted - whether @p is hit in a program and reads the memory of its process. */
bool emit_rehearse_wanted(struct emit *e, const struct probe *p);
/** emit_rehearse_reads_first - whether the handler of @p reads memory of the process only before it
 *  has effects, and ends with an error where such a read fails. false for return probes. */
bool emit_rehearse_reads_first(struct emit *e, const struct probe *p);
/** emit_rehearse_function - whether @f has a rehearsal of its own, rehearse_NAME, because it reads
 *  memory of the process and has effects. */
bool emit_rehearse_function(const struct emit_finfo *fi);
/** emit_rehearse_left - whether calls of @f are left out, because it has effects. */
bool emit_rehearse_left(const struct emit_fn *fn, const struct emit_finfo *fi);
/** emit_rehearse_keeps - whether the current function may change @sym: a rehearsal may change only
 *  its own variables. */
bool emit_rehearse_keeps(const struct emit_fn *fn, const struct symbol *sym);
/** emit_rehearse_drop - discard a value. */
void emit_rehearse_drop(struct emit *e, struct emit_val v);
/** emit_rehearse_operand - evaluate @x for the memory that it reads; it may have no value (a
 *  histogram). */
void emit_rehearse_operand(struct emit *e, struct expr *x);
/** emit_rehearse_assigned - the value of an assignment that is left out: @right, or the old value
 *  of @left if @right is NULL. @want: as for emit_assign(). */
struct emit_val emit_rehearse_assigned(struct emit *e, struct expr *left, struct expr *right,
				       bool want);
/** emit_rehearse_nothing - the value in place of an expression that is left out. */
struct emit_val emit_rehearse_nothing(struct emit *e, enum type type);

/* ---- location.c ---- */

/** emit_location - the value or address that a location computes, as a C expression of type u64.
 *  @entry_reg: the value of the expression's base, used if @l->entry_reg is set. */
const char *emit_location(struct emit *e, const struct access *ac, const struct emit_val *entry_reg,
			  struct range r);

/* ---- graph.c, func.c ---- */

/** emit_func_collect - fill e->funcs: the call graph and the facts that follow from it. */
void emit_func_collect(struct emit *e);
/** emit_func_info - the facts that emit_func_collect() found about @f. */
struct emit_finfo *emit_func_info(struct emit *e, const struct function *f);
/** emit_func_all - write prototypes and bodies. */
void emit_func_all(struct emit *e);
/** emit_func_call - a call; @want: as for emit_assign(). */
struct emit_val emit_func_call(struct emit *e, struct expr *x, bool want);
/** emit_func_steps - the most statements in one run of @s, without loops. */
unsigned emit_func_steps(struct emit *e, struct stmt *s);
/** emit_func_callees - call @visit for each function that @s calls directly. */
void emit_func_callees(struct emit *e, struct stmt *s, struct expr *cond,
		       void (*visit)(struct emit_finfo *fi, void *data), void *data);
/** emit_func_sets_regs - whether a statement itself assigns to a parameter or to the returned value
 *  of a probed function. */
bool emit_func_sets_regs(struct stmt *s);
/** emit_takes_user_stacks - whether the script takes stacks of processes. */
bool emit_takes_user_stacks(const struct emit *e);
/** emit_names_user_addresses - whether the script names addresses of processes. */
bool emit_names_user_addresses(const struct emit *e);
/** emit_shows_lines - whether the script shows source lines. */
bool emit_shows_lines(const struct emit *e);
/** emit_func_touches_locked - whether a statement or expression uses a locked global, itself or in
 *  a function that it calls. */
bool emit_func_touches_locked(struct emit *e, struct stmt *s, struct expr *x);
/** emit_func_begin / emit_func_finish - begin and end a C function. emit_func_finish() writes
 *  its workspace struct, head, declarations and body to e->out, and returns the bytes of its
 *  workspace. */
void emit_func_begin(struct emit *e, struct emit_fn *fn, const char *cname);
unsigned emit_func_finish(struct emit *e, const char *head, const char *result,
			  struct emit_label *out);

/* ---- embedded.c: C of users, with SystemTap's macros ---- */

/** emit_embedded_native - whether @f is embedded C of the tapset library. */
bool emit_embedded_native(const struct function *f);
/** emit_embedded_find - whether the program has embedded C of a user; sets what build needs to
 *  know. */
void emit_embedded_find(struct emit *e);
/** emit_embedded_head - the kernel's headers, before everything else; emit_embedded_top - C outside
 *  of functions, and helpers of the macros. Nothing without embedded C of a user. */
void emit_embedded_head(struct emit *e);
void emit_embedded_top(struct emit *e);
/** emit_embedded_function - write the C function whose head is @prototype. */
void emit_embedded_function(struct emit *e, struct emit_finfo *fi, const char *prototype);
/** emit_embedded_globals - write STAP_GLOBAL_GET_ and _SET_ for the globals that @f names; returns
 *  the bytes of the workspace that they need. emit_embedded_forget_globals - undefine them after
 *  the function. */
unsigned emit_embedded_globals(struct emit *e, const struct function *f);
void emit_embedded_forget_globals(struct emit *e, const struct function *f);
/** emit_embedded_value - the value of %{ expression %}. */
struct emit_val emit_embedded_value(struct emit *e, struct expr *x);

/* ---- owner.c ---- */

/** emit_owner_test - leave the current handler if the hit is not an event of @p's processes; writes
 *  nothing if @p has none. */
void emit_owner_test(struct emit *e, const struct probe *p);

/* ---- chain.c ---- */

/** emit_chain_asked - whether a place of @p counts only after certain calls. */
bool emit_chain_asked(const struct probe *p);
/** emit_chain_tables - write the calls that chains of calls require; emit_chain_test - leave the
 *  current handler unless they led to the hit. */
void emit_chain_tables(struct emit *e, const struct probe *p);
void emit_chain_test(struct emit *e, const struct probe *p);

/* ---- stmt.c, foreach.c, probe.c, entry.c, map.c, agg.c, print.c, regex.c, access.c, tables.c,
 * meta.c ---- */

/** emit_stmt / emit_stmt_foreach - write one statement, with nested ones. */
void emit_stmt(struct emit *e, struct stmt *s);
void emit_stmt_foreach(struct emit *e, struct stmt *s);
/** emit_is_next - whether a statement is `next`, alone in as many blocks as it may be. */
bool emit_is_next(const struct stmt *s);
/** emit_stmt_loop_head - count steps and let other code run, at the beginning of a loop's body. */
void emit_stmt_loop_head(struct emit *e, struct range r, struct stmt *body);
/** emit_stmt_loop_body - write the statements of a loop; @on_continue as in struct emit_loop. */
void emit_stmt_loop_body(struct emit *e, struct stmt *body, struct emit_label *on_continue);

/** emit_probe_all - write the handlers of all probes. */
void emit_probe_all(struct emit *e);
/** emit_probe_has_hit - whether a function of the script can do everything at a hit of @p. */
bool emit_probe_has_hit(const struct probe *p);
/** emit_probe_statements - write the condition @cond (or NULL) and @list, in the locked span that
 *  they need; @locks: the name of the array of locks. */
void emit_probe_statements(struct emit *e, struct probe *p, struct expr *cond,
			   const struct emit_stmts *list, const char *locks,
			   struct emit_label *out);
/** emit_entry - write the functions that run at the entry of return probe @p. Conditions that they
 *  decide are removed from *@cond and @list. */
void emit_entry(struct emit *e, struct probe *p, struct expr **cond, struct emit_stmts *list);
/** emit_processes_of - the processes to which @p is limited by its condition and the beginning of
 *  @list, the statements of its handler. */
struct emit_processes emit_processes_of(struct emit *e, const struct probe *p,
					const struct emit_stmts *list);
/** emit_entry_plain - whether a function only returns a value computed from its parameters and from
 *  other functions. */
bool emit_entry_plain(const struct function *f);
/** emit_entry_callees - emit_func_callees() for all code of a probe. */
void emit_entry_callees(struct emit *e, const struct probe *p,
			void (*visit)(struct emit_finfo *fi, void *data), void *data);

/** emit_switch_has - whether @p can be switched off and on; emit_switch_any - whether any can. */
bool emit_switch_has(const struct emit *e, const struct probe *p);
bool emit_switch_any(const struct emit *e);
/** emit_switch_table - write the table of switches, if there is any. */
void emit_switch_table(struct emit *e);
/** emit_switch_put_entry - write what tests the switch at the entry of return probe @p, if that is
 *  needed, after its entry function; emit_switch_entry - the name of the function to call there. */
void emit_switch_put_entry(struct emit *e, const struct probe *p);
const char *emit_switch_entry(const struct emit *e, const struct probe *p);

/** emit_map_keys - the operands of the keys, an array in the arena; @last as for
 *  emit_expr_list(). */
struct emit_val *emit_map_keys(struct emit *e, struct expr **keys, size_t n, struct expr *last);
/** emit_map_target - the same for the element @x that is about to be made, if necessary: for
 *  emit_map_get() alone. */
struct emit_val *emit_map_target(struct emit *e, struct expr *x, struct expr *last);
/** emit_map_find / emit_map_get - the name of a temporary that points to the element. With
 *  emit_map_find() it may be NULL; emit_map_get() makes the element, or fails. */
const char *emit_map_find(struct emit *e, const struct symbol *sym, struct emit_val *keys);
const char *emit_map_get(struct emit *e, const struct symbol *sym, struct emit_val *keys,
			 struct range r);
/** emit_map_add - a[k] <<< v, by a function that all uses of the array share. */
void emit_map_add(struct emit *e, const struct symbol *sym, struct emit_val *keys,
		  struct emit_val v, struct range r);
/** emit_map_read - a[k]; emit_map_in - [k] in a; emit_map_delete - delete a[k] or a, also for
 *  slices. */
struct emit_val emit_map_read(struct emit *e, struct expr *x);
struct emit_val emit_map_in(struct emit *e, struct expr *x);
void emit_map_delete(struct emit *e, struct expr *x);
/** emit_map_slice_keys - the keys of a[*, k] (NULL: "*"), held while the slice is searched. */
struct emit_val *emit_map_slice_keys(struct emit *e, struct expr **keys, size_t n);
/** emit_map_mismatch - a C condition: the element of the iterator is not in the slice. NULL if all
 *  elements are. */
const char *emit_map_mismatch(struct emit *e, const struct symbol *sym, const char *it,
			      struct expr **keys, const struct emit_val *v);
/** emit_map_iter_start / emit_map_iter_end - open and close an iterator; @sort: "key, dir, agg". */
const char *emit_map_iter_start(struct emit *e, const struct symbol *sym, const char *sort,
				const char *limit, struct range r);
void emit_map_iter_end(struct emit *e, const char *it);

/** emit_agg_shape - "ops, buckets, low, high, width" as C text. */
const char *emit_agg_shape(struct emit *e, const struct symbol *sym);
/** emit_agg_buckets - the number of buckets of the histogram @agg. */
unsigned emit_agg_buckets(const struct expr *agg);
/** emit_agg_room - the words of a scalar after its struct prt_stat, as C text. */
const char *emit_agg_room(struct emit *e, const struct symbol *sym);
/** emit_agg_clear - delete s: a scalar. */
void emit_agg_clear(struct emit *e, const struct symbol *sym);
/** emit_agg_helpers - write an inline function for each aggregate, which adds a value. */
void emit_agg_helpers(struct emit *e);
/** emit_agg_add - s <<< v; emit_agg_value - @count(s) and the like; emit_agg_bucket -
 *  @hist_log(s)[i]. */
void emit_agg_add(struct emit *e, struct expr *x);
struct emit_val emit_agg_value(struct emit *e, struct expr *x);
struct emit_val emit_agg_bucket(struct emit *e, struct expr *x);
/** emit_agg_stat - a C expression for the struct prt_stat * of an aggregate, which may be NULL. */
const char *emit_agg_stat(struct emit *e, struct expr *a);
/** emit_agg_type - a C expression for its struct prt_stat_type *. */
const char *emit_agg_type(struct emit *e, const struct expr *a);

/** emit_print - a call of the print family; only sprint and its relatives have a value. */
struct emit_val emit_print(struct emit *e, struct expr *x);
/** emit_regex_tables - write the tables of all regular expressions. */
void emit_regex_tables(struct emit *e);
/** emit_regex - a =~ "re". */
struct emit_val emit_regex(struct emit *e, struct expr *x);
/** emit_access - read a $-expression. */
struct emit_val emit_access(struct emit *e, struct expr *x);
/** emit_access_slot - the contents of slot @n of the stack at a function's entry, for one of the
 *  AB_STACK_... bases; a failure sets c->err. */
const char *emit_access_slot(struct emit *e, enum access_base base, unsigned n, bool of_user,
			     struct range r);
/** emit_access_open - follow an access path to its end, before @last (or NULL) is evaluated.
 *  Returns an address if memory is read or shown there, otherwise the value. emit_access_value -
 *  the value of an expression there. */
const char *emit_access_open(struct emit *e, struct expr *x, struct expr *last);
struct emit_val emit_access_value(struct emit *e, struct expr *x, const char *at);
/** emit_register - the name of a register as PRT_REG() takes it. */
const char *emit_register(struct emit *e, const char *name);
/** emit_write - an assignment to a value of the kernel; emit_write_incdec - ++ and -- of one. */
struct emit_val emit_write(struct emit *e, struct expr *x, bool want);
struct emit_val emit_write_incdec(struct emit *e, struct expr *x, bool want);
/** emit_assign_long - apply the operator of an assignment @x to the C lvalue @to. */
void emit_assign_long(struct emit *e, struct expr *x, const char *to, struct emit_val v);

/** emit_tables - write the tables of runtime/abi/script.h: struct prt_script and everything in
 *  it. */
void emit_tables(struct emit *e);
/** emit_workspace_size - the bytes of the workspace that any of the probes may need. */
uint64_t emit_workspace_size(struct emit *e);
/** emit_receivers - write the functions that tracepoints call, where a script needs its own;
 *  emit_receiver - name the one for a site of @p in the table of sites, if there is one. */
void emit_receivers(struct emit *e);
void emit_receiver(struct emit *e, const struct probe *p, const struct site *it);
/** emit_tables_find - fill e->modules and e->scopes. */
void emit_tables_find(struct emit *e);
/** emit_files_find - fill e->scopes. */
void emit_files_find(struct emit *e);
/** emit_files_row - the row of @scope in e->scopes. */
unsigned emit_files_row(const struct emit *e, const struct user_scope *scope);
/** emit_files - write the table of files. */
void emit_files(struct emit *e);
/** emit_meta - write the section .probec, as runtime/abi/records.h describes it. */
void emit_meta(struct emit *e);

#endif
