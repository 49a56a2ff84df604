/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of scripts in stacks: script_walk.h.
 *
 * The native frames are found first. If one of them is in the loop of an interpreter, all of them
 * are moved out of the way, and copied back one by one; each frame of the loop continues the
 * program of its table, which yields the script frames of that call of the loop. They replace the
 * native frame, also if there are none; where the program fails, it stays.
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
#include "script_seen.h"
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

static void begin_script(struct prt_script_walk *w, struct prt_script_room *room,
			 const struct prt_space *space, const struct prt_space_script *script)
{
	w->script = script;
	w->keep = NULL;
	w->seen = &room->seen;
	w->is_over = w->has_failed = false;
	prt_script_begin(&w->run, script->table, script->bias, prt_arch_thread_base(),
			 space->thread_keys);
}
NOKPROBE_SYMBOL(begin_script);

static void end_script(struct prt_script_walk *w, unsigned end, u32 *flags)
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
static u64 frame_word(struct prt_script_walk *w, u64 space, u32 *flags)
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

static void recall(struct prt_script_walk *w, u64 space)
{
	u32 number = prt_script_recalled(&w->run, space);

	if (number)
		prt_script_recall(&w->run, number);
}
NOKPROBE_SYMBOL(recall);

/* ---- frames that were seen before ---- */

/* Does the loads of PRT_SCRIPT_SAME, up to address @last, and compares them with @old, which are as
 * many. @done: all could be done. Page faults are disabled, and the process's memory is open. */
static __always_inline bool load_same(struct prt_script_run *run, const struct prt_script_op *op,
				      const u64 *old, u64 last, bool *done)
{
	const struct prt_script_op *end = op + op->n;
	u64 different = 0, word, address;

	*done = false;
	while (op < end) {
		op++;
		address = run->r[op->b] + (s64)op->n;
		if (unlikely(address > last))
			return false;
		unsafe_get_user(word, (const u64 __user *)address, fault);
		run->r[op->a] = word;
		different |= word ^ READ_ONCE(*old++);
	}
	*done = true;
	return !different;
fault:
	return false;
}

/* The frame is not one that was seen: keeps what it depends on, until it is complete. */
static noinline void begin_seen(struct prt_script_walk *w, const struct prt_script_op *op,
				struct prt_script_seen *it, u64 space, u64 frame)
{
	u32 i;

	w->keep = it;
	w->seen->space = space;
	w->seen->frame = frame;
	w->seen->word = 0;
	/* The loads are done in order, each to a register of its own. */
	for (i = 0; i < op->n; i++)
		w->seen->loaded[i] = w->run.r[op[1 + i].a];
}
NOKPROBE_SYMBOL(begin_seen);

/* There is one frame, or none, for a PRT_SCRIPT_SAME. */
static void keep_word(struct prt_script_walk *w, u64 word)
{
	if (w->keep && w->seen->word)
		w->keep = NULL;
	w->seen->word = word;
}
NOKPROBE_SYMBOL(keep_word);

static noinline void write_seen(struct prt_script_walk *w, enum prt_script_event event,
				unsigned end)
{
	struct prt_script_seen *it = w->keep;
	u32 turn = READ_ONCE(it->turn), at = w->run.at, i;

	if (event == PRT_SCRIPT_IS_SAME)
		at = w->run.event - prt_script_ops(w->run.table);
	if (turn & 1 || cmpxchg(&it->turn, turn, turn + 1) != turn)
		return;
	WRITE_ONCE(it->at, at);
	WRITE_ONCE(it->event, event);
	WRITE_ONCE(it->end, end);
	WRITE_ONCE(it->space, w->seen->space);
	WRITE_ONCE(it->frame, w->seen->frame);
	WRITE_ONCE(it->word, w->seen->word);
	for (i = 0; i < PRT_SCRIPT_CARRIED; i++)
		WRITE_ONCE(it->carried[i], w->run.r[i]);
	for (i = 0; i < PRT_SCRIPT_SAME_LOADS; i++)
		WRITE_ONCE(it->loaded[i], w->seen->loaded[i]);
	smp_store_release(&it->turn, turn + 2);
}
NOKPROBE_SYMBOL(write_seen);

/* Keeps the frame if it ends with that event. Another processor, or the code that an NMI has
 * interrupted, may be writing the entry: then it is not kept this time. */
static __always_inline void keep_seen(struct prt_script_walk *w, enum prt_script_event event,
				      unsigned end)
{
	if (likely(!w->keep))
		return;
	if (event == PRT_SCRIPT_IS_SAME || event == PRT_SCRIPT_IS_YIELD ||
	    (event == PRT_SCRIPT_IS_END && end == PRT_SCRIPT_WHOLE)) {
		write_seen(w, event, end);
		w->keep = NULL;
	}
}

/* The program is at PRT_SCRIPT_SAME. If the frame was seen before, writes it to @to, moves the
 * program to where it ended, and returns the event there, with PRT_SCRIPT_IS_SAME that of the next
 * frame; else PRT_SCRIPT_IS_FRAME. The rest is as for load_same(). */
