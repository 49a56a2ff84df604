/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms as CSV. */
#ifndef LOADER_CSV_HIST_H
#define LOADER_CSV_HIST_H

#include <stdbool.h>
#include <stddef.h>

struct arg;
struct percentiles;
struct text;

/** csv_hist_names - add the names of the columns of the histogram that is called @of, @len bytes:
 * the bounds and the count of a bucket if @in_format, and one for each of @p (NULL: none). */
void csv_hist_names(struct text *t, const char *of, size_t len, bool in_format,
		    const struct percentiles *p);
/** csv_hist_fields - add the fields of row @row: of bucket @row of those that count something, and
 * the percentiles, the same in each row. What there is not is empty. */
void csv_hist_fields(struct text *t, const struct arg *a, unsigned row, bool in_format,
		     const struct percentiles *p);

#endif
