/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups. In a hot context c->out walks through the ring itself: between open and publish nobody
 * else writes there, and what was not published does not exist, so a group is dropped by forgetting
 * it. abi/group.h has the usual case, a brief group. In the session's thread, c->out walks through
 * the staging buffer, which holds records without group headers.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bytes.h"
#include "flight.h"
#include "grow.h"
#include "memory.h"
#include "output.h"

static char *stage;
static u32 stage_size;

/* Gives the buffer, which is empty, @size bytes if it has less. -ENOMEM: it is as it was. */
static int make_stage(u32 size)
{
	char *p;

	if (size <= stage_size)
		return 0;
	if (stage && !prt_grow_may(size - stage_size))
		return -ENOMEM;
	p = prt_alloc(1, size, NUMA_NO_NODE);
	if (!p)
		return -ENOMEM;
	kvfree(stage);
	stage = p;
	stage_size = size;
	return 0;
}

int prt_out_setup(void)
{
	return make_stage(PRT_STAGE_FIRST);
}

void prt_out_prepare(struct prt_ctx *c)
{
	if (stage_size == PRT_STAGE_SIZE)
		return;
	prt_out_flush(c);
	make_stage(PRT_STAGE_SIZE);
}

void prt_out_free(void)
{
	kvfree(stage);
	stage = NULL;
	stage_size = 0;
}

/* ---- the session's thread ---- */

/* Waits until the reader has made room for @len bytes. false: the reader is gone. */
static bool wait_for_room(struct prt_ring *r, u32 len)
{
	while (prt_ring_room(r) < len) {
		if (READ_ONCE(prt_session.closed))
			return false;
		prt_session_kick();
		wait_event_idle_timeout(prt_session.thread_wait, READ_ONCE(prt_session.closed),
					msecs_to_jiffies(PRT_STAGE_POLL_MS));
	}
	return true;
}

/* Writes one group of whole records, [from, from + len). */
static void hand_over(struct prt_cpu *cpu, const char *from, u32 len)
{
	struct prt_ring *r = cpu->ctx.ring;
	struct prt_group *g;
	u32 size = sizeof(*g) + len;

	while (prt_ring_room(r) < size && prt_ring_grow(r))
		;
	if (size > r->size || !wait_for_room(r, size)) {
		prt_ring_drop(r, size);
		return;
	}
	g = prt_ring_at(r);
	g->time = prt_ring_open(r);
	memcpy(g + 1, from, len);
	prt_group_publish(r, g, size, prt_probe_nr(&cpu->ctx));
	if (prt_ring_wants_reader(r))
		prt_session_kick();
}

void prt_out_flush(struct prt_ctx *c)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	const char *p = stage, *end = c->out;
	u32 most = cpu->ctx.ring->size / 4;

	if (!c->out)
		return;
	while (p < end) {
		u32 len = ((const struct prt_rec *)p)->len;

		while (p + len < end) {
			u32 more = ((const struct prt_rec *)(p + len))->len;

			if (len + more > most)
				break;
			len += more;
		}
		hand_over(cpu, p, len);
		p += len;
	}
	c->out = NULL;
}

static bool stage_room(struct prt_ctx *c, u32 len, u32 reserve)
{
	if (c->out && len > (u64)(stage + stage_size - reserve - c->out) && !c->locked)
		prt_out_flush(c);
	if (!c->out && len > stage_size - reserve && !c->locked)
		make_stage(PRT_STAGE_SIZE);
	if (!c->out)
		c->out = stage;
	c->out_end = stage + stage_size - reserve;
	return c->out <= c->out_end && len <= (u64)(c->out_end - c->out);
}

void prt_breathe(struct prt_ctx *c)
{
	if (!PRT_IS_PROCESS(c) || c->locked)
		return;
	/* The loader is gone, so the handler is made to end: its next step is one too many. */
	if (unlikely(READ_ONCE(prt_session.closed)))
		c->steps = 0;
	if (c->out && c->out - stage > PRT_STAGE_FIRST / 2)
		prt_out_flush(c);
	cond_resched();
}

/* ---- hot contexts ---- */

