/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: the parts of struct prt_stat that are not inline in script.h. Any context; the caller
 * owns them. */
#ifndef PRT_AGGREGATE_H
#define PRT_AGGREGATE_H

#include "abi/script.h"

static inline u32 prt_stat_size(const struct prt_stat_type *t)
{
	return sizeof(struct prt_stat) + t->buckets * sizeof(u64);
}

/* Adds @from to @to. */
void prt_stat_merge(struct prt_stat *to, const struct prt_stat *from,
		    const struct prt_stat_type *t);
/* The head of a record's histogram: what @t and @st say, and that @n counts follow from number
 * @first.
 * @n is 0 if @st is NULL or empty. */
void prt_hist_shape(struct prt_hist_data *h, const struct prt_stat *st,
		    const struct prt_stat_type *t, u32 first, u32 n);
/* The number to sort by: @agg is one of the compiler's enum agg_op, count to variance; 0 for an
 * empty aggregate. */
s64 prt_stat_extract(const struct prt_stat *st, int agg);

#endif
