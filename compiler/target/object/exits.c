/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out how calls of a function end, from its code.
 *
 * A function is the code that its symbol covers, and the parts that the compiler moved elsewhere
 * (NAME.cold). All of its code is decoded from the beginning. Each call ends at one of its `ret`
 * instructions, and only there, if
 *
 * - no jump leads out of it. A jump to the beginning of another function is a tail call: that
 *   function returns in its place;
 * - each jump to a computed address is a switch, whose cases are parts of the function: it has the
 *   form of one, or is made with a frame on the stack, which a tail call never has, by call frame
 *   information;
 * - no code elsewhere jumps into it, and no other function begins within it: a `ret` would end
 *   calls of that function as well. Jumps with four-byte offsets are searched once in the whole
 *   file at every byte, so bytes that are no instruction may count as one; short jumps are searched
 *   in the neighbouring functions. Go's compiler makes no such code.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "target/arch/flow.h"
#include "base/map.h"
#include "target/object/private.h"
#include "state.h"
#include "shared/search.h"

/* Bytes that may be a jump. */
struct far_jump { uint64_t target, from; };

/* The code of a whole file. */
struct object_code {
	bool is_read;
	Dwarf_CFI *cfi;
	VEC(struct far_jump) jumps; /* by target */
	struct map cold;            /* struct cold_parts by the name of their function */
};

struct cold_parts { VEC(const struct object_symbol *) v; };

#define COLD ".cold"

struct part { uint64_t start, end; };

struct swept {
	struct state *s;
	struct object_file *f;
	const char *name;
	VEC(struct part) parts;
	struct object_exits *ret;
};

/* ---- the file ---- */

static int by_target(const void *x, const void *y)
{
	const struct far_jump *a = x, *b = y;

	return a->target < b->target ? -1 : a->target > b->target;
}

static void find_jumps(struct state *s, struct object_file *f)
{
	struct object_code *code = f->code;

	vec_each(it, &f->segments) {
		size_t left = 0;
		const unsigned char *at = it->is_code ? object_code_at(f, it->address, &left) :
							NULL;

		for (uint64_t i = 0; at && i < left; i++) {
			struct far_jump jump = { .from = it->address + i };

			if (arch_flow_far(at + i, left - i, jump.from, f->o.is_32bit,
					  &jump.target) &&
			    jump.target - it->address < it->size)
				vec_push(s->arena, &code->jumps, jump);
		}
	}
	if (code->jumps.n)
		qsort(code->jumps.v, code->jumps.n, sizeof(*code->jumps.v), by_target);
}

static void find_cold_parts(struct state *s, struct object_file *f)
{
	map_init(&f->code->cold, s->arena);
	vec_each(it, &f->o.symbols) {
		const char *dot = it->size ? strstr(it->name, COLD) : NULL, *name;
		struct cold_parts *parts;

		if (!dot)
			continue;
		name = arena_strndup(s->arena, it->name, (size_t)(dot - it->name));
		parts = map_get(&f->code->cold, name);
		if (!parts) {
			parts = NEW(s->arena, struct cold_parts);
			map_set(&f->code->cold, name, parts);
		}
		vec_push(s->arena, &parts->v, (const struct object_symbol *)it);
	}
}

static bool read_code(struct state *s, struct object_file *f)
{
	GElf_Addr bias;
	Elf *elf;

	if (f->code)
		return f->code->is_read;
	f->code = NEW(s->arena, struct object_code);
	elf = f->module ? dwfl_module_getelf(f->module, &bias) : NULL;
	if (!elf)
		return false;
	f->code->is_read = true;
	f->code->cfi = dwarf_getcfi_elf(elf);
	find_jumps(s, f);
	find_cold_parts(s, f);
	return true;
}

void object_close_code(struct object_file *f)
{
	if (f->code && f->code->cfi)
		dwarf_cfi_end(f->code->cfi);
}

/* ---- a function ---- */

static void cannot(struct swept *fn, const char *why)
{
	if (!fn->ret->why)
		fn->ret->why = why;
}

static bool is_inside(const struct swept *fn, uint64_t address)
{
	vec_each(it, &fn->parts)
		if (address >= it->start && address < it->end)
			return true;
	return false;
}

