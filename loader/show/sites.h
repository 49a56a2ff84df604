/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of a session's sites in the kernel. The kernel lists armed probes only, so the list is
 * read while the session runs, and the last reading counts: a kprobe is optimised some time after
 * it was armed.
 */
#ifndef LOADER_SITES_H
#define LOADER_SITES_H

#include <stdint.h>

#include "records.h"
#include "shared/buf.h"

struct meta;
struct show;

struct sites {
	const struct meta *m;
	const uint64_t *addresses;
	uint8_t *marks;           /* one for each site, as in machine/kprobes.h; NULL: not wanted */
	int64_t next, step;       /* ns: time of the next reading, time between readings */
};

/** sites_init - @addresses: of the sites, which the caller still owns. If it is NULL or @wanted is
 * false, nothing is read. */
void sites_init(struct sites *s, const struct meta *m, const uint64_t *addresses, int wanted);
/** sites_deinit - the caller still owns the addresses. */
void sites_deinit(struct sites *s);
/** sites_watch - in each turn while probes are armed, @now in ns; sites_look - read the list at
 * once. */
void sites_watch(struct sites *s, int64_t now);
void sites_look(struct sites *s);

/** sites_word - return the name of a mechanism: "kprobe". */
const char *sites_word(unsigned mechanism);
/** sites_slow_word - return why hits in programs go through the kernel's uprobe:
 *  "--no-fast-user". */
const char *sites_slow_word(unsigned why);
/** sites_marks - return the marks of site @i in @status, including ftrace's own. */
unsigned sites_marks(const struct sites *s, uint32_t i, const struct prt_site_status *status);
/** sites_steps - under -v, show each site. @status: one for each site. */
void sites_steps(const struct sites *s, const struct prt_site_status *status);
/** sites_array - the same as an array of the JSON stream. */
void sites_array(struct buf *t, const struct sites *s, const struct prt_site_status *status);

#endif
