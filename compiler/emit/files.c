/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of prt_script.files: the program files of sites, of owners of events and of variables,
 * each with the processes that are meant; and those of prt_script.threads. */
#include <stdio.h>
#include <string.h>

#include "emit/tables.h"
#include "emit/value.h"
#include "target/object/object.h"
#include "target/object/thread_memory.h"

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

unsigned emit_threads_row(const struct emit *e, const struct thread_layout *layout)
{
	size_t i = 0;

	while (e->p->threads.v[i]->library != layout->library ||
	       e->p->threads.v[i]->loader != layout->loader)
		i++;
	return (unsigned)i;
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

/* The build-id as bytes of a string. */
static const char *build_id_text(struct emit *e, const char *hex)
{
	char *text = arena_alloc(e->a, 2 * strlen(hex) + 1), *to = text;

	for (; hex[0] && hex[1]; hex += 2)
		to += sprintf(to, "\\x%c%c", hex[0], hex[1]);
	return text;
}

void emit_threads(struct emit *e)
{
	if (!e->p->threads.n)
		return;
	buf_puts(e->out, "static const struct prt_thread_layout threads[] = {\n");
	vec_each(it, &e->p->threads) {
		const struct thread_layout *l = *it;

		buf_printf(e->out, "\t{ .library = %s, .loader = %s,\n",
			   quoted(e, l->library->path), quoted(e, l->loader->path));
		buf_printf(e->out, "\t  .build_id = \"%s\", .build_id_size = %zu,\n",
			   build_id_text(e, l->loader->build_id),
			   strlen(l->loader->build_id) / 2);
		buf_printf(e->out, "\t  .build_id_at = %llu, .list = %llu,\n",
			   (unsigned long long)l->build_id_at, (unsigned long long)l->list);
		buf_printf(e->out, "\t  .list_len = %u, .list_next = %u, .list_slots = %u,\n",
			   l->list_len, l->list_next, l->list_slots);
		buf_printf(e->out, "\t  .slot_size = %u, .slot_map = %u, .slot_generation = %u,\n",
			   l->slot_size, l->slot_map, l->slot_generation);
		buf_printf(e->out, "\t  .map_distance = %u, .vector = %u, .entry_size = %u,\n",
			   l->map_distance, l->vector, l->entry_size);
		buf_printf(e->out, "\t  .entry_counter = %u, .entry_block = %u },\n",
			   l->entry_counter, l->entry_block);
	}
	buf_puts(e->out, "};\n\n");
}
