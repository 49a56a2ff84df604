/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The script's arguments as globals: argc, argv[1] and on, argv_1 to argv_32. Those that the script
 * uses are declared by script text, which is parsed like any other. It fills argv before any other
 * probe runs, and leaves room for elements that the script adds.
 *
 * A body uses one if its first use of the name reads it. If it assigns the name first, that is an
 * ordinary local. -G makes argc or argv_1 a global wherever the name is used, and sets argv[1] to
 * the value of argv_1.
 */
#include <stdlib.h>
#include <string.h>

#include "ast/uses.h"
#include "parse/parse.h"
#include "analyse/resolve/tapset.h"
#include "shared/buf.h"

enum { ARGC, ARGV_FIRST, ARGV_LAST = 32, ARGV, NONE };

#define ARGV_ROOM 128

struct asked {
	struct resolver *r;
	const struct function *f; /* whose body is searched; NULL: not a function's */
	struct map seen;          /* names that the body uses */
	bool names[NONE];
	const char *set[NONE];    /* the text of -G, or NULL */
};

static int index_of(const char *name)
{
	const char *digits = name + strlen("argv_");
	long n;
	char *end;

	if (strcmp(name, "argc") == 0)
		return ARGC;
	if (strcmp(name, "argv") == 0)
		return ARGV;
	if (strncmp(name, "argv_", strlen("argv_")) != 0 || *digits < '1' || *digits > '9')
		return NONE;
	n = strtol(digits, &end, 10);
	return *end || n > ARGV_LAST ? NONE : (int)n;
}

static bool declares(const struct script *sc, const char *name)
{
	vec_each(g, &sc->globals)
		if (strcmp((*g)->name, name) == 0)
			return true;
	return false;
}

/* Whether it is a declared global of the user or a parameter. */
static bool is_declared(const struct asked *a, const char *name)
{
	const struct state *s = a->r->s;

	for (size_t i = 0; a->f && i < a->f->params.n; i++)
		if (strcmp(a->f->params.v[i]->name, name) == 0)
			return true;
	vec_each(sc, &s->scripts)
		if (!(*sc)->src->in_tapset && declares(*sc, name))
			return true;
	return declares(s->main, name);
}

static void record_argument(const struct use *u, void *data)
{
	struct asked *a = data;
	const char *name = u->name->u.name.name;
	int i = index_of(name);
	bool first = i != NONE && !map_get(&a->seen, name);

	if (i == NONE || is_declared(a, name))
		return;
	map_set(&a->seen, name, a);
	if (i == ARGV)
		a->names[i] |= (u->flags & USE_ARRAY) != 0;
	else if (!(u->flags & (USE_ARRAY | USE_STATS)))
		a->names[i] |= a->set[i] || (first && (u->flags & USE_READ));
}

static void body(struct asked *a, struct stmt **st)
{
	struct use_visitor v = { .use = record_argument, .data = a };

	map_init(&a->seen, a->r->s->arena);
	uses_stmt(st, &v);
}

static void script(struct asked *a, struct script *sc)
{
	struct use_visitor v = { .use = record_argument, .data = a };

	vec_each(d, &sc->probes) {
		vec_each(pp, &(*d)->points) {
			map_init(&a->seen, a->r->s->arena);
			uses_expr(&(*pp)->cond, &v);
		}
		body(a, &(*d)->body);
	}
	vec_each(d, &sc->aliases) {
		body(a, &(*d)->body);
		body(a, &(*d)->epilogue);
	}
	vec_each(f, &sc->functions) {
		a->f = *f;
		body(a, &(*f)->body);
	}
	a->f = NULL;
}

/* ---- -G ---- */

static const char *name_set(struct asked *a, const char *text)
{
	return arena_strndup(a->r->s->arena, text, strcspn(text, "="));
}

static void note_set(struct asked *a)
{
	vec_each(text, &a->r->s->opt.globals) {
		const char *name = name_set(a, *text);
		int i = index_of(name);

		if (i < ARGV && !is_declared(a, name))
			a->set[i] = *text;
	}
}

/* A variable that -G sets counts as declared, so it is not an unknown global; but it should be
 * used. */
static void declare_set(struct asked *a)
{
	for (int i = ARGC; i <= ARGV_LAST; i++) {
		if (!a->set[i])
			continue;
		if (!a->names[i] && !(i != ARGC && a->names[ARGV]))
			diag_warn(a->r->s->diag, (struct range){ 0 }, E_UNUSED,
				  "-G %s: the script does not use '%s'", a->set[i],
				  name_set(a, a->set[i]));
		a->names[i] = true;
	}
}

/* ---- the text ---- */

/* @1 in the text is the first argument, as in any script. */
static void write_script(const struct asked *a, struct buf *b)
{
	int argc = a->r->s->opt.argc;

	if (a->names[ARGC])
		buf_puts(b, "global argc = $#\n");
	for (int i = ARGV_FIRST; i <= ARGV_LAST; i++) {
		if (a->names[i] && i <= argc)
			buf_printf(b, "global argv_%d = @%d\n", i, i);
		else if (a->names[i])
			buf_printf(b, "global argv_%d = \"\"\n", i);
	}
	if (!a->names[ARGV])
		return;
	buf_printf(b, "global argv[%d]\nprobe init {\n", argc + ARGV_ROOM);
	for (int i = 1; i <= argc; i++)
		if (i > ARGV_LAST || !a->set[i])
			buf_printf(b, "\targv[%d] = @%d\n", i, i);
	for (int i = ARGV_FIRST; i <= ARGV_LAST; i++)
		if (a->set[i])
			buf_printf(b, "\targv[%d] = argv_%d\n", i, i);
	if (!argc) /* makes them strings */
		buf_puts(b, "\tif (0) argv[1] = \"\"\n");
	buf_puts(b, "}\n");
}

struct script *arguments_script(struct resolver *r)
{
	struct asked a = { .r = r };
	struct state *s = r->s;
	struct script *ret = NULL;
	struct buf b;

	if (!s->main->probes.n)
		return NULL;
	note_set(&a);
	script(&a, s->main);
	vec_each(sc, &s->scripts)
		if (*sc != s->main && !(*sc)->src->in_tapset)
			script(&a, *sc);
	declare_set(&a);
	buf_init(&b);
	write_script(&a, &b);
	if (b.len)
		ret = parse_source(s, source_from_text(s->arena, "<arguments>", b.s, b.len));
	buf_deinit(&b);
	return ret;
}