uint64_t object_size_at(const struct program_file *o, uint64_t address)
{
	uint64_t size = 0;
	size_t i;

	search_first(i, o->symbols.n, o->symbols.v[i].address < address);
	for (; i < o->symbols.n && o->symbols.v[i].address == address; i++)
		if (o->symbols.v[i].size > size)
			size = o->symbols.v[i].size;
	return size;
}

static bool is_function(const struct program_file *o, uint64_t address)
{
	size_t i;

	vec_each(it, &o->imports)
		if (it->address == address)
			return true;
	search_first(i, o->symbols.n, o->symbols.v[i].address < address);
	return i < o->symbols.n && o->symbols.v[i].address == address;
}

static void add_part(struct swept *fn, const struct object_symbol *symbol)
{
	if (!is_inside(fn, symbol->address))
		vec_push(fn->s->arena, &fn->parts,
			 ((struct part){ symbol->address, symbol->address + symbol->size }));
}

/* The part at @address of the function with this name, or NULL. */
static const struct object_symbol *cold_part_at(const struct swept *fn, uint64_t address)
{
	const struct cold_parts *parts = map_get(&fn->f->code->cold, fn->name);

	if (!parts)
		return NULL;
	vec_each(it, &parts->v)
		if (address - (*it)->address < (*it)->size)
			return *it;
	return NULL;
}

/* Exception handling code may be in a part to which no jump leads. If several functions have the
 * name, only jumps show to which one a part belongs. */
static void add_cold_parts(struct swept *fn)
{
	const struct cold_parts *parts = map_get(&fn->f->code->cold, fn->name);
	uint64_t address = fn->parts.v[0].start;

	if (!parts)
		return;
	vec_each(it, &fn->f->o.symbols)
		if (it->address != address && strcmp(it->name, fn->name) == 0)
			return;
	vec_each(it, &parts->v)
		add_part(fn, *it);
}

static void leaves_to(struct swept *fn, uint64_t target)
{
	const struct object_symbol *part;

	if (is_inside(fn, target))
		return;
	part = cold_part_at(fn, target);
	if (part) {
		add_part(fn, part);
		return;
	}
	cannot(fn, is_function(&fn->f->o, target) ?
	       "it ends in jumps to other functions, which return in its place" :
	       "it jumps to code that is not known to be a part of it");
}

/* Whether the function has something on the stack at @address. */
static bool has_frame(const struct swept *fn, uint64_t address)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL;
	size_t n = 0;
	bool entry;

	if (!fn->f->code->cfi || dwarf_cfi_addrframe(fn->f->code->cfi, address, &frame) != 0)
		return false;
	if (dwarf_frame_cfa(frame, &ops, &n) != 0 || !ops || !n) {
		free(frame);
		return false;
	}
	entry = (n == 1 && ops[0].atom == DW_OP_bregx ? ops[0].number2 : ops[0].number) ==
		arch_flow_entry_cfa(fn->f->o.is_32bit);
	free(frame);
	return !entry;
}

static void add_return(struct swept *fn, uint64_t address)
{
	uint64_t offset = 0;

	if (object_offset(&fn->f->o, address, &offset))
		vec_push(fn->s->arena, &fn->ret->offsets, offset);
}

static bool is_switch(const enum arch_flow_step steps[2])
{
	return steps[0] == ARCH_FLOW_LOADS_DISTANCE && steps[1] == ARCH_FLOW_ADDS;
}

