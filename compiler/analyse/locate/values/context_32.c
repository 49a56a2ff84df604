/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters at the entry of functions of 32-bit programs. Compilers pass arguments of such a
 * function as they like if no other file calls it, and attributes of the source change the calling
 * convention, so debug information decides. It has no location at the entry for what the first
 * instructions copy to the function's frame, which unoptimised code does with all types whose size
 * is not 4 bytes. These parameters are found by the calling convention if the locations of others
 * show that it holds.
 */
#include <errno.h>

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

	if (i < 0 || (dwarf_param_at(s, at, (unsigned)i, &p) && p.passed == DWARF_PASSED_NOT))
		return false;
	for (unsigned j = 0; j < n; j++)
		if (!agrees(s, at, func, j, &any))
			return false;
	return any;
}
