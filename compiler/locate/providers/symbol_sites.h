/* SPDX-License-Identifier: GPL-2.0 */
/* Sites at functions that are known by name: what kernel.function and kprobe.function share. */
#ifndef LOCATE_SYMBOL_SITES_H
#define LOCATE_SYMBOL_SITES_H

#include "locate/providers/provider.h"

/* The same bits in both providers' forms. */
enum {
	SYMBOL_SITES_CALL = 1,
	SYMBOL_SITES_RETURN = 2,
};

/**
 * symbol_sites_locate - fill @ret for "X.function(NAME)" with what follows it
 * @prefix:     "kernel.function" or "kprobe.function"
 * @prototypes: sites get their prototype, and only what can be traced is probed
 * results and reports as of locate_probe_point()
 */
int symbol_sites_locate(const struct located_request *rq, const char *prefix, bool prototypes,
			struct located *ret);

#endif
