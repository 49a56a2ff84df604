/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of variables. A name is a parameter, or a global that its file sees, or a local of the
 * probe or function, if it is assigned anywhere in it. A local that is never assigned is probably
 * misspelt (unassigned.c). The uses of a global in the user's code decide whether it is an array
 * and its number of keys; all uses must agree.
 *
 * The blocks of a probe that come from aliases share its locals, so an alias can pass values to the
 * user's handler.
 */
#include <string.h>

#include "ast/uses.h"
#include "base/words.h"
#include "parse/foreign.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/names.h"
#include "analyse/resolve/tapset.h"

/* How a body uses a name, recorded before anything is resolved or folded. */
struct plain_use {
	struct range range; /* first assignment */
	bool read, bound, written, reported;
};

struct scope {
	struct resolver *r;
	struct probe *p;          /* NULL: a function */
	struct map plain;         /* name -> struct plain_use */
	struct map params, syms;  /* name -> struct symbol */
	struct map cnames;
	VEC(struct symbol *) locals;
	/* in a condition, which sees only globals: a hint that says so; otherwise NULL */
	const char *condition;
	/* an unknown name was reported; a variable that seems unused may be meant */
	bool unknown;
};

/* ---- globals ---- */

static struct symbol *in_script(const struct resolver *r, const struct script *sc,
				const char *name)
{
	const struct global_info *gi = map_get(&r->namesakes, name);

	while (gi && gi->script != sc)
		gi = gi->next;
	return gi ? gi->sym : NULL;
}

struct symbol *names_user_global(struct resolver *r, const char *name)
{
	vec_each(sc, &r->scripts) {
		struct symbol *g = (*sc)->src->in_tapset ? NULL : in_script(r, *sc, name);

		if (g)
			return g;
	}
	return NULL;
}

/* A global that all files see, of tapsets or of the user. */
static struct symbol *public_global(struct resolver *r, const char *name, bool in_tapset)
{
	vec_each(sc, &r->scripts) {
		struct symbol *g = !!(*sc)->src->in_tapset == in_tapset ? in_script(r, *sc, name) :
									  NULL;

		if (g && !g->is_private)
			return g;
	}
	return NULL;
}

struct symbol *names_library_global(struct resolver *r, const char *name)
{
	tapset_need_global(r, name);
	return public_global(r, name, true);
}

static struct symbol *find_global(struct resolver *r, const struct source *file, const char *name)
{
	struct symbol *g = NULL;

	for (size_t i = 0; i < r->scripts.n && !g; i++)
		if (r->scripts.v[i]->src == file)
			g = in_script(r, r->scripts.v[i], name);
	if (!g && !file->in_tapset)
		g = public_global(r, name, false);
	return g || file->in_tapset ? g : names_library_global(r, name);
}

static void array_use(struct resolver *r, struct global_info *gi, const struct use *u)
{
	struct symbol *g = gi->sym;

	if (gi->reported)
		return;
	gi->reported = true;
	if (gi->seen_scalar) {
		diag_error(r->s->diag, u->range, E_NOT_ARRAY, "'%s' is used as an array here",
			   g->name);
		diag_note(r->s->diag, gi->scalar, "and without an index here");
		return;
	}
	if (u->nkeys > 9) {
		diag_error(r->s->diag, u->range, E_LIMIT,
			   "array '%s' has %d keys; at most 9 are allowed", g->name, u->nkeys);
		return;
	}
	if (g->nkeys && u->nkeys && g->nkeys != u->nkeys) {
		diag_error(r->s->diag, u->range, E_ARITY, "array '%s' is used with %d key%s here",
			   g->name, u->nkeys, u->nkeys == 1 ? "" : "s");
		diag_note(r->s->diag, gi->array, "and with %d here", g->nkeys);
		return;
	}
	if (!g->nkeys) {
		g->nkeys = u->nkeys;
		gi->array = u->range;
	}
	if (g->init && !g->is_array) {
		diag_error(r->s->diag, u->range, E_NOT_ARRAY, "'%s' is used as an array here",
			   g->name);
		diag_note(r->s->diag, g->init->range, "and has a single initial value here");
	}
	gi->reported = g->init != NULL;
	gi->seen_array = true;
	g->is_array = true;
}

