/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching. All sites at one address form one point, which has the list of their probes. Entry
 * points are armed by ftrace where possible: points with the same list of probes share one
 * ftrace_ops, and if there are many lists, all points share one. An entry that ftrace does not know
 * gets a kprobe, and each return point gets a kretprobe. Every other kind has a family of points,
 * which are armed one by one.
 *
 * Points that are armed together form a set. One set has everything that exists when the session is
 * armed; each module that is loaded later has two, for its code outside and inside of __init.
 *
 * A point is armed only while the condition of at least one of its probes is true (gate.c). The
 * points of an ftrace_ops have the same probes, so all of them are armed and disarmed together.
 *
 * The session's thread arms and disarms. While the session runs, so does any task that loads or
 * removes a module, in the notifier of module.c. All of them hold prt_attach_lock and may sleep.
 * The accessors of status hold no lock: points and registrations stay allocated until the session
 * is freed, and only their fields change.
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
	u32 data;                     /* returns: offset of its part of a call's data */
};

struct prt_point {
	unsigned long addr;
	struct prt_pair *pairs;       /* in order of site numbers */
	u32 n;
	u8 mechanism;                 /* enum prt_mechanism */
	bool armed;
	bool gated;                   /* not armed: the conditions of all of its probes are false */
	int error;                    /* of the registration, -errno */
	void *probe;                  /* owned by the mechanism's file, and reused by the next
				       * point at this index; NULL: not used yet */
};

/* Chooses points. */
typedef bool prt_point_wanted(const struct prt_point *p);

/* The points of one kind, ascending by address. */
struct prt_points {
	struct prt_point *p;
	u32 n;
	u32 size;                     /* of a family: capacity, in points */
};

/* The operations that arm and disarm the points of a kind one by one. All of them are called under
 * prt_attach_lock. */
struct prt_family {
	u16 kind;                     /* enum prt_probe_kind */
	void (*arm)(struct prt_point *p);
	/* Disarms those of @n neighbouring points of a set that are armed. */
	void (*disarm)(struct prt_point *points, u32 n);
	/* Waits until no handler runs of points that were disarmed, once for all of them. NULL:
	 * none does when disarm returns. */
	void (*settle)(void);
	/* Switches a point that holds a scarce resource. arm takes the resource and leaves it
	 * switched off, disarm gives it back; in between, conditions switch it, which can't fail.
	 * NULL: conditions arm and disarm. */
	void (*turn)(struct prt_point *p, bool on);
	/* Frees the memory of `probe` when the session is over. NULL: nothing. */
	void (*free)(struct prt_point *p);
};

enum { PRT_FAMILIES = 6 };

/* The union of the flags (PRT_NEED_REGS, ...) of the probes there. */
static inline u32 prt_point_flags(const struct prt_point *p)
{
	u32 flags = 0, i;

	for (i = 0; i < p->n; i++)
		flags |= prt_script.probes[p->pairs[i].probe].flags;
	return flags;
}

/* The probe of a point that has only one, if the script's own functions for hits may be used; else
 * NULL. */
static inline const struct prt_probe *prt_point_own(const struct prt_point *p)
{
	return p->n == 1 && prt_context_own_hits() ? &prt_script.probes[p->pairs[0].probe] : NULL;
}

struct kprobe;
struct module;
struct mutex;
struct prt_ftrace_bundle;

struct prt_set {
	struct prt_pair *pairs;       /* entries', then returns', then the families' */
	struct prt_points entries, returns;
	struct prt_points others[PRT_FAMILIES];
	u32 size;                     /* capacity, in sites */
	u32 npairs;                   /* pairs that belong to points */
	struct prt_ftrace_bundle **bundles;
	struct prt_point **order;     /* entries sorted by their lists; bundles point into it */
	u32 nbundles;
};

/* The state of a site. */
struct prt_site_info {
	u64 addr;                     /* 0: no address */
	struct prt_point *point;      /* NULL: arming was not attempted */
	u64 recursed;                 /* hits that the kernel skipped at points that are gone */
	int error;                    /* why it can't be armed, -errno */
	bool init;                    /* in __init code of a module that was loaded later */
	bool gone;                    /* was armed, and its module has been unloaded */
};

/* attach.c */

extern struct mutex prt_attach_lock;
extern struct prt_site_info *prt_site_infos; /* one a site */
extern u32 prt_sites_tried;         /* sites for which arming was attempted so far */