/* Decodes a part. If its last instruction falls through, it runs on into other code. */
static void sweep(struct swept *fn, struct part part)
{
	enum arch_flow_kind last = ARCH_FLOW_ON;
	enum arch_flow_step steps[2] = { ARCH_FLOW_NO_STEP, ARCH_FLOW_NO_STEP };
	struct arch_flow flow;
	size_t left = 0;

	for (uint64_t at = part.start; at < part.end; at += flow.length) {
		const unsigned char *code = object_code_at(fn->f, at, &left);

		if (!code || !arch_flow(code, left, at, fn->f->o.is_32bit, &flow)) {
			cannot(fn, "its code can't be decoded");
			return;
		}
		fn->ret->pops |= flow.pops;
		if (flow.kind == ARCH_FLOW_RETURN)
			add_return(fn, at);
		else if (flow.kind == ARCH_FLOW_JUMP || flow.kind == ARCH_FLOW_BRANCH)
			leaves_to(fn, flow.target);
		else if (flow.kind == ARCH_FLOW_COMPUTED && !fn->f->o.is_go &&
			 !is_switch(steps) && !has_frame(fn, at))
			cannot(fn, "it may end in a jump to a computed address");
		steps[0] = steps[1];
		steps[1] = flow.step;
		if (flow.kind != ARCH_FLOW_PADDING)
			last = flow.kind;
	}
	if (last == ARCH_FLOW_ON || last == ARCH_FLOW_BRANCH)
		cannot(fn, "it continues into other code");
}

/* ---- what else may come to its code ---- */

static bool is_entered_within(const struct swept *fn, struct part part)
{
	const struct program_file *o = &fn->f->o;
	size_t i;

	search_first(i, o->symbols.n, o->symbols.v[i].address <= part.start);
	return i < o->symbols.n && o->symbols.v[i].address < part.end;
}

static bool is_jumped_into(const struct swept *fn, struct part part)
{
	const struct object_code *code = fn->f->code;
	size_t i;

	search_first(i, code->jumps.n, code->jumps.v[i].target <= part.start);
	for (; i < code->jumps.n && code->jumps.v[i].target < part.end; i++)
		if (!is_inside(fn, code->jumps.v[i].from))
			return true;
	return false;
}

/* @near: a neighbouring function of @part. */
static bool jumps_into(const struct swept *fn, struct part near, struct part part)
{
	struct arch_flow flow;
	size_t left = 0;

	for (uint64_t at = near.start; at < near.end; at += flow.length) {
		const unsigned char *code = object_code_at(fn->f, at, &left);

		if (!code || !arch_flow(code, left, at, fn->f->o.is_32bit, &flow))
			return false;
		if ((flow.kind == ARCH_FLOW_JUMP || flow.kind == ARCH_FLOW_BRANCH) &&
		    flow.target > part.start && flow.target < part.end)
			return true;
	}
	return false;
}

static bool is_jumped_into_from_near(const struct swept *fn, struct part part)
{
	const struct program_file *o = &fn->f->o;
	size_t i;

	search_first(i, o->symbols.n, o->symbols.v[i].address < part.start);
	/* The one before it, and the following ones. */
	for (i -= i > 0; i < o->symbols.n &&
			 o->symbols.v[i].address < part.end + ARCH_FLOW_NEAR; i++) {
		const struct object_symbol *it = &o->symbols.v[i];

		if (!is_inside(fn, it->address) &&
		    it->address + it->size + ARCH_FLOW_NEAR > part.start &&
		    jumps_into(fn, (struct part){ it->address, it->address + it->size }, part))
			return true;
	}
	return false;
}

static void look_around(struct swept *fn)
{
	vec_each(it, &fn->parts) {
		if (is_entered_within(fn, *it))
			cannot(fn, "another function begins within it");
		else if (is_jumped_into(fn, *it) || is_jumped_into_from_near(fn, *it))
			cannot(fn, "other code jumps into it");
	}
}

const struct object_exits *object_exits(struct state *s, const struct program_file *o,
					const char *name, uint64_t address)
{
	struct object_exits *ret = NEW(s->arena, struct object_exits);
	struct swept fn = { .s = s, .f = (struct object_file *)(uintptr_t)o, .name = name,
			       .ret = ret };
	uint64_t size = object_size_at(o, address);

	if (!size)
		cannot(&fn, "its size is not known");
	else if (!read_code(s, fn.f))
		cannot(&fn, "its code can't be read");
	if (ret->why)
		return ret;
	vec_push(s->arena, &fn.parts, ((struct part){ address, address + size }));
	add_cold_parts(&fn);
	/* Parts may be added meanwhile. */
	for (size_t i = 0; i < fn.parts.n; i++)
		sweep(&fn, fn.parts.v[i]);
	if (!o->is_go)
		look_around(&fn);
	if (!ret->offsets.n)
		cannot(&fn, "it has no instruction that returns");
	return ret;
}
