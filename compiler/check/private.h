/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of pass 2b: the facts about each body, and one entry point for
 * each topic. */
#ifndef CHECK_PRIVATE_H
#define CHECK_PRIVATE_H

#include "program/program.h"
#include "state.h"

enum global_use_kind {
	GLOBAL_READ,   /* its value, the presence of a key, an extractor, foreach */
	GLOBAL_WRITE,  /* assigned, or added to and the result used */
	GLOBAL_ADD,    /* <<<, or ++ -- += -= whose result is not used: the order does not matter */
	GLOBAL_DELETE,
};

/* One use of a global by a body. */
struct global_use {
	struct symbol *sym;
	enum global_use_kind kind;
	struct range range;
	bool is_stat;        /* GLOBAL_ADD: by <<< */
};

/* One call of a function. A call with overloads has one for each. */
struct body_call {
	struct function *fn;
	struct range range;
	unsigned depth;      /* number of foreach loops around it in this body */
};

/* The statements of a probe or a function: facts about them, and about everything that they
 * call. */
struct body {
	struct probe *probe; /* one of these two is set */
	struct function *fn;
	VEC(struct global_use) uses;
	VEC(struct body_call) calls;
	unsigned own_steps;  /* its own statements and calls */
	unsigned own_iters;  /* depth of its own foreach loops */
	bool has_loop;

	/* including everything that it calls */
	bool bounded;
	unsigned steps, iters;
	int measured;        /* 0 not yet, 1 in progress, 2 done */
	/* a probe of each sort that can reach it, or NULL */
	const struct probe *hot, *process;
	unsigned mark;       /* number of the last walk that met it: facts_reach() */
};

struct check {
	struct state *s;
	struct program *p;
	VEC(struct body *) bodies; /* functions in their order, then probes in theirs */
	struct map by_fn;          /* cname -> struct body */
	unsigned walk;             /* number of the last walk over the calls */
};

struct body_list { VEC(struct body *) v; };

/** facts_begin - number the globals and the probes. */
void facts_begin(struct program *p);
/** facts_collect - fill c->bodies; finds bounded bodies and depths of foreach. */
void facts_collect(struct check *c);
/** facts_reach - append @b and everything that it calls, each once, callers first. */
void facts_reach(struct check *c, struct body *b, struct body_list *ret);
/** facts_constant - the value of a number with an optional sign. Returns false if @e is not one. */
bool facts_constant(const struct expr *e, int64_t *ret);

/** formats_check - check formats of the printf family: syntax and number of arguments; rewrite them
 *  to the language of runtime/abi/format.h. Comes before types. */
void formats_check(struct state *s, struct program *p);
/** formats_number - turn the other print functions into printf; give each print statement its
 *  number and types. Comes after types. */
void formats_number(struct state *s, struct program *p);

/** regexes_compile - fill program.regexes; reports errors in regular expressions. */
void regexes_compile(struct state *s, struct program *p);

/** types_infer - decide the type of everything, or report why that is impossible. */
void types_infer(struct state *s, struct program *p);

/** entries_check - check that the entry values of return probes fit. Comes after types. */
void entries_check(struct check *c);

/** aggregates_collect - find the extractors and the histogram that each aggregate needs. */
void aggregates_collect(struct state *s, struct program *p);

/** storage_choose - decide how each global is stored, and the locks of each probe. Needs facts and
 *  types. */
void storage_choose(struct check *c);

/** gates_choose - find the conditions that arm and disarm their probes. Needs facts. */
void gates_choose(struct check *c);

/** rules_run - run the named checks of rules.h. */
void rules_run(struct check *c);

#endif
