/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about each body that the checks and the choice of storage share. */
#ifndef CHECK_FACTS_H
#define CHECK_FACTS_H

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

#endif
