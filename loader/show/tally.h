/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel half's counts, by probe: hits, times, and every way to lose a hit. */
#ifndef LOADER_TALLY_H
#define LOADER_TALLY_H

#include <stdint.h>

#include "machine/kprobes.h"
#include "records.h"

struct device;
struct meta;
struct sites;
struct text;

/* The ways in which hits are lost; tally_ways has the words. */
enum tally_way {
	TALLY_BUSY,        /* the processor was inside another handler */
	TALLY_LOCKED_OUT,  /* a lock could not be had in time */
	TALLY_RECURSED,    /* the kernel was handling another kprobe */
	TALLY_NO_INSTANCE, /* a return for which there was no room */
	TALLY_WAYS
};

struct tally_words {
	const char *name;  /* one word, for data */
	const char *bound; /* "at least " or "": BOUND N hits TEXT */
	const char *text;
	const char *hint;  /* what helps, or NULL */
};
extern const struct tally_words tally_ways[TALLY_WAYS];

enum { TALLY_MECHANISMS = 16 };

struct tally_probe {
	struct prt_probe_counts c;
	uint64_t lost[TALLY_WAYS];
	uint32_t sites[TALLY_MECHANISMS]; /* that were armed, by enum prt_mechanism */
	uint32_t marks[KPROBES_MARKS];    /* sites that the kernel marks so, by bit */
	/* instances of returns by kretprobe, of all sites together */
	uint64_t instances;
	uint32_t grown;                   /* number of pools added */
	int limited;                      /* pools can't grow any more */
};

struct tally {
	uint32_t n;
	struct tally_probe *probes;
	struct prt_site_status *status; /* one a site */
	const struct sites *sites;      /* for the marks; NULL: not wanted */
};

/** tally_take - ask the device: a call for all probes, and one for all sites. -1: it failed, and
 * was said. The caller owns @t, all zero at first: tally_deinit(). */
int tally_take(struct tally *t, struct device *d, const struct meta *m);
void tally_deinit(struct tally *t);
/** tally_lost - hits that a probe lost in all ways. */
uint64_t tally_lost(const struct tally_probe *p);
/** tally_words_of - adds @prefix and in how many ways how many hits were lost, in words; nothing
 * when none was. The hint of the last of these ways, or NULL. */
const char *tally_words_of(const struct tally_probe *p, const char *prefix, struct text *to);
/** tally_dropped_bytes - output that did not fit the rings. */
uint64_t tally_dropped_bytes(const struct device *d);

#endif
