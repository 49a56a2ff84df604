/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From sites to points and back. Points are sorted by address and stay where they are from arming
 * until the session is freed: the handlers and the status look at them.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "attach.h"
#include "session.h"

struct points {
	struct prt_point *p;
	u32 n;
};

static u64 *addresses;             /* of each site; 0: absent */
static struct prt_point **point_of; /* of each site, once armed; NULL: none */
static struct prt_pair *pairs;     /* one a site */
static struct points entries, returns;
static bool tried;                 /* arming is over: states are known */

int prt_attach_setup(void)
{
	u32 n = prt_script.nsites + 1;

	addresses = kvcalloc(n, sizeof(*addresses), GFP_KERNEL);
	point_of = kvcalloc(n, sizeof(*point_of), GFP_KERNEL);
	pairs = kvcalloc(n, sizeof(*pairs), GFP_KERNEL);
	entries.p = kvcalloc(n, sizeof(*entries.p), GFP_KERNEL);
	returns.p = kvcalloc(n, sizeof(*returns.p), GFP_KERNEL);
	return addresses && point_of && pairs && entries.p && returns.p ? 0 : -ENOMEM;
}

void prt_attach_free(void)
{
	prt_kprobe_free(entries.p, entries.n);
	prt_kretprobe_free(returns.p, returns.n);
	kvfree(addresses);
	kvfree(point_of);
	kvfree(pairs);
	kvfree(entries.p);
	kvfree(returns.p);
	addresses = NULL;
	point_of = NULL;
	pairs = NULL;
	entries = returns = (struct points){};
}

void prt_attach_address(u32 nr, u64 addr)
{
	addresses[nr] = addr;
}

static u32 site_nr(const struct prt_site *site)
{
	return site - prt_script.sites;
}

static int by_address(const void *x, const void *y)
{
	const struct prt_pair *a = x, *b = y;
	u64 at = addresses[site_nr(a->site)], bt = addresses[site_nr(b->site)];

	if (at != bt)
		return at < bt ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* Makes points of the sites of @kind; their pairs go to the unused end of pairs[]. */
static u32 make_points(struct points *points, u16 kind, u32 first)
{
	u32 n = first, i;

	for (i = 0; i < prt_script.nsites; i++) {
		const struct prt_site *site = &prt_script.sites[i];

		if (prt_script.probes[site->probe].kind == kind && addresses[i])
			pairs[n++] = (struct prt_pair){ site->probe, site };
	}
	sort(pairs + first, n - first, sizeof(*pairs), by_address, NULL);
	for (i = first; i < n; i++) {
		u32 nr = site_nr(pairs[i].site);
		struct prt_point *p = points->n ? &points->p[points->n - 1] : NULL;

		if (!p || p->addr != addresses[nr]) {
			p = &points->p[points->n++];
			p->addr = addresses[nr];
			p->pairs = &pairs[i];
		}
		p->n++;
		point_of[nr] = p;
	}
	return n;
}

static bool named(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (!(prt_script.probes[p->pairs[i].probe].flags & PRT_WILDCARD))
			return true;
	return false;
}

/* false: one that the script names failed. @armed counts those that did not. */
static bool all_armed(const struct points *points, u32 *armed)
{
	bool ok = true;
	u32 i;

	for (i = 0; i < points->n; i++) {
		if (points->p[i].armed)
			++*armed;
		else if (named(&points->p[i]))
			ok = false;
	}
	return ok;
}

/* Points that are left for kprobes and kretprobes, once ftrace has taken what it knows. */
static u32 n_kprobes(void)
{
	u32 n = returns.n, i;

	for (i = 0; i < entries.n; i++)
		n += !entries.p[i].mechanism;
	return n;
}

bool prt_attach_arm(void)
{
	u32 armed = 0, n, i;
	bool ok;

	n = make_points(&entries, PRT_ENTRY, 0);
	make_points(&returns, PRT_RETURN, n);
	ok = !prt_ftrace_arm(entries.p, entries.n);
	if (ok && n_kprobes())
		prt_ftrace_guard();
	for (i = 0; ok && i < entries.n && !READ_ONCE(prt_session.stop); i++)
		if (!entries.p[i].mechanism)
			prt_kprobe_arm(&entries.p[i]);
	for (i = 0; ok && i < returns.n && !READ_ONCE(prt_session.stop); i++)
		prt_kretprobe_arm(&returns.p[i], returns.n);
	smp_store_release(&tried, true);
	if (READ_ONCE(prt_session.stop))
		return true;
	ok &= all_armed(&entries, &armed);
	ok &= all_armed(&returns, &armed);
	return ok && (armed || !(entries.n + returns.n));
}

void prt_attach_disarm(void)
{
	prt_kprobe_disarm(entries.p, entries.n);
	prt_kretprobe_disarm(returns.p, returns.n);
	prt_ftrace_disarm();
}

void prt_attach_status(u32 nr, struct prt_site_status *ret)
{
	const struct prt_point *p;

	*ret = (struct prt_site_status){ .state = PRT_SITE_OFF };
	if (!smp_load_acquire(&tried))
		return;
	p = point_of[nr];
	if (!p) {
		ret->state = PRT_SITE_ABSENT;
		return;
	}
	ret->state = p->armed ? PRT_SITE_ARMED : p->error ? PRT_SITE_FAILED : PRT_SITE_OFF;
	ret->mechanism = p->mechanism;
	ret->error = p->error;
	if (p->armed && p->mechanism == PRT_MECH_KPROBE)
		ret->missed = ret->recursed = prt_kprobe_missed(p);
	else if (p->armed && p->mechanism == PRT_MECH_KRETPROBE)
		ret->missed = prt_kretprobe_missed(p, &ret->recursed);
}

void prt_attach_totals(u32 *armed, u32 *failed, u32 *absent)
{
	struct prt_site_status st;
	u32 i;

	*armed = *failed = *absent = 0;
	for (i = 0; i < prt_script.nsites; i++) {
		prt_attach_status(i, &st);
		*armed += st.state == PRT_SITE_ARMED;
		*failed += st.state == PRT_SITE_FAILED;
		*absent += st.state == PRT_SITE_ABSENT;
	}
}
