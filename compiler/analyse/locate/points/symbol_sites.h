/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of probe points at functions by name that other providers use, too. */
#ifndef LOCATE_POINTS_SYMBOL_SITES_H
#define LOCATE_POINTS_SYMBOL_SITES_H

#include "analyse/locate/points/provider.h"

/* The suffixes of "X.function(NAME)", with the same numbers in the forms of all providers. */
enum symbol_sites_suffix {
	SYMBOL_SITES_CALL = 1,
	SYMBOL_SITES_RETURN,
	SYMBOL_SITES_MAXACTIVE, /* .return.maxactive(N) */
};

/** symbol_sites_maxactive - read N of .maxactive(N) at the end of the point. Returns 0, or -EINVAL
 *  after a report. */
int symbol_sites_maxactive(const struct located_request *rq, struct located *ret);

#endif
