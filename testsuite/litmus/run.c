/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The runs of a thread. A load gets each value that is ever stored at its address, so that the runs
 * need nothing of other threads; execute.c finds out which of them fit together. What is stored
 * depends on what is read: the runs are enumerated again until no new value appears. A chain of
 * stores in which each takes its value from the one before is no longer than the number of stores,
 * which ends this for programs that add to what they read.
 *
 * An interrupt comes once, or never, between any two statements at which the thread has them on;
 * an NMI between any two. Its events are in the order of the program, as those of the thread are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

struct frame {
	unsigned code, at;
};

/* A run that is under way. */
struct state {
	const struct test *test;
	enum model model;
	struct places *places, *learned;   /* the values of the last round, and of this one */
	struct runs *runs;
	struct frame frame[MAX_CODES];
	unsigned depth, taken;        /* `taken`: interrupts that came, as bits */
	bool irqs_off;
	/* The reads that a register depends on, and those that it depends on only if they are not
	 * predicted: a compare and exchange that succeeds has read what it was told to expect. */
	uint64_t taint[MAX_REGISTERS], picked[MAX_REGISTERS];
	uint64_t control;             /* the reads that branches before depend on */
	struct run run;
};

static void explore(const struct state *before);

int64_t litmus_value(const struct expr *e, const int64_t *registers,
		     int64_t (*memory)(void *arg, int64_t address), void *arg, uint64_t *used)
{
	if (e->kind == NUMBER || e->kind == ADDRESS)
		return e->value;
	if (e->kind == REGISTER) {
		if (used)
			*used |= 1ull << e->value;
		return registers ? registers[e->value] : 0;
	}

	int64_t a = litmus_value(e->a, registers, memory, arg, used);
	int64_t b = e->b ? litmus_value(e->b, registers, memory, arg, used) : 0;

	switch (e->kind) {
	case MEMORY: return memory(arg, a);
	case NOT: return !a;
	case TIMES: return a * b;
	case PLUS: return a + b;
	case MINUS: return a - b;
	case XOR: return a ^ b;
	case AND: return a & b;
	case OR: return a | b;
	case EQUAL: return a == b;
	case UNEQUAL: return a != b;
	case LESS: return a < b;
	case AT_MOST: return a <= b;
	case BOTH: return a && b;
	default: return a || b;
	}
}

struct place *litmus_place_at(const struct test *t, struct places *places, int64_t address)
{
	unsigned i;

	for (i = 0; i < places->n; i++)
		if (places->place[i].address == address)
			return &places->place[i];
	/* Below NAME_SIZE is where a pointer leads that was not set. */
	if (address < 0 || address >= (t->nnames + 1) * NAME_SIZE)
		litmus_die(t->file, t->line, "an access at %lld, where nothing is",
			   (long long)address);
	if (i == MAX_PLACES)
		litmus_die(t->file, t->line, "too many places");
	places->place[i] = (struct place){ .address = address, .n = 1 };
	for (unsigned n = 0; n < t->ninitial; n++)
		if (t->initial[n].address == address)
			places->place[i].value[0] = t->initial[n].value;
	places->n++;
	return &places->place[i];
}

/* Returns whether the value is new. */
static bool add_value(const struct test *t, struct places *places, int64_t address, int64_t value)
{
	struct place *p = litmus_place_at(t, places, address);
	unsigned v;

	for (v = 0; v < p->n && p->value[v] != value; v++)
		;
	if (v < p->n)
		return false;
	if (v == MAX_VALUES)
		litmus_die(t->file, t->line, "a place has too many values");
	p->value[p->n++] = value;
	return true;
}

/* ---- events ---- */

static struct event *add_event(struct state *s, enum event_kind kind)
{
	if (s->run.n == MAX_RUN)
		litmus_die(s->test->file, s->test->line, "a thread has too many events");

	struct event *e = &s->run.event[s->run.n++];

	*e = (struct event){ .kind = kind, .by_control = s->control };
	return e;
}

static void add_fence(struct state *s, enum fence fence)
{
	add_event(s, FENCE_EVENT)->fence = fence;
}