static void global_use(struct resolver *r, struct symbol *g, const struct use *u)
{
	struct global_info *gi = map_get(&r->globals, g->cname);

	if (u->flags & USE_ARRAY) {
		array_use(r, gi, u);
		return;
	}
	if (u->flags & USE_EITHER)
		return;
	if (gi->seen_array) {
		if (gi->reported)
			return;
		gi->reported = true;
		diag_error(r->s->diag, u->name->range, E_NOT_ARRAY,
			   "array '%s' needs an index here", g->name);
		diag_note(r->s->diag, gi->array, "'%s' is an array because of this", g->name);
		return;
	}
	if (!gi->seen_scalar) {
		gi->seen_scalar = true;
		gi->scalar = u->name->range;
	}
}

/* ---- reports ---- */

static void near_names(struct scope *sc, const struct source *file, struct suggestions *ret)
{
	struct resolver *r = sc->r;

	map_each(it, &sc->params)
		vec_push(r->s->arena, &ret->v, it->key);
	map_each(it, &r->globals) {
		struct global_info *gi = it->value;

		if (gi->script->src == file || (!gi->script->src->in_tapset && !file->in_tapset))
			vec_push(r->s->arena, &ret->v, gi->sym->name);
	}
	if (sc->condition)
		return;
	map_each(it, &sc->plain) {
		struct plain_use *pu = it->value;

		if (pu->written)
			vec_push(r->s->arena, &ret->v, it->key);
	}
}

static void unknown_in_condition(struct scope *sc, const struct use *u, const struct source *file)
{
	struct diag *d = sc->r->s->diag;
	struct suggestions sug = { 0 };
	const char *name = u->name->u.name.name, *near;

	diag_error(d, u->name->range, E_UNKNOWN_VARIABLE, "there is no global '%s'", name);
	near_names(sc, file, &sug);
	near = diag_nearest(name, sug.v.v, sug.v.n);
	if (near)
		diag_hint(d, "did you mean '%s'?", near);
	else
		diag_hint(d, "%s", sc->condition);
}

/* Reports a name that is neither a parameter nor a global, if it can't be a local in this role.
 * Each name is reported once in a body. */
static void check_local_use(struct scope *sc, const struct use *u, const struct source *file)
{
	struct diag *d = sc->r->s->diag;
	const char *name = u->name->u.name.name;
	struct plain_use *pu = map_get(&sc->plain, name);

	if (pu && pu->reported)
		return;
	if (u->flags & USE_ARRAY) {
		diag_error(d, u->range, E_NOT_ARRAY, "'%s' is not a global array", name);
		if (map_get(&sc->params, name))
			diag_hint(d, "a parameter is a number or a string: name the array itself");
		else if (u->range.src->text[u->range.end] == '[')
			diag_hint(d, "several keys are written in one pair of brackets: [a, b]");
		else if (pu && pu->written && u->range.end > u->name->range.end)
			diag_hint(d, "it is a variable here; stringat(%s, n) is a character of a "
				  "string", name);
		else
			diag_hint(d, "arrays are global: declare it with \"global %s\"", name);
	} else if (u->flags & USE_STATS) {
		diag_error(d, u->name->range, E_AGGREGATE, "'%s' is not a global aggregate", name);
		if (pu && pu->bound)
			diag_hint(d, "a loop yields plain values; read aggregates from the array: "
				     "@count(ARRAY[KEY])");
		else
			diag_hint(d, "aggregates are global: declare it with \"global %s\"", name);
	} else if (sc->condition) {
		unknown_in_condition(sc, u, file);
	} else {
		return;
	}
	if (pu)
		pu->reported = true;
}

/* ---- the walk ---- */

static void plain_use(const struct use *u, void *data)
{
	struct scope *sc = data;
	const char *name = u->name->u.name.name;
	struct plain_use *pu = map_get(&sc->plain, name);

	if (!pu) {
		pu = NEW(sc->r->s->arena, struct plain_use);
		map_set(&sc->plain, name, pu);
	}
	if (u->flags & USE_READ)
		pu->read = true;
	if (u->flags & USE_BOUND)
		pu->bound = true;
	if ((u->flags & USE_WRITE) && !(u->flags & USE_EITHER) && !pu->written) {
		pu->written = true;
		pu->range = u->name->range;
	}
}

/* The report of a function of another language that does not exist, like clear(array), is enough:
 * the array needs no index there. */
static void excuse_arrays(struct expr **pe, void *data)
{
	struct resolver *r = ((struct scope *)data)->r;
	struct expr *e = *pe;

	if (e->kind != EX_CALL || !foreign_call(e->u.call.name) ||
	    functions_named(r, e->u.call.name))
		return;
	vec_each(it, &e->u.call.args) {
		struct symbol *sym = (*it)->kind == EX_NAME ?
				     find_global(r, resolve_file((*it)->range),
						 (*it)->u.name.name) : NULL;
		struct global_info *gi = sym ? map_get(&r->globals, sym->cname) : NULL;

		if (gi)
			gi->reported = true;
	}
}