/* The bytes that prt_attach_setup() allocates for sites and samples. */
u64 prt_attach_memory(void);
/* SETUP: watches modules from here on. -ENOMEM, or the kernel's error. */
int prt_attach_setup(void);
void prt_attach_free(void);
/* SITES: sets the address of site @nr; 0: it has none. */
void prt_attach_address(u32 nr, u64 addr);
/* Arms everything that exists now. false: a site that the script names could not be armed, or
 * memory ran out. */
bool prt_attach_arm(void);
/* Disarms everything; no handler runs after it returns. */
void prt_attach_disarm(void);
/* Disarms the points from @start to @end of the session's start. Under prt_attach_lock. */
void prt_attach_leave(unsigned long start, unsigned long end);
/* Process context, at any time. */
void prt_attach_status(u32 nr, struct prt_site_status *ret);
void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent);
/* Arms and disarms by the new values of the conditions. Under prt_attach_lock. */
void prt_attach_follow(void);
/* The number of probes at the point of @site, which is armed; 1 if @site is NULL. Any context. */
u32 prt_attach_probes_at(const struct prt_site *site);
/* Arms the per-CPU events on processors that came online. The session's thread. -errno: an event
 * could not be armed on one of them. */
int prt_attach_look(void);
/* To be called after any change of a site's state. */
void prt_attach_changed(void);

/* set.c */

/* The bytes that prt_set_init() allocates, at most. */
u64 prt_set_memory(u32 nsites);
/* Allocates a set for @nsites sites. -ENOMEM. Free every set after disarm, even if it was never set
 * up. */
int prt_set_init(struct prt_set *set, u32 nsites);
void prt_set_free(struct prt_set *set);
/* Makes points of the @n sites in @list, and arms them. It leaves out sites without an address and
 * those for which @wanted is false (NULL: none). -ENOMEM: nothing or a part was armed. */
int prt_set_arm(struct prt_set *set, const u32 *list, u32 n,
		bool (*wanted)(const struct prt_site_info *info));
/* Disarms the points of @set. Call `others` for all sets before `ftrace`, because kprobes at the
 * beginning of a function depend on ftrace. */
void prt_set_disarm_others(struct prt_set *set);
void prt_set_disarm_ftrace(struct prt_set *set);
/* Disarms the points from @start to @end, and forgets them. */
void prt_set_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* Arms and disarms the points whose conditions have changed. */
void prt_set_follow(struct prt_set *set);
/* Marks @p, which has just been disarmed, as waiting for its condition. */
void prt_point_gate(struct prt_point *p);
/* Adds the number of points that are armed or gated to @armed. false: a point that the script names
 * is neither. */
bool prt_set_armed(const struct prt_set *set, u32 *armed);
/* The number of hits that the kernel turned away there because it was handling another kprobe. */
u64 prt_point_recursed(const struct prt_point *p);

/* module.c */

/* The bytes that prt_module_setup() allocates, at most. */
u64 prt_module_memory(void);
/* Watches the modules that sites are in, if any. -ENOMEM, or the kernel's error. */
int prt_module_setup(void);
void prt_module_free(void);
/* Whether the notifier has seen the module of site @nr. Under prt_attach_lock. */
bool prt_module_seen(u32 nr);
/* Finds the tracepoints of a module that was loaded before modules were watched. Under
 * prt_attach_lock. */
void prt_module_tracepoints(const struct module *mod);
/* From now on, modules that are loaded are armed. Under prt_attach_lock. */
void prt_module_open(void);
/* Stops the notifier: only the session's thread arms and disarms from now on. Without
 * prt_attach_lock. */
void prt_module_close(void);
/* Disarms the sets of modules that were loaded later. */
void prt_module_disarm(void);
/* prt_set_follow() for the sets of modules that were loaded later. Under prt_attach_lock. */
void prt_module_follow(void);

/* gate.c */

/* SETUP. -ENOMEM. */
int prt_gate_setup(void);
void prt_gate_free(void);
/* Evaluates the conditions before anything is armed. The session's thread. */
void prt_gate_start(void);
/* Whether no probe there need be armed now. Under prt_attach_lock. */
bool prt_gate_closed(const struct prt_point *p);
/* Whether probe @nr need not run now. The session's thread. */
bool prt_gate_closed_probe(u32 nr);
/* Whether there are any gates. */
bool prt_gate_any(void);
/* Arms and disarms by the globals that handlers have written since the last call. The session's
 * thread. */
void prt_gate_run(void);
/* The time until prt_gate_run() is to be called again, in ns, at most @ns; -1 stands for no limit
 * in both. */
