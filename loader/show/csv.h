/* SPDX-License-Identifier: GPL-2.0 */
/* CSV text (RFC 4180, but lines end with a newline alone), written field by field. */
#ifndef LOADER_CSV_H
#define LOADER_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

/* Each appends one field; the first of a line follows a newline, or nothing. */

/** csv_string - quoted if necessary, and if it is empty: "" is an empty string, nothing is no
 * value. */
void csv_string(struct buf *t, const char *s, size_t len);
/** csv_signed / csv_unsigned - add a number in decimal. */
void csv_signed(struct buf *t, int64_t v);
void csv_unsigned(struct buf *t, uint64_t v);
/** csv_nothing - add a field without a value. */
void csv_nothing(struct buf *t);
/** csv_end - end the line. */
void csv_end(struct buf *t);

/* ---- histograms ---- */

struct arg;
struct percentiles;
struct buf;

/** csv_hist_names - add the names of the columns of the histogram that is called @of, @len bytes:
 * the bounds and the count of a bucket if @in_format, and one for each of @p (NULL: none). */
void csv_hist_names(struct buf *t, const char *of, size_t len, bool in_format,
		    const struct percentiles *p);
/** csv_hist_fields - add the fields of row @row: of bucket @row of those that count something, and
 * the percentiles, the same in each row. What there is not is empty. */
void csv_hist_fields(struct buf *t, const struct arg *a, unsigned row, bool in_format,
		     const struct percentiles *p);

#endif
