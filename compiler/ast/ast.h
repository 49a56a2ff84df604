/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax tree of a script. The parser makes it, resolve and check annotate it, emit reads it.
 *
 * Nodes are tagged unions: the kind says which member is valid. Fields marked "filled by" are zero
 * until that pass has run. All nodes are in the state's arena; strings end with a NUL and are
 * interned if they are names (compare names with strcmp() nevertheless).
 *
 * The tree can represent the whole language; resolve refuses constructs that this build does not
 * support by name (E_NOT_SUPPORTED).
 */
#ifndef AST_AST_H
#define AST_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "base/vec.h"

struct expr;
struct stmt;
struct symbol;
struct function;
struct access;      /* program/access.h: how a $value is reached */
struct access_type; /* likewise: a type */

enum type {
	T_UNKNOWN = 0, /* not inferred yet */
	T_LONG,        /* signed 64 bits */
	T_DOUBLE,      /* a floating-point number of 64 bits; emitted as an integer of these bits */
	T_STRING,      /* bytes, at most MAXSTRINGLEN - 1 */
	T_STACK,       /* frames: a handle of 64 bits, see runtime/abi/stacks.h */
	T_STATS,       /* an aggregate: only <<<, @extractors, delete */
	T_VOID,        /* a function without a value */
};

/** ast_is_word - whether values of type @t are 64 bits. */
static inline bool ast_is_word(enum type t)
{
	return t == T_LONG || t == T_DOUBLE || t == T_STACK;
}

/* ---- expressions ---- */

enum unary_op {
#define UNARY_OPERATOR(op, text) op,
#include "ast/operators.def"
};

enum binary_op {
#define OPERATOR(op, text, level, sort, function) op,
#include "ast/operators.def"
};

/* The operator of an assignment is one of these, or an enum binary_op, which stands for that
 * operator with "=". Their numbers differ. */
enum {
	OP_BEFORE_ASSIGNMENTS = 99,
#define ASSIGN_OPERATOR(op, text) op,
#include "ast/operators.def"
};

enum agg_op {
#define AGG_WORD(op, text) op,
#include "ast/words.def"
};

enum print_kind {
#define PRINT_WORD(kind, text) kind,
#include "ast/words.def"
};
#define PRINT_IS_SPRINT(k) ((k) >= PRINT_SPRINT)
/* A print that shows nothing: it begins or ends a table that the loader orders. The argument of the
 * first is the greatest number of rows; negative: all. */
enum print_edge { EDGE_NONE, EDGE_BEGIN, EDGE_END };
#define AGG_IS_HISTOGRAM(op) \
	((op) == AGG_HIST_LOG || (op) == AGG_HIST_LINEAR || (op) == AGG_HIST_EXP)
/* The rows of @hist_exp for a doubling, if it does not say. */
#define AGG_EXP_ROWS 4

/* One step of a $-expression: ->member, [index]. */
struct accessor {
	struct range range;
	const char *member;  /* ->NAME; NULL for an index */
	struct expr *index;  /* [expr] */
};

enum expr_kind {
	EX_NUM,       /* num */
	EX_REAL,      /* real: a number of type double */
	EX_STR,       /* str */
	EX_NAME,      /* name: a variable */
	EX_INDEX,     /* index: array[keys]; a NULL key is "*" */
	EX_UNARY,     /* unary */
	EX_BINARY,    /* binary */
	EX_ASSIGN,    /* assign */
	EX_INCDEC,    /* incdec */
	EX_COND,      /* cond: a ? b : c */
	EX_IN,        /* in: [keys] in array */
	EX_CALL,      /* call */
	EX_PRINT,     /* print family */
	EX_AGG,       /* @count(x) and the like; @hist_* as an operand of print, foreach or [] */
	EX_CONTEXT,   /* context: $name accessors suffix */
	EX_AT,        /* at: every other @word(...): @defined, @entry, @cast, @var ... */
	EX_DEREF,     /* deref: ->member and [index] of any other value */
	EX_REGEX,     /* regex: a =~ "re" */
	EX_EMBEDDED,  /* embedded: %{ text %} as a value */
};

