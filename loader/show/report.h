/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about the events of a session: run-time errors with their source locations, the result
 * of arming. */
#ifndef LOADER_REPORT_H
#define LOADER_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct device;
struct meta;
struct position;

/** report_error - a PRT_REC_ERROR record's arguments; @probe: whose handler. Damaged ones are said
 * to be so. True: it was an error of the script's. */
int report_error(const struct meta *m, uint32_t probe, const void *args, size_t len);
/** report_warning - a PRT_REC_WARN record's arguments. */
void report_warning(const void *args, size_t len);
/** report_place - where a probe stands in the script; NULL: not told. */
const struct position *report_place(const struct meta *m, uint32_t probe);

/** report_arming - after arming: an error for each named site that failed, one warning and a count
 * for the members of wildcards, an error when no site at all is armed. 0, or -1: the session can't
 * go on. */
int report_arming(struct device *d, const struct meta *m, const struct prt_status *st);

#endif
