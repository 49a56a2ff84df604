/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locals that are never assigned. Such a name is valid, and is 0 or "" if its use shows the type,
 * but usually it is misspelt. A suggestion is searched here while the visible names are known, and
 * reported when types are known.
 */
#include <string.h>

#include "base/words.h"
#include "parse/foreign.h"
#include "parse/hash_lines.h"
#include "program/program.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/names.h"
#include "analyse/resolve/resolve.h"
#include "analyse/resolve/tapset.h"
#include "shared/search.h"

/* most that get a suggestion, because each takes a comparison with all names */
enum { LOOKED_FOR = 40 };

/* Keywords that are a statement by themselves. */
static const char *const lone_words[] = { "break", "continue", "next", "return" };

/* "$NAME" if there is such a variable. */
static const char *same_context(struct resolver *r, const struct probe *p, const char *name)
{
	const char *dollar = arena_printf(r->s->arena, "$%s", name);
	struct name_list names = { 0 };

	if (!p || !p->sites.n)
		return NULL;
	locate_context_names(r->s, p->sites.v[0], p->kind, CONTEXT_ALL, &names);
	vec_each(it, &names.v)
		if (strcmp(*it, dollar) == 0)
			return dollar;
	return NULL;
}

/* How the functions of @set are called. */
static const char *call_text(struct resolver *r, const char *name, const struct fn_set *set)
{
	const struct function *f = set->v.v[0];
	const char *args = "";

	vec_each(it, &set->v)
		if ((*it)->params.n < f->params.n)
			f = *it;
	vec_each(it, &f->params)
		args = arena_printf(r->s->arena, "%s%s%s", args, *args ? ", " : "", (*it)->name);
	return arena_printf(r->s->arena, "%s(%s)", name, args);
}

/* A name that certainly means something else: a constant that is a #define in C, a function, a
 * parameter of the probed function. */
static const char *mistaken(struct resolver *r, const struct symbol *local, const char *dollar,
			    struct range *at)
{
	const char *name = local->name;
	const struct fn_set *set;
	const char *text = hash_lines_define(r->s->arena, local->range.src, name, at);

	if (text)
		return text;
	set = functions_named(r, name);
	if (set)
		text = arena_printf(r->s->arena, "'%s' is a function: write %s", name,
				    call_text(r, name, set));
	if (!dollar)
		return text;
	return text ? arena_printf(r->s->arena, "%s, or %s", text, dollar) :
		      arena_printf(r->s->arena, "did you mean '%s'?", dollar);
}

/* Whether the script has a function of that name itself. SystemTap takes its name without
 * parentheses for a variable, and users of other languages do not write it so. */
static bool is_own_function(struct resolver *r, const char *name)
{
	const struct fn_set *set = functions_named(r, name);

	return set && !resolve_file(set->v.v[0]->name_range)->in_tapset;
}

bool unassigned_guesses(struct resolver *r)
{
	return ++r->unassigned <= LOOKED_FOR;
}

const struct meant *unassigned_meant(struct resolver *r, const struct symbol *local,
				     const struct probe *p, struct suggestions *near)
{
	struct meant *ret = NEW(r->s->arena, struct meant);

	ret->text = foreign_name(local->name);
	if (ret->text)
		return ret;
	ret->text = mistaken(r, local, same_context(r, p, local->name), &ret->at);
	ret->surely = ret->text && !resolve_file(local->range)->in_tapset &&
		      !is_own_function(r, local->name);
	if (ret->text)
		return ret;
	for (size_t i = 0; i < sizeof(lone_words) / sizeof(*lone_words); i++)
		vec_push(r->s->arena, &near->v, lone_words[i]);
	ret->text = diag_nearest(local->name, near->v.v, near->v.n);
	if (!ret->text)
		return NULL;
	ret->text = arena_printf(r->s->arena, "did you mean '%s'?", ret->text);
	return ret;
}

/* Whether the script has a variable of that name elsewhere: a handler of several points may get it
 * at some of them only. */
static bool is_known_elsewhere(const struct state *s, const char *name)
{
	vec_each(p, &s->program->probes)
		vec_each(local, &(*p)->locals)
			if (!(*local)->unassigned && strcmp((*local)->name, name) == 0)
				return true;
	return false;
}

/* "$file.f_flags", "$file->f_path.dentry": the apparent variable is a member after a dot. Returns
 * the number of such dots since the "$". */
static int dots_before(struct range at)
{
	const char *p = at.src->text + at.start, *text = at.src->text;
	int dots = 0;

	if (p == text || p[-1] != '.')
		return 0;
	for (; p > text && p[-1] != '$'; p--) {
		bool arrow = p[-1] == '>' && p - 1 > text && p[-2] == '-';

		dots += p[-1] == '.';
		p -= arrow;
		if (!arrow && !words_is_part(p[-1]) && p[-1] != '.')
			return 0;
	}
	/* "$$parms" and "$file$" are strings. */
	return p - 1 > text && !words_is_part(p[-2]) && p[-2] != '$' ? dots : 0;
}

/* ---- code of another handler ---- */

static bool covers(const struct stmt *body, struct range at)
{
	return body && body->range.src == at.src && body->range.start <= at.start &&
	       at.end <= body->range.end;
}

/* The user's probe or function whose text contains @at; NULL: it is in an alias or in the
 * library. Probes are in the order of the text, unless a macro wrote them. */
static const void *handler_at(const struct state *s, struct range at)
{
	vec_each(sc, &s->scripts) {
		struct probe_decl *const *probes = (*sc)->probes.v;
		size_t i;

		if ((*sc)->src->in_tapset)
			continue;
		search_first(i, (*sc)->probes.n, probes[i]->range.start <= at.start);
		if (i && covers(probes[i - 1]->body, at))
			return probes[i - 1];
		vec_each(d, &(*sc)->probes)
			if (covers((*d)->body, at))
				return *d;
		vec_each(f, &(*sc)->functions)
			if (covers((*f)->body, at))
				return *f;
	}
	return NULL;
}

