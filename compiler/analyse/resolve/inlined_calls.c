/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls whose functions may be inlined into the function that calls them.
 *
 * A kernel calls the functions of system calls by a switch over the number of the call, in a
 * function such as x64_sys_call(regs, nr). If all files are optimised together (LTO), the
 * compiler may inline some of them there; their symbols remain, so that nothing but debug
 * information tells which. So a probe of a system call gets its sites at the function with the
 * switch, each with the number of the call: the runtime takes only the hits whose second argument
 * is that number (runtime/attach/syscall.c). The first argument is that of the call's own function,
 * and the result is the same, so all values are as they are there; probefunc() and pp() name that
 * function, and its prototype counts.
 *
 * This needs the kernel's build tree, where the numbers are, and that ftrace can trace the function
 * with the switch: a breakpoint in each system call would cost too much. If an interface has
 * another such function (x32), it is probed as well. Otherwise the sites stay where they were, and
 * a warning says what may be missing (copies.c).
 */
#include <errno.h>
#include <string.h>

#include "target/arch/names.h"
#include "target/kernel/calls.h"
#include "target/kernel/kernel.h"
#include "analyse/resolve/sites.h"

const char *inlined_calls_first(struct resolver *r, enum call_interface interface)
{
	const struct arch_call_switch *it = arch_names->call_switches;

	for (; it && it->function; it++)
		if (it->of_32bit == (interface == CALL_32))
			return kernel_symbol_count(r->s->kernel, it->function) ? it->function :
										 NULL;
	return NULL;
}

/* Returns why no site can be at that function, or NULL if one can. @err: of reading its numbers. */
static const char *why_not_at(struct resolver *r, const struct arch_call_switch *at, int err)
{
	struct arena *a = r->s->arena;
	const char *forbids;

	if (err == -EINVAL)
		return arena_printf(a, "'%s' of its build tree is not understood", at->numbers);
	if (err)
		return arena_printf(a, "'%s' of its build tree is needed", at->numbers);
	if (kernel_symbol_count(r->s->kernel, at->function) != 1)
		return arena_printf(a, "there is no function '%s'", at->function);
	forbids = kernel_forbids(r->s->kernel, at->function);
	return forbids ? arena_printf(a, "'%s': %s", at->function, forbids) : NULL;
}

const char *inlined_calls_why_not(struct resolver *r, enum call_interface interface)
{
	const struct arch_call_switch *it = arch_names->call_switches;
	bool optional = false; /* the kernel may lack all but the first */

	for (; it && it->function; it++) {
		const struct kernel_call_list *calls;
		const char *why;
		int err;

		if (it->of_32bit != (interface == CALL_32))
			continue;
		err = kernel_calls(r->s, r->s->kernel, it->numbers, &calls);
		why = err == -ENOENT && optional ? NULL : why_not_at(r, it, err);
		if (why)
			return why;
		optional = true;
	}
	return NULL;
}

/* Adds sites at @at for the calls of @site's function. */
static void add_sites(struct resolver *r, const struct arch_call_switch *at,
		      const struct site *site, struct site_set *ret)
{
	const struct kernel_call_list *calls;
	size_t prefix = strlen(at->prefix);

	if (kernel_calls(r->s, r->s->kernel, at->numbers, &calls) != 0 ||
	    strncmp(site->symbol, at->prefix, prefix) != 0)
		return;
	vec_each(call, &calls->v) {
		struct site *here;

		if (strcmp(site->symbol + prefix, call->function) != 0)
			continue;
		here = NEW(r->s->arena, struct site);
		*here = *site;
		here->symbol = at->function;
		here->function = site->symbol;
		here->syscall = call->number + 1;
		vec_push(r->s->arena, &ret->v, here);
	}
}

void inlined_calls_use(struct resolver *r, enum call_interface interface, struct located_list *list)
{
	struct located *first = list->v.v[0];
	const struct arch_call_switch *it = arch_names->call_switches;
	struct site_set sites = { 0 };

	if (interface == CALL_NONE || !it || locate_is_copy(first->sites.v[0]) ||
	    !kernel_is_joined(r->s) || inlined_calls_why_not(r, interface))
		return;
	for (; it->function; it++)
		if (it->of_32bit == (interface == CALL_32))
			add_sites(r, it, first->sites.v[0], &sites);
	/* Some functions are there for the other interface alone, and are never called. */
	if (!sites.v.n)
		return;
	first->sites.n = 0;
	vec_each(site, &sites.v)
		vec_push(r->s->arena, &first->sites, *site);
	first->copies = first->clones = 0;
	first->also = NULL;
	list->v.n = 1;
}
