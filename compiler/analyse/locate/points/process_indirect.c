/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Indirect functions (STT_GNU_IFUNC) of programs and libraries, such as memcpy() of glibc. Which
 * implementation a process uses is decided when it starts, by the features of the processor, so all
 * that can be chosen (object_choices()) are probed: a process calls one of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "shared/file.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/points/place_sites.h"
#include "analyse/locate/points/process.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "state.h"

static bool has_site(const struct process_search *f, uint64_t offset)
{
	for (size_t i = f->first; i < f->ret->sites.n; i++)
		if (f->ret->sites.v[i]->file_offset == offset)
			return true;
	return false;
}

/* The symbol at which an implementation begins, or NULL: most of libc's are static. */
static const struct object_symbol *symbol_of(const struct process_search *f, uint64_t address)
{
	const struct object_symbol *symbol = object_symbol_at(f->scope->file, address);

	return symbol && symbol->address == address ? symbol : NULL;
}

/* The function that begins at @symbol in debug information, which may know it by another name, or
 * NULL. */
static const struct dwarf_place *place_of(const struct process_search *f,
					  const struct object_symbol *symbol)
{
	const struct object_symbol *first = f->scope->file->symbols.v, *it = symbol;

	for (; f->debug && it && it >= first && it->address == symbol->address; it--) {
		struct dwarf_spec spec = { .function = it->name };
		struct dwarf_places found = {{0}};

		dwarf_functions(f->debug->db, &spec, DWARF_ENTRIES, &found);
		vec_each(place, &found.v)
			if ((*place)->pc == symbol->address)
				return *place;
	}
	return NULL;
}

/* Adds the implementation at @address of @of. Its sites have the name of @of. */
static void add_implementation(const struct process_search *f, const struct object_symbol *of,
			       uint64_t address)
{
	const struct object_symbol *symbol = symbol_of(f, address);
	const struct dwarf_place *place = place_of(f, symbol);
	const char *name = demangle_shown(f->s->arena, of->name);
	const char *pp = process_point(f, name);
	struct object_symbol nameless = { .address = address };
	size_t before = f->ret->sites.n;
	uint64_t offset;

	if (!object_offset(f->scope->file, address, &offset) || has_site(f, offset))
		return;
	if (!symbol)
		nameless.name = arena_printf(f->s->arena, "%s@0x%llx", name,
					     (unsigned long long)address);
	if (place)
		place_sites_add_as(f->debug, place, f->returns ? PK_RETURN : PK_ENTRY, pp);
	else
		process_add_function(f, symbol ? symbol : &nameless, offset, pp);
	if (f->ret->sites.n > before)
		f->ret->sites.v[before]->function = name;
}

static bool has_choice(const struct object_choices *choices, uint64_t address)
{
	vec_each(it, &choices->addresses)
		if (*it == address)
			return true;
	return false;
}

/* Whether another indirect function has an implementation in common with @choices. */
static bool shares(const struct process_search *f, const struct object_symbol *other,
		   const struct object_choices *choices)
{
	vec_each(it, &object_choices(f->s, f->scope->file, other->address)->addresses)
		if (has_choice(choices, *it))
			return true;
	return false;
}

/* The name that notes have for an implementation. */
static const char *name_of(const struct process_search *f, const struct object_symbol *of,
			   uint64_t address)
{
	const struct object_symbol *symbol = symbol_of(f, address);

	return symbol && strcmp(symbol->name, of->name) != 0 ?
	       demangle_shown(f->s->arena, symbol->name) :
	       arena_printf(f->s->arena, "0x%llx", (unsigned long long)address);
}

static void find_passing(const struct process_search *f, const struct object_symbol *of,
			 const struct object_choices *choices, struct indirect *ret)
{
	vec_each(it, &choices->addresses) {
		struct object_addresses to = { { 0 } };

		object_passes(f->s, f->scope->file, *it, choices, &to);
		vec_each(other, &to.v)
			vec_push(f->s->arena, &ret->passing,
				 arena_printf(f->s->arena, "%s to %s", name_of(f, of, *it),
					      name_of(f, of, *other)));
	}
}

/* Prefers the names of a resolver that other files can use. */
static bool is_better(const struct object_symbol *a, const struct object_symbol *b)
{
	return a->is_exported > b->is_exported ||
	       (a->is_exported == b->is_exported && *a->name != '_' && *b->name == '_');
}

static void find_sharing(const struct process_search *f, const struct object_symbol *of,
			 const struct object_choices *choices, struct indirect *ret)
{
	const struct program_file *o = f->scope->file;

	for (size_t i = 0, next; i < o->indirect.n; i = next) {
		const struct object_symbol *best = &o->indirect.v[i], *it = best;

		for (next = i; next < o->indirect.n && o->indirect.v[next].address == it->address;
		     next++)
			if (is_better(&o->indirect.v[next], best))
				best = &o->indirect.v[next];
		if (it->address != of->address && shares(f, it, choices))
			vec_push(f->s->arena, &ret->sharing,
				 demangle_shown(f->s->arena, best->name));
	}
}

