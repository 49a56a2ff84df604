/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the runtime is worth inlining in scripts: a few instructions that hits spend often. Each
 * name stands for the function of that name in script.h, which does the same.
 *
 * The task: where its fields lie differs from kernel to kernel, so they are absolute symbols that the
 * runtime defines (task.c) and the linker puts into the instructions. `current` is where Kbuild found
 * it.
 *
 * Arrays: the usual case is a key that is there already, first in its chain. Everything else is the
 * runtime's.
 */
#ifndef PRT_FAST_H
#define PRT_FAST_H

#include "map.h"

/* ---- the task ---- */

extern const char prt_at_tgid[], prt_at_pid[], prt_at_comm[];
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

#define prt_map_get_l prt_fast_get_l
#define prt_map_get_s prt_fast_get_s

#endif
