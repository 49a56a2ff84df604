/* SPDX-License-Identifier: GPL-2.0 */
/* The runtime's counts, by probe: hits, times, and every way to lose a hit. */
#ifndef LOADER_TALLY_H
#define LOADER_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/kprobes.h"
#include "records.h"

struct device;
struct meta;
struct sites;
struct buf;

/* The ways in which hits are skipped; tally_ways has their texts. */
enum tally_way {
	TALLY_BUSY,        /* the processor was inside another handler */
	TALLY_LOCKED_OUT,  /* a lock was not free in time */
	TALLY_RECURSED,    /* the kernel was handling another kprobe */
	TALLY_NO_INSTANCE, /* a call for which a return probe had no instance */
	TALLY_INHERITED,   /* a return in a forked process from a call that its parent entered */
	TALLY_UNWATCHED,   /* a thread in which a watchpoint of a program could not be set */
	TALLY_WAYS
};

struct tally_words {
	const char *name;  /* one word, for data */
	const char *bound; /* "at least " or "": BOUND N hits TEXT */
	const char *text;
	const char *hint;  /* the next step, or NULL */
};
extern const struct tally_words tally_ways[TALLY_WAYS];

enum { TALLY_MECHANISMS = 16 };

struct tally_probe {
	struct prt_probe_counts c;
	uint64_t skipped[TALLY_WAYS];
	uint32_t sites[TALLY_MECHANISMS]; /* number of sites armed, by enum prt_mechanism */
	uint32_t marks[KPROBES_MARKS];    /* number of sites with each mark of the kernel, by bit */
	/* instances of kretprobes, for all sites together */
	uint64_t instances;
	uint32_t grown;                   /* number of pools added */
	bool limited;                      /* pools cannot grow any more */
	uint64_t fast, slow;              /* hits of breakpoints in programs by either path */
	uint32_t slow_why;                /* enum prt_slow_why of one of its sites */
	int64_t cost;                     /* prt_site_status.cost */
};

struct tally {
	uint32_t n;
	struct tally_probe *probes;
	struct prt_site_status *status; /* one for each site */
	const struct sites *sites;      /* for the marks; NULL: not wanted */
	bool subtracts;                 /* elapsed times are without `cost` */
};

/** tally_take - read the counts: one call for all probes, and one for all sites. Returns -1 after
 * reporting an error. The caller owns @t, which is all zero at first: tally_deinit(). */
int tally_take(struct tally *t, struct device *d, const struct meta *m);
void tally_deinit(struct tally *t);
/** tally_skipped - return the skipped hits of a probe, in all ways. */
uint64_t tally_skipped(const struct tally_probe *p);
/** tally_words_of - add @prefix and a text that says how many hits were skipped in which ways;
 * nothing if none was. Returns the hint for the last of these ways, or NULL. */
const char *tally_words_of(const struct tally_probe *p, const char *prefix, struct buf *to);
/** tally_dropped_bytes - return the bytes of output that did not fit into the rings. */
uint64_t tally_dropped_bytes(const struct device *d);

#endif
