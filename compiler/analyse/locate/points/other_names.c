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
	VEC(const struct site *) v, copies;
};

/* Functions of one name, such as those of a destructor. */
struct same_named { VEC(const struct site *) v; };

struct thunk {
	const struct object_symbol *symbol;
	const struct site *of;
	struct same_named *all; /* the functions of its name */
};
struct thunks { VEC(struct thunk) v; };

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
	for (size_t i = first; i < ret->sites.n; i++) {
		struct site *site = ret->sites.v[i];

		if (site->user && locate_is_copy(site))
			vec_push(s->arena, &functions->copies, site);
		if (!is_function(site))
			continue;
		functions->file = site->user->file;
		vec_push(s->arena, &functions->v, site);
	}
}

/* The thunks of the functions. */
static struct thunks thunks_of(struct state *s, const struct functions *functions)
{
	struct thunks ret = { { 0 } };
	struct map by_symbol; /* without "_Z" */

	map_init(&by_symbol, s->arena);
	vec_each(it, &functions->v)
		if (strncmp((*it)->symbol, "_Z", 2) == 0)
			map_set(&by_symbol, (*it)->symbol + 2, (void *)*it);
	vec_each(it, &functions->file->symbols) {
		const char *name = function_of(it->name);
		const struct site *of = name ? map_get(&by_symbol, name) : NULL;

		if (of)
			vec_push(s->arena, &ret.v, ((struct thunk){ .symbol = it, .of = of }));
	}
	return ret;
}

/* Finds the functions that have the name of one with a thunk. Large programs have tens of thousands
 * of functions and thousands of thunks: each name is decoded once. */
static void find_same_named(struct state *s, const struct functions *functions,
			    struct thunks *thunks)
{
	struct map by_name;

	map_init(&by_name, s->arena);
	vec_each(it, &thunks->v) {
		const char *name = demangle_name(s->arena, it->of->symbol);

		it->all = map_get(&by_name, name);
		if (it->all)
			continue;
		it->all = NEW(s->arena, struct same_named);
		map_set(&by_name, name, it->all);
	}
	vec_each(it, &functions->v) {
		struct same_named *all = map_get(&by_name, demangle_name(s->arena, (*it)->symbol));

		if (all)
			vec_push(s->arena, &all->v, *it);
	}
}

/* The addresses of the sites, as keys. */
static struct map addresses_of(struct state *s, const struct functions *functions)
{
	struct map ret;

	map_init(&ret, s->arena);
	vec_each(it, &functions->v)
		map_set_number(&ret, address_of(*it), (void *)*it);
	return ret;
}

/* Whether the code of a thunk calls the function or, of a destructor, another variant of it; or
 * whether it is itself a site, or has one. */
static bool is_counted(const struct functions *functions, const struct map *by_address,
		       const struct thunk *thunk)
{
	const struct object_symbol *code = thunk->symbol;

	if (map_get_number(by_address, code->address))
		return true;
	vec_each(it, &functions->copies)
		if (address_of(*it) - code->address < code->size)
			return true;
	vec_each(it, &thunk->all->v)
		if (object_calls(functions->file, code->address, address_of(*it)))
			return true;
	return false;
}

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
	struct thunks all = thunks_of(s, functions);
	struct map by_address;

	if (!all.v.n)
		return;
	find_same_named(s, functions, &all);
	by_address = addresses_of(s, functions);
	vec_each(it, &all.v)
		if (!is_counted(functions, &by_address, it) && !calls_thunk(functions, &all, it))
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
	find_thunks(s, &functions, ret);
	if (!ret->from_wildcard)
		vec_each(it, &functions.v)
			find_merged(s, *it, ret);
}
