/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thread-local memory of the current thread: abi/tables.h.
 *
 * The structures that are read belong to the process, whose other threads may load and unload
 * libraries at the same time, and nothing here waits for them. Whatever is read may be wrong then,
 * or on purpose, so each read may fail and each loop has a bound, also where pieces without slots
 * form a circle. The library of a hit itself stays loaded, and its slot does not change; only a
 * thread changes its own vector, and an entry counts only if the vector is at least as new as the
 * module's number, which another library may have had before.
 */
#include <linux/elf.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "arch/arch.h"
#include "arch/user.h"
#include "context.h"

enum { MODULES_MOST = 1024 };

/* A module's slot. */
struct thread_slot {
	u64 at, map;
	u64 number;              /* of the module */
};

static void thread_fail(struct prt_ctx *c, u32 srcloc, const char *before, const char *path,
			const char *after)
{
	char text[256];
	int n = scnprintf(text, sizeof(text), "%s%s%s", before, path, after);

	prt_error(c, PRT_E_THREAD_LOCAL, srcloc, (struct prt_str){ text, n });
}
NOKPROBE_SYMBOL(thread_fail);

static u64 thread_word(struct prt_ctx *c, u64 addr, u32 srcloc)
{
	return prt_read_user(c, addr, 8, false, srcloc);
}
NOKPROBE_SYMBOL(thread_word);

u64 prt_thread_base(struct prt_ctx *c, u32 srcloc)
{
	u64 base = current->mm && !(current->flags & PF_KTHREAD) ? prt_arch_thread_base() : 0;

	if (!base)
		thread_fail(c, srcloc, "the thread has none yet", "", "");
	return base;
}
NOKPROBE_SYMBOL(prt_thread_base);

/* Where the process has its dynamic loader, by its auxiliary vector; 0: nowhere. */
static u64 loader_base(void)
{
	const unsigned long *vector = current->mm->saved_auxv;
	unsigned int i;

	for (i = 0; i + 1 < AT_VECTOR_SIZE && vector[i] != AT_NULL; i += 2)
		if (vector[i] == AT_BASE)
			return vector[i + 1];
	return 0;
}
NOKPROBE_SYMBOL(loader_base);

/* The address of the loader, which is the one of the layout; 0 and an error if it is not. */
static u64 find_loader(struct prt_ctx *c, const struct prt_thread_layout *l, u32 srcloc)
{
	u64 base = loader_base(), at = base + l->build_id_at;
	char id[PRT_BUILD_ID_MOST];

	if (base && prt_fetch(c, id, at, l->build_id_size, true)) {
		prt_bad_address(c, at, srcloc);
		return 0;
	}
	if (base && memcmp(id, l->build_id, l->build_id_size) == 0)
		return base;
	thread_fail(c, srcloc, "the dynamic loader of the process is not the ", l->loader,
		    " of which the script was compiled");
	return 0;
}
NOKPROBE_SYMBOL(find_loader);

/* Whether the slot is that of the library, whose struct link_map has @dynamic. */
static bool is_slot(struct prt_ctx *c, const struct prt_thread_layout *l, struct thread_slot *slot,
		    u64 dynamic, u32 srcloc)
{
	slot->map = thread_word(c, slot->at + l->slot_map, srcloc);
	return slot->map && !c->err &&
	       thread_word(c, slot->map + PRT_MAP_DYNAMIC, srcloc) == dynamic && !c->err;
}
NOKPROBE_SYMBOL(is_slot);

/* false and an error: the loader has none. */
static bool find_slot(struct prt_ctx *c, const struct prt_thread_layout *l, u64 dynamic,
		      u32 srcloc, struct thread_slot *ret)
{
	u64 loader = find_loader(c, l, srcloc), list, n, i;
	u32 pieces = 0;

	if (!loader)
		return false;
	ret->number = 0;
	list = thread_word(c, loader + l->list, srcloc);
	while (list && !c->err && pieces++ < MODULES_MOST) {
		n = thread_word(c, list + l->list_len, srcloc);
		for (i = 0; i < n && ret->number < MODULES_MOST && !c->err; i++, ret->number++) {
			ret->at = list + l->list_slots + i * l->slot_size;
			if (is_slot(c, l, ret, dynamic, srcloc))
				return true;
		}
		list = !c->err && i == n ? thread_word(c, list + l->list_next, srcloc) : 0;
	}
	thread_fail(c, srcloc, "the dynamic loader of the process has not prepared that of ",
		    l->library, "");
	return false;
}
NOKPROBE_SYMBOL(find_slot);

/* The memory by the vector of the thread; 0: it has none yet. */
static u64 find_entry(struct prt_ctx *c, const struct prt_thread_layout *l, u64 base,
		      const struct thread_slot *slot, u32 srcloc)
{
	u64 vector = thread_word(c, base + l->vector, srcloc);
	u64 last = thread_word(c, vector - l->entry_size + l->entry_counter, srcloc);
	u64 generation = thread_word(c, vector + l->entry_counter, srcloc);
	u64 since = thread_word(c, slot->at + l->slot_generation, srcloc), block;

	if (slot->number > last || since > generation)
		return 0;
	block = thread_word(c, vector + slot->number * l->entry_size + l->entry_block, srcloc);
	return block == U64_MAX ? 0 : block;
}
NOKPROBE_SYMBOL(find_entry);

u64 prt_thread_block(struct prt_ctx *c, u32 nr, u64 dynamic, u32 srcloc)
{
	const struct prt_thread_layout *l = &prt_script.threads[nr];
	u64 base = prt_thread_base(c, srcloc), distance, block;
	struct thread_slot slot;

	if (!base || !find_slot(c, l, dynamic, srcloc, &slot))
		return 0;
	distance = thread_word(c, slot.map + l->map_distance, srcloc);
	if (distance && distance != U64_MAX)
		return base - distance;
	block = find_entry(c, l, base, &slot, srcloc);
	if (!block)
		thread_fail(c, srcloc, "the thread has not used that of ", l->library, " yet");
	return block;
}
NOKPROBE_SYMBOL(prt_thread_block);
