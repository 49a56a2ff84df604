/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of the rewrites that resolve the code of one probe or function, in their order, with
 * what each needs and gives. One that needs what only a later one gives is in the wrong place: this
 * is checked when it runs.
 */
#include "analyse/resolve/handler.h"

#include <assert.h>

#include "analyse/resolve/names.h"
#include "analyse/resolve/values.h"

/* Code that is being resolved. */
struct code_at {
	struct resolver *r;
	/* owner of the handler, or the one for which the function was copied; NULL: neither */
	struct probe *p;
	struct function *f;    /* NULL: a handler */
	struct stmt **body;
	struct stmt *own;      /* of a handler: the part that is not an alias's */
	struct stmt *plain;    /* a handler before the first rewrite */
};

/* Sorts of code. */
enum { HANDLER = 1, FUNCTION = 2, BOTH = HANDLER | FUNCTION };

/* Facts about the code. */
enum {
	FOLDED = 1,     /* no @defined of names is left, nor what it excludes */
	NEEDED = 2,     /* assignments of the library that nothing reads are gone */
	TIMES = 256,    /* elapsed_us() that the library measures are its variable */
	TEXTS = 4,      /* str() is an operator */
	ENTRIES = 8,    /* what runs at the entry of a return probe's function is in probe.entry */
	SUPPORTED = 16, /* all constructs are allowed there; others were reported */
	READERS = 32,   /* %m and %M are calls of functions of the library */
	VALUES = 64,    /* $variables and @words are access paths, numbers or calls */
	NAMES = 128,    /* names are bound to symbols, calls to functions */
};

/* ---- the rewrites ---- */

static void fold_defined(struct code_at *c)
{
	const struct site *site = c->p && c->p->sites.n ? c->p->sites.v[0] : NULL;

	defined_fold(c->r, c->body, site, c->p ? c->p->kind : PK_NO_PROBE,
		     c->own);
}

static void take_elapsed(struct code_at *c)
{
	elapsed_take(c->r, c->body, c->own);
}

static void drop_unread(struct code_at *c)
{
	if (!c->r->keep_all)
		unread_drop(c->r, c->body, &c->p->cond);
}

/* Before anything that such a statement names is looked up. */
static void drop_idle(struct code_at *c)
{
	if (!c->r->s->opt.unoptimized)
		unread_drop_idle(c->r, c->body, c->p ? c->p->kind : PK_NO_PROBE);
}

static void replace_str(struct code_at *c)
{
	str_calls(c->r, c->body);
	if (!c->f)
		str_calls_of(c->r, &c->p->cond);
}

static void take_entries(struct code_at *c)
{
	entries_take(c->r, c->p);
}

static void refuse(struct code_at *c)
{
	if (c->f) {
		refuse_stmt(c->r, c->body, c->p ? CODE_COPY : CODE_FUNCTION);
		return;
	}
	refuse_expr(c->r, &c->p->cond,
		    site_kind_is_return(c->p->kind) ? CODE_RETURN_CONDITION : CODE_CONDITION);
	refuse_stmt(c->r, &c->p->entry, CODE_PROBE);
	refuse_stmt(c->r, c->body, CODE_PROBE);
}

static void print_memory(struct code_at *c)
{
	printed_bytes(c->r, c->body);
	if (!c->f)
		printed_bytes(c->r, &c->p->entry);
}

static void find_values(struct code_at *c)
{
	if (c->f)
		contextvars_function(c->r, c->f, c->p);
	else
		contextvars_resolve(c->r, c->p, c->plain);
}

static void bind_names(struct code_at *c)
{
	if (c->f)
		names_function(c->r, c->f);
	else
		names_probe(c->r, c->p, c->plain);
}

/* ---- the list ---- */

static const struct rewrite {
	void (*run)(struct code_at *c);
	unsigned of; /* sorts of code; for others there is nothing to do */
	unsigned needs, gives;
} rewrites[] = {
	{ fold_defined, BOTH, 0, FOLDED },
	{ take_elapsed, HANDLER, FOLDED, TIMES },
	{ drop_unread, HANDLER, FOLDED | TIMES, NEEDED },
	{ drop_idle, BOTH, FOLDED, 0 },
	{ replace_str, BOTH, FOLDED, TEXTS },
	{ take_entries, HANDLER, NEEDED | TEXTS, ENTRIES },
	{ refuse, BOTH, ENTRIES, SUPPORTED },
	{ print_memory, BOTH, SUPPORTED, READERS },
	{ find_values, BOTH, SUPPORTED, VALUES },
	{ bind_names, BOTH, READERS | VALUES, NAMES },
};

static void run(struct code_at *c, unsigned sort)
{
	unsigned known = 0;

	for (size_t i = 0; i < sizeof(rewrites) / sizeof(*rewrites); i++) {
		assert((rewrites[i].needs & ~known) == 0);
		if (rewrites[i].of & sort)
			rewrites[i].run(c);
		known |= rewrites[i].gives;
	}
	assert(known & NAMES);
}

void handler_resolve(struct resolver *r, struct probe *p, struct stmt *own, struct stmt *plain)
{
	run(&(struct code_at){ r, p, NULL, &p->body, own, plain }, HANDLER);
}

void handler_function(struct resolver *r, struct function *f, struct probe *p)
{
	run(&(struct code_at){ r, p, f, &f->body, NULL, NULL }, FUNCTION);
}