static struct symbol *make_local(struct scope *sc, const struct use *u, const struct source *file)
{
	struct symbol *sym = NEW(sc->r->s->arena, struct symbol);
	struct plain_use *pu = map_get(&sc->plain, u->name->u.name.name);
	struct suggestions near = { 0 };

	sym->kind = SYM_LOCAL;
	sym->name = u->name->u.name.name;
	sym->cname = resolve_cname(sc->r, &sc->cnames, sym->name);
	sym->range = u->name->range;
	sym->lock = -1;
	if (!sc->condition && (!pu || (!pu->written && !pu->bound && !pu->reported))) {
		sym->unassigned = sc->unknown = true;
		if (unassigned_guesses(sc->r)) {
			near_names(sc, file, &near);
			sym->meant = unassigned_meant(sc->r, sym, sc->p, &near);
		}
	}
	map_set(&sc->syms, sym->name, sym);
	vec_push(sc->r->s->arena, &sc->locals, sym);
	return sym;
}

static void resolve_use(const struct use *u, void *data)
{
	struct scope *sc = data;
	const char *name = u->name->u.name.name;
	struct source *file = resolve_file(u->name->range);
	struct symbol *sym = map_get(&sc->params, name);

	if (u->name->u.name.sym && u->name->u.name.sym->kind == SYM_ENTRY)
		return;
	if (!sym) {
		sym = find_global(sc->r, file, name);
		if (sym)
			global_use(sc->r, sym, u);
	}
	if (!sym || sym->kind != SYM_GLOBAL) {
		if (!sym || (u->flags & (USE_ARRAY | USE_STATS)))
			check_local_use(sc, u, file);
		if (!sym)
			sym = map_get(&sc->syms, name);
		if (!sym)
			sym = make_local(sc, u, file);
	}
	u->name->u.name.sym = sym;
}

static void resolve_call(struct expr **e, void *data)
{
	struct scope *sc = data;

	if ((*e)->kind == EX_CALL)
		functions_call(sc->r, *e);
}

static void scope_init(struct scope *sc, struct resolver *r)
{
	*sc = (struct scope){ .r = r };
	map_init(&sc->plain, r->s->arena);
	map_init(&sc->params, r->s->arena);
	map_init(&sc->syms, r->s->arena);
	map_init(&sc->cnames, r->s->arena);
}

/* A variable that an alias provides need not be used. */
static bool from_alias(struct range r)
{
	for (const struct expansion *x = r.via; x; x = x->outer)
		if (strcmp(x->what, "alias") == 0)
			return true;
	return false;
}

/* Comes after all handlers are known, because one of them may read a variable of that name. */
static void note_never_read(struct scope *sc)
{
	vec_each(it, &sc->locals) {
		struct symbol *sym = *it;
		struct plain_use *pu = map_get(&sc->plain, sym->name);

		if (!pu || sc->unknown || pu->read || pu->bound || !pu->written ||
		    from_alias(pu->range) || resolve_file(pu->range)->in_tapset)
			continue;
		vec_push(sc->r->s->arena, &sc->r->never_read,
			 ((struct never_read){ sym->name, pu->range }));
	}
}

void names_probe(struct resolver *r, struct probe *p, struct stmt *plain)
{
	struct use_visitor collect = { .use = plain_use, .expr = excuse_arrays };
	struct use_visitor resolve = { .use = resolve_use, .expr = resolve_call };
	struct scope sc;

	scope_init(&sc, r);
	sc.p = p;
	collect.data = resolve.data = &sc;
	uses_stmt(&plain, &collect);
	r->at = p;
	uses_stmt(&p->body, &resolve);
	r->at = NULL;
	sc.condition = "the condition of a probe point can use only globals: test other variables, "
		       "including those of an alias, in the handler: if (...) next";
	uses_expr(&p->cond, &resolve);
	sc.condition = "@entry can use only globals";
	uses_stmt(&p->entry, &resolve);
	vec_each(it, &sc.locals)
		vec_push(r->s->arena, &p->locals, *it);
	note_never_read(&sc);
}

