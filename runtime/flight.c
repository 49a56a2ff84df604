/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "clock.h"
#include "context.h"
#include "flight.h"
#include "memory.h"
#include "session.h"

enum { FREE, CLAIMED, ASKED };

static struct {
	u32 state;
	u64 not_before;     /* of the clock: what is asked for earlier is suppressed */
	bool read;          /* the probes of the last snapshot are to run */
	atomic_t suppressed;
	struct prt_snapshot asked;
} flight;

bool prt_flight_on(void)
{
	return prt_session.setup.flags & PRT_SETUP_FLIGHT;
}

bool prt_flight_asked(void)
{
	return smp_load_acquire(&flight.state) == ASKED;
}

/* ---- rings ---- */

int prt_flight_make(struct prt_ring *r, int node)
{
	r->flight = prt_alloc(1, sizeof(*r->flight), node);
	if (!r->flight)
		return -ENOMEM;
	r->half = r->size / PRT_FLIGHT_SECTIONS;
	return 0;
}

static void mark(struct prt_ring *r, struct prt_flight *f)
{
	if (r->head - f->last < r->size / PRT_FLIGHT_SECTIONS || f->n == PRT_FLIGHT_MARKS)
		return;
	f->last = r->head;
	f->marks[(f->first + f->n++) % PRT_FLIGHT_MARKS] = r->head;
}

/* The place up to which groups may be given up. While a snapshot is read, the half of the ring that
 * was the newer one when its producer first came here is kept. A claim that is not complete counts:
 * its time may have been read already. */
static u64 bound(struct prt_ring *r, struct prt_flight *f)
{
	bool asked = READ_ONCE(flight.state) != FREE;

	if (asked && !f->guarded) {
		f->guard = max(r->head, (u64)r->size / 2) - r->size / 2;
		WRITE_ONCE(r->hdr->kept_dropped, r->dropped);
		WRITE_ONCE(r->hdr->kept_dropped_at, r->hdr->dropped_at);
		/* The reader believes these if it sees kept_since, which it does before it sees
		 * that anything was dropped later: prt_flight_room() ends with a barrier. */
		smp_wmb();
		WRITE_ONCE(r->hdr->kept_since, prt_clock_now());
	}
	f->guarded = asked;
	return asked ? f->guard : r->head;
}

/* Moves the tail to the oldest mark; without one, to the head. false: that is beyond @most. */
static bool give_up_section(struct prt_ring *r, struct prt_flight *f, u64 most)
{
	u64 to = f->n ? f->marks[f->first] : r->head;

	if (to > most)
		return false;
	WRITE_ONCE(f->tail, to);
	if (!f->n)
		return true;
	f->first = (f->first + 1) % PRT_FLIGHT_MARKS;
	f->n--;
	return true;
}

void prt_flight_room(struct prt_ring *r, u64 need)
{
	struct prt_flight *f = r->flight;
	u64 section = r->size / PRT_FLIGHT_SECTIONS, most = bound(r, f);

	mark(r, f);
	while (f->tail != r->head && r->head - f->tail + need + 2 * section > r->size)
		if (!give_up_section(r, f, most))
			break;
	r->half = min(r->head - f->tail + section, r->size - min(need + section, (u64)r->size));
	WRITE_ONCE(r->hdr->tail, f->tail);
	/* The section is overwritten later: flight.h. */
	smp_wmb();
}
NOKPROBE_SYMBOL(prt_flight_room);

/* ---- snapshots ---- */

/* Claims the snapshot; false: another one is being read, or the last one was too short ago. */
static bool claim(void)
{
	u64 now = prt_clock_now(); /* before any ring keeps something for it */
	bool ret = cmpxchg(&flight.state, FREE, CLAIMED) == FREE;

	if (!ret)
		return false;
	flight.asked.time = now;
	ret = flight.asked.time >= flight.not_before;
	if (!ret)
		smp_store_release(&flight.state, FREE);
	return ret;
}

/* Lets the reader have the snapshot that was claimed, and know what is overwritten until then. */
static void ask_reader(void)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	prt_for_each_cpu(nr, cpu) {
		struct prt_ring *r = cpu->ctx.ring;

		if (r->flight)
			WRITE_ONCE(r->hdr->asked, READ_ONCE(r->flight->tail));
	}
	smp_store_release(&flight.state, ASKED);
}
NOKPROBE_SYMBOL(ask_reader);

void prt_snapshot(struct prt_ctx *c, struct prt_str reason)
{
	struct prt_snapshot *s = &flight.asked;
	u32 len = min_t(u32, reason.len, sizeof(s->reason) - 1);

	if (!prt_flight_on()) {
		if (!xchg(&flight.state, CLAIMED))
			prt_warn(c, PRT_LIT("snapshot() needs a session that records (--flight)"));
		return;
	}
	if (!claim()) {
		atomic_inc(&flight.suppressed);
		return;
	}
	s->probe = prt_probe_nr(c);
	memcpy(s->reason, reason.s, len);
	s->reason[len] = '\0';
	ask_reader();
	prt_session_kick();
}
NOKPROBE_SYMBOL(prt_snapshot);

int prt_flight_get(struct prt_snapshot *s)
{
	u64 now = prt_clock_now();

	if (!prt_flight_asked()) {
		if (!s->now || cmpxchg(&flight.state, FREE, CLAIMED) != FREE)
			return -EAGAIN;
		flight.asked.time = now;
		flight.asked.probe = U32_MAX;
		flight.asked.reason[0] = '\0';
		ask_reader();
	}
	*s = flight.asked;
	s->suppressed = atomic_xchg(&flight.suppressed, 0);
	return 0;
}

int prt_flight_record(const struct prt_snapshot_end *set)
{
	if (!prt_flight_asked())
		return -EINVAL;
	flight.not_before = set->not_before;
	smp_store_release(&flight.state, FREE);
	WRITE_ONCE(flight.read, true);
	prt_session_kick();
	return 0;
}

bool prt_flight_read(void)
{
	return READ_ONCE(flight.read);
}

bool prt_flight_take_read(void)
{
	return prt_flight_read() && xchg(&flight.read, false);
}
