/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching. Sites at one address are one point, with the list of what is to run there. Entry
 * points go to ftrace where they can: points with the same list of probes share one ftrace_ops, and
 * where there are many lists, all of them do; what ftrace does not know goes to a kprobe each.
 * Return points are one kretprobe each. What is no function has a family of points for each kind,
 * and each point is armed alone.
 *
 * Points that are armed together are a set: one of everything that is there when the session is
 * armed, and two for each module that comes later, outside and inside of its __init code.
 *
 * A point whose probes' conditions are all false is left out or disarmed until one is true
 * (gate.c). The points of an ftrace_ops have the same probes, so it goes and comes as a whole.
 *
 * The session's thread arms and disarms; so does, while it runs, whoever loads or removes a
 * module, in the notifier of module.c. All of them hold prt_attach_lock and may sleep. The
 * accessors of status hold nothing: points and what is registered stay allocated until the
 * session is freed, and only what they say changes.
 */
#ifndef PRT_ATTACH_H
#define PRT_ATTACH_H

#include <linux/types.h>

#include "abi/records.h"
#include "abi/script.h"
#include "context.h"

struct prt_pair {
	u32 probe;                    /* number */
	const struct prt_site *site;
	u32 data;                     /* returns: where its part of a call's data is */
};

struct prt_point {
	unsigned long addr;
	struct prt_pair *pairs;       /* in order of site numbers */
	u32 n;
	u8 mechanism;                 /* enum prt_mechanism */
	bool armed;
	bool gated;                   /* not armed: the conditions of all of its probes are false */
	int error;                    /* of the registration, -errno */
	void *probe;                  /* struct of its mechanism's file, used again by the next
				       * point that lies here; NULL: none yet */
};

/* The points of one kind, ascending by address. */
struct prt_points {
	struct prt_point *p;
	u32 n;
	u32 size;                     /* a family's: points there is room for */
};

/* How the points of a kind are armed and disarmed, one by one. All of it under prt_attach_lock. */
struct prt_family {
	u16 kind;                     /* enum prt_probe_kind */
	void (*arm)(struct prt_point *p);
	/* @n points that are together in a set, not all of them armed. When it returns no handler
	 * of them runs. */
	void (*disarm)(struct prt_point *points, u32 n);
	/* Switches a point that holds a scarce resource. arm takes the resource and leaves it
	 * switched off, disarm gives it back; in between, conditions switch it, which can't fail.
	 * NULL: conditions arm and disarm. */
	void (*turn)(struct prt_point *p, bool on);
	/* Frees what `probe` owns, once the session is over. NULL: nothing. */
	void (*free)(struct prt_point *p);
};

enum { PRT_FAMILIES = 6 };

/* All flags (PRT_NEED_REGS, ...) that the probes there have. */
static inline u32 prt_point_flags(const struct prt_point *p)
{
	u32 flags = 0, i;

	for (i = 0; i < p->n; i++)
		flags |= prt_script.probes[p->pairs[i].probe].flags;
	return flags;
}

/* The only probe there, when the script's own functions for its hits may be used; else NULL. */
static inline const struct prt_probe *prt_point_own(const struct prt_point *p)
{
	return p->n == 1 && prt_context_own_hits() ? &prt_script.probes[p->pairs[0].probe] : NULL;
}

struct kprobe;
struct module;
struct mutex;
struct prt_ftrace_group;

struct prt_set {
	struct prt_pair *pairs;       /* entries', then returns', then the families' */
	struct prt_points entries, returns;
	struct prt_points others[PRT_FAMILIES];
	u32 size;                     /* sites there is room for */
	u32 npairs;                   /* that are at points */
	struct prt_ftrace_group **groups;
	struct prt_point **order;     /* entries by their lists; the groups' points lie in it */
	u32 ngroups;
};

/* Where a site is now. */
struct prt_site_info {
	u64 addr;                     /* 0: nowhere */
	struct prt_point *point;      /* NULL: not armed, nor tried to */
	u64 missed;                   /* at points that are gone */
	int error;                    /* why its module's site can't be armed, or could not be */
	bool init;                    /* in __init code of its module, which came later */
	bool gone;                    /* it was armed */
};

/* attach.c */

extern struct mutex prt_attach_lock;
extern struct prt_site_info *prt_site_infos; /* one a site */
extern u32 prt_sites_tried;         /* so far, by who arms them */

/* SETUP: from here on modules are watched. -ENOMEM, or what the kernel says. */
int prt_attach_setup(void);
void prt_attach_free(void);
/* SITES: the address of site @nr; 0: there is none. */
void prt_attach_address(u32 nr, u64 addr);
/* Arms what is there. false: a site that the script names could not be armed, or memory ran
 * out. */