/* The reads that a value depends on. */
struct reads {
	uint64_t by, picked;
};

static int64_t evaluate(const struct state *s, const struct expr *e, struct reads *ret)
{
	uint64_t used = 0;
	int64_t value = litmus_value(e, s->run.registers, NULL, NULL, &used);

	for (*ret = (struct reads){ 0 }; used; used &= used - 1) {
		ret->by |= s->taint[__builtin_ctzll(used)];
		ret->picked |= s->picked[__builtin_ctzll(used)];
	}
	return value;
}

/* The address of an access. One that is predicted orders what a branch would order. */
static void set_address(struct state *s, struct event *e, const struct statement *st)
{
	struct reads reads;

	e->address = evaluate(s, st->address, &reads);
	e->by_address = reads.by;
	s->control |= reads.picked;
	e->by_control = s->control;
}

static void store_event(struct state *s, const struct statement *st, int64_t value,
			const struct reads *data)
{
	struct event *e = add_event(s, WRITE);

	set_address(s, e, st);
	e->value = value;
	e->by_data = data->by;
	e->by_control |= data->picked;
	add_value(s->test, s->learned, e->address, value);
	e->release = st->order == RELEASE || st->order == ACQUIRE_RELEASE || st->order == FULL;
}

static void load_event(struct state *s, const struct statement *st, int64_t value)
{
	struct event *e = add_event(s, READ);

	set_address(s, e, st);
	e->value = value;
	e->acquire = st->order == ACQUIRE || st->order == ACQUIRE_RELEASE;
	e->acquire_pc = st->order == ACQUIRE_PC;
	if (st->kind == ADD_HERE)
		return;
	s->run.registers[st->reg] = value;
	s->taint[st->reg] = 1ull << (s->run.n - 1);
	s->picked[st->reg] = 0;
}

/* The load of an atomic operation. *@new gets what is stored then; returns whether anything is: one
 * that compares and fails orders nothing. */
static bool atomic_load(struct state *s, const struct statement *st, int64_t value, int64_t *new,
			struct reads *data)
{
	bool lse = s->model == ARM64_LSE, compares = st->kind == COMPARE_EXCHANGE;
	struct reads old = { 0 };
	struct statement plain = *st;
	bool succeeds = !compares || evaluate(s, st->old, &old) == value;
	uint64_t itself = 1ull << s->run.n;

	plain.order = PLAIN;
	*new = evaluate(s, st->value, data);
	load_event(s, succeeds && (st->order != FULL || lse) ? st : &plain, value);
	if (!succeeds)
		return false;
	s->run.event[s->run.n - 1].acquire |= st->order == FULL && lse;
	if (st->kind == ADD || st->kind == ADD_HERE) {
		*new += value;
		data->by |= itself;
	}
	if (!compares)
		return true;
	data->picked |= old.by | old.picked;
	if (lse) {
		s->taint[st->reg] = 0;
		s->picked[st->reg] = itself;
	} else {
		/* The loop compares, and branches. */
		data->picked |= itself;
	}
	return true;
}

static void atomic_events(struct state *s, const struct statement *st, int64_t value)
{
	struct reads data;
	int64_t new;

	if (!atomic_load(s, st, value, &new, &data))
		return;
	store_event(s, st, new, &data);

	struct event *write = &s->run.event[s->run.n - 1], *read = write - 1;

	write->of_pair = true;
	read->locked = write->locked = st->kind != ADD_HERE;
	read->amo = write->amo = s->model == ARM64_LSE;
	if (st->order == FULL && s->model == ARM64_EXCLUSIVE)
		add_fence(s, FENCE_FULL);
}

/* ---- statements ---- */

/* Goes on with each value that may be there. */
static void read_each(const struct state *before, const struct statement *st)
{
	struct reads reads;
	const struct place *place = litmus_place_at(
		before->test, before->places, evaluate(before, st->address, &reads));
	struct state *s = malloc(sizeof(*s));

	for (unsigned i = 0; i < place->n; i++) {
		*s = *before;
		if (st->kind == LOAD)
			load_event(s, st, place->value[i]);
		else
			atomic_events(s, st, place->value[i]);
		explore(s);
	}
	free(s);
}

