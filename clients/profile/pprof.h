/* SPDX-License-Identifier: GPL-2.0 */
/* A profile in the format of pprof: the message Profile of its profile.proto, compressed by
 * gzip. */
#ifndef PROFILE_PPROF_H
#define PROFILE_PPROF_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"

/** pprof_write - write the stacks of @set to @to. Other keys become labels key1, key2 ... @unit:
 *  the unit of the numbers; NULL: they are counts. Returns false if writing fails. */
bool pprof_write(struct arena *a, FILE *to, const struct profile *p, const struct profile_set *set,
		 const char *unit);

#endif
