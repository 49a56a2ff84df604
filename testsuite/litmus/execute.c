/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Executions: one run of each thread, a store for each load, and an order of the stores to each
 * place. Most runs do not fit together, since a load has a value that nobody stores: sets of pairs
 * of a place and a value tell that at once. Nothing is tried that reaches no condition which is not
 * known to be reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

struct search {
	const struct test *test;
	enum model model;
	bool show;
	struct places places;
	struct runs runs[MAX_CODES];
	const struct run *chosen[MAX_CODES];
	struct { int64_t address, value; } pair[MAX_EVENTS];
	unsigned npairs;
	bool reached[MAX_GOALS], wanted[MAX_GOALS];
	int64_t registers[MAX_REGISTERS];
	struct execution x;
	unsigned source[MAX_EVENTS];        /* for each load the store that it reads from */
	unsigned order[MAX_EVENTS], norder; /* stores, by place, each in the order of that */
	unsigned place_end[MAX_PLACES];     /* in `order` */
	struct event first[MAX_PLACES];     /* what is there at the beginning */
};

static void choose_source(struct search *s, unsigned at);
static void order_place(struct search *s, unsigned place, unsigned at);

/* ---- which runs fit ---- */

static uint64_t pair_bit(struct search *s, int64_t address, int64_t value)
{
	unsigned i;

	for (i = 0; i < s->npairs; i++)
		if (s->pair[i].address == address && s->pair[i].value == value)
			return 1ull << i;
	if (i == MAX_EVENTS)
		return 0;
	s->pair[i].address = address;
	s->pair[i].value = value;
	s->npairs++;
	return 1ull << i;
}

static void find_pairs(struct search *s, struct run *r)
{
	r->needs = r->gives = 0;
	for (unsigned i = 0; i < r->n; i++) {
		const struct event *e = &r->event[i];

		if (e->kind == FENCE_EVENT)
			continue;

		uint64_t bit = pair_bit(s, e->address, e->value);

		if (e->kind == WRITE)
			r->gives |= bit;
		else if (litmus_place_at(s->test, &s->places, e->address)->value[0] != e->value)
			r->needs |= bit & ~r->gives;
	}
}

/* ---- the end of an execution ---- */

static int64_t memory_at(void *arg, int64_t address)
{
	struct search *s = arg;
	const struct event *last = NULL;

	for (unsigned i = 0; i < s->norder; i++)
		if (s->x.event[s->order[i]]->address == address)
			last = s->x.event[s->order[i]];
	return last ? last->value :
		      litmus_place_at(s->test, &s->places, address)->value[0];
}

static void print_execution(struct search *s, const struct goal *g)
{
	static const char *const models[] = { "arm64, LSE", "arm64, exclusive accesses", "TSO" };

	printf("%s:%u: reached on %s\n", s->test->file, g->line, models[s->model]);
	for (unsigned i = 0; i < s->x.n; i++) {
		const struct event *e = s->x.event[i];
		const char *what = e->kind == READ ? "reads" : "stores";

		if (e->kind == FENCE_EVENT || s->x.thread[i] < 0)
			continue;

		int64_t name = e->address / NAME_SIZE, index = e->address % NAME_SIZE;

		printf("  %2u %s %s %lld at %s[%lld]", i, s->test->code[s->x.thread[i]].name, what,
		       (long long)e->value, name ? s->test->name_at[name - 1] : "nowhere",
		       (long long)index);
		if (e->kind == READ)
			printf(" from %u%s\n", s->source[i],
			       s->x.thread[s->source[i]] < 0 ? ", the beginning" : "");
		else
			putchar('\n');
	}
}

static void finish(struct search *s)
{
	struct execution *x = &s->x;
	bool asked = false, allowed = false;

	memset(x->coherence, 0, sizeof(relation));
	memset(x->from_reads, 0, sizeof(relation));
	for (unsigned p = 0, i = 0; p < s->places.n; p++)
		for (; i < s->place_end[p]; i++)
			for (unsigned n = i + 1; n < s->place_end[p]; n++)
				x->coherence[s->order[i]] |= 1ull << s->order[n];
	for (unsigned i = 0; i < x->n; i++)
		if (x->event[i]->kind == READ)
			x->from_reads[i] = x->coherence[s->source[i]];
	for (unsigned g = 0; g < s->test->ngoals; g++) {
		if (!s->wanted[g] || s->reached[g] ||
		    !litmus_value(s->test->goal[g].cond, s->registers, memory_at, s, NULL))
			continue;
		if (!asked)
			allowed = litmus_allows(s->model, x);
		asked = true;
		s->reached[g] = allowed;
		if (allowed && s->show)
			print_execution(s, &s->test->goal[g]);
	}
}

/* ---- orders of stores ---- */