/* Sets the limit of the open group if the ring has @room bytes left. */
static __always_inline void bound_group(struct prt_cpu *cpu, u64 room)
{
	cpu->messages = false;
	cpu->out_limit = cpu->group + room;
	/* If earlier messages have used some of the reserve, nothing but a message fits. */
	cpu->ctx.out_end = cpu->ctx.out;
	if (likely(room > PRT_RING_RESERVE + (u64)(cpu->ctx.out - cpu->group)))
		cpu->ctx.out_end = cpu->out_limit - PRT_RING_RESERVE;
	cpu->ctx.out_open = PRT_OPEN_FULLY;
}

/* Computes the limits of a group that the script itself has opened. The ring's header is not
 * trusted. */
static void open_fully(struct prt_ctx *c)
{
	struct prt_cpu *cpu = prt_cpu_of(c);

	cpu->group = (char *)prt_ring_at(c->ring);
	cpu->time = ((struct prt_group *)cpu->group)->time;
	bound_group(cpu, max_t(u64, prt_ring_room(c->ring), c->out - cpu->group));
}
NOKPROBE_SYMBOL(open_fully);

static __always_inline bool open_group(struct prt_cpu *cpu, u32 reserve)
{
	struct prt_ring *r = cpu->ctx.ring;
	u64 room;

	if (r->flight)
		prt_flight_room(r, PRT_RING_RESERVE + PRT_BRIEF);
	room = prt_ring_room(r);
	if (unlikely(room < reserve + sizeof(struct prt_group)))
		return false;
	cpu->time = prt_ring_open(r);
	cpu->group = (char *)prt_ring_at(r);
	cpu->ctx.out = cpu->group + sizeof(struct prt_group);
	bound_group(cpu, room);
	return true;
}

/* More of the ring is unread than should be. */
static noinline void used(struct prt_ring *r)
{
	if (r->size < READ_ONCE(r->most) && !READ_ONCE(r->asked) && !xchg(&r->asked, 1))
		prt_grow_ask_rings();
	if (prt_ring_wants_reader(r))
		prt_session_kick();
}
NOKPROBE_SYMBOL(used);

static __always_inline void publish(struct prt_ctx *c)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_group *g = (struct prt_group *)cpu->group;
	struct prt_ring *r = cpu->ctx.ring;

	g->time = cpu->time;
	prt_group_publish(r, g, c->out - cpu->group, prt_probe_nr(c));
	if (prt_ring_is_used(r))
		used(r);
}

static noinline void left_fully(struct prt_ctx *c)
{
	u8 later;

	if (unlikely(c->err))
		prt_context_report(c);
	if (c->out_open == PRT_OPEN_BRIEFLY)
		open_fully(c);
	if (c->out_open)
		publish(c);
	later = c->later;
	c->left = 0;
	c->later = later;
}
NOKPROBE_SYMBOL(left_fully);

void prt_hit_publish(struct prt_ctx *c)
{
	if (likely(c->left == PRT_LEFT_BRIEF))
		prt_brief_publish(c, prt_probe_nr(c));
	else
		left_fully(c);
}
NOKPROBE_SYMBOL(prt_hit_publish);

void prt_hit_left(struct prt_ctx *c)
{
	prt_hit_publish(c);
	prt_context_finish(c);
}
NOKPROBE_SYMBOL(prt_hit_left);

/* Counts @len bytes that did not fit. */
static void count_dropped(struct prt_ctx *c, u32 len)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_ring *r = cpu->ctx.ring;

	if (r->flight)
		prt_flight_lose(r, c->out_open ? cpu->time : 0);
	prt_ring_drop(r, len);
}
NOKPROBE_SYMBOL(count_dropped);

/* Drops the group of this hit, which does not fit, except for messages in it. */
static void give_up(struct prt_ctx *c, u32 len)
{
	struct prt_cpu *cpu = prt_cpu_of(c);

	c->out_failed = 1;
	count_dropped(c, len + (c->out_open ? c->out - cpu->group : 0));
	if (!c->out_open || cpu->messages)
		return;
	c->out_open = PRT_OPEN_NOT;
	prt_ring_close(cpu->ctx.ring);
}
NOKPROBE_SYMBOL(give_up);

/* Gives up more of what was recorded, for a record of @len bytes in the open group. */
static bool make_room(struct prt_ctx *c, u32 len)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u64 written = c->out - cpu->group;
	bool messages = cpu->messages;

	if (!c->ring->flight)
		return false;
	prt_flight_room(c->ring, written + len + PRT_RING_RESERVE);
	bound_group(cpu, max_t(u64, prt_ring_room(c->ring), written));
	cpu->messages = messages;
	return (s64)len <= c->out_end - c->out;
}
NOKPROBE_SYMBOL(make_room);

