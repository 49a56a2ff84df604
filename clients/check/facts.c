/* SPDX-License-Identifier: GPL-2.0 */
#include "check/facts.h"

#include <string.h>

#include "base/arena.h"
#include "program/program.h"
#include "shared/buf.h"
#include "state.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"

struct fact_writer {
	struct buf *out;
	const struct probe *p;
};

/* Texts of scripts may have line breaks. */
static void put_word(struct buf *out, const char *word)
{
	for (; *word; word++)
		buf_putc(out, *word == '\t' || *word == '\n' ? ' ' : *word);
}

static void put_fact(struct buf *out, const char *kind, const char *where, const char *what,
		     const char *how)
{
	buf_printf(out, "%s\t", kind);
	put_word(out, where);
	buf_putc(out, '\t');
	put_word(out, what);
	buf_putc(out, '\t');
	put_word(out, how);
	buf_putc(out, '\n');
}

static bool put_value(struct expr **e, void *data)
{
	const struct fact_writer *r = data;
	const struct access *a = (*e)->kind == EX_CONTEXT ? (*e)->u.context.access : NULL;

	if (a && a->text && !a->of_user)
		put_fact(r->out, "value", r->p->written, a->text,
			 a->type_name ? a->type_name : "long");
	return true;
}

/* The function of a symbol that the compiler has named after it: "f.isra.0". */
static const char *function_of(struct state *s, const char *symbol)
{
	return arena_strndup(s->arena, symbol, strcspn(symbol, "."));
}

/* dwarf_function_copied() may say so of a function that only might be. */
static bool is_copied(struct dwarf_db *db, const char *function)
{
	struct dwarf_spec spec = { .function = function };
	struct dwarf_places copies = { 0 };

	dwarf_functions(db, &spec, DWARF_COPIES, &copies);
	vec_each(it, &copies.v)
		if (!(*it)->is_init)
			return true;
	return false;
}

static void put_site(struct state *s, struct buf *out, const struct probe *p,
		     const struct site *site)
{
	const char *function = function_of(s, site->symbol), *why;
	struct dwarf_db *db;

	if (site->place && site->place->inlined) {
		put_fact(out, "copies", p->written, site->place->function, "-");
		return;
	}
	if (strcmp(site->object, "kernel") == 0)
		put_fact(out, "point", p->written, function, "-");
	else
		put_fact(out, "point", p->written,
			 arena_printf(s->arena, "%s of module %s", function, site->object), "-");
	if (p->kind != PK_ENTRY && !site_kind_is_return(p->kind))
		return;
	db = dwarf_db_get(s, site->object, &why);
	if (db ? is_copied(db, function) : strcmp(site->object, "kernel") == 0 &&
					   kernel_lists_inlined(s->kernel, function))
		put_fact(out, "copies", p->written, function, "-");
}

static void put_probe(struct state *s, struct buf *out, struct probe *p)
{
	struct fact_writer r = { .out = out, .p = p };
	struct visitor v = { .expr = put_value, .data = &r };

	vec_each(site, &p->sites)
		if (!(*site)->user && *(*site)->symbol)
			put_site(s, out, p, *site);
	walk_expr(&p->cond, &v);
	walk_stmt(&p->entry, &v);
	walk_stmt(&p->body, &v);
}

void facts_put(struct state *s, struct buf *out)
{
	const char *why;

	put_fact(out, "kernel", "-", kernel_release(s->kernel),
		 dwarf_db_get(s, "kernel", &why) || kernel_knows_inlined(s->kernel) ?
		 "known" : "unknown");
	vec_each(it, &s->program->probes)
		if ((*it)->written)
			put_probe(s, out, *it);
}
