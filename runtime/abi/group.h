/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing a group into a ring, for scripts (fast.h) and for the runtime (ring.h, output.c).
 * records.h, "Rings" and "Groups and records", describes the format and the protocol.
 *
 * Most hits print one short record into a ring that is not half full. They write a brief group,
 * which needs nothing of the context but c->out (PRT_OPEN_BRIEFLY).
 *
 * Any context; one producer for each ring at a time.
 */
#ifndef PRT_GROUP_H
#define PRT_GROUP_H

/* The value of c->left while a brief group is open and no error is set. */
#define PRT_LEFT_BRIEF ((u64)PRT_OPEN_BRIEFLY << 40)

PRT_INLINE struct prt_group *prt_ring_at(const struct prt_ring *r)
{
	return (struct prt_group *)(r->data + (r->head & r->mask));
}

/* The number of bytes that the reader has not consumed. Not trustworthy: the reader can write any
 * value to `tail`. */
PRT_INLINE u64 prt_ring_used(const struct prt_ring *r)
{
	return r->head - __atomic_load_n(&r->hdr->tail, __ATOMIC_ACQUIRE);
}

/* Announces that a group is being written, and returns its time. @clock is an expression that reads
 * the session clock; it is evaluated after the announcement is visible to other processors:
 * PRT_ANNOUNCE() of the processor sees to that. It pairs with the reader's look at `open`, which
 * follows its reading of the clock. */
#define PRT_RING_OPEN(r, clock)                                                                \
	({                                                                                     \
		u64 time;                                                                      \
											       \
		PRT_ANNOUNCE((r)->hdr->open);                                                  \
		time = (clock);                                                                \
		__atomic_store_n(&(r)->hdr->open, time, __ATOMIC_RELAXED);                     \
		time;                                                                          \
	})

/* Ends the announcement of PRT_RING_OPEN. */
PRT_INLINE void prt_ring_close(struct prt_ring *r)
{
	__atomic_store_n(&r->hdr->open, 0, __ATOMIC_RELEASE);
}

/* Publishes the group @g of @len bytes, whose time is set. @probe is the number of its probe. */
PRT_INLINE void prt_group_publish(struct prt_ring *r, struct prt_group *g, u32 len, u32 probe)
{
	g->len = len;
	g->kind = PRT_GROUP_OUTPUT;
	g->probe = probe;
	r->head += len;
	__atomic_store_n(&r->hdr->head, r->head, __ATOMIC_RELEASE);
	prt_ring_close(r);
}

/* Writes the header of a record of @len bytes at @at; returns where its arguments begin. */
PRT_INLINE char *prt_record_begin(struct prt_ctx *c, char *at, u32 id, u32 len)
{
	struct prt_rec *rec = (struct prt_rec *)at;

	rec->id = id;
	rec->len = len;
	c->out = at + len;
	return (char *)(rec + 1);
}

/* Whether a record of @len bytes can be the only one of a brief group in @r, the ring of @c. A ring
 * that is more than half full may have to wake its reader, which a brief group does not do; a ring
 * with an invalid `tail` counts as such. */
PRT_INLINE bool prt_brief_fits(const struct prt_ctx *c, const struct prt_ring *r, u32 len)
{
	return !c->left && len <= PRT_BRIEF && prt_ring_used(r) <= r->half;
}

/* Begins the brief group @g at @time, which PRT_RING_OPEN has returned, and writes the header of
 * its record; returns where the arguments begin. */
PRT_INLINE char *prt_brief_begin(struct prt_ctx *c, struct prt_group *g, u32 id, u32 len, u64 time)
{
	g->time = time;
	c->out_open = PRT_OPEN_BRIEFLY;
	return prt_record_begin(c, (char *)(g + 1), id, len);
}

PRT_INLINE void prt_brief_publish(struct prt_ctx *c, u32 probe)
{
	struct prt_ring *r = c->ring;
	struct prt_group *g = prt_ring_at(r);

	prt_group_publish(r, g, c->out - (char *)g, probe);
	c->left = 0;
}

#endif
