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

static const char *what_is_probed(struct resolver *r, const struct indirect *one)
{
	if (!one->chosen)
		return "all of them are probed";
	if (!one->pid)
		return arena_printf(r->s->arena, "only %s is probed, which this machine uses",
				    one->chosen);
	return arena_printf(r->s->arena, "only %s is probed, which process %lld uses", one->chosen,
			    (long long)one->pid);
}

static void report_one(struct resolver *r, struct range at, const struct indirect *one)
{
	struct diag *d = r->s->diag;

	const char *among = one->choices.n ?
			    arena_printf(r->s->arena, " from %zu implementations",
					 one->choices.n) : "";

	diag_remark(d, at, E_INDIRECT, "'%s' of %s is chosen%s when a program starts; %s",
		    one->name, one->file, among, what_is_probed(r, one));
	if (one->choices.n)
		diag_hint(d, "they are %s", names(r, one));
	else
		diag_hint(d, "other processes may use another one, which is not probed");
	if (one->sharing.n)
		diag_hint(d, "calls of %s are counted as well: some implementations are the same",
			  words_join(r->s->arena, one->sharing.v, one->sharing.n));
	if (one->passing.n)
		diag_hint(d, "a call that one implementation passes on to another %s counted at "
			  "both: %s", one->chosen ? "would be" : "is",
			  words_join(r->s->arena, one->passing.v, one->passing.n));
}

static void report_left_out(struct resolver *r, struct range at, const struct located *found)
{
	VEC(const char *) all = { 0 };

	vec_each(it, &found->unfollowed)
		vec_push(r->s->arena, &all, it->name);
	diag_remark(r->s->diag, at, E_INDIRECT, "left out, because their implementations are not "
		    "known: %s", words_join(r->s->arena, all.v, all.n));
	diag_hint(r->s->diag, "probe one of these names alone to see why, and what can be done");
}

static void report_all(struct resolver *r, struct range at, const struct located *found)
{
	VEC(const char *) all = { 0 };

	vec_each(it, &found->indirect)
		vec_push(r->s->arena, &all, it->name);
	diag_remark(r->s->diag, at, E_INDIRECT, "%zu functions are chosen from several "
						"implementations when a program starts; all of "
						"these are probed", all.n);
	diag_hint(r->s->diag, "they are %s", words_join(r->s->arena, all.v, all.n));
	diag_hint(r->s->diag, "probe one of these names alone for a note that lists its "
			      "implementations");
}

void indirect_located(struct resolver *r, struct range at, const struct located_list *list)
{
	const struct located *found = list->v.n ? list->v.v[0] : NULL;

	if (!found || resolve_file(at)->in_tapset)
		return;
	if (found->unfollowed.n && !was_reported(r, &found->unfollowed.v[0])) {
		vec_push(r->s->arena, &r->indirect, (const struct indirect *)found->unfollowed.v);
		report_left_out(r, at, found);
	}
	if (!found->indirect.n || was_reported(r, &found->indirect.v[0]))
		return;
	vec_push(r->s->arena, &r->indirect, (const struct indirect *)&found->indirect.v[0]);
	if (found->from_wildcard && found->indirect.n > 1)
		report_all(r, at, found);
	else
		report_one(r, at, &found->indirect.v[0]);
}