static bool is_of_another(const struct state *s, const struct symbol *sym,
			  const struct symbol *local)
{
	const void *there, *here;

	if (sym->unassigned || strcmp(sym->name, local->name) != 0)
		return false;
	there = handler_at(s, sym->range);
	here = handler_at(s, local->range);
	return there && here && there != here;
}

/* A local of the same name that is assigned in another handler, or NULL. */
static const struct symbol *in_another(const struct state *s, const struct symbol *local)
{
	vec_each(p, &s->program->probes)
		vec_each(sym, &(*p)->locals)
			if (is_of_another(s, *sym, local))
				return *sym;
	vec_each(f, &s->program->functions)
		vec_each(sym, &(*f)->locals)
			if (is_of_another(s, *sym, local))
				return *sym;
	return NULL;
}

static void not_shared(struct state *s, const struct symbol *local, const struct symbol *other,
		       bool typed)
{
	if (typed)
		diag_warn(s->diag, local->range, E_UNKNOWN_VARIABLE, "'%s' is local to each "
			  "handler: nothing assigns it in this one, where it is %s", local->name,
			  local->type == T_STRING ? "\"\"" : "0");
	else
		diag_error(s->diag, local->range, E_UNKNOWN_VARIABLE, "'%s' is local to each "
			   "handler: nothing assigns it in this one", local->name);
	diag_note(s->diag, other->range, "assigned here, in another");
	diag_hint(s->diag, "to share it, declare it outside of the probes: global %s", local->name);
}

/* Locals that are never assigned, of one name. */
struct namesakes {
	VEC(const struct symbol *) v;
};

static void add_namesake(struct map *all, const struct symbol *sym)
{
	struct namesakes *same = map_get(all, sym->name);

	if (!sym->unassigned)
		return;
	if (!same) {
		same = NEW(all->arena, struct namesakes);
		map_set(all, sym->name, same);
	}
	vec_push(all->arena, &same->v, sym);
}

static bool is_read_elsewhere(struct resolver *r, const struct map *all,
			      const struct never_read *n)
{
	const struct namesakes *same = map_get(all, n->name);
	const void *there = same ? handler_at(r->s, n->at) : NULL;

	if (!same)
		return false;
	vec_each(sym, &same->v)
		if (handler_at(r->s, (*sym)->range) != there)
			return true;
	return false;
}

void unassigned_unread(struct resolver *r)
{
	struct map all;

	map_init(&all, r->s->arena);
	vec_each(p, &r->p->probes)
		vec_each(sym, &(*p)->locals)
			add_namesake(&all, *sym);
	vec_each(f, &r->queue)
		vec_each(sym, &(*f)->locals)
			add_namesake(&all, *sym);
	vec_each(it, &r->never_read)
		if (!is_read_elsewhere(r, &all, it))
			diag_warn(r->s->diag, it->at, E_UNUSED, "'%s' is assigned and never read",
				  it->name);
}

/* ---- reports ---- */

/* Whether the name came in by $1, which stands for the text of the argument as it is. */
static bool is_argument(struct range at)
{
	return at.src && at.src->name[0] == '$' && at.start == 0 && at.end == at.src->len;
}

void resolve_unassigned(struct state *s, const struct symbol *local, bool typed)
{
	const struct meant *meant = local->meant;
	int dots = dots_before(local->range);
	const struct symbol *other = dots || diag_flooded(s->diag) ? NULL : in_another(s, local);

	if (other && !(meant && meant->surely)) {
		not_shared(s, local, other, typed);
		return;
	}

	/* The hint that a dot joins strings comes at the dot; the first of several dots is
	 * enough. */
	if (dots && (typed || (dots > 1 && diag_errors(s->diag))))
		return;
	if (typed && !(meant && meant->surely && !is_known_elsewhere(s, local->name)))
		diag_warn(s->diag, local->range, E_UNKNOWN_VARIABLE,
			  "nothing assigns '%s': it is %s", local->name,
			  local->type == T_STRING ? "\"\"" : "0");
	else
		diag_error(s->diag, local->range, E_UNKNOWN_VARIABLE,
			   "there is no variable '%s': nothing assigns it", local->name);
	if (is_argument(local->range))
		diag_hint(s->diag, "@%s is the argument as a string", local->range.src->name + 1);
	else if (dots)
		diag_hint(s->diag, "members are reached by '->', those of structures as well");
	else if (meant && meant->at.src)
		diag_note(s->diag, meant->at, "%s", meant->text);
	else if (meant)
		diag_hint(s->diag, "%s", meant->text);
	else if (local->type == T_STRING)
		diag_hint(s->diag, "text is written in quotes: \"%s\"", local->name);
}

/* A name in the brackets of a misspelt "foreach" is probably meant as a loop variable. */
static bool bound_by_misspelt(struct resolver *r, struct range at)
{
	vec_each(it, &r->misspelt)
		if (it->src == at.src && it->start <= at.start && at.end <= it->end)
			return true;
	return false;
}

static void report(struct resolver *r, const struct symbol *local)
{
	if (local->unassigned && !bound_by_misspelt(r, local->range))
		resolve_unassigned(r->s, local, false);
}

void unassigned_report(struct resolver *r)
{
	vec_each(p, &r->p->probes)
		vec_each(local, &(*p)->locals)
			report(r, *local);
	vec_each(f, &r->queue)
		vec_each(local, &(*f)->locals)
			report(r, *local);
}