void names_function(struct resolver *r, struct function *f)
{
	struct use_visitor collect = { .use = plain_use, .expr = excuse_arrays };
	struct use_visitor resolve = { .use = resolve_use, .expr = resolve_call };
	struct scope sc;

	scope_init(&sc, r);
	collect.data = resolve.data = &sc;
	vec_each(it, &f->params) {
		struct symbol *p = *it, *old = map_get(&sc.params, p->name);

		if (old) {
			diag_error(r->s->diag, p->range, E_REDEFINED,
				   "parameter '%s' of '%s' is declared twice", p->name, f->name);
			diag_note(r->s->diag, old->range, "first declared here");
		}
		p->kind = SYM_PARAM;
		p->lock = -1;
		p->cname = resolve_cname(r, &sc.cnames, p->name);
		map_set(&sc.params, p->name, p);
	}
	uses_stmt(&f->body, &collect);
	uses_stmt(&f->body, &resolve);
	vec_each(it, &sc.locals)
		vec_push(r->s->arena, &f->locals, *it);
	note_never_read(&sc);
}

/* ---- embedded C ---- */

static struct embedded_global *embedded_global(struct resolver *r, struct function *f,
					       const char *name)
{
	struct symbol *sym = find_global(r, f->src, name);

	vec_each(it, &f->globals)
		if (it->sym == sym)
			return it;
	if (!sym) {
		diag_error(r->s->diag, f->embedded_range, E_UNKNOWN_VARIABLE,
			   "embedded C uses STAP_GLOBAL_ of the global '%s', which does not "
			   "exist", name);
		return NULL;
	}
	vec_push(r->s->arena, &f->globals, ((struct embedded_global){ sym, false, false }));
	return &f->globals.v[f->globals.n - 1];
}

void names_embedded(struct resolver *r, struct function *f)
{
	static const char word[] = "STAP_GLOBAL_";
	const char *p = f->embedded, *end = p + f->embedded_len;
	size_t n = sizeof(word) - 1;

	while ((p = memmem(p, (size_t)(end - p), word, n)) != NULL) {
		bool set = end - p > (long)n + 4 && memcmp(p + n, "SET_", 4) == 0;
		struct embedded_global *g;
		size_t len = 0;

		p += n;
		if (!set && (end - p <= 4 || memcmp(p, "GET_", 4) != 0))
			continue;
		p += 4;
		while (p + len < end && words_is_part(p[len]))
			len++;
		g = embedded_global(r, f, arena_strndup(r->s->arena, p, len));
		if (!g)
			return;
		g->read |= !set;
		g->written |= set;
	}
}

/* ---- globals without a declaration ---- */

/*
 * Globals without a declaration. Only a global can be an array or an aggregate, so a user's name
 * that is filled as one (n[k] = v, n <<< v) needs no declaration, which keeps one-liners short. A
 * name that is only read remains an error, because it is probably misspelt.
 */
struct finder {
	struct resolver *r;
	const struct function *f; /* whose body is searched; NULL: a probe's */
};

static bool is_parameter(const struct function *f, const char *name)
{
	if (!f)
		return false;
	vec_each(p, &f->params)
		if (strcmp((*p)->name, name) == 0)
			return true;
	return false;
}

static void declare_by_use(const struct use *u, void *data)
{
	struct finder *find = data;
	struct resolver *r = find->r;
	const char *name = u->name->u.name.name;
	struct symbol *g;

	if (!(u->flags & USE_WRITE) || !(u->flags & (USE_ARRAY | USE_STATS)) ||
	    is_parameter(find->f, name) || names_user_global(r, name) ||
	    names_library_global(r, name))
		return;
	g = NEW(r->s->arena, struct symbol);
	g->name = name;
	g->range = u->name->range;
	/* Elements that a macro of the library stores for each thread are never deleted. */
	g->wrap = (u->flags & USE_ARRAY) && u->name->range.src->in_tapset;
	vec_push(r->s->arena, &r->s->main->globals, g);
	resolve_global(r, r->s->main, g);
}

void names_implicit(struct resolver *r)
{
	struct finder find = { .r = r };
	struct use_visitor v = { .use = declare_by_use, .data = &find };

	for (size_t i = 0; i < r->scripts.n; i++) {
		struct script *sc = r->scripts.v[i];

		if (sc->src->in_tapset)
			continue;
		find.f = NULL;
		vec_each(d, &sc->probes)
			uses_stmt(&(*d)->body, &v);
		vec_each(d, &sc->aliases) {
			uses_stmt(&(*d)->body, &v);
			uses_stmt(&(*d)->epilogue, &v);
		}
		vec_each(f, &sc->functions) {
			find.f = *f;
			uses_stmt(&(*f)->body, &v);
		}
	}
}
