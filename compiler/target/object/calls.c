/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the functions that code calls, as far as the instructions themselves say so. */
#include <string.h>

#include "target/arch/flow.h"
#include "target/object/private.h"
#include "shared/search.h"

/* Instructions among which object_calls_first() looks for a call. */
enum { STEPS_MAX = 256 };

/* The name of the function whose entry of the procedure linkage table is at @address, or NULL. */
static const char *import_at(const struct program_file *o, uint64_t address)
{
	vec_each(it, &o->imports)
		if (it->address == address)
			return it->name;
	return NULL;
}

static bool has_name(const struct program_file *o, uint64_t address, const char *name)
{
	size_t i;

	search_first(i, o->symbols.n, o->symbols.v[i].address < address);
	for (; i < o->symbols.n && o->symbols.v[i].address == address; i++)
		if (strcmp(o->symbols.v[i].name, name) == 0)
			return true;
	return false;
}

/* Whether an instruction calls the function at @to, or jumps to it. */
static bool reaches(const struct object_file *f, const struct arch_flow *flow, uint64_t to)
{
	const char *name;

	if (flow->kind != ARCH_FLOW_CALL && flow->kind != ARCH_FLOW_JUMP &&
	    flow->kind != ARCH_FLOW_BRANCH && flow->kind != ARCH_FLOW_COMPUTED)
		return false;
	if (flow->target == to)
		return true;
	name = flow->word ? object_word_name(f, flow->word) : import_at(&f->o, flow->target);
	return name && has_name(&f->o, to, name);
}

bool object_calls(const struct program_file *o, uint64_t from, uint64_t to)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	uint64_t end = from + object_size_at(o, from);
	struct arch_flow flow;
	size_t left = 0;

	for (uint64_t at = from; at < end; at += flow.length) {
		const unsigned char *code = object_code_at(f, at, &left);

		if (!code || !arch_flow(code, left, at, f->o.is_32bit, &flow))
			return false;
		if (reaches(f, &flow, to))
			return true;
	}
	return false;
}

bool object_calls_first(const struct program_file *o, uint64_t from, uint64_t to)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	struct arch_flow flow;
	uint64_t at = from;
	size_t left = 0;

	for (int i = 0; i < STEPS_MAX; i++) {
		const unsigned char *code = object_code_at(f, at, &left);

		if (!code || !arch_flow(code, left, at, f->o.is_32bit, &flow) ||
		    flow.kind == ARCH_FLOW_BRANCH)
			return false;
		if (reaches(f, &flow, to))
			return true;
		if (flow.kind > ARCH_FLOW_CALL && flow.kind != ARCH_FLOW_JUMP)
			return false;
		at = flow.kind == ARCH_FLOW_JUMP ? flow.target : at + flow.length;
	}
	return false;
}
