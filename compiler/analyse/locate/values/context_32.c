/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters at the entry of functions of 32-bit programs. Compilers pass arguments of such a
 * function as they like if no other file calls it, and attributes of the source change the calling
 * convention, so debug information decides. It has no location at the entry for what the first
 * instructions copy to the function's frame, which unoptimised code does with all types whose size
 * is not 4 bytes. These parameters are found by the calling convention if the locations of others
 * show that it holds; but LLVM's callers in the same file leave undefined what a function does not
 * use, so that a location that only begins later does not count.
 *
 * A parameter that gets the value of another one at once may have the other one's slot in clang's
 * debug information. It is refused if the convention, which a function with a global symbol keeps
 * but for attributes that pass arguments in registers, has it elsewhere.
 */
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/values/path.h"

/* Whether the location of parameter @i, if it has one, is where the convention has the parameter;
 * *@any is set if it has one. */
static bool agrees(struct state *s, const struct dwarf_place *at, const struct btf_func *func,
		   unsigned i, bool *any)
{
	struct arch_passing place = arch_param(func, i);
	struct location l = { 0 };
	const char *why;
	uint32_t type;
	const char *name = btf_func_param(func, i, &type);

	if (!name || !*name || dwarf_value(s, at, name, &l, &why))
		return true;
	*any = true;
	return l.pieces.n == 1 && place.where == ARCH_STACK_32 &&
	       context_place_above_sp(&l.pieces.v[0]) == 4 * ((int64_t)place.first + 1);
}

bool context_32_by_convention(struct state *s, const struct dwarf_place *at,
			      const struct btf_func *func, int i)
{
	unsigned n = btf_func_nparams(func);
	struct dwarf_param p;
	bool any = false;

	if (i < 0 || (dwarf_param_at(s, at, (unsigned)i, &p) &&
		      (p.passed == DWARF_PASSED_NOT ||
		       (!p.is_whole && !dwarf_keeps_convention(at)))))
		return false;
	for (unsigned j = 0; j < n; j++)
		if (!agrees(s, at, func, j, &any))
			return false;
	return any;
}

/* Where a parameter is: as a distance from the stack pointer, or in a register. */
struct held { int64_t slot; const char *reg; };

static struct held find_held(struct state *s, const struct dwarf_place *at,
			     const struct btf_func *func, unsigned i)
{
	struct location l = { 0 };
	const struct location_piece *p;
	const char *why;
	uint32_t type;
	const char *name = btf_func_param(func, i, &type);

	if (!name || !*name || dwarf_value(s, at, name, &l, &why) || l.pieces.n != 1)
		return (struct held){ 0 };
	p = l.pieces.v;
	return (struct held){
		.slot = context_place_above_sp(p),
		.reg = p->is_value && p->ops.n <= 2 && p->ops.n && p->ops.v[0].kind == LO_REG ?
			       p->ops.v[0].name : NULL,
	};
}

static bool is_same(const struct held *a, const struct held *b)
{
	return a->reg ? b->reg && strcmp(a->reg, b->reg) == 0 : a->slot > 0 && a->slot == b->slot;
}

bool context_32_is_other(struct state *s, const struct dwarf_place *at,
			 const struct btf_func *func, int i)
{
	bool any_register = false, is_shared = false;
	struct arch_passing place;
	struct held own;

	if (i < 0 || dwarf_keeps_convention(at))
		return false;
	place = arch_param(func, (unsigned)i);
	own = find_held(s, at, func, (unsigned)i);
	for (unsigned j = 0; j < btf_func_nparams(func); j++) {
		struct held other = find_held(s, at, func, j);

		any_register |= other.reg != NULL;
		is_shared |= j != (unsigned)i && is_same(&own, &other);
	}
	if (!at->is_global || dwarf_breaks_convention(at) || any_register)
		return is_shared;
	return place.where == ARCH_STACK_32 && own.slot > 0 &&
	       own.slot != 4 * ((int64_t)place.first + 1);
}
