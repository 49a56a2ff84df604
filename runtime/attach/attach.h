/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching. All sites at one address form one point, which has the list of their probes; those for
 * single system calls form another one there (syscall.c). Entries are armed by ftrace if possible:
 * points with the same list of probes share one ftrace_ops, and if there are many lists, all points
 * share one. Entries that ftrace does not know get a kprobe each, and returns get a kretprobe each.
 * The points of every other probe kind belong to its family, and are armed one by one.
 *
 * Points that are armed together form a set. One set has everything that exists when the session is
 * armed; each module that is loaded later has two, for its code outside and inside of __init.
 *
 * A point is armed only while at least one of its probes is on: its condition is true, and nobody
 * has switched it off (gate.c). The points of an ftrace_ops are armed and disarmed together. If
 * they have conditions, they have the same probes; otherwise they stay armed until all of their
 * probes are switched off.
 *
 * The session thread arms and disarms. While the session runs, so does any task that loads or
 * removes a module, in the notifier of module.c. All of them hold prt_attach_lock and may sleep.
 * The functions that return a status take no lock: points and registrations stay allocated until
 * the session is freed, and only their fields change. What such a function follows is stored by a
 * release when it is complete: the point of a site, `probe` of a point (zeroed at least) and
 * `armed`, after which `probe` is that of the mechanism.
 *
 * Unless a declaration says otherwise, functions run in process context and may sleep, and return 0
 * or -errno. "SETUP" means: called once, when the loader sets the session up, before any handler
 * runs; the corresponding _free function is called when the session is over, also after a setup
 * that failed.
 */
#ifndef PRT_ATTACH_H
#define PRT_ATTACH_H

#include <linux/types.h>

#include "abi/records.h"
#include "abi/script.h"
#include "context.h"

/* A probe at a point, with the site that put it there. */
struct prt_pair {
	u32 probe;                    /* number of the probe */
	u16 syscall;                  /* that of the site */
	const struct prt_site *site;
	u32 data;                     /* returns: offset of the probe's part in the data of a
				       * call */
};

struct prt_point {
	unsigned long addr;
	/* in the order of site numbers, and before it of system calls */
	struct prt_pair *pairs;
	u32 n;
	bool by_syscall;              /* each hit is for the pairs of one system call: syscall.c */
	u8 mechanism;                 /* enum prt_mechanism */
	bool armed;
	bool gated;                   /* not armed because the gates of all of its probes are
				       * false */
	int error;                    /* of the last registration: 0 or -errno */
	void *probe;                  /* state of the mechanism, allocated by its file and reused
				       * for the next point at this index; NULL: not used yet */
};

/* The pairs that a hit is for, from number @from to the one before @to. */
struct prt_span {
	u32 from, to;
};

/* A predicate that selects points. */
typedef bool prt_point_wanted(const struct prt_point *p);

/* The points of one kind, ascending by address. Where hits of a function are probed and some of its
 * system calls as well, it has two. */
struct prt_points {
	struct prt_point *p;
	u32 n;
	u32 size;                     /* of a family: capacity, in points */
};

/* The operations that arm and disarm the points of a probe kind one by one. All of them are called
 * under prt_attach_lock. */
struct prt_family {
	u16 kind;                     /* enum prt_probe_kind */
	void (*arm)(struct prt_point *p);
	/* Disarms those of @n neighbouring points of a set that are armed. */
	void (*disarm)(struct prt_point *points, u32 n);
	/* Waits, once for all points that were disarmed, until none of their handlers runs. NULL:
	 * none runs when disarm returns. */
	void (*settle)(void);
	/* Switches a point that holds a scarce resource on or off. arm takes the resource and
	 * leaves it switched off, and disarm releases it; in between, gates switch the point, which
	 * cannot fail. NULL: gates arm and disarm the point. */
	void (*turn)(struct prt_point *p, bool on);
	/* Frees what `probe` leads to when the session is over; the caller frees `probe` itself.
	 * NULL: there is nothing to free. */
	void (*free)(struct prt_point *p);
};

