/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of pass 2b: the facts about each body, and one entry point a
 * topic. */
#ifndef CHECK_PRIVATE_H
#define CHECK_PRIVATE_H

#include "program/program.h"
#include "state.h"

enum use_kind {
	USE_READ,   /* the value, a key's presence, an extractor, foreach */
	USE_WRITE,  /* assigned, or added to with the result used */
	USE_ADD,    /* <<<, or ++ -- += -= whose result nobody uses: order does not matter */
	USE_DELETE,
};

/* One use of a global by a body. */
struct global_use {
	struct symbol *sym;
	enum use_kind kind;
	struct range range;
	bool is_stat;        /* USE_ADD: by <<< */
};

/* One call of a function; a call with overloads makes one each. */
struct body_call {
	struct function *fn;
	struct range range;
	unsigned depth;      /* foreach loops around it in this body */
};

/* A probe's or a function's statements: what they do themselves, and what their calls add. */
struct body {
	struct probe *probe; /* one of these two is set */
	struct function *fn;
	VEC(struct global_use) uses;
	VEC(struct body_call) calls;
	unsigned own_steps;  /* statements and calls of its own */
	unsigned own_iters;  /* foreach loops nested */
	bool has_loop;

	/* with everything that it calls */
	bool bounded;
	unsigned steps, iters;
	int measured;        /* 0 not yet, 1 being measured, 2 done */
	/* a probe of each sort from which it is reached, or NULL */
	const struct probe *hot, *process;
	unsigned mark;       /* last walk that came by: facts_reach() */
};

struct check {
	struct state *s;
	struct program *p;
	VEC(struct body *) bodies; /* functions in their order, then probes in theirs */
	struct map by_fn;          /* cname -> struct body */
	unsigned walk;             /* number of the last walk over the calls */
};

struct body_list { VEC(struct body *) v; };

/** facts_collect - fill c->bodies; finds bounded bodies and depths of foreach. */
void facts_collect(struct check *c);
/** facts_reach - append @b and everything that it calls, each once, callers first. */
void facts_reach(struct check *c, struct body *b, struct body_list *ret);
/** facts_constant - the value of a number, perhaps signed; false: @e is none. */
bool facts_constant(const struct expr *e, int64_t *ret);
/** facts_base - the variable below a name or an index, or NULL. */
struct symbol *facts_base(const struct expr *e);

/** formats_check - formats of the printf family: syntax, number of arguments; they are
 *  rewritten to what runtime/abi/format.h reads. Before types. */
void formats_check(struct state *s, struct program *p);
/** formats_number - the other print functions become printf; every print gets its number and
 *  types. After types. */
void formats_number(struct state *s, struct program *p);

/** regexes_compile - program.regexes, and what is wrong with one. */
void regexes_compile(struct state *s, struct program *p);

/** types_infer - decide the type of everything, or say why not. */
void types_infer(struct state *s, struct program *p);

/** entries_check - whether what return probes keep from the entry fits. After types. */
void entries_check(struct check *c);

/** aggregates_collect - find the extractors and the histogram that each aggregate needs. */
void aggregates_collect(struct state *s, struct program *p);

/** storage_choose - how each global is kept, the locks of each probe. Needs the facts and types. */
void storage_choose(struct check *c);

/** gates_choose - the conditions that arm and disarm their probes. Needs the facts. */
void gates_choose(struct check *c);

/** rules_run - the named checks of rules.h. */
void rules_run(struct check *c);

#endif
