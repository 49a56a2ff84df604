/* SPDX-License-Identifier: GPL-2.0 */
/* What became of a session, in words: run-time errors at their places, arming, losses. */
#ifndef LOADER_REPORT_H
#define LOADER_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct device;
struct meta;

/** report_error - a PRT_REC_ERROR record's arguments; @probe: whose handler. Damaged ones are said
 * to be so. */
void report_error(const struct meta *m, uint32_t probe, const void *args, size_t len);
/** report_message - a PRT_REC_WARN (@prefix "WARNING: ") or PRT_REC_LOG ("") record's arguments. */
void report_message(const char *prefix, const void *args, size_t len);

/** report_arming - after arming: an error for each named site that failed, one warning and a count
 * for the members of wildcards, an error when no site at all is armed. 0, or -1: the session can't
 * go on. */
int report_arming(struct device *d, const struct meta *m, const struct prt_status *st);

/** report_losses - at the end: output that was lost, hits that were skipped or missed, by probe.
 * With -v also how often each probe was hit. */
void report_losses(struct device *d, const struct meta *m, const struct prt_status *st);

#endif