enum { PRT_FAMILIES = 8 };

/* The union of the flags (PRT_NEED_REGS, ...) of all probes at @p. */
static inline u32 prt_point_flags(const struct prt_point *p)
{
	u32 flags = 0, i;

	for (i = 0; i < p->n; i++)
		flags |= prt_script.probes[p->pairs[i].probe].flags;
	return flags;
}

/* The only probe of @p, if the hit functions of the script may be used for it; NULL: @p has several
 * probes, or they may not. */
static inline const struct prt_probe *prt_point_own(const struct prt_point *p)
{
	return p->n == 1 && !p->by_syscall && prt_context_own_hits() ?
		       &prt_script.probes[p->pairs[0].probe] : NULL;
}

/* syscall.c: for a point by system calls */

/* The pairs of system call @nr. Any context. */
struct prt_span prt_syscall_span(const struct prt_point *p, u32 nr);
/* The number after the last pair with the system call of pair @from. Any context. */
u32 prt_syscall_end(const struct prt_point *p, u32 from);

/* The pairs that a hit with @regs, at the entry of a function, is for. Any context. */
static __always_inline struct prt_span prt_point_span(const struct prt_point *p, const void *regs)
{
	if (unlikely(p->by_syscall))
		return prt_syscall_span(p, prt_arch_arg(regs, 1));
	return (struct prt_span){ 0, p->n };
}

/* Sets p->armed, after everything that the status of an armed point is read from. */
static inline void prt_point_set_armed(struct prt_point *p, bool armed)
{
	smp_store_release(&p->armed, armed);
}

struct kprobe;
struct module;
struct mutex;
struct prt_ftrace_bundle;

struct prt_set {
	struct prt_pair *pairs;       /* of the entries, then the returns, then the families */
	struct prt_points entries, returns;
	struct prt_points others[PRT_FAMILIES];
	u32 size;                     /* capacity, in sites */
	u32 npairs;                   /* pairs in use */
	struct prt_ftrace_bundle **bundles;
	struct prt_point **order;     /* entries sorted by their lists; bundles point into it */
	u32 nbundles;
};

/* The state of a site at run time. */
struct prt_site_info {
	u64 addr;                     /* 0: no address */
	struct prt_point *point;      /* NULL: the runtime has not tried to arm it */
	u64 recursed;                 /* hits that the kernel skipped at earlier points of the
				       * site */
	int error;                    /* 0, or -errno: the reason why it cannot be armed */
	bool init;                    /* in __init code of a module that was loaded later */
	bool gone;                    /* was armed, and its module has been unloaded */
};

/* attach.c */

extern struct mutex prt_attach_lock;
extern struct prt_site_info *prt_site_infos; /* by site number */
/* Sites that the runtime has tried to arm so far; at the end, those that are left to disarm. */
extern u32 prt_sites_tried;

static inline void prt_sites_untried(const struct prt_point *p)
{
	WRITE_ONCE(prt_sites_tried, prt_sites_tried - p->n);
}

/* The number of bytes that prt_attach_setup() allocates for sites and samples. */
u64 prt_attach_memory(void);
/* SETUP. Modules are watched from here on. */
int prt_attach_setup(void);
void prt_attach_free(void);
/* For PRT_IOC_SITES: sets the address of site @nr; 0: the site has none. */
void prt_attach_address(u32 nr, u64 addr);
/* Arms all sites that exist now. The session thread. false: a site that the script names without a
 * wildcard could not be armed, or memory ran out. */
bool prt_attach_arm(void);
/* Disarms everything. The session thread. No handler runs after it returns. */
void prt_attach_disarm(void);
/* Disarms the points in [@start, @end) of the set that was armed at the session's start. Under
 * prt_attach_lock. */
