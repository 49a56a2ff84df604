/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the result register that a function sets. Only the bytes of the function's type are
 * defined: the others may be zero, or left over from a computation.
 */
#include <string.h>

#include "target/arch/names.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "analyse/locate/values/prototype.h"
#include "target/object/object.h"
#include "state.h"

/* Sites of kprobe.function() are symbols without prototypes, but here the prototype is needed. */
static const struct site *with_prototype(struct state *s, const struct site *site)
{
	struct kernel_module *m = NULL;
	const char *why;

	if (site->prototype || site->place)
		return site;

	struct site *copy = NEW(s->arena, struct site);

	*copy = *site;
	copy->pp = "";
	if (strcmp(site->object, "kernel") != 0 &&
	    !(m = kernel_module_find(s, s->kernel, site->object, &why)))
		return copy;

	const char *name = namelist_unpromoted(s->arena, site->symbol);
	int n = m ? (int)namelist_count(kernel_module_symbols(m), name) :
		    kernel_symbol_count(s->kernel, name);

	copy->prototype = prototype_of(s, m, name, n > 0 ? (unsigned)n : 1);
	return copy;
}

struct result_part locate_result(struct state *s, const struct site *site)
{
	struct result_part whole = {0};
	struct expr e = { .kind = EX_CONTEXT };

	if (site->user && !site->place)
		return whole;
	/* All entry points of system calls return a long. */
	if (arch_is_system_call(site->symbol))
		return whole;
	e.u.context.name = "$return";
	if (locate_context(s, with_prototype(s, site), PK_RETURN, &e, true) != 0)
		return whole;

	const struct access *access = e.u.context.access;

	if (site->user && site->user->file->is_32bit && access->result == AR_VALUE &&
	    access->size == 8)
		return (struct result_part){ 8, access->is_signed };
	if (access->base != AB_RETURN || access->result != AR_VALUE || access->steps.n ||
	    access->object_size || access->size >= 8)
		return whole;
	return (struct result_part){ access->size, access->is_signed };
}
