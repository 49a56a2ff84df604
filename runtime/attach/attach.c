/* SPDX-License-Identifier: GPL-2.0 */
/* The sites, their states, and the interface of this folder to the session. */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "attach.h"
#include "events.h"
#include "memory.h"
#include "pools.h"
#include "session.h"
#include "user.h"

DEFINE_MUTEX(prt_attach_lock);
struct prt_site_info *prt_site_infos;
u32 prt_sites_tried;

static struct prt_set start_set;   /* the points that exist when the session is armed */
static bool tried;                 /* arming has ended: the states of sites are known */
static bool changed;               /* a state has changed since states were counted */

static enum prt_site_is site_is(u32 nr)
{
	static const u8 by_kind[] = {
#define PRT_KIND(NAME, word, type, site, runs, values, mechanism) [PRT_##NAME] = PRT_SITE_##site,
		PRT_KINDS(PRT_KIND)
#undef PRT_KIND
	};

	return by_kind[prt_script.probes[prt_script.sites[nr].probe].kind];
}

/* Sites that are events get unique dummy addresses, so that none is merged with another. */
static void set_dummy_addresses(void)
{
	u32 i;

	for (i = 0; i < prt_script.nsites; i++)
		if (site_is(i) == PRT_SITE_EVENT)
			prt_site_infos[i].addr = i + 1;
}

static int setup_start(void)
{
	return prt_set_init(&start_set, prt_script.nsites);
}

static void free_start(void)
{
	prt_set_free(&start_set);
}

static u64 memory_of_start(void)
{
	return prt_set_memory(prt_script.nsites);
}

/* The parts of attaching: set up in this order, and freed in the reverse one, so that points are
 * freed before what they refer to. */
static const struct attach_part {
	int (*setup)(void);
	void (*free)(void);      /* accepts one whose setup failed, or was never called; or NULL */
	u64 (*memory)(void);     /* the most bytes that setup allocates; NULL: next to none */
} attach_parts[] = {
	{ prt_sample_setup, prt_sample_free, prt_sample_memory },
	{ prt_cost_setup, prt_cost_free, prt_cost_memory },
	{ prt_netfilter_setup, prt_netfilter_free, NULL },
	{ prt_user_setup, prt_user_free, NULL },
	{ setup_start, free_start, memory_of_start },
	{ prt_perf_setup, prt_perf_free, NULL },
	{ prt_gate_setup, prt_gate_free, NULL },
	{ prt_module_setup, prt_module_free, prt_module_memory },
	{ prt_user_fast_setup, prt_user_fast_free, prt_user_fast_memory },
	{ prt_trace_setup, NULL, NULL },
};

u64 prt_attach_memory(void)
{
	u64 sum = ((u64)prt_script.nsites + 1) * sizeof(*prt_site_infos);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(attach_parts); i++)
		if (attach_parts[i].memory)
			sum += attach_parts[i].memory();
	return sum;
}

int prt_attach_setup(void)
{
	int err = 0;
	u32 i;

	prt_site_infos = prt_alloc(prt_script.nsites + 1, sizeof(*prt_site_infos), NUMA_NO_NODE);
	if (!prt_site_infos)
		return -ENOMEM;
	set_dummy_addresses();
	for (i = 0; i < ARRAY_SIZE(attach_parts) && !err; i++)
		err = attach_parts[i].setup();
	return err;
}

void prt_attach_free(void)
{
	u32 i;

	for (i = ARRAY_SIZE(attach_parts); i-- > 0;)
		if (attach_parts[i].free)
			attach_parts[i].free();
	kvfree(prt_site_infos);
	prt_site_infos = NULL;
}

void prt_attach_address(u32 nr, u64 addr)
{
	const enum prt_site_is is = site_is(nr);

	mutex_lock(&prt_attach_lock);
	if (!prt_module_seen(nr) && is != PRT_SITE_SELF && is != PRT_SITE_EVENT)
		prt_site_infos[nr].addr = addr;
	mutex_unlock(&prt_attach_lock);
}

static int arm_start(void)
{
	u32 n = prt_script.nsites, *all = prt_alloc(n + 1, sizeof(*all), NUMA_NO_NODE), i;
	int err;

	for (i = 0; i < n; i++) {
		if (all)
			all[i] = i;
		else
			WRITE_ONCE(prt_site_infos[i].error, -ENOMEM);
	}
	if (!all)
		return -ENOMEM;
	err = prt_set_arm(&start_set, all, n, NULL);
	kvfree(all);
	return err;
}

/* Whether the module of a site may still be loaded. */
static bool any_awaited(void)
{
	u32 i;

	for (i = 0; i < prt_script.nsites; i++)
		if (prt_script.sites[i].module && !prt_site_infos[i].addr &&
		    !prt_site_infos[i].error)
			return true;
	return false;
}

