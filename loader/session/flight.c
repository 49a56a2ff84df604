/* SPDX-License-Identifier: GPL-2.0 */
#include "session/flight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/say.h"
#include "device/device.h"
#include "shared/clock.h"
#include "shared/memory.h"

#define PATIENCE_NS 1000000000LL

int flight_init(struct flight *f, struct device *d, unsigned seconds)
{
	void *past = mmap(NULL, sizeof(*f->past), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (past == MAP_FAILED) {
		say_error("E_NO_MEMORY", NULL, "no memory for the flight recorder");
		return -1;
	}
	*f = (struct flight){ .d = d, .past = past, .every = seconds * 1000000000ULL };
	return 0;
}

void flight_want(struct flight *f, const char *reason)
{
	f->wanted = reason;
}

/* Whether a hit may be running that began before @time. */
static bool runs(const struct flight *f, uint64_t time)
{
	const struct rings *all = &f->d->rings;

	for (uint32_t i = 0; i < all->n; i++)
		if (all->ring[i].is_recorded && ring_open(&all->ring[i]) < time)
			return true;
	return false;
}

/* Has room for a copy of each ring; a processor that comes online has another one. */
static void make_room(struct flight *f)
{
	struct rings *copy = &f->copy;

	if (!copy->ring) {
		copy->ring = memory_zeroed(f->d->hello.nrings, sizeof(*copy->ring));
		f->room = memory_zeroed(f->d->hello.nrings, sizeof(*f->room));
	}
	for (; copy->n < f->d->rings.n; copy->n++)
		if (f->d->rings.ring[copy->n].is_recorded)
			f->room[copy->n] = memory_zeroed(f->d->rings.ring[copy->n].size, 1);
}

/* Copies what the ring keeps; what is overwritten meanwhile is left out. Returns the bytes that
 * were overwritten since the snapshot was asked for. */
static uint64_t copy_ring(const struct ring *from, struct ring *to, char *room)
{
	uint64_t tail = __atomic_load_n(&from->head->tail, __ATOMIC_ACQUIRE), now;
	uint64_t head = __atomic_load_n(&from->head->head, __ATOMIC_ACQUIRE);
	uint64_t len = head - tail;

	*to = (struct ring){ .data = room, .size = from->size, .cpu = from->cpu,
			     .open = RING_NOT_OPEN, .is_overwritten = tail != 0 };
	if (len > from->size)
		return 0;
	memcpy(room, from->data + (tail & (from->size - 1)), len);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	now = __atomic_load_n(&from->head->tail, __ATOMIC_RELAXED);
	if (now - tail > len)
		return 0;
	to->is_overwritten |= now != tail;
	to->tail = now - tail;
	to->end = len;
	return now - from->head->asked;
}

/* Cuts the copy before the first group of @time or later, and takes its figures. Returns whether
 * all groups before @time were overwritten. */
static bool look_through(struct flight *f, struct ring *r, uint64_t time, unsigned *damaged)
{
	uint64_t first = 0, at = r->tail;

	while (r->end - at >= sizeof(struct prt_group)) {
		const struct prt_group *g = (const void *)(r->data + at);

		if (g->len < sizeof(*g) || g->len > r->end - at || g->len % 8) {
			++*damaged;
			break;
		}
		if (g->time >= time)
			break;
		first = first ? first : g->time;
		f->groups++;
		f->first = !f->first || g->time < f->first ? g->time : f->first;
		f->last = g->time > f->last ? g->time : f->last;
		at += g->len;
	}
	r->end = at;
	if (r->is_overwritten && first > f->whole)
		f->whole = first;
	if (r->lost_at > f->whole)
		f->whole = r->lost_at < time ? r->lost_at : time;
	return r->is_overwritten && !first;
}

static void copy_all(struct flight *f)
{
	f->overwritten = 0;
	for (uint32_t i = 0; i < f->copy.n; i++) {
		struct ring *to = &f->copy.ring[i];

		if (f->room[i])
			f->overwritten += copy_ring(&f->d->rings.ring[i], to, f->room[i]);
		else
			*to = (struct ring){ .open = RING_NOT_OPEN };
	}
	f->copy.run_until = 0;
}

/* Counts the hits that have lost their output before the snapshot of @time, and says when the last
 * one of each ring did. */
static void count_lost(struct flight *f, uint64_t time)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < f->copy.n; i++) {
		const struct prt_ring_head *h = f->d->rings.ring[i].head;
		uint64_t n, at;

		if (!f->room[i])
			continue;
		n = __atomic_load_n(&h->dropped, __ATOMIC_ACQUIRE);
		at = __atomic_load_n(&h->dropped_at, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&h->kept_since, __ATOMIC_ACQUIRE) >= time) {
			n = h->kept_dropped;
			at = h->kept_dropped_at;
			if (h->kept_lost && h->kept_lost < time) {
				n += h->kept_lost_n;
				at = h->kept_lost;
			}
		}
		f->copy.ring[i].lost_at = at;
		all += n;
	}
	f->lost = all - f->past->lost;
	f->past->lost = all;
}

