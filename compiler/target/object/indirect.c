/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the implementations of indirect functions (STT_GNU_IFUNC): the addresses that a resolver
 * can return.
 *
 * The resolver's code is followed along all its branches, and through the functions that it calls
 * where these are in the same file. For each instruction it is known which constants each register
 * and each word of the frame may contain there; everything that does not come from a constant in
 * the code, or from a word of data that is never changed, is "something else". The result is
 * complete if the result register has nothing else at any return. The vDSO's functions are found by
 * a search at run time, for example, so the resolvers of time() and gettimeofday() of glibc are
 * incomplete.
 *
 * A set of values is a number with a bit for each of the constants that were met so far, and one
 * bit for "something else". The sets only grow, so that the walk ends.
 */
#include <stdlib.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/effect.h"
#include "target/arch/flow.h"
#include "base/map.h"
#include "target/object/private.h"
#include "state.h"

enum {
	CONSTANTS = 63,  /* most constants: a bit each */
	SLOTS = 16,      /* most words of a frame that are followed */
	STEPS = 1500,    /* most instructions of a function */
	PAGE = 4096,     /* smaller numbers are no addresses of code or data */
	DEPTH = 4,       /* most calls within each other */
};

typedef uint64_t value_set;

#define ELSE ((value_set)1 << CONSTANTS)

/* The values that each place may have before an instruction. */
struct contents {
	value_set regs[ARCH_EFFECT_REGISTERS], slots[SLOTS];
	bool in_frame;   /* the frame has begun: words of it are nobody else's */
};

struct traced_at {
	struct contents before;
	uint64_t address;
	value_set called;      /* results of the function that it calls */
	bool is_queued, is_called;
};

struct tracing {
	struct state *s;
	struct object_file *f;
	bool of_32bit;
	unsigned word;         /* bytes of an address */
	uint64_t constants[CONSTANTS];
	unsigned nconstants;
};

/* A function that is followed. */
struct traced {
	struct tracing *w;
	struct map steps;      /* struct traced_at by address */
	VEC(struct traced_at *) queue;
	int64_t slots[SLOTS];  /* their distances */
	unsigned nslots;
	bool shared;           /* an address in the frame is known to others */
	unsigned depth, nsteps;
	value_set ret;
};

/* ---- sets ---- */

/* Whether it may be an address in the file, or NULL. Other constants are of no interest. */
static bool is_address(const struct tracing *w, uint64_t constant)
{
	vec_each(it, &w->f->segments) {
		uint64_t page = it->address & ~(uint64_t)(PAGE - 1);

		/* Code of arm64 adds to the address of a page. */
		if (constant >= page && constant < it->address + it->size)
			return constant >= PAGE || !constant;
	}
	return !constant;
}

static value_set set_of(struct tracing *w, uint64_t constant)
{
	for (unsigned i = 0; i < w->nconstants; i++)
		if (w->constants[i] == constant)
			return (value_set)1 << i;
	if (w->nconstants == CONSTANTS || !is_address(w, constant))
		return ELSE;
	w->constants[w->nconstants] = constant;
	return (value_set)1 << w->nconstants++;
}

static value_set word_at(struct tracing *w, uint64_t address)
{
	uint64_t value;

	return object_pointer_at(w->s, w->f, address, &value) ? set_of(w, value) : ELSE;
}

static value_set with_each(struct tracing *w, const struct arch_effect_source *from, value_set base)
{
	value_set ret = base & ELSE;
	unsigned known = w->nconstants;

	for (unsigned i = 0; i < known; i++) {
		uint64_t sum = w->constants[i] + from->value;

		if (w->of_32bit)
			sum = (uint32_t)sum;

		if (base >> i & 1)
			ret |= from->kind == ARCH_EFFECT_WORD ? word_at(w, sum) : set_of(w, sum);
	}
	return ret;
}

/* ---- instructions ---- */

/* The number of the word of the frame at a distance, or SLOTS if there is no room for it. */
static unsigned slot_of(struct traced *t, int64_t distance)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (t->slots[i] == distance)
			return i;
	if (t->nslots == SLOTS)
		return SLOTS;
	t->slots[t->nslots] = distance;
	return t->nslots++;
}