struct expr {
	enum expr_kind kind;
	struct range range;
	enum type type; /* filled by check (and by the parser for literals) */
	union {
		struct { int64_t v; } num;
		struct {
			const char *text; /* as written */
			int64_t bits;
		} real;
		struct { const char *s; size_t len; } str; /* decoded bytes; may hold NULs */
		struct {
			const char *name;
			struct symbol *sym; /* filled by resolve */
		} name;
		struct {
			struct expr *array; /* EX_NAME, or EX_AGG with a histogram */
			VEC(struct expr *) keys;
		} index;
		struct { enum unary_op op; struct expr *a; } unary;
		struct { enum binary_op op; struct expr *a, *b; } binary;
		struct {
			int op; /* OP_SET, OP_STAT or an enum binary_op */
			struct expr *left, *right;
		} assign;
		struct { bool inc, prefix; struct expr *a; } incdec;
		struct { struct expr *c, *a, *b; } cond;
		struct { VEC(struct expr *) keys; struct expr *array; } in;
		struct {
			const char *name;
			struct range name_range;
			VEC(struct expr *) args;
			/* filled by resolve: overloads to be tried in order; all but the last end
			 * with next */
			VEC(struct function *) targets;
		} call;
		struct {
			enum print_kind kind;
			VEC(struct expr *) args;  /* values, without format and delimiter */
			/* filled by check: further values of the record, which the format does not
			 * mention: the keys of the histograms among args */
			VEC(struct expr *) hist_keys;
			/* printf: as written, decoded; NULL until check makes an equivalent printf
			 * format */
			const char *format;
			size_t format_len;
			const char *delim;        /* printd: decoded; else NULL */
			size_t delim_len;
			struct range format_range;
			int id;                   /* filled by check: number in program.prints, or
						   * in program.sprints for the sprint family */
			/* tables that the loader orders (check/tables.h): the edge of one, or the
			 * argument by which the rows that begin here are sorted, from 1, and the
			 * direction: 1 the least first, -1 the greatest */
			enum print_edge edge;
			int column, column_dir;
		} print;
		struct {
			enum agg_op op;
			struct expr *a;           /* the aggregate: EX_NAME or EX_INDEX */
			VEC(struct expr *) args;  /* (low, high, width) or (shift); constants */
		} agg;
		struct {
			/* with its "$": "$file", "$return", "$$parms"; "@cast" and the like where
			 * there is a base */
			const char *name;
			/* the pointer at which the path begins; filled by resolve, which makes
			 * these of EX_AT and EX_DEREF. For a $variable, the saved value that its
			 * location uses (access.h), or NULL */
			struct expr *base;
			VEC(struct accessor) path;
			int pretty;               /* number of trailing "$": 0, 1, 2 */
			bool plain;               /* pretty, by str(): text without quotes */
			bool address;             /* written with & */
			/* the number of the meant word of 8 bytes, from 1, of a value without an
			 * address; 0: all of it */
			unsigned word;
			/* the words of such a value that is shown; filled by locate, with the
			 * number 0 for a word that is not available */
			VEC(struct expr *) words;
			struct access *access;    /* filled by locate */
		} context;
		struct {
			const char *name;         /* with its "@": "@defined" */
			VEC(struct expr *) args;
			VEC(struct accessor) path;
			int pretty;
			bool plain, address;
		} at;
		struct {
			struct expr *base;
			VEC(struct accessor) path; /* may be empty if there is a suffix: f(x)$ */
			int pretty;
			bool plain, address;
		} deref;
		struct {
			bool negate;
			struct expr *a;
			const char *re;           /* decoded */
			size_t re_len;
			struct range re_range;
			int id;                   /* filled by check: number in program.regexes */
		} regex;
		struct { const char *text; size_t len; } embedded;
	} u;
};

/* ---- statements ---- */

enum stmt_kind {
	ST_BLOCK, ST_EMPTY, ST_EXPR, ST_IF, ST_WHILE, ST_FOR, ST_FOREACH, ST_BREAK, ST_CONTINUE,
	ST_RETURN, ST_NEXT, ST_DELETE, ST_TRY,
};

struct foreach {
	struct expr *value;               /* EX_NAME of "v = k in a", or NULL */
	VEC(struct expr *) keys;          /* EX_NAME each */
	struct expr *array;               /* EX_NAME, EX_INDEX (slice) or EX_AGG (histogram) */
	int sort_dir;                     /* 0 none, +1 ascending, -1 descending */
	int sort_key;                     /* 1..n: by that key; 0: by value; only with sort_dir */
	bool sort_has_agg;                /* "a @sum-" */
	enum agg_op sort_agg;
	struct expr *limit;               /* or NULL */
	struct stmt *body;
};

