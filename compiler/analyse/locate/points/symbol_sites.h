/* SPDX-License-Identifier: GPL-2.0 */
/* Sites at functions that are known by name, for all families of .function. */
#ifndef LOCATE_POINTS_SYMBOL_SITES_H
#define LOCATE_POINTS_SYMBOL_SITES_H

#include "analyse/locate/points/provider.h"

/* The suffixes of "X.function(NAME)", with the same numbers in the forms of all providers. */
enum symbol_sites_suffix {
	SYMBOL_SITES_CALL = 1,
	SYMBOL_SITES_RETURN,
	SYMBOL_SITES_MAXACTIVE, /* .return.maxactive(N) */
};

/* Sites of kprobe families have no prototype; their functions may be unknown to ftrace. */
enum symbol_sites_family {
	SYMBOL_SITES_KERNEL,        /* kernel.function */
	SYMBOL_SITES_MODULE,        /* module(NAME).function */
	SYMBOL_SITES_KPROBE,        /* kprobe.function */
	SYMBOL_SITES_KPROBE_MODULE, /* kprobe.module(NAME).function */
};

/** symbol_sites_locate - fill @ret; results and reports as of locate_probe_point() */
int symbol_sites_locate(const struct located_request *rq, enum symbol_sites_family family,
			struct located *ret);
/** symbol_sites_maxactive - read N of .maxactive(N) at the end of the point. Returns 0, or -EINVAL
 *  after a report. */
int symbol_sites_maxactive(const struct located_request *rq, struct located *ret);

#endif