static value_set value_of(struct traced *t, const struct contents *m,
			  const struct arch_effect_source *from)
{
	unsigned slot;

	switch (from->kind) {
	case ARCH_EFFECT_CONSTANT:
		return set_of(t->w, from->value);
	case ARCH_EFFECT_REGISTER:
		return from->value ? with_each(t->w, from, m->regs[from->reg]) :
				     m->regs[from->reg];
	case ARCH_EFFECT_WORD:
		return from->based ? with_each(t->w, from, m->regs[from->reg]) :
				     word_at(t->w, from->value);
	default:
		slot = slot_of(t, (int64_t)from->value);
		return slot < SLOTS && m->in_frame ? m->slots[slot] : ELSE;
	}
}

static void lose_bytes(const struct traced *t, struct contents *m, int64_t from, int64_t n)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (t->slots[i] < from + n && from < t->slots[i] + t->w->word)
			m->slots[i] = ELSE;
}

static void set_target(struct traced *t, struct contents *m, const struct arch_effect *e,
		       value_set value)
{
	unsigned slot;

	if (!e->to_slot) {
		m->regs[e->reg] = value;
		return;
	}
	lose_bytes(t, m, e->slot, t->w->word);
	slot = slot_of(t, e->slot);
	if (slot < SLOTS && m->in_frame && !t->shared)
		m->slots[slot] = value;
}

static void apply(struct traced *t, struct contents *m, const struct arch_effect *e)
{
	value_set value = e->sets ? value_of(t, m, &e->from) : ELSE;

	if (e->may_set)
		value |= m->regs[e->other];
	for (unsigned i = 0; i < ARCH_EFFECT_REGISTERS; i++)
		if (e->lost >> i & 1)
			m->regs[i] = ELSE;
	lose_bytes(t, m, e->slot, e->lost_bytes);
	if (e->moves_frame) {
		m->in_frame = false;
		for (unsigned i = 0; i < SLOTS; i++)
			m->slots[i] = ELSE;
	}
	m->in_frame |= e->begins_frame;
	if (e->sets)
		set_target(t, m, e, value);
}

/* ---- functions ---- */

static bool merge(struct contents *to, const struct contents *from)
{
	struct contents old = *to;

	for (unsigned i = 0; i < ARCH_EFFECT_REGISTERS; i++)
		to->regs[i] |= from->regs[i];
	for (unsigned i = 0; i < SLOTS; i++)
		to->slots[i] |= from->slots[i];
	to->in_frame &= from->in_frame;
	return memcmp(old.regs, to->regs, sizeof(old.regs)) != 0 ||
	       memcmp(old.slots, to->slots, sizeof(old.slots)) != 0 ||
	       old.in_frame != to->in_frame;
}

static void go_to(struct traced *t, uint64_t address, const struct contents *m)
{
	struct traced_at *step = map_get_number(&t->steps, address);
	bool is_new = !step;

	if (is_new) {
		if (t->nsteps++ > STEPS) {
			t->ret |= ELSE;
			return;
		}
		step = NEW(t->w->s->arena, struct traced_at);
		step->address = address;
		step->before = *m;
		map_set_number(&t->steps, address, step);
	}
	if ((merge(&step->before, m) || is_new) && !step->is_queued) {
		step->is_queued = true;
		vec_push(t->w->s->arena, &t->queue, step);
	}
}

static value_set results_of(struct tracing *w, uint64_t address, unsigned depth);

static void call(struct traced *t, struct traced_at *step, struct contents *m, uint64_t target)
{
	if (!step->is_called) {
		step->is_called = true;
		step->called = target ? results_of(t->w, target, t->depth + 1) : ELSE;
	}
	for (unsigned i = 0; i < ARCH_EFFECT_REGISTERS; i++)
		if (arch_effect_call(t->w->of_32bit) >> i & 1)
			m->regs[i] = ELSE;
	m->regs[arch_effect_result()] = step->called;
}

/* A call that is only there to learn its own address. Returns the address of the next instruction,
 * or 0 if it is another call. */
static uint64_t take_own_address(struct traced *t, const struct arch_flow *flow, uint64_t next,
				 struct contents *m)
{
	size_t left = 0;
	unsigned reg, length;
	const unsigned char *code = object_code_at(t->w->f, flow->target, &left);