static __always_inline enum prt_script_event
take_seen(struct prt_script_run *run, const struct prt_script_seen *it, u64 space, u64 frame,
	  u64 last, u64 *to, unsigned *end, bool *done)
{
	u32 turn = smp_load_acquire(&it->turn), at, i;
	enum prt_script_event event;
	u64 carried[PRT_SCRIPT_CARRIED] PRT_UNCLEARED;

	BUILD_BUG_ON(PRT_SCRIPT_CARRIED != 4);
	if (unlikely(!load_same(run, run->event, it->loaded, last, done) ||
		     READ_ONCE(it->space) != space || READ_ONCE(it->frame) != frame || turn & 1))
		return PRT_SCRIPT_IS_FRAME;
	*to = READ_ONCE(it->word);
	at = READ_ONCE(it->at);
	event = READ_ONCE(it->event);
	*end = READ_ONCE(it->end);
#pragma GCC unroll 4
	for (i = 0; i < PRT_SCRIPT_CARRIED; i++)
		carried[i] = READ_ONCE(it->carried[i]);
	smp_rmb(); /* pairs with the writer's release of `turn` */
	if (unlikely(READ_ONCE(it->turn) != turn))
		return PRT_SCRIPT_IS_FRAME;
#pragma GCC unroll 4
	for (i = 0; i < PRT_SCRIPT_CARRIED; i++)
		run->r[i] = carried[i];
	run->at = at;
	return event;
}

/* The next event after PRT_SCRIPT_IS_SAME: of frames that were seen before as long as there are
 * such, then of the program. Appends at most @most frames to the @ret frames at @to. */
static enum prt_script_event seen_event(struct prt_script_walk *w, u64 space, u64 *to, u32 most,
					u32 *ret, unsigned *end)
{
	const struct prt_script_op *ops = prt_script_ops(w->run.table);
	u64 last = PRT_COMPAT_TASK_SIZE_MAX - sizeof(u64), frame;
	enum prt_script_event event;
	struct prt_script_seen *it;
	u32 n = *ret;
	bool done;

	OPTIMIZER_HIDE_VAR(last);
	pagefault_disable();
	prt_arch_user_read_begin();
	for (;;) {
		frame = prt_script_seen_frame(&w->run, w->run.event);
		it = prt_script_seen_at(space, frame);
		event = take_seen(&w->run, it, space, frame, last, &to[n], end, &done);
		if (event == PRT_SCRIPT_IS_FRAME)
			break;
		n += !!to[n];
		if (event != PRT_SCRIPT_IS_SAME)
			break;
		w->run.event = &ops[w->run.at];
		w->run.at += 1 + w->run.event->n;
		if (n == most || (s32)--w->run.left <= 0)
			break;
	}
	prt_arch_user_read_end();
	pagefault_enable();
	*ret = n;
	if (event != PRT_SCRIPT_IS_FRAME)
		return event;
	/* A frame whose words are not all known would be found again by what registers had. */
	if (done)
		begin_seen(w, w->run.event, it, space, frame);
	return prt_script_event(&w->run, end);
}
NOKPROBE_SYMBOL(seen_event);

/* Writes the frames up to the next PRT_SCRIPT_YIELD, or with @all up to the end, at most @most, to
 * @to. Returns their number. */