s64 prt_gate_due(s64 ns);

/* tail.c */

/* Whether the kernel survives a kprobe at @addr; false: it reads beyond the end of a module's code.
 * Under prt_attach_lock; may sleep. */
bool prt_tail_allows(unsigned long addr);
/* The bounds of the symbol around @addr, as the kernel counts them. false: no symbol is there.
 * Under prt_attach_lock. */
bool prt_tail_bounds(unsigned long addr, unsigned long *start, unsigned long *end);

/* form.c; under prt_attach_lock */

/* The address of one of the kernel's own functions; 0: it has none of that name that a kprobe may
 * be set on. Needs no lock. */
unsigned long prt_form_address(const char *symbol);

/* Whether @kp, registered and switched off, may be switched on. -ENOEXEC: the kernel would not do
 * what the instruction there does; -ENOTRECOVERABLE: it may fault. */
int prt_form_check(const struct kprobe *kp);
/* Switches @kp on. -ESHUTDOWN: all kprobes are switched off. It stays registered in any case. */
int prt_form_enable(struct kprobe *kp);
/* Whether the kernel may make a jump of a kprobe at @point: nothing that it does not see comes to
 * the code that the jump would lie across. */
bool prt_form_may_jump(const struct prt_point *point);

/* perf.c */

/* SETUP: allocates the counters that handlers read. -ENOMEM. */
int prt_perf_setup(void);
void prt_perf_free(void);
/* Sums the counters of all processors, before a handler in the session's thread reads them. */
void prt_perf_collect(void);

/* hrtimer.c, perf.c, watch.c: those of clocks and counters are for points of one probe. */
extern const struct prt_family prt_clock_family, prt_perf_family, prt_watch_family;

/* trace.c */

extern const struct prt_family prt_trace_family;

/* user.c */

extern const struct prt_family prt_user_family, prt_user_return_family;
/* Adds which way the hits took. The mechanism of @p is a uprobe or a uretprobe. */
void prt_user_status(const struct prt_point *p, struct prt_site_status *ret);

/* SETUP, when modules are watched: finds the tracepoints. -ENOMEM, or the kernel's error. */
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
/* The part of prt_set_follow() that concerns the bundles. */
void prt_ftrace_follow(struct prt_set *set);
/* Takes the points from @start to @end out of the filters. */
void prt_ftrace_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* Prevents ftrace from being switched off, because kprobes of @set are about to be registered.
 * unguard allows it again, after all of them are unregistered. */
void prt_ftrace_guard(const struct prt_set *set);
void prt_ftrace_unguard(void);

/* kprobe.c: prepare sets the mechanism and registers the kprobe switched off, or sets error. enable
 * switches on all that are prepared among points that are together in a set, and sets armed or
 * error. disarm takes such points, too, and waits once for those that are @wanted (NULL: all). */
void prt_kprobe_prepare(struct prt_point *point);
void prt_kprobe_enable(struct prt_point *points, u32 n);
void prt_kprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
u64 prt_kprobe_recursed(const struct prt_point *point);

/* breakpoint.c: measures once what the kernel takes to handle a breakpoint, for budget.c. */
void prt_breakpoint_measure(void);

/* sample.c: see there. memory: the bytes that setup allocates. SETUP: -ENOMEM; stop: when nothing
 * is armed any more. */
u64 prt_sample_memory(void);
int prt_sample_setup(void);
void prt_sample_stop(void);
void prt_sample_free(void);
/* @kp, registered, is about to be switched on. Under prt_attach_lock. */
void prt_sample_expect(const struct kprobe *kp);

/* Prevents that @kp becomes a jump, in a module and where prt_form_may_jump() says no. Call it
 * before @kp is registered. */
void prt_kprobe_plain(struct kprobe *kp, struct prt_point *point);

/* direct.c: false: the point is as it was, and goes on to a kretprobe. disarm takes points that are
 * together in a set and leaves those alone that are not its own; drop is for one that is disarmed
 * and may be armed again; settle comes after all of them. */
bool prt_direct_arm(struct prt_point *point);
void prt_direct_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
void prt_direct_drop(struct prt_point *point);
void prt_direct_settle(void);

/* kretprobe.c: the same; @n points in all share the memory budget. */
void prt_kretprobe_arm(struct prt_point *point, u32 n);
void prt_kretprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
u64 prt_kretprobe_recursed(const struct prt_point *point);
/* Adds the numbers of instances. */
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
