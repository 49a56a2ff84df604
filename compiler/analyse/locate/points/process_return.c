/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the return of a function of a program is probed: by a breakpoint at each of its instructions
 * that return, or, if its calls may end elsewhere as well, by a uretprobe. A uretprobe replaces the
 * return address on the stack, which ends programs that move their stacks or switch between them
 * (object/stacks.c); there it is refused.
 */
#include "analyse/locate/points/process.h"
#include "target/object/object.h"
#include "state.h"

/* The reason why return addresses must not be replaced in the file, or in the program that is known
 * to use it; NULL if there is none. */
static const char *why_no_uretprobe(struct state *s, const struct program_file *o)
{
	if (!o)
		return NULL;
	if (o->is_go)
		return "programs in Go move their stacks";
	if (!o->switches_stacks)
		return NULL;
	return arena_printf(s->arena, "the program switches stacks (%s)", o->switches_stacks);
}

const char *process_return(struct state *s, struct site *site, const char *name,
			   uint64_t address)
{
	const struct user_scope *scope = site->user;
	const char *why, *stacks;

	/* A uretprobe would replace the number of arguments. */
	if (name && scope->file && scope->file->is_program && address == scope->file->entry)
		return "the program begins there, with its arguments on the stack in place of a "
		       "return address";
	if (name)
		site->exits = object_exits(s, scope->file, name, address);
	if (site->exits && !site->exits->why)
		return NULL;
	if (site->exits && site->exits->pops)
		return arena_printf(s->arena, "%s, and the stack pointer at its return does not "
				    "tell its calls apart, because it removes arguments from the "
				    "stack", site->exits->why);
	stacks = why_no_uretprobe(s, scope->file);
	if (!stacks)
		stacks = why_no_uretprobe(s, scope->runs);
	why = site->exits ? site->exits->why : "it leads to a function of another file";
	return stacks ? arena_printf(s->arena, "%s, so that its return address would have to be "
				     "replaced, and %s", why, stacks) : NULL;
}
