/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thunks: a call of a virtual function by way of a second or virtual base class of C++ goes to a
 * thunk, which changes `this` (and the result, if its type is a class of its own) and jumps to the
 * function. Compilers copy small functions into their thunks instead, at -O2 already. Debug
 * information of gcc does not mention such copies; that of clang has an inlined copy there. Their
 * parameters can't be shown: `this` is that of the base class. So they are named, but not probed.
 * Itanium C++ ABI, section 5.1.4.5: "_ZT", then h N _ (an offset), v N _ N _ (an offset and one in
 * the virtual table), or c and two of these, then the name of the function. "n" stands for a minus
 * sign.
 *
 * Merged functions: gcc and linkers (--icf) make one code of functions that are equal. Calls of all
 * of them are hits.
 */
#include "analyse/locate/points/other_names.h"

#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "analyse/locate/locate.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "program/site.h"
#include "shared/search.h"
#include "state.h"

/* ---- thunks ---- */

/* Goes over a number and the "_" after it. NULL: there is none. */
static const char *after_number(const char *text)
{
	text += *text == 'n';
	if (!isdigit((unsigned char)*text))
		return NULL;
	while (isdigit((unsigned char)*text))
		text++;
	return *text == '_' ? text + 1 : NULL;
}

static const char *after_offset(const char *text)
{
	char kind = *text;

	if (kind != 'h' && kind != 'v')
		return NULL;
	text = after_number(text + 1);
	return text && kind == 'v' ? after_number(text) : text;
}

/* The mangled name without "_Z" of the function that a thunk stands for. NULL: it is no thunk. */
static const char *function_of(const char *symbol)
{
	const char *text;

	if (strncmp(symbol, "_ZT", 3) != 0)
		return NULL;
	if (symbol[3] != 'c')
		return after_offset(symbol + 3);
	text = after_offset(symbol + 4);
	return text ? after_offset(text) : NULL;
}

/* The sites of one file: of functions, and of inlined copies. */
struct functions {
	const struct program_file *file;
	struct map by_name;    /* functions by their symbols without "_Z" */
	VEC(const struct site *) v, copies;
};

static bool is_function(const struct site *site)
{
	return site->user && !site->offset && !locate_is_copy(site) && *site->symbol;
}

static uint64_t address_of(const struct site *site)
{
	return object_address(site->user->file, site->file_offset);
}

static void collect(struct state *s, const struct located *ret, size_t first,
		    struct functions *functions)
{
	map_init(&functions->by_name, s->arena);
	for (size_t i = first; i < ret->sites.n; i++) {
		struct site *site = ret->sites.v[i];

		if (site->user && locate_is_copy(site))
			vec_push(s->arena, &functions->copies, site);
		if (!is_function(site))
			continue;
		functions->file = site->user->file;
		vec_push(s->arena, &functions->v, site);
		if (strncmp(site->symbol, "_Z", 2) == 0)
			map_set(&functions->by_name, site->symbol + 2, site);
	}
}

/* Whether the code of a thunk calls the function or, of a destructor, another variant of it; or
 * whether it is itself a site, or has one. */
static bool is_counted(struct state *s, const struct functions *functions,
		       const struct object_symbol *thunk, const struct site *of)
{
	const char *name = demangle_name(s->arena, of->symbol);

	vec_each(it, &functions->copies)
		if (address_of(*it) - thunk->address < thunk->size)
			return true;
	vec_each(it, &functions->v) {
		if (address_of(*it) == thunk->address)
			return true;
		/* In this order: names of all functions take hundreds of megabytes. */
		if (object_calls(functions->file, thunk->address, address_of(*it)) &&
		    strcmp(demangle_name(s->arena, (*it)->symbol), name) == 0)
			return true;
	}
	return false;
}

struct thunk {
	const struct object_symbol *symbol;
	const struct site *of;
};
struct thunks { VEC(struct thunk) v; };

/* Where the type of the result changes, a thunk may call another one of the same function. */
static bool calls_thunk(const struct functions *functions, const struct thunks *all,
			const struct thunk *thunk)
{
	vec_each(it, &all->v)
		if (it != thunk && it->of == thunk->of &&
		    object_calls(functions->file, thunk->symbol->address, it->symbol->address))
			return true;
	return false;
}

static void find_thunks(struct state *s, const struct functions *functions, struct located *ret)
{
	struct thunks all = { { 0 } };

	vec_each(it, &functions->file->symbols) {
		const char *name = function_of(it->name);
		const struct site *of = name ? map_get(&functions->by_name, name) : NULL;

		if (of)
			vec_push(s->arena, &all.v, ((struct thunk){ it, of }));
	}
	vec_each(it, &all.v)
		if (!is_counted(s, functions, it->symbol, it->of) &&
		    !calls_thunk(functions, &all, it))
			vec_push(s->arena, &ret->thunks, it->symbol->name);
}

/* ---- merged functions ---- */

/* C has names for one function on purpose (malloc and __libc_malloc); C++ and Rust rarely do. */
static bool is_name(const struct object_symbol *symbol)
{
	return demangle_is_mangled(symbol->name) && !function_of(symbol->name);
}

static void find_merged(struct state *s, const struct site *site, struct located *ret)
{
	const struct program_file *o = site->user->file;
	uint64_t address = address_of(site);
	const char *name = NULL;
	bool differ = false;
	size_t first, end;

	search_first(first, o->symbols.n, o->symbols.v[first].address < address);
	for (end = first; end < o->symbols.n && o->symbols.v[end].address == address; end++) {
		const char *other = demangle_name(s->arena, o->symbols.v[end].name);

		if (!is_name(&o->symbols.v[end]))
			continue;
		differ |= name && strcmp(name, other) != 0;
		name = other;
	}
	for (size_t i = first; differ && i < end; i++)
		if (is_name(&o->symbols.v[i]))
			vec_push(s->arena, &ret->merged,
				 demangle_shown(s->arena, o->symbols.v[i].name));
}

void other_names_find(struct state *s, struct located *ret, size_t first)
{
	struct functions functions = { 0 };

	collect(s, ret, first, &functions);
	if (!functions.v.n || !functions.file->has_mangled)
		return;
	if (functions.by_name.n)
		find_thunks(s, &functions, ret);
	if (!ret->from_wildcard)
		vec_each(it, &functions.v)
			find_merged(s, *it, ret);
}
