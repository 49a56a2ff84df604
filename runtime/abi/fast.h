/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the runtime is worth inlining in scripts: a few instructions that hits spend often. Each
 * name stands for the function of that name in script.h, which does the same.
 *
 * The task: where its fields lie differs from kernel to kernel, so they are absolute symbols that the
 * runtime defines (task.c) and the linker puts into the instructions. `current` is where Kbuild found
 * it.
 *
 * PRT_COMPACT: a script of many handlers, whose compiling would take longer than its hits save. There
 * arrays and output are the runtime's alone.
 *
 * Arrays: the usual case is a key that is there already, first in its chain. Everything else is the
 * runtime's.
 */
#ifndef PRT_FAST_H
#define PRT_FAST_H

#include "map.h"

/** prt_hit_left - reports the error that a handler left, publishes its output. */
void prt_hit_left(struct prt_ctx *c);

/* ---- the task ---- */

extern const char prt_at_tgid[], prt_at_pid[], prt_at_comm[];

#ifdef PRT_SCRIPT_UNIT
#ifdef PRT_HAVE_PCPU_HOT
extern const char *pcpu_hot;
#define PRT_CURRENT_TASK pcpu_hot
#else
extern const char *current_task;
#define PRT_CURRENT_TASK current_task
#endif

PRT_INLINE const char *prt_fast_task(void)
{
	const char *task;

	__asm__("movq %%gs:%P1, %0" : "=r"(task) : "m"(PRT_CURRENT_TASK));
	return task;
}
#else
/* A script with the kernel's headers. */
PRT_INLINE const char *prt_fast_task(void)
{
	return (const char *)current;
}
#endif

PRT_INLINE s64 prt_fast_pid(struct prt_ctx *c)
{
	return *(const volatile s32 *)(prt_fast_task() + (u64)prt_at_tgid);
}

PRT_INLINE s64 prt_fast_tid(struct prt_ctx *c)
{
	return *(const volatile s32 *)(prt_fast_task() + (u64)prt_at_pid);
}

/* The name may be changing: it is copied before it is measured. @buf has room for any. */
PRT_INLINE struct prt_str prt_fast_execname(struct prt_ctx *c, char *buf)
{
	const volatile u64 *name = (const volatile u64 *)(prt_fast_task() + (u64)prt_at_comm);
	u64 first = name[0], second = name[1];
	u32 len = prt_word_strlen(first);

	if (len == 8)
		len += prt_word_strlen(second);
	__builtin_memcpy(buf, &first, 8);
	__builtin_memcpy(buf + 8, &second, 8);
	return (struct prt_str){ buf, len };
}

#define prt_pid prt_fast_pid
#define prt_tid prt_fast_tid
#define prt_execname prt_fast_execname

/* ---- arrays ---- */

PRT_INLINE void *prt_fast_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 place)
{
	const struct prt_map_look *l = (const struct prt_map_look *)r->m;
	struct prt_entry *e = prt_map_first(l, prt_hash_long(l, key));

	if (likely(e && *(s64 *)e->key == key))
		return e->key + sizeof(key);
	return prt_map_get_l(c, r, key, place);
}

PRT_INLINE void *prt_fast_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key,
				u32 place)
{
	const struct prt_map_look *l = (const struct prt_map_look *)r->m;
	struct prt_entry *e;
	u32 hash;

	if (likely(key.len <= 16)) {
		hash = prt_hash_bytes(l, key.s, key.len);
		e = prt_map_first(l, hash);
		if (likely(e && e->hash == hash && e->klen == key.len &&
			   prt_bytes_equal(e->key, key.s, key.len)))
			return (char *)e + l->value_at;
	}
	return prt_map_get_s(c, r, key, place);
}

#ifndef PRT_COMPACT
#define prt_map_get_l prt_fast_get_l
#define prt_map_get_s prt_fast_get_s
#endif

/* ---- output ---- */

enum { PRT_BRIEF = 4096 }; /* bytes of a record: far less than half of a ring */

/** prt_clock_read - the session's clock: ticks, or what the kernel has in their place. */
u64 prt_clock_read(void);

/* A hot handler's first record. Everything else is the runtime's: a second one, a long one, and a ring
 * that is half full (where somebody may have to be woken) or whose header makes no sense. */
PRT_INLINE char *prt_fast_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g;
	struct prt_rec *rec;
	u64 open = 1;

	if (unlikely(c->left || !c->level || len > PRT_BRIEF ||
		     r->head - *(volatile u64 *)&r->hdr->tail > r->half))
		return prt_out_begin(c, id, len);
	g = (struct prt_group *)(r->data + (r->head & r->mask));
	__asm__ volatile("xchgq %0, %1" : "+r"(open), "+m"(r->hdr->open) : : "memory");
	g->time = prt_clock_read();
	*(volatile u64 *)&r->hdr->open = g->time;
	rec = (struct prt_rec *)(g + 1);
	rec->id = id;
	rec->len = len;
	c->out = (char *)rec + len;
	c->out_open = PRT_OPEN_BRIEFLY;
	return (char *)(rec + 1);
}

/* The end of a hit that left something: @probe is its number. Processors of this kind let nobody see
 * a later store before an earlier one. */
PRT_INLINE void prt_fast_left(struct prt_ctx *c, u32 probe)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g;

	if (unlikely(c->left != (u64)PRT_OPEN_BRIEFLY << 40)) {
		prt_hit_left(c);
		return;
	}
	g = (struct prt_group *)(r->data + (r->head & r->mask));
	g->len = c->out - (char *)g;
	g->kind = PRT_GROUP_OUTPUT;
	g->probe = probe;
	r->head += g->len;
	__asm__ volatile("" : : : "memory");
	*(volatile u64 *)&r->hdr->head = r->head;
	__asm__ volatile("" : : : "memory");
	*(volatile u64 *)&r->hdr->open = 0;
	c->left = 0;
}

#ifndef PRT_COMPACT
#define prt_out_begin prt_fast_out_begin
#else
#define prt_fast_left(c, probe) prt_hit_left(c)
#endif

#endif