	length = code ? arch_effect_takes_return(code, left, t->w->of_32bit, &reg) : 0;
	/* A function that begins with pop reads a return address as well, but does not return. */
	if (!length || (length == 1 && flow->target != next))
		return 0;
	m->regs[reg] = set_of(t->w, next);
	return length == 1 ? next + 1 : next;
}

static void take_call(struct traced *t, struct traced_at *step, const struct arch_flow *flow,
		      struct contents *m)
{
	uint64_t next = step->address + flow->length, behind = take_own_address(t, flow, next, m);

	if (!behind)
		call(t, step, m, flow->target);
	go_to(t, behind ? behind : next, m);
}

static void take(struct traced *t, struct traced_at *step)
{
	struct contents m = step->before;
	struct arch_effect effect;
	struct arch_flow flow;
	size_t left = 0;
	const unsigned char *code = object_code_at(t->w->f, step->address, &left);

	if (!code || !arch_flow(code, left, step->address, t->w->of_32bit, &flow) ||
	    !arch_effect(code, left, step->address, t->w->of_32bit, &effect) ||
	    flow.kind == ARCH_FLOW_COMPUTED) {
		t->ret |= ELSE;
		return;
	}
	t->shared |= effect.shares_frame;
	apply(t, &m, &effect);
	if (flow.kind == ARCH_FLOW_CALL) {
		take_call(t, step, &flow, &m);
		return;
	}
	if (flow.kind == ARCH_FLOW_RETURN)
		t->ret |= m.regs[arch_effect_result()];
	if (flow.kind == ARCH_FLOW_BRANCH || flow.kind == ARCH_FLOW_JUMP)
		go_to(t, flow.target, &m);
	if (flow.kind <= ARCH_FLOW_BRANCH)
		go_to(t, step->address + flow.length, &m);
}

static void start(struct traced *t, uint64_t address)
{
	struct contents m = { 0 };

	for (unsigned i = 0; i < ARCH_EFFECT_REGISTERS; i++)
		m.regs[i] = ELSE;
	for (unsigned i = 0; i < SLOTS; i++)
		m.slots[i] = ELSE;
	if (arch_effect_zero() < ARCH_EFFECT_REGISTERS)
		m.regs[arch_effect_zero()] = set_of(t->w, 0);
	map_init(&t->steps, t->w->s->arena);
	t->ret = 0;
	t->nsteps = 0;
	go_to(t, address, &m);
}

static value_set results_of(struct tracing *w, uint64_t address, unsigned depth)
{
	struct traced t = { .w = w, .depth = depth };
	bool shared;

	if (depth > DEPTH)
		return ELSE;
	/* Once more, if words of the frame were relied on before their address was seen. */
	do {
		shared = t.shared;
		start(&t, address);
		while (t.queue.n) {
			struct traced_at *step = t.queue.v[--t.queue.n];

			step->is_queued = false;
			take(&t, step);
		}
	} while (t.shared && !shared);
	return t.ret;
}

/* ---- the result ---- */

static int by_number(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static void collect(struct tracing *w, value_set found, struct object_choices *ret)
{
	uint64_t offset;

	for (unsigned i = 0; i < w->nconstants; i++) {
		uint64_t address = w->constants[i];

		/* No process calls a null pointer. */
		if (!(found >> i & 1) || !address)
			continue;
		if (object_offset(&w->f->o, address, &offset))
			vec_push(w->s->arena, &ret->addresses, address);
		else
			found |= ELSE;
	}
	if (ret->addresses.n)
		qsort(ret->addresses.v, ret->addresses.n, sizeof(*ret->addresses.v), by_number);
	if (found & ELSE)
		ret->why = "its resolver can return addresses that its code does not show";
	else if (!ret->addresses.n)
		ret->why = "its resolver returns nothing";
}

const struct object_choices *object_choices(struct state *s, const struct program_file *o,
					    uint64_t resolver)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	struct object_choices *ret;
	struct tracing w = { .s = s, .f = f, .of_32bit = o->is_32bit,
			     .word = o->is_32bit ? 4 : 8 };

	if (!f->choices) {
		f->choices = NEW(s->arena, struct map);
		map_init(f->choices, s->arena);
	}
	ret = map_get_number(f->choices, resolver);
	if (ret)
		return ret;
	ret = NEW(s->arena, struct object_choices);
	map_set_number(f->choices, resolver, ret);
	collect(&w, results_of(&w, resolver, 0), ret);
	return ret;
}
