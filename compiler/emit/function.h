/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The C function that is being written: its lines, labels and temporaries. emit.c, func.c.
 */
#ifndef EMIT_FUNCTION_H
#define EMIT_FUNCTION_H

#include "emit/unit.h"

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

/* An element that the expressions being evaluated have looked up: emit_map_share(). */
struct emit_found {
	const char *at;    /* array and keys as C text */
	const char *entry; /* the temporary that points to it */
	struct emit_found *next;
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
	bool shares_found;        /* between emit_map_share() and its end */
	struct emit_found *found; /* the last first; NULL unless shares_found */
	struct map reads;         /* cnames of locals that are read, with their symbols */
};

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

/** emit_func_begin / emit_func_finish - begin and end a C function. emit_func_finish() writes
 *  its workspace struct, head, declarations and body to e->out, and returns the bytes of its
 *  workspace. */
void emit_func_begin(struct emit *e, struct emit_fn *fn, const char *cname);
unsigned emit_func_finish(struct emit *e, const char *head, const char *result,
			  struct emit_label *out);

#endif
