/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the functions that a call means. The user's calls see the user's files, then the library;
 * calls in a tapset see their own file, then the library, so that a script's own substr() never
 * changes what a tapset does. Several with that many parameters are tried by priority (smallest
 * first; 0 for the user's, 1 for the library's) as long as the one before can end with `next`.
 */
#include <ctype.h>
#include <string.h>

#include "ast/walk.h"
#include "parse/foreign.h"
#include "parse/hash_lines.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/names.h"
#include "analyse/resolve/tapset.h"

enum rank { RANK_OWN, RANK_USER, RANK_LIBRARY, RANK_HIDDEN };

static enum rank rank_of(const struct function *f, const struct source *from)
{
	if (f->src == from)
		return RANK_OWN;
	if (f->is_private)
		return RANK_HIDDEN;
	if (f->src->in_tapset)
		return RANK_LIBRARY;
	return from->in_tapset ? RANK_HIDDEN : RANK_USER;
}

static int64_t priority_of(const struct function *f)
{
	if (f->has_priority)
		return f->priority;
	return f->src->in_tapset ? 1 : 0;
}

static bool note_next(struct stmt **st, void *data)
{
	bool *found = data;

	*found |= (*st)->kind == ST_NEXT;
	return !*found;
}

bool functions_has_next(struct function *f)
{
	bool found = false;
	struct visitor v = { .stmt = note_next, .data = &found };

	if (!f->body)
		return ast_mentions(f, "STAP_NEXT");
	walk_stmt(&f->body, &v);
	return found;
}

static bool goes_before(const struct function *a, const struct function *b,
			const struct source *from)
{
	if (priority_of(a) != priority_of(b))
		return priority_of(a) < priority_of(b);
	return rank_of(a, from) < rank_of(b, from);
}

struct targets {
	VEC(struct function *) v;
};

/* Collects all functions that fit, in order. Of the library's files, only the first one that has
 * any counts. */
static void find_fitting(struct resolver *r, const struct fn_set *set, size_t nargs,
			 const struct source *from, struct targets *ret)
{
	const struct source *library = NULL;

	for (size_t i = 0; set && i < set->v.n; i++) {
		struct function *f = set->v.v[i];

		if (f->params.n == nargs && rank_of(f, from) == RANK_LIBRARY &&
		    (!library || f->src->library_order < library->library_order))
			library = f->src;
	}
	ret->v.n = 0;
	for (size_t i = 0; set && i < set->v.n; i++) {
		struct function *f = set->v.v[i];
		enum rank rank = rank_of(f, from);
		size_t at;

		if (f->params.n != nargs || rank == RANK_HIDDEN)
			continue;
		if (rank == RANK_LIBRARY && f->src != library)
			continue;
		vec_push(r->s->arena, &ret->v, f);
		for (at = ret->v.n - 1; at && goes_before(f, ret->v.v[at - 1], from); at--)
			ret->v.v[at] = ret->v.v[at - 1];
		ret->v.v[at] = f;
	}
}

/* Whether another function is tried after those in @t. */
static bool open_end(const struct targets *t)
{
	vec_each(it, &t->v)
		if (!functions_has_next(*it))
			return false;
	return true;
}

const struct fn_set *functions_named(struct resolver *r, const char *name)
{
	tapset_need_function(r, name);
	return map_get(&r->functions, name);
}

/* Reports a wrong number of arguments, with the functions that exist. */
static void report_arity(struct resolver *r, const struct expr *call, const struct fn_set *set)
{
	size_t n = call->u.call.args.n;

	diag_error(r->s->diag, call->range, E_UNKNOWN_FUNCTION,
		   "no function '%s' takes %zu argument%s", call->u.call.name, n,
		   n == 1 ? "" : "s");
	vec_each(it, &set->v) {
		struct function *f = *it;

		if (rank_of(f, resolve_file(call->range)) == RANK_HIDDEN)
			continue;
		diag_note(r->s->diag, f->name_range, "'%s' with %zu parameter%s is defined here",
			  f->name, f->params.n, f->params.n == 1 ? "" : "s");
	}
}

static bool any_visible(const struct fn_set *set, const struct source *from)
{
	for (size_t i = 0; set && i < set->v.n; i++)
		if (rank_of(set->v.v[i], from) != RANK_HIDDEN)
			return true;
	return false;
}

/* Whether a statement follows @at directly, as after the head of a loop. */
static bool heads_statement(struct range at)
{
	const char *p = at.src->text + at.end;

	while (isspace((unsigned char)*p))
		p++;
	return isalpha((unsigned char)*p) || *p == '_' || *p == '{' || *p == '@' || *p == '$';
}

