/* SPDX-License-Identifier: GPL-2.0 */
#include "target/dwarf/code/scanned.h"

#include <stdlib.h>

#include "shared/memory.h"
#include "shared/search.h"

enum {
	AT_FIRST = 1024,
	ORIGINS_MAX = 8,   /* steps from an entry to the one that has its name */
};

void scanned_add(struct scanned *s, Dwarf_Off die, const char *name, enum dwarf_found_kind kind)
{
	memory_grow(s->found.v, s->found.n, s->found.cap, AT_FIRST);
	s->found.v[s->found.n++] = (struct dwarf_found){ die, name, kind };
}

void scanned_add_copy(struct scanned *s, Dwarf_Off die, Dwarf_Off origin,
		      enum dwarf_found_kind kind)
{
	memory_grow(s->copies.v, s->copies.n, s->copies.cap, AT_FIRST);
	s->copies.v[s->copies.n++] = (struct scanned_copy){ die, origin, kind };
}

static const struct dwarf_found *find_origin(const struct scanned *s, Dwarf_Off origin)
{
	size_t i;

	search_first(i, s->found.n, s->found.v[i].die < origin);
	return i < s->found.n && s->found.v[i].die == origin ? &s->found.v[i] : NULL;
}

/* Follows entries that only refer to another one. */
static const struct dwarf_found *find_name(const struct scanned *s, Dwarf_Off origin)
{
	const struct dwarf_found *found = find_origin(s, origin);

	for (int i = 0; !found && i < ORIGINS_MAX; i++) {
		size_t at;

		search_first(at, s->copies.n, s->copies.v[at].die < origin);
		if (at == s->copies.n || s->copies.v[at].die != origin)
			return NULL;
		origin = s->copies.v[at].origin;
		found = find_origin(s, origin);
	}
	return found;
}

void scanned_report(struct scanned *s)
{
	for (size_t i = 0; i < s->found.n; i++) {
		if (s->found.v[i].kind != DWARF_FOUND_ABSTRACT)
			s->visit(s->data, &s->found.v[i]);
	}
	for (size_t i = 0; s->found.n && i < s->copies.n; i++) {
		const struct scanned_copy *copy = &s->copies.v[i];
		const struct dwarf_found *of = copy->kind == DWARF_FOUND_ABSTRACT ? NULL :
					       find_name(s, copy->origin);

		if (of)
			s->visit(s->data, &(struct dwarf_found){ copy->die, of->name, copy->kind });
	}
	s->found.n = s->copies.n = 0;
}

void scanned_deinit(struct scanned *s)
{
	free(s->found.v);
	free(s->copies.v);
}
