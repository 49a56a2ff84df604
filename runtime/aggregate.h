/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: the functions on struct prt_stat that are not declared in abi/stat.h. Any context;
 * the caller owns the aggregates. */
#ifndef PRT_AGGREGATE_H
#define PRT_AGGREGATE_H

#include "abi/script.h"

static inline u32 prt_stat_size(const struct prt_stat_type *t)
{
	return sizeof(struct prt_stat) + t->buckets * sizeof(u64);
}

/* Merges @from, an aggregate of the same type, into @to. */
void prt_stat_merge(struct prt_stat *to, const struct prt_stat *from,
		    const struct prt_stat_type *t);
/* Fills in the head of a histogram in a record, after which @n counts follow from bucket @first on.
 * @n is 0 if @st is NULL or empty. */
void prt_hist_shape(struct prt_hist_data *h, const struct prt_stat *st,
		    const struct prt_stat_type *t, u32 first, u32 n);
/* The number to sort by: @agg is one of the compiler's enum agg_op, from count to variance. 0 if
 * @st is empty. */
s64 prt_stat_extract(const struct prt_stat *st, int agg);

#endif
