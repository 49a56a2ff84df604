/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function of the source may be several pieces of code, of which one call runs more than one. A
 * point with its name is probed where calls begin, so that it counts each call once.
 *
 * NAME.part.N and NAME.cold: gcc and clang move the rest of a function, or what is seldom run, to
 * code with a symbol of its own, which the function's beginning calls or jumps to. Copies of the
 * beginning may have been inlined.
 *
 * Constructors and destructors: demangle.h lists their variants. One that calls a later variant
 * does so once, for the same object; so only the later one counts. A variant that does the work
 * itself, because the later one was inlined into it without a trace or because it has a body of its
 * own, is where an object is constructed or destroyed. Debug information of gcc does not tell the
 * variants of inlined copies apart. There, a copy at the first instruction of another one is the
 * later variant for the same object, and so is a call before the first branch: recursion, for
 * another object, comes later.
 */
#include "analyse/locate/points/parts.h"

#include <string.h>

#include "base/map.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/locate.h"
#include "target/kernel/kernel.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "program/site.h"
#include "state.h"

/* When the kernel replaces a kprobe by a jump, it does not see that NAME.cold jumps back into the
 * middle of the function, and could place its own jump across the target of such a jump. */
bool locate_split(struct state *s, const struct site *site)
{
	const char *const *names;

	if (strcmp(site->object, "kernel") != 0)
		return false;
	if (!*site->symbol || strstr(site->symbol, ".cold") || !kernel_symbols_known(s->kernel))
		return true;
	return kernel_symbols_match(s, s->kernel,
				    arena_printf(s->arena, "%s.cold*", site->symbol), &names) > 0;
}

/* The sites of the functions of one name, whatever their parameters. */
struct same_name { VEC(struct site *) v; };

bool parts_is_part(const char *symbol)
{
	return strstr(symbol, ".part.") || strstr(symbol, ".cold");
}

bool parts_are_named(const char *text)
{
	return strstr(text, ".part") || strstr(text, ".cold");
}

static bool is_part(const struct site *site)
{
	return !locate_is_copy(site) && !site->offset && parts_is_part(site->symbol);
}

/* Its name in the source; debug information of copies may lack the list of parameters. */
static const char *name_of(const struct site *site)
{
	const char *name = site->place ? site->place->function : site->function;

	return name ? name : site->symbol;
}

static size_t length_without_parameters(const char *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *open = name;

	while ((open = strchr(open, '(')) && strncmp(open, anonymous, sizeof(anonymous) - 1) == 0)
		open++;
	return open ? (size_t)(open - name) : strlen(name);
}

/* The object and the name without parameters and without the suffix of a clone. */
static const char *key_of(struct state *s, const struct site *site)
{
	const char *name = name_of(site);
	size_t length = name == site->symbol ? strcspn(name, ".") : length_without_parameters(name);

	return arena_printf(s->arena, "%s:%.*s", site->object, (int)length, name);
}

/* Whether two sites with one key are of the same function, as far as both have parameters. */
static bool is_same(const struct site *one, const struct site *other)
{
	const char *a = name_of(one), *b = name_of(other);

	return !a[length_without_parameters(a)] || !b[length_without_parameters(b)] ||
	       strcmp(a, b) == 0;
}

static void group_one(struct state *s, struct site *site, struct map *ret)
{
	const char *key = key_of(s, site);
	struct same_name *same = map_get(ret, key);

	if (!same) {
		same = NEW(s->arena, struct same_name);
		map_set(ret, key, same);
	}
	vec_push(s->arena, &same->v, site);
}

static void group(struct state *s, const struct located *list, size_t first, struct map *ret)
{
	map_init(ret, s->arena);
	for (size_t i = first; i < list->sites.n; i++)
		group_one(s, list->sites.v[i], ret);
	if (list->also)
		vec_each(it, &list->also->sites)
			group_one(s, *it, ret);
}

/* ---- parts ---- */

static bool has_whole(const struct same_name *same, const struct site *part)
{
	vec_each(it, &same->v)
		if (!is_part(*it) && is_same(*it, part))
			return true;
	return false;
}

static void drop_parts(const struct same_name *same, struct located *ret, struct map *dropped)
{
	vec_each(it, &same->v) {
		if (!is_part(*it))
			continue;
		if (has_whole(same, *it))
			map_set_number(dropped, (uintptr_t)*it, *it);
		else
			ret->part = (*it)->symbol;
	}
}

/* ---- variants of constructors and destructors ---- */

static uint64_t address_of(const struct site *site)
{
	return object_address(site->user->file, site->file_offset);
}

static enum demangle_variant variant_of(struct state *s, const struct site *site)
{
	const char *name = locate_is_copy(site) ? site->place->linkage : site->symbol;

	return demangle_variant(s->arena, name);
}

static bool is_around(const struct site *site, const struct site *copy)
{
	return site->place && dwarf_place_around(copy->place) == site->place->function_scope;
}

/* Whether @inner, a copy directly within @site, is there for the same object. */
static bool has_for_same(struct state *s, const struct site *site, const struct site *inner)
{
	enum demangle_variant of = variant_of(s, site), later = variant_of(s, inner);

	return of == DEMANGLE_DELETING || (of && of < later && later < DEMANGLE_UNIFIED) ||
	       address_of(site) == address_of(inner);
}

/* Whether @site calls the function @other for the same object. */
static bool calls_for_same(struct state *s, const struct same_name *same, const struct site *site,
			   const struct site *other)
{
	const struct program_file *o = site->user->file;
	enum demangle_variant of = variant_of(s, site), later = variant_of(s, other);

	if (!locate_is_copy(site))
		return of < later && object_calls(o, address_of(site), address_of(other));
	vec_each(it, &same->v)
		if (locate_is_copy(*it) && is_around(site, *it))
			return false;
	return (of < later || of == DEMANGLE_UNIFIED) &&
	       object_calls_first(o, address_of(site), address_of(other));
}

static bool passes_on(struct state *s, const struct same_name *same, const struct site *site)
{
	vec_each(it, &same->v) {
		const struct site *other = *it;

		if (other == site || !is_same(site, other))
			continue;
		if (locate_is_copy(other) ? is_around(site, other) && has_for_same(s, site, other) :
					    calls_for_same(s, same, site, other))
			return true;
	}
	return false;
}

static void drop_variants(struct state *s, const struct same_name *same, struct map *dropped)
{
	bool known = false;

	if (same->v.n < 2 || !same->v.v[0]->user)
		return;
	vec_each(it, &same->v)
		known |= variant_of(s, *it) != DEMANGLE_NO_VARIANT;
	if (!known)
		return;
	vec_each(it, &same->v)
		if (passes_on(s, same, *it))
			map_set_number(dropped, (uintptr_t)*it, *it);
}

void parts_leave_out(struct state *s, const char *text, struct located *ret, size_t first)
{
	struct map functions, dropped;

	group(s, ret, first, &functions);
	map_init(&dropped, s->arena);
	map_each(it, &functions) {
		if (!parts_are_named(text))
			drop_parts(it->value, ret, &dropped);
		drop_variants(s, it->value, &dropped);
	}
	for (struct located *it = ret; it; it = it->also) {
		size_t n = 0;

		vec_each(site, &it->sites) {
			if (!map_get_number(&dropped, (uintptr_t)*site))
				it->sites.v[n++] = *site;
			else if (locate_is_copy(*site) && ret->copies)
				ret->copies--;
		}
		it->sites.n = n;
	}
}