struct stmt {
	enum stmt_kind kind;
	struct range range;
	union {
		VEC(struct stmt *) block;
		/* ST_EXPR, ST_RETURN (may be NULL), ST_DELETE */
		struct expr *expr;
		struct { struct expr *c; struct stmt *then, *els; } if_;
		struct { struct expr *c; struct stmt *body; } while_;
		struct { struct expr *init, *c, *step; struct stmt *body; } for_;
		struct foreach foreach;
		struct { struct stmt *body; struct expr *var; struct stmt *handler; } try_;
	} u;
};

/* ---- probe points ---- */

struct pp_component {
	struct range range;
	const char *name;      /* may hold * and ** */
	bool has_arg;
	struct expr *arg;      /* EX_NUM or EX_STR; NULL with has_arg: "()" */
};

struct probe_point {
	struct range range;
	VEC(struct pp_component) parts;  /* braces are already expanded by the parser */
	bool optional;                   /* ? */
	bool sufficient;                 /* ! */
	struct expr *cond;               /* if (...), or NULL */
};

/* ---- declarations ---- */

/* SYM_ENTRY: a value that @entry() saves in a return probe. */
enum symbol_kind { SYM_GLOBAL, SYM_LOCAL, SYM_PARAM, SYM_ENTRY };

/* The storage of a global at run time (architecture decision 4); chosen by check. */
enum storage {
	STORE_NONE = 0,
	STORE_PERCPU,    /* per CPU without locks, collected when the session's thread reads */
	STORE_LOCKED,    /* one instance under its lock */
	STORE_UNLOCKED,  /* written only before or after hot probes run: no lock */
};

/* A guess at the meaning of a name that is never assigned. */
struct meant {
	const char *text;         /* a sentence */
	struct range at;          /* where it is shown; without a source: as a hint */
	bool surely;              /* an error even if the type is known */
};

struct symbol {
	enum symbol_kind kind;
	const char *name;         /* as written */
	const char *cname;        /* filled by resolve: a unique C identifier, without a prefix */
	struct range range;       /* the declaration (or first use of a local) */
	enum type type;           /* of the value (an array's values); filled by check */
	bool declared;            /* it has a type in the script; filled by check */
	struct range type_range;  /* where the type was decided: for notes of conflicts */
	/* the type to which its values point; filled by resolve */
	const struct access_type *target;
	bool is_private;          /* global: visible in its file only */
	bool shown;               /* global: printed at the end; filled by resolve */
	bool unassigned;          /* local, global: it is never assigned; filled by resolve */
	const struct meant *meant; /* if unassigned: a guess at what is meant, or NULL */

	/* arrays */
	bool is_array;            /* declared with [size] or used with an index; by resolve */
	int nkeys;                /* 1..9; filled by resolve at the first use */
	enum type key_type[9];    /* filled by check */
	struct range key_range[9];
	int64_t size;             /* [size], 0: MAXMAPENTRIES */
	bool wrap;                /* %: drop the oldest */
	bool whole;               /* a timer may add elements under locks; filled by check */
	/* the most bytes that the keys of a new element take as the runtime stores them; filled by
	 * check */
	unsigned key_bytes;

	/* "@sum-" after the declaration: in which order an array of aggregates is shown; 0: by the
	 * counts */
	int order_dir;
	enum agg_op order_agg;

	struct expr *init;        /* literal or NULL */
	const char *g_value;      /* -G NAME=VALUE, or NULL */

	uint32_t object_size;     /* SYM_ENTRY: bytes of the structure or array that is copied, 0: a
				   * value; filled by check */
	const char *kernel_symbol; /* the loader sets it to the address of this symbol; or NULL */

	/* use, filled by check over the whole program */
	unsigned reads, writes;
	enum storage storage;
	const char *storage_why;  /* the reason, for -p2 -v */
	unsigned stat_ops;        /* T_STATS: bit 1 << enum agg_op for each extractor in use */
	int64_t hist_low, hist_high, hist_width; /* @hist_linear */
	bool gates;               /* the gate of a probe reads it */
	int lock;                 /* STORE_LOCKED: number of its lock, otherwise -1 */
	int index;                /* number in program.globals */
};

/* A global that embedded C names: STAP_GLOBAL_GET_x(), STAP_GLOBAL_SET_x(v). */
struct embedded_global {
	struct symbol *sym;
	bool read, written;
};