static noinline char *begin_fully(struct prt_ctx *c, u32 id, u32 len)
{
	if (unlikely(c->out_failed))
		return NULL;
	if (PRT_IS_PROCESS(c)) {
		if (unlikely(!stage_room(c, len, PRT_RING_RESERVE)))
			goto fail;
	} else {
		if (c->out_open == PRT_OPEN_BRIEFLY)
			open_fully(c);
		if (!c->out_open && unlikely(!open_group(prt_cpu_of(c), PRT_RING_RESERVE)))
			goto fail;
		if (unlikely((s64)len > c->out_end - c->out) && !make_room(c, len))
			goto fail;
	}
	return prt_record_begin(c, c->out, id, len);
fail:
	give_up(c, len);
	return NULL;
}
NOKPROBE_SYMBOL(begin_fully);

char *prt_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g;

	if (unlikely(PRT_IS_PROCESS(c) || !prt_brief_fits(c, r, len)))
		return begin_fully(c, id, len);
	g = prt_ring_at(r);
	return prt_brief_begin(c, g, id, len, prt_ring_open(r));
}
NOKPROBE_SYMBOL(prt_out_begin);

static noinline char *put_long_text(char *p, const char *s, u32 len)
{
	memcpy(p + 4, s, len);
	return p + prt_str_room((struct prt_str){ s, len });
}
NOKPROBE_SYMBOL(put_long_text);

char *prt_put_text(char *p, const char *s, u32 len)
{
	u32 room = prt_str_room((struct prt_str){ s, len });

	*(u64 *)(p + room - 8) = 0;
	*(u32 *)p = len;
	if (likely(prt_copy_short(p + 4, s, len)))
		return p + room;
	return put_long_text(p, s, len);
}
NOKPROBE_SYMBOL(prt_put_text);

char *prt_put_str(char *p, struct prt_str s)
{
	return prt_put_text(p, s.s, s.len);
}
NOKPROBE_SYMBOL(prt_put_str);

void prt_out_message(struct prt_ctx *c, u32 id, const s64 *longs, u32 n, const struct prt_str *text)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u32 len = sizeof(struct prt_rec) + 8 * n + (text ? prt_str_room(*text) : 0);
	char *p;

	if (c->out_open == PRT_OPEN_BRIEFLY)
		open_fully(c);
	if (PRT_IS_PROCESS(c)) {
		if (!stage_room(c, len, 0))
			goto fail;
	} else if ((!c->out_open && !open_group(cpu, 0)) || len > cpu->out_limit - c->out) {
		goto fail;
	}
	cpu->messages = true;
	p = prt_record_begin(c, c->out, id, len);
	while (n--)
		p = prt_put_long(p, *longs++);
	if (text)
		prt_put_str(p, *text);
	return;
fail:
	count_dropped(c, len);
}
NOKPROBE_SYMBOL(prt_out_message);

void prt_warn(struct prt_ctx *c, struct prt_str text)
{
	prt_out_message(c, PRT_REC_WARN, NULL, 0, &text);
}
NOKPROBE_SYMBOL(prt_warn);

void prt_debug(struct prt_ctx *c, struct prt_str text)
{
	prt_out_message(c, PRT_REC_DEBUG, NULL, 0, &text);
}
NOKPROBE_SYMBOL(prt_debug);

/* Like other output, a command does not use the reserve. */
void prt_system(struct prt_ctx *c, struct prt_str command)
{
	char *p = prt_out_begin(c, PRT_REC_SYSTEM, sizeof(struct prt_rec) + prt_str_room(command));

	if (p)
		prt_put_str(p, command);
}
NOKPROBE_SYMBOL(prt_system);

/* It has no text, but its place is behind the output that precedes it. */
void prt_switch_file(struct prt_ctx *c)
{
	prt_out_begin(c, PRT_REC_NEXT_FILE, sizeof(struct prt_rec));
}
NOKPROBE_SYMBOL(prt_switch_file);

void prt_exit(struct prt_ctx *c)
{
	if (!atomic_xchg(&prt_session.exits, 1))
		prt_out_message(c, PRT_REC_EXIT, NULL, 0, NULL);
	prt_session_stop();
}
NOKPROBE_SYMBOL(prt_exit);
