/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching. Sites at one address are one point, with the list of what is to run there. Entry
 * points go to ftrace where they can: points with the same list of probes share one ftrace_ops;
 * what ftrace does not know goes to a kprobe each. Return points are one kretprobe each.
 *
 * All of it runs in the session's thread and may sleep, but the accessors of status.
 */
#ifndef PRT_ATTACH_H
#define PRT_ATTACH_H

#include <linux/types.h>

#include "abi/script.h"

struct prt_pair {
	u32 probe;                    /* number */
	const struct prt_site *site;
};

struct prt_point {
	unsigned long addr;
	struct prt_pair *pairs;       /* in order of site numbers */
	u32 n;
	u8 mechanism;                 /* enum prt_mechanism */
	bool armed;
	int error;                    /* of the registration, -errno */
	void *probe;                  /* struct of kprobe.c or kretprobe.c; NULL: not registered */
};

/* attach.c */

/* SETUP. -ENOMEM. */
int prt_attach_setup(void);
void prt_attach_free(void);
/* SITES: the address of site @nr; 0: there is none. */
void prt_attach_address(u32 nr, u64 addr);
/* Arms everything. false: a site that the script names could not be armed, or memory ran out. */
bool prt_attach_arm(void);
/* Disarms everything; when it returns no handler runs and none will. */
void prt_attach_disarm(void);
/* Process context, at any time under the device's lock. */
void prt_attach_status(u32 nr, struct prt_site_status *ret);
void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent);

/* ftrace.c: sets mechanism, armed and error of the points that ftrace knows; the others are left
 * alone. -ENOMEM. */
int prt_ftrace_arm(struct prt_point *points, u32 n);
/* Afterwards, when kprobes are to come: ftrace can't be switched off until disarm, which comes
 * after theirs. */
void prt_ftrace_guard(void);
void prt_ftrace_disarm(void);

/* kprobe.c: arm sets mechanism, armed and error; free is for after disarm. */
void prt_kprobe_arm(struct prt_point *point);
void prt_kprobe_disarm(struct prt_point *points, u32 n);
void prt_kprobe_free(struct prt_point *points, u32 n);
u64 prt_kprobe_missed(const struct prt_point *point);

/* kretprobe.c: the same; @n points in all share the memory budget. */
void prt_kretprobe_arm(struct prt_point *point, u32 n);
void prt_kretprobe_disarm(struct prt_point *points, u32 n);
void prt_kretprobe_free(struct prt_point *points, u32 n);
u64 prt_kretprobe_missed(const struct prt_point *point, u64 *recursed);

/* timer.c */

/* SETUP. -ENOMEM. Timers of the thread have a period of at least a millisecond; shorter is
 * -EINVAL. */
int prt_timer_setup(void);
void prt_timer_free(void);

/* The session is running: timers count from now. */
void prt_timer_start(void);
/* Runs what is due; returns the ns until the next one, or -1: there is none. */
s64 prt_timer_run(void);

#endif
