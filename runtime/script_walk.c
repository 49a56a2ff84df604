/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of scripts in stacks: script_walk.h.
 *
 * The native frames are found first. If one of them is in the loop of an interpreter, all of them
 * are moved out of the way, and copied back one by one; each frame of the loop continues the
 * program of its table, which says what script frames that call of the loop had. Where it says none
 * or ends early, the native frame stays.
 */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch/user.h"
#include "compat/uaccess.h"
#include "context.h"
#include "script_objects.h"
#include "script_read.h"
#include "script_walk.h"
#include "spaces.h"

/* Page faults are disabled, and the process's memory is mapped and open. */
static __always_inline bool read_script_word(void *arg, prt_u64 address, unsigned size,
					     prt_u64 *ret)
{
	u64 word;
	u32 half;
	u16 quarter;
	u8 byte;

	if (unlikely(address > PRT_COMPAT_TASK_SIZE_MAX - sizeof(word)))
		return false;
	if (likely(size == 3)) {
		unsafe_get_user(word, (const u64 __user *)address, fault);
		*ret = word;
	} else if (size == 2) {
		unsafe_get_user(half, (const u32 __user *)address, fault);
		*ret = half;
	} else if (size == 1) {
		unsafe_get_user(quarter, (const u16 __user *)address, fault);
		*ret = quarter;
	} else {
		unsafe_get_user(byte, (const u8 __user *)address, fault);
		*ret = byte;
	}
	return true;
fault:
	return false;
}

enum prt_script_event prt_script_event(struct prt_script_run *run, unsigned *end)
{
	enum prt_script_event event;

	pagefault_disable();
	prt_arch_user_read_begin();
	event = prt_script_next(run, read_script_word, NULL, end);
	prt_arch_user_read_end();
	pagefault_enable();
	return event;
}
NOKPROBE_SYMBOL(prt_script_event);

/* A program in progress in a stack. */
struct script_walk {
	const struct prt_space_script *script; /* NULL: it has not begun */
	bool is_over;
	bool has_failed;             /* it ended too early: native frames stay */
	u32 loops;                   /* native frames of the loop that were not looked at yet */
	struct prt_script_run run;
};

static void begin_script(struct script_walk *w, const struct prt_space *space,
			 const struct prt_space_script *script)
{
	w->script = script;
	w->is_over = w->has_failed = false;
	prt_script_begin(&w->run, script->table, script->bias, prt_arch_thread_base(),
			 space->thread_keys);
}
NOKPROBE_SYMBOL(begin_script);

static void end_script(struct script_walk *w, unsigned end, u32 *flags)
{
	w->is_over = true;
	if (end == PRT_SCRIPT_WHOLE)
		return;
	w->has_failed = true;
	prt_script_missing(end);
	if (end != PRT_SCRIPT_NO_THREAD)
		*flags |= PRT_STACK_NATIVE;
}
NOKPROBE_SYMBOL(end_script);

/* The frame at which the program is; 0: it has none. */
static u64 frame_word(struct script_walk *w, u64 space, u32 *flags)
{
	unsigned end;
	u32 object = prt_script_object(&w->run, space, &end);

	if (object)
		return PRT_FRAME_SCRIPT | (u64)object << PRT_FRAME_OBJECT |
		       prt_script_position(&w->run);
	end_script(w, end, flags);
	return 0;
}
NOKPROBE_SYMBOL(frame_word);

static void recall(struct script_walk *w, u64 space)
{
	u32 number = prt_script_recalled(&w->run, space);

	if (number)
		prt_script_recall(&w->run, number);
}
NOKPROBE_SYMBOL(recall);

/* Writes the frames up to the next PRT_SCRIPT_YIELD, or with @all up to the end, at most @most, to
 * @to. Returns their number. */
