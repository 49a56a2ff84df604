/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 1: one text to one tree. */
#include <string.h>

#include "ast/walk.h"
#include "grammar/script.tab.h"
#include "parse/feed.h"
#include "parse/parse.h"
#include "state.h"

/* All passes walk down trees by recursion. The parser's stack limits nesting to the right. */
#define DEPTH_MAX 1000

/* Types are inferred over all functions until nothing changes, so their number is limited. */
#define FUNCTIONS_MAX 4096
#define GLOBALS_MAX 10000
#define PARAMETERS_MAX 256

struct depth {
	struct parser *p;
	int now;
	bool reported;
};

static bool enter(struct expr **e, void *data)
{
	struct depth *d = data;

	if (++d->now > DEPTH_MAX && !d->reported) {
		d->reported = true;
		parser_error(d->p, (*e)->range, E_LIMIT,
			     "the expression has more than %d levels", DEPTH_MAX);
		diag_hint(d->p->diag, "use a variable for a part of it");
	}
	return d->now <= DEPTH_MAX;
}

static void leave(struct expr **e, void *data)
{
	(void)e;
	((struct depth *)data)->now--;
}

static void check_depth(struct parser *p)
{
	struct depth d = { .p = p };
	struct visitor v = { .expr = enter, .expr_post = leave, .data = &d };

	vec_each(f, &p->script->functions)
		walk_stmt(&(*f)->body, &v);
	vec_each(it, &p->script->probes) {
		walk_stmt(&(*it)->body, &v);
		vec_each(pp, &(*it)->points)
			walk_expr(&(*pp)->cond, &v);
	}
	vec_each(it, &p->script->aliases) {
		walk_stmt(&(*it)->body, &v);
		walk_stmt(&(*it)->epilogue, &v);
		vec_each(pp, &(*it)->points)
			walk_expr(&(*pp)->cond, &v);
	}
}

static void check_size(struct parser *p)
{
	const struct script *sc = p->script;

	if (sc->functions.n > FUNCTIONS_MAX)
		parser_error(p, sc->functions.v[FUNCTIONS_MAX]->name_range, E_LIMIT,
			     "more than %d functions", FUNCTIONS_MAX);
	vec_each(it, &sc->functions)
		if ((*it)->params.n > PARAMETERS_MAX)
			parser_error(p, (*it)->name_range, E_LIMIT, "more than %d parameters",
				     PARAMETERS_MAX);
	if (sc->globals.n > GLOBALS_MAX)
		parser_error(p, sc->globals.v[GLOBALS_MAX]->range, E_LIMIT,
			     "more than %d globals", GLOBALS_MAX);
}

bool parser_before(const struct parser *p, const char *version)
{
	const char *asked = p->state->opt.compatible;

	return asked && !p->src->in_tapset && strverscmp(asked, version) < 0;
}

struct script *parse_source(struct state *s, struct source *src)
{
	struct parser p = {
		.state = s, .arena = s->arena, .diag = s->diag, .src = src,
		.script = NEW(s->arena, struct script),
	};
	int err;

	src->id = (int)s->sources.n;
	vec_push(s->arena, &s->sources, src);
	p.script->src = src;
	feed_init(&p);
	err = script_parse(&p);
	feed_deinit(&p);
	if (!p.errors) {
		check_size(&p);
		check_depth(&p);
	}
	return err || p.errors ? NULL : p.script;
}
