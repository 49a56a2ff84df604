/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stocks of memory that hits take pieces from: the histograms of an array, which are apart from its
 * elements, and the blocks of all scalars (abi/stat.h).
 *
 * A histogram has a kilobyte or more, and most elements of most arrays are never used. So the
 * memory of an element has only the address of its histogram, which is NULL until a key takes that
 * memory for the first time; from then on it is the same for all keys that follow. It comes from
 * the array's stock, which all copies of the array share. The stock begins with what the keys of 20
 * ms need at 100,000 new ones a second, and somewhat more for each copy. When less than that is
 * left, the work item of grow.h adds to it, and whoever merges copies does so as well. Nothing is
 * returned to a stock before the session is over.
 *
 * Elements of the totals get theirs when they are merged. What hits have stored is not to be lost
 * then because hits have used up the session's limit of memory. So the limit counts a chunk for
 * hits twice: as much is for the totals, who get it when they need it, and hits leave it to them.
 * The totals have more while the limit allows it. Beyond it, new elements of the totals are lost:
 * hits use the same elements again after each merge, so nothing else would end the growth.
 *
 * The blocks of exponential histograms of scalars are few, but all may be needed at once when their
 * first values come. A scalar takes pieces of PRT_EXP_PIECE blocks, and keeps them. Nothing is
 * owed to the totals, which are one copy of many: values for which there is no piece are counted by
 * power of two alone. In what follows, such a piece is a histogram.
 *
 * Chunks of histograms are made one after the other, by one at a time, and are in a ring. The
 * histograms of all of them are numbered: those below `taken` have been taken, those below `made`
 * are there. A hit on any processor takes number `taken` if it can raise it by one. It reads the
 * address first, and that is not overwritten before `taken` has gone beyond the chunk.
 */
#ifndef PRT_HISTS_H
#define PRT_HISTS_H

#include <linux/types.h>

struct prt_hists_chunk;

/* The properties in which stocks differ. */
struct prt_hists_kind {
	u32 chunk;             /* bytes of a chunk */
	u32 spare;             /* histograms that are to be left at any time, */
	u32 spare_copy;        /* more for each copy, */
	u32 beyond;            /* and more than that when some are made */
	bool totals;           /* the totals have as many as hits, if there are such copies */
};

extern const struct prt_hists_kind prt_hists_of_array, prt_hists_of_scalars;

struct prt_hists {
	const struct prt_hists_kind *kind;
	u32 size;              /* bytes of a histogram, in whole cache lines; 0: there are none */
	u32 each;              /* histograms of a chunk */
	u32 room;              /* chunks that the ring has room for */
	u32 spare;             /* that are to be left at any time, */
	u64 most;              /* unless this is made: all that the copies may have */
	u64 made, taken;
	u64 kept;              /* for the totals: hits leave so many */
	u64 owed;              /* to the totals: counted by the limit, and not made */
	struct prt_hists_chunk **ring;
	struct prt_hists_chunk *last; /* made; each has the one before it */
	bool merges;           /* there are totals */
	u8 starved;            /* enum prt_short: why no more are made for hits */
};

/* SETUP, for histograms of @bytes: prepares an empty stock for up to @copies copies. -ENOMEM. */
int prt_hists_begin(struct prt_hists *s, const struct prt_hists_kind *kind, u32 bytes, u32 copies);
void prt_hists_end(struct prt_hists *s);
/* The bytes of a stock for @copies copies of at most @each histograms, when the session begins. */
u64 prt_hists_memory(const struct prt_hists_kind *kind, u32 bytes, u32 copies, u32 each);
/* Adds what a copy of at most @each histograms needs at first. Process context, also while
 * processors come. -ENOMEM. */
int prt_hists_add_copy(struct prt_hists *s, u32 each);
/* Makes as many as are to be spare. Process context. */
void prt_hists_fill(struct prt_hists *s);
/* Take a histogram, which is zeroed; NULL: none is left. Any context; process context, for an
 * element of the totals. */
u64 *prt_hists_take(struct prt_hists *s);
u64 *prt_hists_take_to_merge(struct prt_hists *s);
/* Why none was left: enum prt_short; PRT_SHORT_NOT: one is. Any context. */
u8 prt_hists_short(const struct prt_hists *s);

#endif
