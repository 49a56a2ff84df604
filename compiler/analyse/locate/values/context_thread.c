/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread-local variables of programs: from an offset in a file's thread-local memory to the address
 * in that of the current thread. target/object/thread_memory.h explains where it is.
 */
#include <errno.h>
#include <string.h>

#include "analyse/locate/values/path.h"
#include "target/object/object.h"
#include "target/object/thread_memory.h"

static void push(struct walk *w, struct location_piece *to, struct location_op op)
{
	vec_push(w->s->arena, &to->ops, op);
}

/* Whether all processes of the probe run the program. */
static bool is_own(const struct walk *w, const struct user_scope *scope)
{
	const struct user_scope *own = w->site ? w->site->user : NULL;

	return own && (own->file == scope->file ||
		       (own->program && strcmp(own->program, scope->file->path) == 0));
}

/* The offset is on the stack. */
static void push_of_program(struct walk *w, const struct user_scope *scope, int64_t from_base,
			    struct location_piece *to)
{
	if (!is_own(w, scope)) {
		push(w, to, (struct location_op){ .kind = LO_PROGRAM, .program = scope });
		push(w, to, (struct location_op){ .kind = LO_DROP });
	}
	push(w, to, (struct location_op){ .kind = LO_THREAD });
	push(w, to, (struct location_op){ .kind = LO_CONST, .n = from_base });
	push(w, to, (struct location_op){ .kind = LO_ADD });
	push(w, to, (struct location_op){ .kind = LO_ADD });
}

static void push_of_library(struct walk *w, const struct user_scope *scope,
			    const struct thread_layout *layout, struct location_piece *to)
{
	push(w, to, (struct location_op){
		.kind = LO_SYMBOL, .object = scope->file->path, .name = "",
		.n = (int64_t)thread_memory_dynamic(scope->file) });
	push(w, to, (struct location_op){ .kind = LO_THREAD_BLOCK, .layout = layout });
	push(w, to, (struct location_op){ .kind = LO_ADD });
}

int context_thread_refuse(struct walk *w, const char *why)
{
	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		  "'%s' is not available: it is thread-local, and %s", path_text(w), why);
	path_hint(w, "a probe where the program has its address in a variable can read it");
	return -ENODATA;
}

int context_thread_location(struct walk *w, const struct user_scope *scope, struct location *l)
{
	const struct thread_layout *layout = NULL;
	struct location all = *l;
	int64_t from_base = 0;
	const char *why;

	if (!access_uses(l, LO_THREAD_LOCAL))
		return 0;
	if (scope->file->is_program) {
		if (!thread_memory_of_program(scope->file, &from_base, &why))
			return context_thread_refuse(w, why);
	} else {
		layout = thread_memory_of_library(w->s, scope->file, scope->program, scope->pid,
						  &why);
		if (!layout)
			return context_thread_refuse(w, why);
	}
	memset(&l->pieces, 0, sizeof(l->pieces));
	vec_each(p, &all.pieces) {
		struct location_piece piece = *p;

		memset(&piece.ops, 0, sizeof(piece.ops));
		vec_each(op, &p->ops) {
			if (op->kind != LO_THREAD_LOCAL)
				push(w, &piece, *op);
			else if (layout)
				push_of_library(w, scope, layout, &piece);
			else
				push_of_program(w, scope, from_base, &piece);
		}
		vec_push(w->s->arena, &l->pieces, piece);
	}
	return 0;
}
