/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An exhaustive checker of small programs that share memory. testsuite/README.md, "The order of
 * memory", describes the language of the programs.
 *
 * A test has two to four threads, some of which interrupts may interrupt. Each load may return any
 * value that is ever stored at its address, so the runs of a thread are enumerated without the
 * others (run.c). Runs of all threads are then put together: each load gets a store that it reads
 * from, the stores to each address get an order, and what results is an execution (execute.c). A
 * model (model.c) says whether a processor can do that. A condition is reached if it holds after
 * one of the executions that the model allows.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	MAX_CODES = 6, MAX_STATEMENTS = 128, MAX_EXPRS = 640, MAX_REGISTERS = 40, MAX_GOALS = 9,
	MAX_NAMES = 32, MAX_EVENTS = 64, MAX_RUN = 28, MAX_VALUES = 32, MAX_PLACES = 32,
	MAX_MUTATIONS = 24, NAME = 48,
};

/* ---- the models ---- */

/* On arm64, an atomic operation is one instruction (LSE) or a loop of exclusive accesses. Both are
 * tried, unless the test chooses one of them. */
enum model { ARM64_LSE, ARM64_EXCLUSIVE, TSO, NMODELS };

/* Where a condition is reached, as bits. */
enum verdict { NEVER, ON_ARM64, ON_TSO, ON_BOTH };

/* ---- a test ---- */

enum expr_kind {
	NUMBER,     /* value */
	ADDRESS,    /* value is the address of a name */
	REGISTER,   /* value is its number */
	MEMORY,     /* what is at the address a at the end; only in conditions */
	NOT, TIMES, PLUS, MINUS, XOR, AND, OR, EQUAL, UNEQUAL, LESS, AT_MOST, BOTH, EITHER,
};

struct expr {
	enum expr_kind kind;
	int64_t value;
	const struct expr *a, *b;
};

enum statement_kind {
	LOAD, STORE, EXCHANGE, COMPARE_EXCHANGE, ADD, ADD_HERE, FENCE, LET, ASSUME, UNTIL, UNLESS,
	JUMP, IRQS,
};

enum order { PLAIN, ACQUIRE, ACQUIRE_PC, RELEASE, ACQUIRE_RELEASE, FULL };

enum fence { FENCE_FULL, FENCE_READ, FENCE_WRITE, FENCE_ISYNC };

struct statement {
	enum statement_kind kind;
	enum order order;
	enum fence fence;
	unsigned reg;                 /* that gets what is read, or the value of LET */
	const struct expr *address;
	const struct expr *value;     /* what is stored; the condition of ASSUME, UNTIL, UNLESS */
	const struct expr *old;       /* COMPARE_EXCHANGE: what has to be there */
	unsigned target;              /* JUMP, and UNLESS if its condition is false */
	bool on;                      /* IRQS */
};

enum code_kind { THREAD, INTERRUPT, NMI };

struct code {
	char name[NAME];
	enum code_kind kind;
	unsigned thread;              /* that it interrupts; its own number for a THREAD */
	unsigned first, end;          /* its statements */
};

/* A condition, and where it has to be reached. */
struct goal {
	enum verdict want;
	const struct expr *cond;
	unsigned line;
};

/* Something weaker that a test says in place of a statement: `~ VERDICT STATEMENT`. */
struct mutation {
	enum verdict want;            /* where a condition that is never reached without it is */
	unsigned line;
};

struct test {
	const char *file;
	char name[NAME];
	unsigned line;
	bool models[NMODELS];
	bool rcpc;                    /* loads that acquire may be LDAPR */
	struct code code[MAX_CODES];
	unsigned ncodes, nthreads;    /* threads are the first of the codes */
	struct statement statement[MAX_STATEMENTS];
	unsigned nstatements;
	struct expr expr[MAX_EXPRS];
	unsigned nexprs;
	char register_name[MAX_REGISTERS][NAME];
	unsigned register_code[MAX_REGISTERS];
	unsigned nregisters;
	char name_at[MAX_NAMES][NAME];
	unsigned nnames;
	struct { int64_t address, value; } initial[MAX_PLACES];
	unsigned ninitial;
	struct goal goal[MAX_GOALS];  /* the last one is that there is an execution */
	unsigned ngoals;
	struct mutation mutation[MAX_MUTATIONS];
	unsigned nmutations;
};

