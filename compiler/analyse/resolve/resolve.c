/* SPDX-License-Identifier: GPL-2.0 */
/* The first passes of analyse/analyse.c: the library, declarations, handlers and functions. */
#include <ctype.h>
#include <string.h>

#include "target/arch/names.h"
#include "target/kernel/kernel.h"
#include "parse/hash_lines.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/names.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/resolve.h"
#include "analyse/resolve/sites.h"
#include "analyse/resolve/tapset.h"
#include "analyse/resolve/values.h"

struct source *resolve_file(struct range r)
{
	struct source *src = r.src;

	for (const struct expansion *x = r.via; x && !x->is_copy; x = x->outer)
		src = x->src;
	return src;
}

const char *resolve_cname(struct resolver *r, struct map *used, const char *name)
{
	char *base = arena_strdup(r->s->arena, name);
	const char *cname = base;

	for (char *c = base; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	for (int i = 2; map_get(used, cname); i++)
		cname = arena_printf(r->s->arena, "%s_%d", base, i);
	map_set(used, cname, base);
	return cname;
}

/* ---- declarations ---- */

/* Adds the note to the report of a second declaration. */
static void note_first(struct resolver *r, struct range first, struct range second,
		       const char *text)
{
	struct range at;
	const char *line = hash_lines_else(first, second, &at);

	diag_note(r->s->diag, first, "%s", text);
	if (line)
		diag_note(r->s->diag, at, "%s", line);
}

static bool same_space(const struct script *a, const struct script *b, bool either_private)
{
	return a == b || (!a->src->in_tapset && !b->src->in_tapset && !either_private);
}

void resolve_global(struct resolver *r, struct script *sc, struct symbol *g)
{
	struct global_info *first = map_get(&r->namesakes, g->name), *last = NULL, *gi;

	for (struct global_info *old = first; old; old = old->next) {
		last = old;
		if (!same_space(old->script, sc, g->is_private || old->sym->is_private))
			continue;
		diag_error(r->s->diag, g->range, E_REDEFINED, "global '%s' is declared twice",
			   g->name);
		note_first(r, old->sym->range, g->range, "first declared here");
	}
	gi = NEW(r->s->arena, struct global_info);
	gi->sym = g;
	gi->script = sc;
	g->kind = SYM_GLOBAL;
	g->lock = -1;
	if (g->size || g->wrap)
		g->is_array = true;
	if (g->is_array) {
		gi->seen_array = true;
		gi->array = g->range;
	}
	g->cname = resolve_cname(r, &r->cnames, g->name);
	map_set(&r->globals, g->cname, gi);
	if (last)
		last->next = gi;
	else
		map_set(&r->namesakes, g->name, gi);
}

static void load_function(struct resolver *r, struct script *sc, struct function *f)
{
	struct fn_set *set = map_get(&r->functions, f->name);

	if (!set) {
		set = NEW(r->s->arena, struct fn_set);
		map_set(&r->functions, f->name, set);
	}
	if (!f->src)
		f->src = sc->src;
	vec_each(it, &set->v) {
		struct function *o = *it;
		bool spaces = o->src == f->src || (!o->src->in_tapset && !f->src->in_tapset &&
						   !o->is_private && !f->is_private);

		if (!spaces || o->params.n != f->params.n || o->has_priority ||
		    f->has_priority || functions_has_next(o))
			continue;
		diag_error(r->s->diag, f->name_range, E_REDEFINED,
			   "function '%s' with %zu parameter%s is defined twice", f->name,
			   f->params.n, f->params.n == 1 ? "" : "s");
		note_first(r, o->name_range, f->name_range, "first defined here");
		break;
	}
	f->cname = resolve_cname(r, &r->cnames, f->name);
	vec_push(r->s->arena, &set->v, f);
}

void resolve_load(struct resolver *r, struct script *sc)
{
	struct state *s = r->s;
	bool listed = false;

	vec_each(it, &s->scripts)
		listed |= *it == sc;
	if (!listed)
		vec_push(s->arena, &s->scripts, sc);
	vec_push(s->arena, &r->scripts, sc);
	vec_each(g, &sc->globals)
		resolve_global(r, sc, *g);
	vec_each(f, &sc->functions)
		load_function(r, sc, *f);
	refuse_embedded(r, sc);
}

static void load_user_scripts(struct resolver *r)
{
	struct state *s = r->s;
	VEC(struct script *) user = { 0 };

	r->arguments = arguments_script(r);
	if (r->arguments) /* first, because its probe fills argv for all others */
		vec_push(s->arena, &user, r->arguments);
	vec_push(s->arena, &user, s->main);
	vec_each(it, &s->scripts) {
		if (*it != s->main && !(*it)->src->in_tapset)
			vec_push(s->arena, &user, *it);
	}
	vec_each(it, &user)
		resolve_load(r, *it);
}

/* ---- -G ---- */

static void set_global(struct resolver *r, const char *text)
{
	const char *eq = strchr(text, '='); /* the options were checked: there is one */
	const char *name = arena_strndup(r->s->arena, text, (size_t)(eq - text));
	struct symbol *g = names_user_global(r, name);
	struct suggestions sug = { 0 };
	const char *near;

	if (g) {
		g->g_value = eq + 1;
		return;
	}
	diag_error(r->s->diag, (struct range){ 0 }, E_OPTION,
		   "-G %s: the script has no global '%s'", text, name);
	map_each(it, &r->globals) {
		struct global_info *gi = it->value;

		if (!gi->script->src->in_tapset)
			vec_push(r->s->arena, &sug.v, gi->sym->name);
	}
	near = diag_nearest(name, sug.v.v, sug.v.n);
	if (near)
		diag_hint(r->s->diag, "did you mean '%s'?", near);
}

void resolve_check_options(struct resolver *r)
{
	map_each(it, &r->globals) {
		struct global_info *gi = it->value;

		if (!gi->sym->g_value || (!gi->sym->is_array && !gi->stats))
			continue;
		diag_error(r->s->diag, gi->sym->range, E_OPTION, "-G cannot set '%s': it is %s",
			   gi->sym->name, gi->sym->is_array ? "an array" : "an aggregate");
	}
}

/* ---- the pass ---- */

/* Plain probes of tapset files run if the file is used; each file may need further files. */
void resolve_handlers(struct resolver *r)
{
	for (size_t i = 0; i < r->scripts.n; i++) {
		vec_each(d, &r->scripts.v[i]->probes)
			probes_declare(r, *d);
		functions_drain(r);
	}
	while (entry_regs_probes(r))
		functions_drain(r);
	unassigned_unread(r);
}

/* Errors in the user's functions are reported even if nothing calls them. */
static void queue_user_functions(struct resolver *r)
{
	vec_each(sc, &r->scripts) {
		if ((*sc)->src->in_tapset)
			continue;
		vec_each(f, &(*sc)->functions)
			vec_push(r->s->arena, &r->queue, *f);
	}
}

static bool lacks_interface(struct resolver *r)
{
	vec_each(probe, &r->s->main->probes)
		vec_each(pp, &(*probe)->points)
			if (probes_lacks_interface(r, *pp))
				return true;
	return false;
}

static void require_probes(struct resolver *r)
{
	struct range at = { .src = r->s->main->src };

	if (r->p->probes.n || diag_errors(r->s->diag))
		return;
	if (r->s->main->probes.n)
		at = r->s->main->probes.v[0]->range;
	if (r->saw_never && r->s->opt.last_pass < 3)
		return;
	diag_error(r->s->diag, at, E_NO_MATCH, "the script has no probes");
	if (r->saw_never)
		diag_hint(r->s->diag, "a 'never' probe is checked and left out");
	else if (lacks_interface(r) && arch_names->calls_shared)
		diag_hint(r->s->diag, "on %s, probec knows only the system calls of 64-bit "
				      "programs: syscall.NAME", arch_names->machine);
	else if (lacks_interface(r))
		diag_hint(r->s->diag, "kernel %s has no 32-bit system call interface (%s is not "
			  "set)", kernel_release(r->s->kernel), arch_names->option_32bit);
	else if (r->s->main->probes.n)
		diag_hint(r->s->diag, "every probe point is optional, and none matches");
	else
		diag_hint(r->s->diag,
			  "write at least one probe: probe begin { println(\"hello\") }");
}

void resolve_begin(struct resolver *r, struct state *s)
{
	*r = (struct resolver){ .s = s };
	r->p = s->program = NEW(s->arena, struct program);
	map_init(&r->functions, s->arena);
	map_init(&r->cnames, s->arena);
	map_init(&r->globals, s->arena);
	map_init(&r->namesakes, s->arena);
	map_init(&r->unknown, s->arena);
	tapset_index(r);
	tapset_offer_printers(r);
	load_user_scripts(r);
}

void resolve_globals(struct resolver *r)
{
	names_implicit(r);
	vec_each(g, &r->s->opt.globals)
		set_global(r, *g);
	queue_user_functions(r);
}

void resolve_complete(struct resolver *r)
{
	counters_check(r);
	require_probes(r);
	copies_report(r);
}
