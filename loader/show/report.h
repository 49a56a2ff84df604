/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about the events of a session: run-time errors with their source locations, and the
 * result of arming. */
#ifndef LOADER_REPORT_H
#define LOADER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct device;
struct meta;
struct position;

/* Most calls that the message of an error shows. */
enum { REPORT_CALLED_MAX = 3 };

/** report_error - report a PRT_REC_ERROR record with its arguments; @probe: whose handler; @called:
 * the source locations of @ncalled calls that it has left, innermost first. A damaged record is
 * reported as such. Returns true for an error of the script. */
bool report_error(const struct meta *m, uint32_t probe, const void *args, size_t len,
		  const uint64_t *called, unsigned ncalled);
/** report_warning - report a PRT_REC_WARN record with its arguments, or a PRT_REC_DEBUG record,
 *  whose text has no word before it. */
void report_warning(const void *args, size_t len, bool debug);
/** report_srcloc - return where a probe is in the script; NULL: unknown. */
const struct position *report_srcloc(const struct meta *m, uint32_t probe);

/** report_arming - after arming: report an error for each named site that failed, one warning with
 * a count for matches of wildcards, and an error if no site at all is armed. Returns 0, or -1 if
 * the session cannot continue. */
int report_arming(struct device *d, const struct meta *m, const struct prt_status *st);

#endif
