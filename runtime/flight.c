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

enum { FREE, CLAIMED, ASKED, STATES = 4 };

static struct {
	u32 state;          /* one of these, and STATES times the number of earlier requests */
	u64 not_before;     /* of the clock: what is asked for earlier is suppressed */
	bool read;          /* the probes of the last snapshot are to run */
	atomic_t suppressed;
	struct prt_snapshot asked;
} flight;

bool prt_flight_on(void)
{
	return prt_session.setup.flags & PRT_SETUP_FLIGHT;
}

static u32 state_of(u32 state)
{
	return state % STATES;
}

bool prt_flight_asked(void)
{
	return state_of(smp_load_acquire(&flight.state)) == ASKED;
}

/* The first step of a request. false: there is one already. */
static bool begin_request(void)
{
	u32 free = READ_ONCE(flight.state);

	return state_of(free) == FREE && cmpxchg(&flight.state, free, free + CLAIMED) == free;
}

/* Ends the request. The next one has another number, so that no ring takes it for this one. */
static void end_request(void)
{
	u32 now = READ_ONCE(flight.state);

	smp_store_release(&flight.state, now - state_of(now) + STATES);
}

/* ---- rings ---- */

int prt_flight_make(struct prt_ring *r, int node)
{
	r->flight = prt_alloc(1, sizeof(*r->flight), node);
	if (!r->flight)
		return -ENOMEM;
	r->flight->guarded = U32_MAX;
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

/* Whether a snapshot is read. For each, the half of the ring that was the newer one when its
 * producer first came here is kept. A claim that is not complete counts: its time may have been
 * read already. */
static bool keep_half(struct prt_ring *r, struct prt_flight *f)
{
	u32 state = READ_ONCE(flight.state);

	if (state_of(state) == FREE)
		return false;
	if (f->guarded == state / STATES)
		return true;
	f->guarded = state / STATES;
	f->guard = max(r->head, (u64)r->size / 2) - r->size / 2;
	WRITE_ONCE(r->hdr->kept_dropped, r->dropped);
	WRITE_ONCE(r->hdr->kept_dropped_at, r->hdr->dropped_at);
	WRITE_ONCE(r->hdr->kept_lost, 0);
	WRITE_ONCE(r->hdr->kept_lost_n, 0);
	/* The reader believes these if it sees kept_since, which it does before it sees that
	 * anything was dropped later: the caller's barrier follows. */
	smp_wmb();
	WRITE_ONCE(r->hdr->kept_since, prt_clock_now());
	return true;
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
	u64 section = r->size / PRT_FLIGHT_SECTIONS, most;

	most = keep_half(r, f) ? f->guard : r->head;
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

void prt_flight_lose(struct prt_ring *r, u64 time)
{
	struct prt_flight *f = r->flight;

	if (keep_half(r, f) && time && time <= r->hdr->kept_since) {
		WRITE_ONCE(r->hdr->kept_lost, time);
		WRITE_ONCE(r->hdr->kept_lost_n, r->hdr->kept_lost_n + 1);
	}
	smp_wmb();
}
NOKPROBE_SYMBOL(prt_flight_lose);

/* ---- snapshots ---- */

/* Claims the snapshot; false: another one is being read, or the last one was too short ago. */
static bool claim(void)
{
	u64 now = prt_clock_now(); /* before any ring keeps something for it */

	if (!begin_request())
		return false;
	flight.asked.time = now;
	if (now >= flight.not_before)
		return true;
	end_request();
	return false;
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
	smp_store_release(&flight.state, flight.state - CLAIMED + ASKED);
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
		if (!s->now || !begin_request())
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
	end_request();
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