/* Whether the runtime has found all sites that it looks up itself and that the script names. */
static bool all_named_found(void)
{
	u32 i;

	for (i = 0; i < prt_script.nsites; i++)
		if (!prt_script.sites[i].module && prt_site_infos[i].error &&
		    !(prt_script.probes[prt_script.sites[i].probe].flags & PRT_WILDCARD))
			return false;
	return true;
}

bool prt_attach_arm(void)
{
	u32 armed = 0;
	bool ok;

	mutex_lock(&prt_attach_lock);
	prt_user_owner_start();
	ok = !arm_start();
	smp_store_release(&tried, true);
	prt_attach_changed();
	if (ok && !READ_ONCE(prt_session.stop)) {
		ok = prt_set_armed(&start_set, &armed);
		ok &= all_named_found();
		ok &= armed || any_awaited() || !start_set.npairs;
		if (ok)
			prt_module_open();
	}
	mutex_unlock(&prt_attach_lock);
	return ok || READ_ONCE(prt_session.stop);
}

void prt_attach_follow(void)
{
	prt_set_follow(&start_set);
	prt_module_follow();
}

int prt_attach_look(void)
{
	int err;

	mutex_lock(&prt_attach_lock);
	err = prt_events_look();
	mutex_unlock(&prt_attach_lock);
	return err;
}

u32 prt_attach_probes_at(const struct prt_site *site)
{
	const struct prt_point *p = NULL;

	if (site)
		p = smp_load_acquire(&prt_site_infos[site - prt_script.sites].point);
	return p ? p->n : 1;
}
NOKPROBE_SYMBOL(prt_attach_probes_at);

void prt_attach_leave(unsigned long start, unsigned long end)
{
	prt_set_leave(&start_set, start, end);
}

void prt_attach_disarm(void)
{
	prt_module_close();
	prt_pools_settle();
	prt_set_disarm_others(&start_set);
	prt_module_disarm();
	prt_set_disarm_ftrace(&start_set);
	WRITE_ONCE(prt_sites_tried, 0);
	prt_direct_settle();
	prt_ftrace_unguard();
	prt_sample_stop();
}

static void status_of_site(const struct prt_site_info *info, struct prt_site_status *ret)
{
	ret->error = READ_ONCE(info->error);
	ret->state = READ_ONCE(info->gone) ? PRT_SITE_GONE :
		     ret->error ? PRT_SITE_FAILED : PRT_SITE_ABSENT;
}

/* @probe: the number of the site's probe, which is one of the point's. */
static void status_of_point(const struct prt_point *p, u32 probe, struct prt_site_status *ret)
{
	if (smp_load_acquire(&p->armed))
		ret->state = PRT_SITE_ARMED;
	else if (p->gated)
		ret->state = prt_switched_off(probe) ? PRT_SITE_SWITCHED : PRT_SITE_GATED;
	else
		ret->state = p->error ? PRT_SITE_FAILED : PRT_SITE_OFF;
	ret->mechanism = p->mechanism;
	ret->error = p->error;
	ret->cost = prt_cost_of(probe);
	ret->recursed += prt_point_recursed(p);
	if (p->mechanism == PRT_MECH_KRETPROBE)
		prt_kretprobe_status(p, ret);
	else if (READ_ONCE(p->probe) &&
		 (p->mechanism == PRT_MECH_UPROBE || p->mechanism == PRT_MECH_URETPROBE))
		prt_user_status(p, ret);
}

void prt_attach_status(u32 nr, struct prt_site_status *ret)
{
	const struct prt_site_info *info = &prt_site_infos[nr];
	const struct prt_point *p;

	*ret = (struct prt_site_status){ .state = PRT_SITE_OFF };
	if (!smp_load_acquire(&tried))
		return;
	p = smp_load_acquire(&info->point);
	ret->recursed = READ_ONCE(info->recursed);
	if (p)
		status_of_point(p, prt_script.sites[nr].probe, ret);
	else
		status_of_site(info, ret);
}

void prt_attach_changed(void)
{
	smp_store_release(&changed, true);
}

void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent)
{
	static u32 sum[PRT_SITE_SWITCHED + 1];
	struct prt_site_status st;
	u32 i;

	/* The loader polls twenty times a second, and there may be thousands of sites: count only
	 * after a change. */
	if (xchg(&changed, false)) {
		memset(sum, 0, sizeof(sum));
		for (i = 0; i < prt_script.nsites; i++) {
			prt_attach_status(i, &st);
			if (st.state == PRT_SITE_GONE)
				st.state = PRT_SITE_ABSENT;
			sum[st.state] += st.state != PRT_SITE_ABSENT ||
					 prt_script.sites[i].module;
		}
	}
	*armed = sum[PRT_SITE_ARMED];
	*failed = sum[PRT_SITE_FAILED];
	*absent = sum[PRT_SITE_ABSENT] + sum[PRT_SITE_GATED] + sum[PRT_SITE_SWITCHED];
}
