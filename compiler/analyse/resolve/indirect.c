/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Points at indirect functions (IFUNC), which are probed at each of their implementations: a note
 * for each function of such a point names them. Under a pattern, one note has the names of the
 * functions.
 */
#include <string.h>

#include "base/words.h"
#include "analyse/resolve/sites.h"

static bool was_reported(struct resolver *r, const struct indirect *one)
{
	vec_each(it, &r->indirect)
		if (strcmp((*it)->name, one->name) == 0 && strcmp((*it)->file, one->file) == 0)
			return true;
	return false;
}

static const char *names(struct resolver *r, const struct indirect *one)
{
	return words_join(r->s->arena, one->choices.v, one->choices.n);
}

static void report_one(struct resolver *r, struct range at, const struct indirect *one)
{
	struct diag *d = r->s->diag;

	const char *rest = one->chosen ?
			   arena_printf(r->s->arena, "only %s is probed, which this machine uses",
					one->chosen) : "all of them are probed";

	diag_remark(d, at, E_INDIRECT, "'%s' of %s is chosen among %zu implementations when a "
		    "program starts; %s", one->name, one->file, one->choices.n, rest);
	diag_hint(d, "they are %s", names(r, one));
	if (one->sharing.n)
		diag_hint(d, "calls of %s are counted as well: some implementations are the same",
			  words_join(r->s->arena, one->sharing.v, one->sharing.n));
	if (one->passing.n)
		diag_hint(d, "a call that one implementation passes on to another %s counted at "
			  "both: %s", one->chosen ? "would be" : "is",
			  words_join(r->s->arena, one->passing.v, one->passing.n));
}

static void report_all(struct resolver *r, struct range at, const struct located *found)
{
	VEC(const char *) all = { 0 };

	vec_each(it, &found->indirect)
		vec_push(r->s->arena, &all, it->name);
	diag_remark(r->s->diag, at, E_INDIRECT, "%zu functions are chosen among several "
		    "implementations when a program starts; all of these are probed", all.n);
	diag_hint(r->s->diag, "they are %s", words_join(r->s->arena, all.v, all.n));
	diag_hint(r->s->diag, "a note for a point with one of these names has its "
		  "implementations");
}

void indirect_located(struct resolver *r, struct range at, const struct located_list *list)
{
	const struct located *found = list->v.n ? list->v.v[0] : NULL;

	if (!found || !found->indirect.n || resolve_file(at)->in_tapset ||
	    was_reported(r, &found->indirect.v[0]))
		return;
	vec_push(r->s->arena, &r->indirect, (const struct indirect *)&found->indirect.v[0]);
	if (found->from_wildcard && found->indirect.n > 1)
		report_all(r, at, found);
	else
		report_one(r, at, &found->indirect.v[0]);
}
