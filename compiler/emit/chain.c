/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains of calls: the calls that must have led to the places of a probe, as struct prt_chains of
 * runtime/abi/script.h. The calls that may have entered a function form a list, which all calls in
 * that function share. Lists are numbered from 1 in the order in which they are met.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/function.h"
#include "emit/probe.h"

struct lists { VEC(const struct callers *) v; };

bool emit_chain_asked(const struct probe *p)
{
	vec_each(it, &p->sites)
		if (p->most_calls && (*it)->call->callers)
			return true;
	return false;
}

/* The number of a list, 0 for none; a new list is appended. */
static size_t number_of(struct emit *e, struct lists *lists, const struct callers *callers)
{
	size_t i = 0;

	if (!callers)
		return 0;
	while (i < lists->v.n && lists->v.v[i] != callers)
		i++;
	if (i == lists->v.n)
		vec_push(e->a, &lists->v, callers);
	return i + 1;
}

static void put_call(struct emit *e, struct lists *lists, const struct code_call *call, uint64_t at)
{
	buf_printf(e->out, "\t{ %#llxull, %u, %zu },\n", (unsigned long long)at, call->calls,
		   number_of(e, lists, call->callers));
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = (*(const struct code_call *const *)a)->after;
	uint64_t y = (*(const struct code_call *const *)b)->after;

	return x < y ? -1 : x > y;
}

/* Writes the calls of one list. */
static void put_callers(struct emit *e, struct lists *lists, const struct callers *callers)
{
	size_t n = callers->v.n, size = n * sizeof(*callers->v.v);
	const struct code_call **sorted = arena_alloc(e->a, size);

	memcpy(sorted, callers->v.v, size);
	qsort(sorted, n, sizeof(*sorted), by_address);
	for (size_t i = 0; i < n; i++)
		put_call(e, lists, sorted[i], sorted[i]->after);
}

void emit_chain_tables(struct emit *e, const struct probe *p)
{
	struct lists lists = { 0 };
	size_t first = 0;

	buf_printf(e->out, "static const struct prt_call chain_places_%d[] = {\n", p->index);
	vec_each(it, &p->sites)
		put_call(e, &lists, (*it)->call, (*it)->call->at);
	buf_printf(e->out, "};\nstatic const struct prt_call chain_calls_%d[] = {\n", p->index);
	/* Writing a list may append others. */
	for (size_t i = 0; i < lists.v.n; i++)
		put_callers(e, &lists, lists.v.v[i]);
	buf_printf(e->out,
		   "};\nstatic const struct prt_callers chain_callers_%d[] = {\n\t{ 0, 0 },\n",
		   p->index);
	for (size_t i = 0; i < lists.v.n; i++) {
		buf_printf(e->out, "\t{ %zu, %zu },\n", first, lists.v.v[i]->v.n);
		first += lists.v.v[i]->v.n;
	}
	buf_printf(e->out, "};\nstatic const struct prt_chains chains_%d = {\n"
		   "\t%d, %u, chain_places_%d, chain_calls_%d, chain_callers_%d,\n};\n\n", p->index,
		   p->sites.v[0]->index, p->most_calls, p->index, p->index, p->index);
}

void emit_chain_test(struct emit *e, const struct probe *p)
{
	e->fn->uses_context = true;
	emit_line(e, "if (!prt_called(c, &chains_%d))", p->index);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
}
