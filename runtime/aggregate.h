/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: the functions on struct prt_stat that are not declared in abi/stat.h. Any context;
 * the caller owns the aggregates. */
#ifndef PRT_AGGREGATE_H
#define PRT_AGGREGATE_H

#include "abi/script.h"
#include "hists.h"
#include "limits.h"

/* A scalar takes so much from its stock at once: whole cache lines. */
#define PRT_EXP_PIECE_BYTES (PRT_EXP_PIECE * sizeof(struct prt_exp_block))
/* The pieces of a scalar that has a block for each doubling. */
#define PRT_EXP_PIECES (PRT_HIST_LOG_BUCKETS / PRT_EXP_PIECE)

/* The bytes of a histogram; 0: the type has none. */
static inline u32 prt_stat_hist_size(const struct prt_stat_type *t)
{
	return t->buckets * sizeof(u64) + (t->ops & PRT_STAT_HIST_EXP ? sizeof(struct prt_exp) : 0);
}

/* The bytes of an aggregate with its histogram. A scalar's pool follows. */
static inline u32 prt_stat_size(const struct prt_stat_type *t)
{
	return sizeof(struct prt_stat) + prt_stat_hist_size(t);
}

/* The bytes of a pool of @blocks; 0 if the type needs none. */
static inline u64 prt_stat_pool_size(const struct prt_stat_type *t, u32 blocks)
{
	if (!(t->ops & PRT_STAT_HIST_EXP))
		return 0;
	return sizeof(struct prt_exp_pool) + (u64)blocks * sizeof(struct prt_exp_block);
}

/* Gives an empty aggregate its pool; NULL: none, so that it counts doublings alone. */
static inline void prt_stat_set_pool(struct prt_stat *st, const struct prt_exp_pool *pool)
{
	prt_stat_exp(st)->pool = pool ? (const char *)pool - (const char *)st : 0;
}

/* Empties an element's aggregate, which keeps its histogram, if it has one, but not its blocks. */
void prt_stat_empty(struct prt_stat *st, const struct prt_stat_type *t);
/* Prepares a scalar, which is empty then. It takes blocks from @stock, in pieces of
 * PRT_EXP_PIECE_BYTES. */
void prt_stat_init(struct prt_stat *st, const struct prt_stat_type *t, struct prt_hists *stock);
/* Returns the blocks of an element to its pool. */
void prt_stat_put_blocks(struct prt_stat *st);
/* The values of a scalar that are in no cell because there was no block, while others may change
 * it. */
u64 prt_stat_coarse(const struct prt_stat *st, const struct prt_stat_type *t);
/* Merges @from, an aggregate of the same type, into @to, of which nothing but the pool is set if it
 * is empty. */
void prt_stat_merge(struct prt_stat *to, const struct prt_stat *from,
		    const struct prt_stat_type *t);
/* Fills in the head of a histogram in a record: @h->n counts follow, from bucket @h->first on. A
 * logarithmic or exponential one has no empty ends. 0 counts if @st is NULL or empty. */
void prt_hist_shape(struct prt_hist_data *h, const struct prt_stat *st,
		    const struct prt_stat_type *t, u32 rows);
/* The count of bucket @i of an exponential histogram, 0 to PRT_EXP_BUCKETS - 1. */
static inline u64 prt_stat_slot(const struct prt_stat *st, u32 i)
{
	u32 doubling = i / PRT_EXP_SLOTS, slot = i % PRT_EXP_SLOTS;
	u64 word = st->hist[doubling];

	if (!(word & 1))
		return slot == 0 ? word / 2 : 0;
	if (slot == 0)
		return prt_exp_block_at(st, word)->coarse;
	return prt_exp_block_at(st, word)->cell[doubling < 64 ? PRT_EXP_CELLS - slot : slot - 1];
}
/* The number to sort by: @agg is one of the compiler's enum agg_op, from count to variance. 0 if
 * @st is empty. */
s64 prt_stat_extract(const struct prt_stat *st, int agg);

#endif
