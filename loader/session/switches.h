/* SPDX-License-Identifier: GPL-2.0 */
/* The switches of a background session's probes, which clients with --monitor set. */
#ifndef LOADER_SWITCHES_H
#define LOADER_SWITCHES_H

#include <stdbool.h>

#include "shared/buf.h"

struct background;
struct device;
struct meta;

struct switches {
	struct device *d;
	struct background *b;
	struct buf state; /* as in BACKLOG_OFFER: background/rendezvous.h */
};

/** switches_init - tell clients of @b which probes of @m have switches, and follow their orders in
 * background_serve(). @has_values: the session has snapshots for them. The caller owns @m, @d, @b
 * and @s, which stays where it is. */
void switches_init(struct switches *s, const struct meta *m, struct device *d,
		   struct background *b, bool has_values);
/** switches_deinit - follow no more orders, and free; accepts one that is all zero. */
void switches_deinit(struct switches *s);

#endif