struct function {
	const char *name;
	const char *cname;            /* filled by resolve: unique C identifier */
	struct range range, name_range;
	struct source *src;
	VEC(struct symbol *) params;
	VEC(struct symbol *) locals;  /* filled by resolve */
	enum type declared;           /* ": type" after the name, otherwise T_UNKNOWN */
	enum type ret;                /* filled by check */
	/* the type to which its result points; filled by resolve */
	const struct access_type *target;
	struct range ret_range;
	bool has_priority;
	int64_t priority;
	bool is_private;
	struct stmt *body;            /* NULL for embedded C */
	const char *embedded;         /* text between %{ and %}, or NULL */
	size_t embedded_len;
	struct range embedded_range;
	VEC(struct embedded_global) globals; /* of embedded C; filled by resolve */

	/* filled by resolve and check */
	bool used;
	bool recursive;               /* part of a cycle of calls */
	bool pure;                    /* no side effects; of embedded C: it has a pure pragma */
	int resolving;                /* private to resolve */
	/* likewise: whether it uses $variables */
	enum { PLACED_UNKNOWN, PLACED_NOT, PLACED } placed;
};

/* "probe ALIAS = pp { }, { epilogue }", "probe pp, pp { }" */
struct probe_decl {
	struct range range;
	struct source *src;
	VEC(struct probe_point *) names;  /* aliases: the names defined; empty for a plain probe */
	bool epilogue_form;               /* += : the block runs after the user's */
	VEC(struct probe_point *) points;
	struct stmt *body;
	struct stmt *epilogue;            /* the second block of an alias, or NULL */
	bool is_private;
};

/* The functions on the right side of a printer: its result for an object. */
enum printer_kind {
#define PRINTER(kind, name, least, most) kind,
#include "ast/printers.def"
};

/* The types that a printer is for: rust("alloc::vec::Vec<*>"). */
struct printer_type {
	struct range range;
	const char *language; /* "c", "cxx", "rust", "go" */
	const char *pattern;  /* with its scopes; "*" stands for any text */
};

/* "printer LANGUAGE("TYPE") = text(ADDRESS, LENGTH)": how objects of a type are shown by
 * $value$. */
struct printer_decl {
	struct range range;
	struct source *src;
	VEC(struct printer_type) types;
	enum printer_kind kind;
	VEC(struct expr *) args;
};

enum decl_kind {
	DECL_GLOBAL, DECL_FUNCTION, DECL_PROBE, DECL_ALIAS, DECL_EMBEDDED, DECL_PRINTER,
};

struct decl {
	enum decl_kind kind;
	void *node; /* struct symbol, function, probe_decl, expr or printer_decl */
};

/* One source file after pass 1. */
struct script {
	struct source *src;
	VEC(struct symbol *) globals;
	VEC(struct function *) functions;
	VEC(struct probe_decl *) probes;
	VEC(struct probe_decl *) aliases;
	VEC(struct printer_decl *) printers;
	/* top-level embedded C, in order */
	VEC(struct expr *) embedded;
	/* all declarations in the order written, for -p1 */
	VEC(struct decl) order;
};

/** ast_linear_buckets - the number of buckets of @hist_linear without the outer two; the last one
 *  contains high. @width is above 0, @low not above @high. UINT64_MAX if there are 2^64. */
static inline uint64_t ast_linear_buckets(int64_t low, int64_t high, int64_t width)
{
	uint64_t before = ((uint64_t)high - (uint64_t)low) / (uint64_t)width;

	return before < UINT64_MAX ? before + 1 : UINT64_MAX;
}

/** ast_exp_rows - the rows for a doubling that an EX_AGG asks for: 0 unless it is @hist_exp. */
static inline unsigned ast_exp_rows(const struct expr *agg)
{
	const struct expr *rows = agg->u.agg.args.n ? agg->u.agg.args.v[0] : NULL;

	if (agg->u.agg.op != AGG_HIST_EXP)
		return 0;
	return rows && rows->kind == EX_NUM ? (unsigned)rows->u.num.v : AGG_EXP_ROWS;
}

/** ast_base_symbol - the variable that a name or an index is about; NULL if @e is NULL, is anything
 *  else, or has no symbol yet. */
static inline struct symbol *ast_base_symbol(const struct expr *e)
{
	if (e && e->kind == EX_INDEX)
		e = e->u.index.array;
	return e && e->kind == EX_NAME ? e->u.name.sym : NULL;
}

#endif
