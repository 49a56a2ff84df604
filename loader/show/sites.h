/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sites of a session, as the kernel sees them. Its list is of what is armed, so it is looked at
 * while the session runs, and the last look counts: a kprobe is optimised some time after it was
 * armed.
 */
#ifndef LOADER_SITES_H
#define LOADER_SITES_H

#include <stdint.h>

#include "common/text.h"
#include "records.h"

struct meta;
struct show;

struct sites {
	const struct meta *m;
	const uint64_t *addresses;
	uint8_t *marks;           /* one a site, as machine/kprobes.h has them; NULL: not wanted */
	int64_t next, step;       /* ns: when the list is looked at next, and how long after that */
};

/** sites_init - @addresses: of the sites, which the caller still owns; NULL, or @wanted false:
 *  none. */
void sites_init(struct sites *s, const struct meta *m, const uint64_t *addresses, int wanted);
/** sites_deinit - the addresses stay the caller's. */
void sites_deinit(struct sites *s);
/** sites_watch - each turn while probes are armed, @now in ns; sites_look - at once. */
void sites_watch(struct sites *s, int64_t now);
void sites_look(struct sites *s);

/** sites_word - the name of a mechanism: "kprobe". */
const char *sites_word(unsigned mechanism);
/** sites_marks - the marks of site @i in @status, ftrace's own among them. */
unsigned sites_marks(const struct sites *s, uint32_t i, const struct prt_site_status *status);
/** sites_steps - with -v: each site. @status: one a site. */
void sites_steps(const struct sites *s, const struct prt_site_status *status);
/** sites_array - the same as an array of the json stream. */
void sites_array(struct text *t, const struct sites *s, const struct prt_site_status *status);

#endif