void prt_attach_leave(unsigned long start, unsigned long end);
/* Returns the status of site @nr. At any time. */
void prt_attach_status(u32 nr, struct prt_site_status *ret);
/* Returns the numbers of sites for struct prt_status. At any time. */
void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent);
/* Arms and disarms points whose gates have changed. Under prt_attach_lock. */
void prt_attach_follow(void);
/* The number of probes at the point of @site, which is armed; 1 if @site is NULL. Any context. */
u32 prt_attach_probes_at(const struct prt_site *site);
/* Arms per-CPU events on processors that have come online. The session thread. -errno: an event
 * could not be armed on one of them. */
int prt_attach_look(void);
/* Makes the next prt_attach_totals() count again. Call it after any change of a site's state. Any
 * context. */
void prt_attach_changed(void);

/* set.c */

/* The most bytes that prt_set_init() allocates. */
u64 prt_set_memory(u32 nsites);
/* Allocates a set for @nsites sites. -ENOMEM. */
int prt_set_init(struct prt_set *set, u32 nsites);
/* Frees a set after it was disarmed; it may be zeroed, or its initialisation may have failed. */
void prt_set_free(struct prt_set *set);
/* Makes points of the @n sites with the numbers @list, and arms them, except for sites without an
 * address and those for which @wanted (NULL: any) is false. Under prt_attach_lock. -ENOMEM: nothing
 * or a part was armed. */
int prt_set_arm(struct prt_set *set, const u32 *list, u32 n,
		bool (*wanted)(const struct prt_site_info *info));
/* Disarm the points of @set. Call `others` for all sets before `ftrace` for any, because kprobes at
 * the beginning of a function depend on ftrace. Under prt_attach_lock. */
void prt_set_disarm_others(struct prt_set *set);
void prt_set_disarm_ftrace(struct prt_set *set);
/* Disarms the points in [@start, @end) for good, because their code is removed. Under
 * prt_attach_lock. */
void prt_set_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* Arms and disarms the points whose gates have changed. Under prt_attach_lock. */
void prt_set_follow(struct prt_set *set);
/* Marks @p, which has just been disarmed, as gated. Under prt_attach_lock. */
void prt_point_gate(struct prt_point *p);
/* Adds the number of points that are armed or gated to @armed. false: a point that the script names
 * without a wildcard is neither. Under prt_attach_lock. */
bool prt_set_armed(const struct prt_set *set, u32 *armed);
/* The number of hits at @p that the kernel skipped because it was handling another kprobe. */
u64 prt_point_recursed(const struct prt_point *p);

/* module.c */

/* The most bytes that prt_module_setup() allocates. */
u64 prt_module_memory(void);
/* SETUP: registers a notifier for probed modules, if there are any. */
int prt_module_setup(void);
void prt_module_free(void);
/* Whether the notifier has seen the module of site @nr. Under prt_attach_lock. */
bool prt_module_seen(u32 nr);
/* Looks up the tracepoints of a module that was loaded before modules were watched. Under
 * prt_attach_lock. */
void prt_module_tracepoints(const struct module *mod);
/* Makes the notifier arm the sites of modules that are loaded from now on. Under
 * prt_attach_lock. */
void prt_module_open(void);
/* Unregisters the notifier: from now on only the session thread arms and disarms. Without
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
/* Evaluates all gates before anything is armed. The session thread. */
void prt_gate_start(void);
/* For PRT_IOC_SWITCH, which has its errors; wakes the session thread. */
int prt_gate_switch(const struct prt_switch *set);
/* Whether prt_gate_run() has something to do. Any context. */
bool prt_gate_stale(void);
/* Whether the gates of all probes at @p are false, so that it need not be armed. Under
 * prt_attach_lock. */
bool prt_gate_closed(const struct prt_point *p);
/* Whether the gate of probe @nr is false. The session thread. */
bool prt_gate_closed_probe(u32 nr);
/* Whether the script has any gates. Any context. */
bool prt_gate_any(void);
/* Evaluates the gates again if handlers have written globals that they read, and arms and disarms
 * accordingly. The session thread. */
