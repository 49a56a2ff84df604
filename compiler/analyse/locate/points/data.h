/* SPDX-License-Identifier: GPL-2.0 */
/* Watchpoints: the parts of kernel.data and process.data that are the same. */
#ifndef POINTS_DATA_H
#define POINTS_DATA_H

#include "analyse/locate/points/provider.h"

#define DATA_NOT_ALIGNED "the address of a watchpoint must be a multiple of its length"

/** data_refuse - report E_PROBE_POINT at the argument of @part. Returns -EINVAL. */
int data_refuse(const struct located_request *rq, const struct pp_component *part,
		const char *what);
/** data_check - check the processor, and that a variable is no pattern. Returns 0, -ENOTSUP or
 *  -EINVAL, with a report. */
int data_check(const struct located_request *rq);
/**
 * data_length - the length of the watchpoint in bytes: that of .length(N), else that of the
 * variable, else 1
 * @size: of the variable, in bytes; 0: not known
 *
 * returns 0 or -EINVAL, with a report
 */
int data_length(const struct located_request *rq, uint64_t size, uint32_t *ret);
/** data_event - the event of a watchpoint, for writes or all accesses as the point says. */
struct event *data_event(const struct located_request *rq, uint32_t length);

#endif