static void describe_indirect(const struct process_search *f, const struct object_symbol *of,
			      const struct object_choices *choices, struct indirect *ret)
{
	ret->name = demangle_shown(f->s->arena, of->name);
	ret->file = f->scope->file->path;
	vec_each(it, &choices->addresses)
		vec_push(f->s->arena, &ret->choices, name_of(f, of, *it));
	if (!f->ret->from_wildcard) {
		find_sharing(f, of, choices, ret);
		find_passing(f, of, choices, ret);
	}
}

/* ---- the one that is used ---- */

/* With it, the choice depends on more than the processor. */
static const char tunables[] = "GLIBC_TUNABLES";

/* Whether the environment can be read, and has no variable that changes the choice. */
static bool has_plain_environment(const struct state *s, int64_t pid)
{
	const char *path = arena_printf(s->arena, "/proc/%lld/environ", (long long)pid);
	struct buf text;
	bool ret;

	buf_init(&text);
	ret = file_read(path, &text) == 0 && !memmem(text.s, text.len, tunables, strlen(tunables));
	buf_deinit(&text);
	return ret;
}

/* Whether the probed processes run here, and choose as probec's own process does. */
static bool runs_here(struct state *s)
{
	s->around |= AROUND_COMMAND | AROUND_PROCESS;
	if (s->opt.last_pass == 4 || s->opt.vm || s->opt.bundle || s->opt.remotes.n ||
	    getenv(tunables))
		return false;
	return s->opt.command ? !strstr(s->opt.command, tunables) :
	       s->opt.pid && has_plain_environment(s, s->opt.pid);
}

/* The process that -x or process(PID) names, or 0. It may be on another machine. */
static int64_t process_of(const struct process_search *f)
{
	const struct state *s = f->s;

	if (s->opt.vm || s->opt.bundle || s->opt.remotes.n)
		return 0;
	return f->scope->pid ? f->scope->pid : s->opt.pid;
}

/* Finds the implementation that is used, where all of them can't be probed. Returns false if it is
 * not known. */
static bool find_used(const struct process_search *f, const struct object_symbol *symbol,
		      const struct object_choices *choices, struct indirect *ret,
		      uint64_t *address)
{
	int64_t pid = process_of(f);
	enum object_bound bound = pid ? object_bound(f->s, pid, f->scope->file, symbol, address) :
					OBJECT_BOUND_UNKNOWN;

	if (bound == OBJECT_BOUND_VDSO)
		*f->unknown = (struct process_refused){ symbol->name, arena_printf(f->s->arena,
			"process %lld uses one of the vDSO, in which nothing can be probed",
			(long long)pid) };
	if (bound == OBJECT_BOUND && (choices->why || has_choice(choices, *address)))
		ret->pid = pid;
	else if (!runs_here(f->s) ||
		 !object_chosen(f->scope->file, symbol, choices, address))
		return false;
	ret->chosen = name_of(f, symbol, *address);
	return true;
}

/* Adds the implementations of an indirect function, if they are known. */
void process_indirect_add(const struct process_search *f, const struct object_symbol *symbol)
{
	const struct object_choices *choices = object_choices(f->s, f->scope->file,
							      symbol->address);
	static const struct object_choices none = { .why = "" };
	struct indirect one = { 0 };
	uint64_t chosen;

	if (f->exported && !symbol->is_exported)
		return;
	if (choices->why)
		*f->unknown = (struct process_refused){ symbol->name, choices->why };
	describe_indirect(f, symbol, choices->why ? &none : choices, &one);
	/* Where one passes calls on to another, all of them would count a call twice. */
	if ((choices->why || one.passing.n) && find_used(f, symbol, choices, &one, &chosen)) {
		*f->unknown = (struct process_refused){ 0 };
		add_implementation(f, symbol, chosen);
	} else if (!choices->why) {
		vec_each(it, &choices->addresses)
			add_implementation(f, symbol, *it);
	} else {
		vec_push(f->s->arena, &f->ret->unfollowed, one);
		return;
	}
	vec_push(f->s->arena, &f->ret->indirect, one);
}

int process_indirect_refuse(const struct process_search *f, struct range at)
{
	if (f->rq->quiet)
		return -ENOENT;
	diag_error(f->s->diag, at, E_NOT_PROBEABLE, "'%s' of %s can't be probed: it is an indirect "
		   "function (IFUNC), and %s", f->unknown->name, f->scope->file->path,
		   f->unknown->why);
	diag_hint(f->s->diag, "process(\"PATH\").plt(\"%s\") is hit where the file PATH calls it",
		  f->unknown->name);
	if (!process_of(f))
		diag_hint(f->s->diag, "-x PID finds the one that a running process uses");
	return -ENOENT;
}
