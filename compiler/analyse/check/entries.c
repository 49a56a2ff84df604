/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the size of entry values, which have to fit into the memory that the kernel has for a
 * call, shared by all probes of a function. Integers are counted as 8 bytes, although they may need
 * less.
 */
#include "analyse/check/check.h"
#include "analyse/check/facts.h"
#include "program/access.h"

#define ROOM 4096      /* KRETPROBE_MAX_DATA_SIZE */
#define OVERHEAD 16    /* for each call: its mark, and the probes that want it */
#define TIME 8         /* the time of the entry, if a probe uses it */

struct function_room {
	unsigned bytes, probes;
};

static unsigned bytes_of(const struct state *s, const struct symbol *sym)
{
	if (sym->object_size)
		return sym->object_size;
	return sym->type == T_STRING ? 4 + (unsigned)s->opt.caps.maxstringlen : 8;
}

static unsigned probe_bytes(const struct state *s, const struct probe *p)
{
	unsigned bytes = TIME + 8 * (unsigned)p->saved.n;

	vec_each(it, &p->entries)
		bytes += (bytes_of(s, *it) + 7) & ~7u;
	return bytes;
}

static const struct symbol *largest(const struct state *s, const struct probe *p)
{
	const struct symbol *most = p->entries.v[0];

	vec_each(it, &p->entries)
		if (bytes_of(s, *it) > bytes_of(s, most))
			most = *it;
	return most;
}

static void report(struct state *s, const struct probe *p, const struct function_room *room)
{
	const struct symbol *most = largest(s, p);

	diag_error(s->diag, most->range, E_LIMIT, "the entry values are too large: '%s' "
		   "has %u of %u bytes, and %d fit", most->name, bytes_of(s, most),
		   room->bytes + OVERHEAD, ROOM);
	if (room->probes > 1)
		diag_note(s->diag, p->range, "%u probes of one function share this space",
			  room->probes);
	if (most->type == T_STRING)
		diag_hint(s->diag, "-D MAXSTRINGLEN=N makes strings shorter");
}

static bool fits(struct check *c, const struct probe *p, struct map *rooms)
{
	struct arena *a = c->s->arena;
	unsigned bytes = probe_bytes(c->s, p);

	vec_each(it, &p->sites) {
		const char *key = arena_printf(a, "%s:%s:%d:%llu:%u", (*it)->object,
					       (*it)->symbol, (*it)->namesake,
					       (unsigned long long)(*it)->offset, (*it)->syscall);
		struct function_room *room = map_get(rooms, key);

		if (!room) {
			room = NEW(a, struct function_room);
			map_set(rooms, key, room);
		}
		room->bytes += bytes;
		room->probes++;
		if (room->bytes + OVERHEAD > ROOM && p->entries.n) {
			report(c->s, p, room);
			return false;
		}
	}
	return true;
}

/* A structure is saved as a copy, whose address is the value. One of a program is not copied,
 * because paths from it read the memory of the process. */
static void find_objects(const struct probe *p)
{
	for (size_t i = 0; i < p->entries.n; i++) {
		const struct expr *x = p->entry->u.block.v[i]->u.expr->u.assign.right;
		const struct access *ac = x->kind == EX_CONTEXT ? x->u.context.access : NULL;

		if (ac && ac->result == AR_VALUE && !ac->of_user && ac->object_size &&
		    ac->object_size <= ROOM * 16)
			p->entries.v[i]->object_size = ac->object_size;
	}
}

void entries_check(struct check *c)
{
	struct map rooms;

	map_init(&rooms, c->s->arena);
	vec_each(p, &c->p->probes)
		find_objects(*p);
	vec_each(p, &c->p->probes)
		if (site_kind_is_return((*p)->kind) && !fits(c, *p, &rooms))
			return;
}