void prt_gate_run(void);
/* The time in ns until prt_gate_run() is due again, at most @ns; -1 means no limit in both. */
s64 prt_gate_due(s64 ns);

/* tail.c */

/* Whether the kernel can register a kprobe at @addr without reading beyond the end of a module's
 * code, which would crash it. Under prt_attach_lock. */
bool prt_tail_allows(unsigned long addr);
/* Returns the bounds of the symbol around @addr according to kallsyms. false: there is no symbol.
 * Under prt_attach_lock. */
bool prt_tail_bounds(unsigned long addr, unsigned long *start, unsigned long *end);

/* form.c; under prt_attach_lock */

/* The address of a function of the kernel; 0: there is none with that name on which a kprobe can be
 * registered. Needs no lock. */
unsigned long prt_form_address(const char *symbol);

/* Checks whether @kp, which is registered and disabled, may be enabled. -ENOEXEC: the kernel would
 * not execute the instruction there correctly; -ENOTRECOVERABLE: the instruction may fault. */
int prt_form_check(const struct kprobe *kp);
/* Enables @kp. -ESHUTDOWN: all kprobes are switched off. @kp stays registered in any case. */
int prt_form_enable(struct kprobe *kp);
/* Whether the kernel may optimise a kprobe at @point to a jump: no code that the kernel does not
 * check jumps into the instructions that the jump would overwrite. */
bool prt_form_may_jump(const struct prt_point *point);

/* perf.c */

/* SETUP: allocates the counters that handlers read. -ENOMEM. */
int prt_perf_setup(void);
void prt_perf_free(void);
/* Sums up the counters of all processors, before a handler in the session thread reads them. */
void prt_perf_collect(void);

/* hrtimer.c, perf.c, watch.c. The points of clocks and counters have one probe each. */
extern const struct prt_family prt_clock_family, prt_perf_family, prt_watch_family;

/* netfilter.c. A point has one probe. */
extern const struct prt_family prt_netfilter_family;
/* SETUP, in the process whose network namespace is meant: takes a reference to it. */
int prt_netfilter_setup(void);
void prt_netfilter_free(void);

/* trace.c */

extern const struct prt_family prt_trace_family;

/* user.c */

extern const struct prt_family prt_user_family, prt_user_return_family;
/* Adds the numbers of hits by the fast path and by the kernel's uprobes. The mechanism of @p is a
 * uprobe or a uretprobe. */
void prt_user_status(const struct prt_point *p, struct prt_site_status *ret);

/* user_watch.c */

extern const struct prt_family prt_user_watch_family;

/* user_owner.c */

/* Before the first probe is armed: finds the pid namespaces of conditions. */
void prt_user_owner_start(void);

/* trace.c, continued */

/* SETUP, after modules are watched: looks up the tracepoints. */
int prt_trace_setup(void);
/* Whether @site is a tracepoint, whose address the runtime looks up itself. */
bool prt_trace_site(const struct prt_site *site);
/* Calls @found with @data and the name and address of each tracepoint of @mod. */
void prt_trace_of_module(const struct module *mod, void *data,
			 void (*found)(void *data, const char *name, unsigned long addr));

/* ftrace.c: arms the entry points that ftrace knows, and sets their mechanism, armed and error; it
 * does not touch the others. -ENOMEM. */
int prt_ftrace_arm(struct prt_set *set);
void prt_ftrace_disarm(struct prt_set *set);
/* The part of prt_set_follow() that concerns the bundles. */
void prt_ftrace_follow(struct prt_set *set);
/* Removes the points in [@start, @end) from the filters. */
void prt_ftrace_leave(struct prt_set *set, unsigned long start, unsigned long end);
/* Prevents that ftrace is switched off (kernel.ftrace_enabled), because kprobes of @set are about
 * to be registered. unguard allows it again after all of them were unregistered. */
void prt_ftrace_guard(const struct prt_set *set);
void prt_ftrace_unguard(void);

