/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms as JSON. */
#ifndef LOADER_JSON_HIST_H
#define LOADER_JSON_HIST_H

struct arg;
struct percentiles;
struct text;

/** json_hist - add the H argument @a as an object: its buckets that count something, min and max
 * unless it is empty, and each of @percentiles (NULL: none) with the bounds of the exact value. */
void json_hist(struct text *t, const char *key, const struct arg *a,
	       const struct percentiles *percentiles);

#endif