static void look_through_all(struct flight *f, unsigned *damaged)
{
	bool gone = false;

	f->groups = f->first = f->last = f->whole = 0;
	for (uint32_t i = 0; i < f->copy.n; i++)
		gone |= look_through(f, &f->copy.ring[i], f->asked.time, damaged);
	/* Nothing is complete. */
	if (gone)
		f->whole = f->asked.time == UINT64_MAX ? f->last + 1 : f->asked.time;
}

/* Converts nanoseconds to ticks of the session's clock. */
static uint64_t ticks(const struct prt_status *st, uint64_t ns)
{
	return st->clock_khz ? (uint64_t)((unsigned __int128)ns * st->clock_khz / 1000000) : ns;
}

bool flight_turn(struct flight *f, const struct prt_status *st, unsigned *damaged)
{
	struct prt_snapshot s = { .now = f->wanted != NULL };
	struct prt_snapshot_end set;

	make_room(f);
	if (device_snapshot(f->d, &s))
		return false;
	if (!f->waits) {
		f->waits = clock_ns();
		if (f->triggered && s.probe != UINT32_MAX)
			f->triggered();
	}
	f->suppressed += s.suppressed;
	f->missed = st->state != PRT_STATE_DONE && runs(f, s.time);
	if (f->missed && clock_ns() - f->waits < PATIENCE_NS)
		return false;
	f->waits = 0;
	f->past->number++;
	f->asked = s;
	f->asked.suppressed = f->suppressed;
	f->suppressed = 0;
	if (s.probe == UINT32_MAX) {
		snprintf(f->asked.reason, sizeof(f->asked.reason), "%s", f->wanted);
		f->wanted = NULL;
	}
	copy_all(f);
	set.not_before = st->now + ticks(st, f->every);
	count_lost(f, s.time);
	device_record(f->d, &set);
	look_through_all(f, damaged);
	return true;
}

void flight_last(struct flight *f, const char *reason, unsigned *damaged)
{
	struct prt_snapshot s = { .now = 1 };

	make_room(f);
	if (device_snapshot(f->d, &s) == 0)
		f->suppressed += s.suppressed;
	f->past->number++;
	f->missed = false;
	f->asked = (struct prt_snapshot){ .time = UINT64_MAX, .probe = UINT32_MAX,
					  .suppressed = f->suppressed };
	snprintf(f->asked.reason, sizeof(f->asked.reason), "%s", reason);
	copy_all(f);
	count_lost(f, UINT64_MAX);
	f->overwritten = 0;
	look_through_all(f, damaged);
}

int flight_adopt(struct flight *f, const struct rings *copy, const char *reason, unsigned *damaged)
{
	int err = flight_init(f, NULL, 0);

	f->copy = *copy;
	f->room = memory_zeroed(copy->n, sizeof(*f->room));
	f->asked = (struct prt_snapshot){ .time = UINT64_MAX, .probe = UINT32_MAX };
	snprintf(f->asked.reason, sizeof(f->asked.reason), "%s", reason);
	for (uint32_t i = 0; i < copy->n; i++) {
		f->room[i] = (char *)copy->ring[i].data;
		f->missed |= copy->ring[i].open != RING_NOT_OPEN;
		f->copy.ring[i].open = RING_NOT_OPEN;
	}
	if (err)
		return err;
	f->past->number = 1;
	look_through_all(f, damaged);
	return 0;
}

void flight_deinit(struct flight *f)
{
	for (uint32_t i = 0; i < f->copy.n; i++)
		free(f->room[i]);
	free(f->room);
	free(f->copy.ring);
	if (f->past)
		munmap(f->past, sizeof(*f->past));
	*f = (struct flight){ 0 };
}