static void execute(struct state *s)
{
	struct frame *f = &s->frame[s->depth - 1];
	const struct statement *st = &s->test->statement[f->at++];
	struct reads reads = { 0 };
	int64_t value = st->value ? evaluate(s, st->value, &reads) : 0;

	switch (st->kind) {
	case LOAD: case EXCHANGE: case COMPARE_EXCHANGE: case ADD: case ADD_HERE:
		read_each(s, st);
		return;
	case STORE:
		store_event(s, st, value, &reads);
		break;
	case FENCE:
		add_fence(s, st->fence);
		break;
	case LET:
		s->run.registers[st->reg] = value;
		s->taint[st->reg] = reads.by;
		s->picked[st->reg] = reads.picked;
		break;
	case ASSUME:
		if (!value)
			return;
		break;
	case UNTIL:
		if (!value)
			return;
		s->control |= reads.by | reads.picked;
		break;
	case UNLESS:
		s->control |= reads.by | reads.picked;
		if (!value)
			f->at = st->target;
		break;
	case JUMP:
		f->at = st->target;
		break;
	case IRQS:
		s->irqs_off = !st->on;
		break;
	}
	explore(s);
}

static void keep(const struct state *s)
{
	struct runs *runs = s->runs;

	if (runs->n == runs->has) {
		runs->has = runs->has ? 2 * runs->has : 64;
		runs->run = realloc(runs->run, runs->has * sizeof(*runs->run));
		if (!runs->run)
			abort();
	}
	runs->run[runs->n++] = s->run;
}

/* Lets each interrupt that may come here come. */
static void interrupt(const struct state *before)
{
	const struct test *t = before->test;
	bool in_interrupt = before->depth > 1;
	struct state *s = malloc(sizeof(*s));

	for (unsigned i = t->nthreads; i < t->ncodes; i++) {
		const struct code *c = &t->code[i];

		if (c->thread != t->code[before->frame[0].code].thread || before->taken >> i & 1 ||
		    (c->kind == INTERRUPT && (before->irqs_off || in_interrupt)))
			continue;
		*s = *before;
		s->taken |= 1u << i;
		s->frame[s->depth++] = (struct frame){ .code = i, .at = c->first };
		execute(s);
	}
	free(s);
}

static void explore(const struct state *before)
{
	struct state *s = malloc(sizeof(*s));
	struct frame *f;

	interrupt(before);
	*s = *before;
	f = &s->frame[s->depth - 1];
	if (f->at < s->test->code[f->code].end)
		execute(s);
	else if (--s->depth)
		explore(s);
	else
		keep(s);
	free(s);
}

/* ---- all runs ---- */

/* Adds what @learned has and @places has not. Returns whether there is anything. */
static bool merge(const struct test *t, struct places *places, const struct places *learned)
{
	bool ret = false;

	for (unsigned i = 0; i < learned->n; i++) {
		const struct place *p = &learned->place[i];

		for (unsigned v = 0; v < p->n; v++)
			ret |= add_value(t, places, p->address, p->value[v]);
	}
	return ret;
}

static unsigned stores_of(const struct test *t)
{
	unsigned ret = 0;

	for (unsigned i = 0; i < t->nstatements; i++)
		ret += t->statement[i].kind >= STORE && t->statement[i].kind <= ADD_HERE;
	return ret;
}

void litmus_run(const struct test *t, enum model model, struct places *places,
		struct runs ret[MAX_CODES])
{
	struct state *s = malloc(sizeof(*s));
	struct places learned = { 0 };
	unsigned stores = stores_of(t);
	bool more = true;

	memset(ret, 0, MAX_CODES * sizeof(*ret));
	for (unsigned round = 0; more && round <= stores; round++) {
		for (unsigned i = 0; i < t->nthreads; i++) {
			ret[i].n = 0;
			*s = (struct state){ .test = t, .model = model, .places = places,
					     .learned = &learned, .runs = &ret[i], .depth = 1,
					     .frame = { { .code = i, .at = t->code[i].first } } };
			explore(s);
		}
		more = merge(t, places, &learned);
	}
	free(s);
}