bool prt_attach_arm(void);
/* Disarms everything; when it returns no handler runs and none will. */
void prt_attach_disarm(void);
/* Disarms what the start armed from @start to @end. Under prt_attach_lock. */
void prt_attach_leave(unsigned long start, unsigned long end);
/* Process context, at any time. */
void prt_attach_status(u32 nr, struct prt_site_status *ret);
void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent);
/* Conditions are others: what is armed follows. Under prt_attach_lock. */
void prt_attach_follow(void);
/* How many probes there are at the point of @site, which is armed; 1 where @site is NULL. Any
 * context. */
u32 prt_attach_probes_at(const struct prt_site *site);
/* A processor came: what each of them has to have follows. The session's thread. -errno: something
 * could not be armed on it. */
int prt_attach_look(void);
/* A site's state is another one: to be called by whoever changes one after arming. */
void prt_attach_changed(void);

/* set.c */

/* Room for @nsites sites. -ENOMEM; free is for every set, also one that was never set up, and after
 * disarm. */
int prt_set_init(struct prt_set *set, u32 nsites);
void prt_set_free(struct prt_set *set);
/* Makes points of those of the @n sites @list that have an address and for which @wanted (NULL:
 * any) is true, and arms them. -ENOMEM: nothing or a part was armed. */
int prt_set_arm(struct prt_set *set, const u32 *list, u32 n,
		bool (*wanted)(const struct prt_site_info *info));
/* All others first, of all sets, then ftrace: kprobes at a function's beginning lean on it. */
void prt_set_disarm_others(struct prt_set *set);
void prt_set_disarm_ftrace(struct prt_set *set);
/* Disarms the points from @start to @end, and forgets them. */
void prt_set_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* Arms what is gated and no longer need be, and the other way. */
void prt_set_follow(struct prt_set *set);
/* @p, which was armed, is disarmed until its condition is true. */
void prt_point_gate(struct prt_point *p);
/* Adds its points that are armed, or gated, to @armed. false: one that the script names is not. */
bool prt_set_armed(const struct prt_set *set, u32 *armed);
/* The number of hits that the kernel turned away there because it was handling another kprobe. */
u64 prt_point_missed(const struct prt_point *p);

/* module.c */

/* Watches the modules that sites are in, if any. -ENOMEM, or what the kernel says. */
int prt_module_setup(void);
void prt_module_free(void);
/* Whether the kernel told us of the module of site @nr since then. Under prt_attach_lock. */
bool prt_module_seen(u32 nr);
/* A module that was there before it was watched: where its tracepoints are. Under
 * prt_attach_lock. */
void prt_module_tracepoints(const struct module *mod);
/* From here on what comes is armed. Under prt_attach_lock. */
void prt_module_open(void);
/* Nothing is armed or disarmed by others any more. Without prt_attach_lock. */
void prt_module_close(void);
/* Disarms what came later. */
void prt_module_disarm(void);
/* prt_set_follow() for what came later. Under prt_attach_lock. */
void prt_module_follow(void);

/* gate.c */

/* SETUP. -ENOMEM. */
int prt_gate_setup(void);
void prt_gate_free(void);
/* Before anything is armed: which conditions are false. The session's thread. */
void prt_gate_start(void);
/* Whether no probe there need be armed now. Under prt_attach_lock. */
bool prt_gate_closed(const struct prt_point *p);
/* Whether probe @nr need not run now. The session's thread. */
bool prt_gate_closed_probe(u32 nr);
/* Whether there are any gates. */
bool prt_gate_any(void);
/* Arms and disarms by what handlers have written since. The session's thread. */
void prt_gate_run(void);
/* When that is to be called again, at most @ns from now (-1: any time); in ns or -1. */
s64 prt_gate_due(s64 ns);

/* tail.c */

/* Whether the kernel survives a kprobe at @addr; false: it reads behind the end of a module's code.
 * Under prt_attach_lock; may sleep. */
bool prt_tail_allows(unsigned long addr);
/* From where to where the symbol around @addr goes, as the kernel counts it. false: none does.
 * Under prt_attach_lock. */
bool prt_tail_bounds(unsigned long addr, unsigned long *start, unsigned long *end);

/* form.c; under prt_attach_lock */

/* Whether @kp, registered and switched off, may be switched on. -ENOEXEC: the kernel would not do
 * what the instruction there does; -ENOTRECOVERABLE: it may fault. */