static u32 next_frames(struct script_walk *w, u64 *to, u32 most, bool all, u32 *flags)
{
	const u64 space = prt_arch_space_id(current->mm);
	enum prt_script_event event;
	unsigned end;
	u32 n = 0;

	while (!w->is_over && n < most) {
		event = prt_script_event(&w->run, &end);
		if (event == PRT_SCRIPT_IS_FRAME) {
			to[n] = frame_word(w, space, flags);
			n += !!to[n];
		} else if (event == PRT_SCRIPT_IS_YIELD) {
			if (!all)
				return n;
		} else if (event == PRT_SCRIPT_IS_MEMO) {
			recall(w, space);
		} else if (event == PRT_SCRIPT_IS_REMEMBER) {
			prt_script_remember(&w->run, space);
		} else {
			end_script(w, event == PRT_SCRIPT_IS_END ? end : PRT_SCRIPT_DAMAGED, flags);
		}
	}
	return n;
}
NOKPROBE_SYMBOL(next_frames);

/* The interpreter in whose loop the frame @word is; NULL: it is in none. */
static const struct prt_space_script *loop_of(const struct prt_space *space, u64 word)
{
	u64 address = (word & PRT_FRAME_ADDRESS) - !!(word & PRT_FRAME_CALL);
	u32 i, j;

	for (i = 0; i < space->nscripts; i++) {
		const struct prt_space_script *it = &space->scripts[i];
		const struct prt_script_range *range = prt_script_ranges(it->table);

		if ((word ^ it->file) >> PRT_FRAME_FILE)
			continue;
		for (j = 0; j < it->table->nranges; j++, range++)
			if (address >= range->start && address < range->end)
				return it;
	}
	return NULL;
}
NOKPROBE_SYMBOL(loop_of);

/* Counts the frames of loops for each of @walks. false: there are none. */
static bool count_loops(const struct prt_space *space, const u64 *words, u32 n,
			struct script_walk *walks)
{
	bool found = false;
	u32 i;

	for (i = 0; i < PRT_SCRIPT_LANGUAGES; i++) {
		walks[i].script = NULL;
		walks[i].loops = 0;
	}
	for (i = 0; i < n; i++) {
		const struct prt_space_script *script = loop_of(space, words[i]);

		if (!script)
			continue;
		walks[script - space->scripts].loops++;
		found = true;
	}
	return found;
}
NOKPROBE_SYMBOL(count_loops);

u32 prt_script_merge(const struct prt_space *space, u64 *to, u32 n, u32 most, u32 *flags)
{
	const bool both = prt_session.setup.flags & PRT_SETUP_NATIVE_FRAMES;
	struct script_walk walks[PRT_SCRIPT_LANGUAGES] PRT_UNCLEARED;
	const bool is_cut = n == most;
	const u64 *native = to + PRT_STACK_FRAMES;
	u32 i, m = 0;

	if (!prt_arch_user_mapped() || !count_loops(space, to, n, walks))
		return n;
	memcpy(to + PRT_STACK_FRAMES, to, n * sizeof(*to));
	for (i = 0; i < n && m < most; i++) {
		const struct prt_space_script *script = loop_of(space, native[i]);
		struct script_walk *w = script ? &walks[script - space->scripts] : NULL;

		if (w && !w->script)
			begin_script(w, space, script);
		/* Frames that no loop is left for come after those of the outermost one. */
		if (w)
			m += next_frames(w, to + m, most - m, !--w->loops && !is_cut, flags);
		if (m < most && (!w || both || w->has_failed))
			to[m++] = native[i];
	}
	if (m == PRT_STACK_FRAMES)
		*flags |= PRT_STACK_DEEPER;
	return m;
}
NOKPROBE_SYMBOL(prt_script_merge);

u32 prt_script_frames(const struct prt_space *space, u64 *to, u32 most, u32 *flags)
{
	struct script_walk w PRT_UNCLEARED;
	u32 i, n = 0;

	if (!prt_arch_user_mapped())
		return 0;
	for (i = 0; i < space->nscripts; i++) {
		begin_script(&w, space, &space->scripts[i]);
		n += next_frames(&w, to + n, most - n, true, flags);
	}
	return n;
}
NOKPROBE_SYMBOL(prt_script_frames);