/* A name has this many addresses, from its number + 1 times this many on. */
enum { NAME_SIZE = 16 };

/**
 * litmus_parse() - read the next test of a file
 * @t:        the result; messages name @t->file, which the caller sets
 * @text:     where to begin; advanced to the test that follows
 * @line:     the line of that, advanced as well
 * @mutation: the number of the mutation that is to replace its statement, from 1 on; 0: none
 *
 * A mistake in the text ends the program. Returns false at the end of the text.
 */
bool litmus_parse(struct test *t, const char **text, unsigned *line, unsigned mutation);

/* Ends the program with a message about a line of a file. */
_Noreturn void litmus_die(const char *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static inline bool litmus_is(const char *word, const char *name)
{
	return strcmp(word, name) == 0;
}

/* ---- the text of a statement (text.c) ---- */

struct text {
	struct test *test;
	const char *at;
	unsigned line, code;          /* `code`: whose registers are meant */
	bool is_goal;
};

/* Reads a word of letters, digits, '_' and '.'; "" if there is none. */
void litmus_word(struct text *x, char word[NAME]);
/* Whether the next token is @token; then it is skipped. */
bool litmus_token(struct text *x, const char *token);
const struct expr *litmus_expr(struct text *x);
/* A place in memory: NAME, NAME[EXPR] or *EXPR. */
const struct expr *litmus_place(struct text *x);
unsigned litmus_register(struct text *x);
void litmus_end(struct text *x);
const struct expr *litmus_number(struct text *x, int64_t value);
const struct expr *litmus_equal(struct text *x, unsigned reg, int64_t value);

/* ---- runs of a thread (run.c) ---- */

enum event_kind { READ, WRITE, FENCE_EVENT };

struct event {
	enum event_kind kind;
	enum fence fence;
	bool acquire, acquire_pc, release;
	bool locked;                  /* part of an atomic operation of x86 */
	bool amo;                     /* part of one instruction of arm64 */
	bool of_pair;                 /* a WRITE that belongs to the READ before it */
	int64_t address, value;
	uint64_t by_address, by_data, by_control;   /* the reads it depends on, by their number */
};

struct run {
	unsigned n;
	struct event event[MAX_RUN];
	int64_t registers[MAX_REGISTERS];
	uint64_t needs, gives;        /* pairs of address and value, by execute.c */
};

struct runs {
	struct run *run;
	unsigned n, has;
};

/* The values that are ever stored at each address. */
struct places {
	struct place {
		int64_t address, value[MAX_VALUES];   /* the first is there at the beginning */
		unsigned n;
	} place[MAX_PLACES];
	unsigned n;
};

struct place *litmus_place_at(const struct test *t, struct places *places, int64_t address);
/* Enumerates the runs of each thread and of what interrupts it. The caller frees ret[].run. */
void litmus_run(const struct test *t, enum model model, struct places *places,
		struct runs ret[MAX_CODES]);
/* Evaluates an expression; @memory is for conditions. *@used gets the registers that it reads, as
 * bits, unless it is NULL. */
int64_t litmus_value(const struct expr *e, const int64_t *registers,
		     int64_t (*memory)(void *arg, int64_t address), void *arg, uint64_t *used);

/* ---- executions ---- */

/* For each event the events it is related to, as bits. */
typedef uint64_t relation[MAX_EVENTS];

struct execution {
	unsigned n;
	const struct event *event[MAX_EVENTS];
	int thread[MAX_EVENTS];       /* -1: what is there at the beginning */
	unsigned base[MAX_EVENTS];    /* the first event of its thread */
	relation reads_from;          /* from the store to the load */
	relation coherence;           /* the order of the stores to an address */
	relation from_reads;          /* from a load to the stores that follow what it has read */
};

/* Whether a processor of @model can do that. */
bool litmus_allows(enum model model, const struct execution *x);

/**
 * litmus_reach() - find the conditions that executions reach
 * @t:    the test
 * @show: print an execution that reaches a condition, for each
 * @ret:  for each goal of @t where it is reached
 */
void litmus_reach(const struct test *t, bool show, enum verdict ret[MAX_GOALS]);

#endif
