/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The script's arguments as globals: argc, argv[1] and on, argv_1 to argv_32. Those that the
 * script asks for are made as script text and parsed like any other; it fills argv before any
 * other probe runs, and leaves room for what scripts add.
 *
 * A body asks for one when its first use of the name reads it. What it assigns first is a local
 * of its own, as any other name would be.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "parse/parse.h"
#include "resolve/private.h"
#include "resolve/uses.h"

enum { ARGC, ARGV_FIRST, ARGV_LAST = 32, ARGV, NONE };

#define ARGV_ROOM 128

struct asked {
	struct resolver *r;
	const struct function *f; /* whose body is looked at, or NULL */
	struct map seen;          /* names that the body has used */
	bool names[NONE];
};

static int index_of(const char *name)
{
	const char *digits = name + strlen("argv_");
	long n;
	char *end;

	if (!strcmp(name, "argc"))
		return ARGC;
	if (!strcmp(name, "argv"))
		return ARGV;
	if (strncmp(name, "argv_", strlen("argv_")) || *digits < '1' || *digits > '9')
		return NONE;
	n = strtol(digits, &end, 10);
	return *end || n > ARGV_LAST ? NONE : (int)n;
}

static bool declares(const struct script *sc, const char *name)
{
	vec_each(g, &sc->globals)
		if (!strcmp((*g)->name, name))
			return true;
	return false;
}

/* A global of the user's or a parameter. */
static bool is_declared(const struct asked *a, const char *name)
{
	const struct session *s = a->r->s;

	for (size_t i = 0; a->f && i < a->f->params.n; i++)
		if (!strcmp(a->f->params.v[i]->name, name))
			return true;
	vec_each(sc, &s->scripts)
		if (!(*sc)->src->in_tapset && declares(*sc, name))
			return true;
	return declares(s->main, name);
}

static void ask(const struct use *u, void *data)
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
		a->names[i] |= first && (u->flags & USE_READ);
}

static void body(struct asked *a, struct stmt **st)
{
	struct use_visitor v = { .use = ask, .data = a };

	map_init(&a->seen, a->r->s->arena);
	uses_stmt(st, &v);
}

static void script(struct asked *a, struct script *sc)
{
	struct use_visitor v = { .use = ask, .data = a };

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

/* @1 in the text is the first argument, as in any other script. */
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
		buf_printf(b, "\targv[%d] = @%d\n", i, i);
	if (!argc) /* says that they are strings */
		buf_puts(b, "\tif (0) argv[1] = \"\"\n");
	buf_puts(b, "}\n");
}

struct script *arguments_script(struct resolver *r)
{
	struct asked a = { .r = r };
	struct session *s = r->s;
	struct script *ret = NULL;
	struct buf b;

	if (!s->main->probes.n)
		return NULL;
	script(&a, s->main);
	vec_each(sc, &s->scripts)
		if (*sc != s->main && !(*sc)->src->in_tapset)
			script(&a, *sc);
	buf_init(&b);
	write_script(&a, &b);
	if (b.len)
		ret = parse_source(s, source_from_text(s->arena, "<arguments>", b.s, b.len));
	buf_deinit(&b);
	return ret;
}
