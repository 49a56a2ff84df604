/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of prt_script.files: the program files of sites, of owners of events and of variables,
 * each with the processes that are meant. */
#include <string.h>

#include "emit/tables.h"
#include "emit/value.h"
#include "target/object/object.h"

static bool same_scope(const struct user_scope *a, const struct user_scope *b)
{
	return a->file == b->file && a->pid == b->pid && a->is_target == b->is_target &&
	       !a->program == !b->program &&
	       (!a->program || strcmp(a->program, b->program) == 0);
}

unsigned emit_files_row(const struct emit *e, const struct user_scope *scope)
{
	for (size_t i = 0; i < e->scopes.v.n; i++)
		if (same_scope(e->scopes.v.v[i], scope))
			return (unsigned)i;
	return (unsigned)e->scopes.v.n;
}

static void add_scope(struct emit *e, const struct user_scope *scope)
{
	if (scope && emit_files_row(e, scope) == e->scopes.v.n)
		vec_push(e->a, &e->scopes.v, scope);
}

void emit_files_find(struct emit *e)
{
	vec_each(it, &e->p->sites)
		add_scope(e, (*it)->user);
	vec_each(p, &e->p->probes)
		vec_each(it, &(*p)->owners)
			add_scope(e, *it);
	vec_each(it, &e->p->programs)
		add_scope(e, *it);
}

static const char *quoted(struct emit *e, const char *s)
{
	return emit_quoted(e, s, strlen(s));
}

void emit_files(struct emit *e)
{
	if (!e->scopes.v.n)
		return;
	buf_puts(e->out, "static const struct prt_file files[] = {\n");
	vec_each(it, &e->scopes.v) {
		const struct user_scope *scope = *it;

		buf_printf(e->out, "\t{ .path = %s, ", quoted(e, scope->file->path));
		if (scope->program)
			buf_printf(e->out, ".program = %s, ", quoted(e, scope->program));
		buf_printf(e->out, ".pid = %s, .is_target = %d, .is_go = %d },\n",
			   emit_val_num(e, scope->pid).text, scope->is_target, scope->file->is_go);
	}
	buf_puts(e->out, "};\n\n");
}