int prt_form_check(const struct kprobe *kp);
/* Registers @kp switched off, if it passes that check. -errno: it is not registered. */
int prt_form_prepare(struct kprobe *kp);
/* Switches @kp on. -ESHUTDOWN: all kprobes are switched off. It stays registered in any case. */
int prt_form_enable(struct kprobe *kp);
/* Whether the kernel may make a jump of a kprobe at @point: nothing that it does not see comes to
 * the code that the jump would lie across. */
bool prt_form_may_jump(const struct prt_point *point);

/* perf.c */

/* SETUP: room for the counters that handlers read. -ENOMEM. */
int prt_perf_setup(void);
void prt_perf_free(void);
/* Before a handler in the session's thread: what they have counted on all processors. */
void prt_perf_collect(void);

/* hrtimer.c, perf.c, watch.c: those of clocks and counters are for points of one probe. */
extern const struct prt_family prt_clock_family, prt_perf_family, prt_watch_family;

/* trace.c */

extern const struct prt_family prt_trace_family;

/* user.c */

extern const struct prt_family prt_user_family, prt_user_return_family;

/* SETUP, when modules are watched: finds the tracepoints. -ENOMEM, or what the kernel says. */
int prt_trace_setup(void);
/* Site @nr is a tracepoint: the runtime finds it itself. */
bool prt_trace_site(const struct prt_site *site);
/* Calls @found with the name and the address of each of @mod's tracepoints. */
void prt_trace_of_module(const struct module *mod, void *data,
			 void (*found)(void *data, const char *name, unsigned long addr));

/* ftrace.c: sets mechanism, armed and error of the entry points that ftrace knows; the others are
 * left alone. -ENOMEM. */
int prt_ftrace_arm(struct prt_set *set);
void prt_ftrace_disarm(struct prt_set *set);
/* The part of prt_set_follow() that concerns the groups. */
void prt_ftrace_follow(struct prt_set *set);
/* Takes the points from @start to @end out of the filters. */
void prt_ftrace_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* When kprobes of @set are to come: ftrace can't be switched off until unguard, which comes after
 * all of them went. */
void prt_ftrace_guard(const struct prt_set *set);
void prt_ftrace_unguard(void);

/* kprobe.c: prepare sets the mechanism and registers the kprobe switched off, or sets error. enable
 * switches on all that are prepared among points that are together in a set, and sets armed or
 * error. disarm takes such points, too; free is for after disarm. */
void prt_kprobe_prepare(struct prt_point *point);
void prt_kprobe_enable(struct prt_point *points, u32 n);
void prt_kprobe_disarm(struct prt_point *points, u32 n);
void prt_kprobe_free(struct prt_point *points, u32 n);
u64 prt_kprobe_missed(const struct prt_point *point);

/* breakpoint.c: tells budget.c, once, what the kernel takes to handle a breakpoint. */
void prt_breakpoint_measure(void);

/* Where it must never become a jump: in a module, and where prt_form_may_jump() says no. Before it
 * is registered. */
void prt_kprobe_plain(struct kprobe *kp, struct prt_point *point);

/* direct.c: false: the point is as it was, and goes on to a kretprobe. disarm takes points that are
 * together in a set and leaves those alone that are not its own; drop is for one that is disarmed
 * and may be armed again; settle comes after all of them. */
bool prt_direct_arm(struct prt_point *point);
void prt_direct_disarm(struct prt_point *points, u32 n);
void prt_direct_drop(struct prt_point *point);
void prt_direct_settle(void);

/* kretprobe.c: the same; @n points in all share the memory budget. */
void prt_kretprobe_arm(struct prt_point *point, u32 n);
void prt_kretprobe_disarm(struct prt_point *points, u32 n);
void prt_kretprobe_free(struct prt_point *points, u32 n);
u64 prt_kretprobe_missed(const struct prt_point *point);
/* Adds what there is of instances. */
void prt_kretprobe_status(const struct prt_point *point, struct prt_site_status *ret);
/* Pools don't grow any more. Before disarming, without prt_attach_lock. */
void prt_kretprobe_settle(void);

/* timer.c */

/* SETUP. -ENOMEM. Timers of the thread have a period of at least a millisecond; shorter is
 * -EINVAL. */
int prt_timer_setup(void);
void prt_timer_free(void);

/* @n as the probe counts: in ns, or in jiffies; in ns. */
s64 prt_timer_ns(const struct prt_probe *p, s64 n);

/* The session is running: timers count from now. */
void prt_timer_start(void);
/* Runs what is due and has no condition that is false; returns the ns until the next one, or -1:
 * there is none. */
s64 prt_timer_run(void);

#endif
