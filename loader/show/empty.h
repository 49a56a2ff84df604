/* SPDX-License-Identifier: GPL-2.0 */
/* Why a session ended without having shown anything. */
#ifndef LOADER_EMPTY_H
#define LOADER_EMPTY_H

#include <stdbool.h>
#include <stdint.h>

struct meta;
struct meta_print;
struct tally;

/** empty_is_row - whether a record of @p shows something of a hit, and is no heading. @hot: its
 *  probe interrupts other code; others also print the time and the like. */
bool empty_is_row(const struct meta_print *p, bool hot);
/** empty_is_hot - whether the hits of the probe with that kind are events. */
bool empty_is_hot(const char *kind);
/** empty_report - at the end: if nothing of a hit was shown, warn that there were no hits, or that
 *  a tool has chosen none. @rows: the number of records that empty_is_row() counts. */
void empty_report(const struct tally *t, const struct meta *m, uint64_t rows);

#endif