/* Orders the stores of a place from number @at of `order` on. What the program orders stays so. */
static void order_stores(struct search *s, unsigned place, unsigned at)
{
	unsigned end = s->place_end[place];

	if (at >= end) {
		order_place(s, place + 1, end);
		return;
	}
	for (unsigned i = at; i < end; i++) {
		unsigned store = s->order[i];
		bool earlier = false;

		for (unsigned n = at; n < end; n++)
			earlier |= s->order[n] < store &&
				   s->x.thread[s->order[n]] == s->x.thread[store];
		if (earlier)
			continue;
		s->order[i] = s->order[at];
		s->order[at] = store;
		order_stores(s, place, at + 1);
		s->order[at] = s->order[i];
		s->order[i] = store;
	}
}

static void order_place(struct search *s, unsigned place, unsigned at)
{
	if (place == s->places.n) {
		s->norder = at;
		finish(s);
		return;
	}
	for (unsigned i = 0; i < s->x.n; i++)
		if (s->x.event[i]->kind == WRITE &&
		    s->x.event[i]->address == s->places.place[place].address)
			s->order[at++] = i;
	s->place_end[place] = at;

	/* The first one is that of the beginning. */
	unsigned begin = place ? s->place_end[place - 1] : 0;

	order_stores(s, place, begin + 1);
}

/* ---- where loads read ---- */

static void choose_source(struct search *s, unsigned at)
{
	struct execution *x = &s->x;

	while (at < x->n && x->event[at]->kind != READ)
		at++;
	if (at == x->n) {
		order_place(s, 0, 0);
		return;
	}
	for (unsigned i = 0; i < x->n; i++) {
		const struct event *e = x->event[i];

		if (e->kind != WRITE || e->address != x->event[at]->address ||
		    e->value != x->event[at]->value || (x->thread[i] == x->thread[at] && i > at))
			continue;
		s->source[at] = i;
		x->reads_from[i] |= 1ull << at;
		choose_source(s, at + 1);
		x->reads_from[i] &= ~(1ull << at);
	}
}

static void add_event(struct search *s, const struct event *e, int thread, unsigned base)
{
	struct execution *x = &s->x;

	if (x->n == MAX_EVENTS)
		litmus_die(s->test->file, s->test->line, "too many events");
	x->event[x->n] = e;
	x->thread[x->n] = thread;
	x->base[x->n++] = base;
}

/* Puts the chosen runs together. */
static void put_together(struct search *s)
{
	const struct test *t = s->test;

	memset(&s->x, 0, sizeof(s->x));
	for (unsigned p = 0; p < s->places.n; p++) {
		s->first[p] = (struct event){ .kind = WRITE, .address = s->places.place[p].address,
					      .value = s->places.place[p].value[0] };
		add_event(s, &s->first[p], -1, 0);
	}
	for (unsigned i = 0; i < t->nthreads; i++) {
		unsigned base = s->x.n;

		for (unsigned e = 0; e < s->chosen[i]->n; e++)
			add_event(s, &s->chosen[i]->event[e], i, base);
	}
	choose_source(s, 0);
}

static bool has_memory(const struct expr *e)
{
	return e && (e->kind == MEMORY || has_memory(e->a) || has_memory(e->b));
}

/* Whether the chosen runs may reach something new. */
static bool is_wanted(struct search *s)
{
	const struct test *t = s->test;
	bool ret = false;

	for (unsigned i = 0; i < t->nregisters; i++)
		s->registers[i] =
			s->chosen[t->code[t->register_code[i]].thread]->registers[i];
	for (unsigned g = 0; g < t->ngoals; g++) {
		const struct expr *cond = t->goal[g].cond;

		s->wanted[g] = !s->reached[g] &&
			(has_memory(cond) || litmus_value(cond, s->registers, NULL, NULL, NULL));
		ret |= s->wanted[g];
	}
	return ret;
}

static void choose_run(struct search *s, unsigned thread, uint64_t needs, uint64_t gives)
{
	if (thread == s->test->nthreads) {
		if (!(needs & ~gives) && is_wanted(s))
			put_together(s);
		return;
	}
	for (unsigned i = 0; i < s->runs[thread].n; i++) {
		const struct run *r = &s->runs[thread].run[i];

		s->chosen[thread] = r;
		choose_run(s, thread + 1, needs | r->needs, gives | r->gives);
	}
}

void litmus_reach(const struct test *t, bool show, enum verdict ret[MAX_GOALS])
{
	memset(ret, 0, MAX_GOALS * sizeof(*ret));
	for (enum model m = 0; m < NMODELS; m++) {
		struct search *s = calloc(1, sizeof(*s));

		if (!s)
			abort();
		s->test = t;
		s->model = m;
		s->show = show;
		if (t->models[m])
			litmus_run(t, m, &s->places, s->runs);
		for (unsigned i = 0; i < t->nthreads; i++)
			for (unsigned r = 0; r < s->runs[i].n; r++)
				find_pairs(s, &s->runs[i].run[r]);
		if (t->models[m])
			choose_run(s, 0, 0, 0);
		for (unsigned g = 0; g < t->ngoals; g++)
			if (s->reached[g])
				ret[g] |= m == TSO ? ON_TSO : ON_ARM64;
		for (unsigned i = 0; i < t->nthreads; i++)
			free(s->runs[i].run);
		free(s);
	}
}