static u32 next_frames(struct prt_script_walk *w, u64 *to, u32 most, bool all, u32 *flags)
{
	const u64 space = prt_arch_space_id(current->mm);
	enum prt_script_event event;
	unsigned end;
	u32 n = 0;

	while (!w->is_over && n < most) {
		event = prt_script_event(&w->run, &end);
next:
		keep_seen(w, event, end);
		if (event == PRT_SCRIPT_IS_SAME) {
			event = seen_event(w, space, to, most, &n, &end);
			if (event != PRT_SCRIPT_IS_SAME)
				goto next;
		} else if (event == PRT_SCRIPT_IS_FRAME) {
			to[n] = frame_word(w, space, flags);
			keep_word(w, to[n]);
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
	/* The innermost frame alone is kept as well. */
	if (w->keep && !w->is_over)
		keep_seen(w, prt_script_event(&w->run, &end), end);
	return n;
}
NOKPROBE_SYMBOL(next_frames);

/* The interpreter in whose loop the frame @word is; NULL: it is in none. @through: it is in code by
 * which the loop calls itself. */
static const struct prt_space_script *loop_of(const struct prt_space *space, u64 word,
					      bool *through)
{
	u64 address = (word & PRT_FRAME_ADDRESS) - !!(word & PRT_FRAME_CALL);
	u32 i, j;

	for (i = 0; i < space->nscripts; i++) {
		const struct prt_space_script *it = &space->scripts[i];
		const struct prt_script_range *range = prt_script_ranges(it->table);

		if ((word ^ it->file) >> PRT_FRAME_FILE)
			continue;
		for (j = 0; j < it->table->nranges; j++, range++)
			if (address >= range->start &&
			    address < (range->end & ~PRT_SCRIPT_THROUGH)) {
				*through = range->end & PRT_SCRIPT_THROUGH;
				return it;
			}
	}
	return NULL;
}
NOKPROBE_SYMBOL(loop_of);

/* Whether the program is continued for native frame @number, from 1 on, which is one of the loop or
 * of PRT_SCRIPT_THROUGH. */
static bool takes_frames(struct prt_script_walk *w, bool through, u32 number)
{
	bool is_joined = w->is_joined;

	if (through) {
		w->is_joined |= w->last && w->last + 1 == number;
		return false;
	}
	w->is_joined = false;
	w->last = number;
	return !is_joined;
}
NOKPROBE_SYMBOL(takes_frames);

/* Counts the frames of loops for each of @walks. false: there are none. */
static bool count_loops(const struct prt_space *space, const u64 *words, u32 n,
			struct prt_script_walk *walks)
{
	bool found = false;
	u32 i;

	for (i = 0; i < PRT_SCRIPT_LANGUAGES; i++) {
		walks[i].script = NULL;
		walks[i].loops = 0;
		walks[i].last = 0;
		walks[i].is_joined = walks[i].has_failed = false;
	}
	for (i = 0; i < n; i++) {
		bool through;
		const struct prt_space_script *script = loop_of(space, words[i], &through);
		struct prt_script_walk *w;

		if (!script)
			continue;
		w = &walks[script - space->scripts];
		if (takes_frames(w, through, i + 1)) {
			w->loops++;
			found = true;
		}
	}
	for (i = 0; i < PRT_SCRIPT_LANGUAGES; i++) {
		walks[i].last = 0;
		walks[i].is_joined = false;
	}
	return found;
}
NOKPROBE_SYMBOL(count_loops);

u32 prt_script_merge(struct prt_script_room *room, const struct prt_space *space, u64 *to, u32 n,
		     u32 most, u32 *flags)
{
	const bool both = prt_session.setup.flags & PRT_SETUP_NATIVE_FRAMES;
	struct prt_script_walk *walks = room->walks;
	const bool is_cut = n == most;
	const u64 *native = to + PRT_STACK_FRAMES;
	u32 i, m = 0;

	if (!prt_arch_user_mapped() || !count_loops(space, to, n, walks))
		return n;
	memcpy(to + PRT_STACK_FRAMES, to, n * sizeof(*to));
	for (i = 0; i < n && m < most; i++) {
		bool through;
		const struct prt_space_script *script = loop_of(space, native[i], &through);
		struct prt_script_walk *w = script ? &walks[script - space->scripts] : NULL;

		if (w && takes_frames(w, through, i + 1)) {
			if (!w->script)
				begin_script(w, room, space, script);
			/* Frames that no loop is left for come after those of the outermost one. */
			m += next_frames(w, to + m, most - m, !--w->loops && !is_cut, flags);
		}
		if (m < most &&
		    (!w || both || (through && !w->is_joined) || w->has_failed))
			to[m++] = native[i];
	}
	if (m == PRT_STACK_FRAMES)
		*flags |= PRT_STACK_DEEPER;
	return m;
}
NOKPROBE_SYMBOL(prt_script_merge);

u32 prt_script_frames(struct prt_script_room *room, const struct prt_space *space, u64 *to,
		      u32 most, u32 *flags)
{
	struct prt_script_walk *w = &room->walks[0];
	u32 i, n = 0;

	if (!prt_arch_user_mapped())
		return 0;
	for (i = 0; i < space->nscripts; i++) {
		begin_script(w, room, space, &space->scripts[i]);
		n += next_frames(w, to + n, most - n, true, flags);
	}
	return n;
}
NOKPROBE_SYMBOL(prt_script_frames);

/* The same of one interpreter; @left: frames that come before it, less those of this one. */
static u64 frame_of(struct prt_script_walk *w, u64 space, u32 *left)
{
	enum prt_script_event event;
	unsigned end;
	u32 flags = 0;

	for (;;) {
		event = prt_script_event(&w->run, &end);
		if (event == PRT_SCRIPT_IS_FRAME) {
			if (!(*left)--)
				return prt_script_frame(&w->run);
		} else if (event == PRT_SCRIPT_IS_MEMO) {
			recall(w, space);
		} else if (event == PRT_SCRIPT_IS_REMEMBER) {
			prt_script_remember(&w->run, space);
		} else if (event != PRT_SCRIPT_IS_SAME && event != PRT_SCRIPT_IS_YIELD) {
			end_script(w, event == PRT_SCRIPT_IS_END ? end : PRT_SCRIPT_DAMAGED,
				   &flags);
			return 0;
		}
	}
}
NOKPROBE_SYMBOL(frame_of);

u64 prt_script_frame_at(struct prt_script_room *room, const struct prt_space *space, u32 n)
{
	const u64 number = prt_arch_space_id(current->mm);
	struct prt_script_walk *w = &room->walks[0];
	u64 frame = 0;
	u32 i;

	if (!prt_arch_user_mapped())
		return 0;
	for (i = 0; i < space->nscripts && !frame; i++) {
		begin_script(w, room, space, &space->scripts[i]);
		frame = frame_of(w, number, &n);
	}
	return frame;
}
NOKPROBE_SYMBOL(prt_script_frame_at);