/* Adds the reserved words of which @call may be a misspelling to the end of the suggestions.
 * Returns their number. */
static size_t add_keywords(struct resolver *r, const struct expr *call, struct suggestions *sug)
{
	static const char *const words[] = { "return", "delete", "if", "while", "foreach" };
	size_t n = heads_statement(call->range) ? sizeof(words) / sizeof(*words) : 2;

	for (size_t i = 0; i < n; i++)
		vec_push(r->s->arena, &sug->v, words[i]);
	return n;
}

/* Reports each unknown name once. */
static void report_unknown(struct resolver *r, const struct expr *call)
{
	static const char *const words[] = {
#define PRINT_WORD(kind, text) text,
#include "ast/words.def"
	};
	struct suggestions sug = { 0 };
	const char *near, *line;
	size_t keywords;
	struct range at;

	if (map_get(&r->unknown, call->u.call.name))
		return;
	map_set(&r->unknown, call->u.call.name, r);
	if (missing_function(call->u.call.name)) {
		diag_error(r->s->diag, call->u.call.name_range, E_NOT_SUPPORTED,
			   "the function '%s' is not supported", call->u.call.name);
		diag_hint(r->s->diag, "%s", missing_function(call->u.call.name));
		return;
	}
	diag_error(r->s->diag, call->u.call.name_range, E_UNKNOWN_FUNCTION,
		   "there is no function '%s'", call->u.call.name);
	if (foreign_call(call->u.call.name)) {
		diag_hint(r->s->diag, "%s", foreign_call(call->u.call.name));
		return;
	}
	if (!diag_shown(r->s->diag))
		return;
	line = hash_lines_define(r->s->arena, call->range.src, call->u.call.name, &at);
	if (line) {
		diag_note(r->s->diag, at, "%s", line);
		return;
	}
	map_each(it, &r->functions) {
		if (any_visible(it->value, resolve_file(call->range)))
			vec_push(r->s->arena, &sug.v, it->key);
	}
	tapset_function_names(r, false, &sug);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		vec_push(r->s->arena, &sug.v, words[i]);
	keywords = add_keywords(r, call, &sug);
	near = diag_nearest(call->u.call.name, sug.v.v, sug.v.n);
	if (near && strcmp(near, call->u.call.name) == 0)
		diag_hint(r->s->diag, "a tapset has one, but it is private or could not be read");
	else if (near)
		diag_hint(r->s->diag, "did you mean '%s'?", near);
	else if ((line = hash_lines_include(call->range.src, &at)) != NULL)
		diag_note(r->s->diag, at, "%s", line);
	for (size_t i = sug.v.n - keywords; near && i < sug.v.n; i++)
		if (near == sug.v.v[i])
			vec_push(r->s->arena, &r->misspelt, call->range);
}

void functions_call(struct resolver *r, struct expr *call)
{
	const struct source *from = resolve_file(call->range);
	struct fn_set *set = map_get(&r->functions, call->u.call.name);
	struct targets t = { 0 };

	if (call->u.call.targets.n)
		return;
	find_fitting(r, set, call->u.call.args.n, from, &t);
	/* The library has the function; a file that was not needed so far may define it as well and
	 * come first. */
	if (open_end(&t) || (t.v.v[0]->src->in_tapset && t.v.v[0]->src != from)) {
		tapset_need_function(r, call->u.call.name);
		set = map_get(&r->functions, call->u.call.name);
		find_fitting(r, set, call->u.call.args.n, from, &t);
	}
	if (!t.v.n) {
		if (any_visible(set, from))
			report_arity(r, call, set);
		else
			report_unknown(r, call);
		return;
	}
	vec_each(it, &t.v) {
		struct function *f = placed_at(r, *it, call);

		if (!f)
			return;
		vec_push(r->s->arena, &call->u.call.targets, f);
		vec_push(r->s->arena, &r->queue, f);
		if (!functions_has_next(f))
			break;
	}
}

static void resolve_body(struct resolver *r, struct function *f)
{
	struct probe *p = placed_probe(r, f);

	/* A function that uses $variables is resolved in its copies. */
	if (f->resolving || placed_is(r, f))
		return;
	f->resolving = 1;
	if (f->embedded)
		names_embedded(r, f);
	r->at = p;
	handler_function(r, f, p);
	r->at = NULL;
}

void functions_drain(struct resolver *r)
{
	while (r->queue_done < r->queue.n)
		resolve_body(r, r->queue.v[r->queue_done++]);
}
