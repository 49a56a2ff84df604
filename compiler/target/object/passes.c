/* SPDX-License-Identifier: GPL-2.0 */
/* Finds which implementations of an indirect function end in others, or call them. */
#include "target/arch/flow.h"
#include "base/map.h"
#include "target/object/private.h"
#include "state.h"

enum { STEPS = 5000 }; /* most instructions */

struct walked {
	struct state *s;
	uint64_t from;
	const struct object_choices *to;
	struct map seen;       /* by address */
	VEC(uint64_t) queue;
	struct object_addresses *ret;
};

static void note(struct walked *w, uint64_t address)
{
	vec_each(it, &w->ret->v)
		if (*it == address)
			return;
	vec_push(w->s->arena, &w->ret->v, address);
}

/* Returns whether one of the implementations begins at @address. */
static bool arrives(struct walked *w, uint64_t address)
{
	vec_each(it, &w->to->addresses) {
		if (*it == address) {
			note(w, address);
			return true;
		}
	}
	return false;
}

static void go_to(struct walked *w, uint64_t address)
{
	if (arrives(w, address) || w->seen.n > STEPS || map_get_number(&w->seen, address))
		return;
	map_set_number(&w->seen, address, w);
	vec_push(w->s->arena, &w->queue, address);
}

static void take(struct walked *w, struct object_file *f, uint64_t address)
{
	struct arch_flow flow;
	size_t left = 0;
	const unsigned char *code = object_code_at(f, address, &left);

	if (!code || !arch_flow(code, left, address, f->o.is_32bit, &flow))
		return;
	if (flow.kind == ARCH_FLOW_CALL && flow.target != w->from)
		arrives(w, flow.target);
	if (flow.kind == ARCH_FLOW_BRANCH || flow.kind == ARCH_FLOW_JUMP)
		go_to(w, flow.target);
	if (flow.kind <= ARCH_FLOW_BRANCH)
		go_to(w, address + flow.length);
}

void object_passes(struct state *s, const struct program_file *o, uint64_t from,
		   const struct object_choices *to, struct object_addresses *ret)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	struct walked w = { .s = s, .from = from, .to = to, .ret = ret };

	map_init(&w.seen, s->arena);
	take(&w, f, from);
	while (w.queue.n)
		take(&w, f, w.queue.v[--w.queue.n]);
}