/* kprobe.c, under prt_attach_lock: prepare sets the mechanism and registers the kprobe disabled, or
 * sets error. enable enables those of @n neighbouring points of a set that are prepared, and sets
 * armed or error. disarm unregisters those of them that are @wanted (NULL: all) with a single grace
 * period. */
void prt_kprobe_prepare(struct prt_point *point);
void prt_kprobe_enable(struct prt_point *points, u32 n);
void prt_kprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
u64 prt_kprobe_recursed(const struct prt_point *point);

/* breakpoint.c: measures how long the kernel takes to handle a breakpoint, once, for budget.c. */
void prt_breakpoint_measure(void);

/* cost.c. memory: the most bytes that setup allocates. SETUP: -ENOMEM. */
u64 prt_cost_memory(void);
int prt_cost_setup(void);
void prt_cost_free(void);
/* The measurement of a mechanism. */
struct prt_cost {
	bool measured;
	u64 ticks;
};
/* Before @p is armed: how many ticks of the elapsed times there are the runtime's own at least, as
 * @measure has returned for the first point of that mechanism; 0: not known, or the session does
 * not ask. Under prt_attach_lock. */
u64 prt_cost_before(const struct prt_point *p, struct prt_cost *cost, u64 (*measure)(void));
/* Applies them to the probes of @p; 0: to none. Under prt_attach_lock. */
void prt_cost_set(const struct prt_point *p, u64 ticks);
/* prt_site_status.cost for probe @nr. Any context. */
s64 prt_cost_of(u32 nr);
/* Calls prt_traced(), on which the caller has a return probe of the mechanism that is measured.
 * Returns the ticks of the shortest call; 0: none was seen. Under prt_attach_lock. */
u64 prt_cost_run(void);
/* At the return of such a call, whose entry has read the clock as @entered. Any context. */
void prt_cost_returned(u64 entered);
/* traced.c: does nothing. */
void prt_traced(void);

/* sample.c. memory: the number of bytes that setup allocates. SETUP: -ENOMEM. stop: after
 * everything was disarmed. */
u64 prt_sample_memory(void);
int prt_sample_setup(void);
void prt_sample_stop(void);
void prt_sample_free(void);
/* Makes samples recognise hits of @kp, which is registered and about to be enabled. Under
 * prt_attach_lock. */
void prt_sample_expect(const struct kprobe *kp);

/* Prevents that @kp is optimised to a jump, where the kernel does that, if it is in a module or if
 * prt_form_may_jump() is false. Call it before @kp is registered. */
void prt_kprobe_plain(struct kprobe *kp, struct prt_point *point);

/* direct.c, under prt_attach_lock: arm returns false if a direct call is not possible; @point is
 * then unchanged, and gets a kretprobe. disarm takes @n neighbouring points of a set, and skips
 * those that are armed by another mechanism or not @wanted. drop releases the trampoline of a point
 * that was disarmed and may be armed again. Call settle after all of them. */
bool prt_direct_arm(struct prt_point *point);
void prt_direct_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
void prt_direct_drop(struct prt_point *point);
void prt_direct_settle(void);

/* kretprobe.c, under prt_attach_lock: as for kprobe.c. @n points share the budget for instances. */
void prt_kretprobe_arm(struct prt_point *point, u32 n);
void prt_kretprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted);
u64 prt_kretprobe_recursed(const struct prt_point *point);
/* Sets the numbers of instances in @ret. */
void prt_kretprobe_status(const struct prt_point *point, struct prt_site_status *ret);

/* timer.c */

/* SETUP. -ENOMEM; -EINVAL: a timer of the session thread has a period below a millisecond. */
int prt_timer_setup(void);
void prt_timer_free(void);

/* Converts @n from the unit of @p, ns or jiffies, to ns. */
s64 prt_timer_ns(const struct prt_probe *p, s64 n);

/* Starts all timers: the session is running now. The session thread. */
void prt_timer_start(void);
/* Runs the timers that are due and whose gates are not false. The session thread. Returns the ns
 * until the next one is due; -1: there is none. */
s64 prt_timer_run(void);

#endif
