/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From sites to points, armed together. Points are sorted by address and stay where they are until
 * their set is armed again: the handlers and the status look at them.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "attach.h"
#include "memory.h"
#include "session.h"

static const struct prt_family *const families[PRT_FAMILIES] = {
	&prt_trace_family, &prt_clock_family, &prt_perf_family, &prt_watch_family,
	&prt_user_family, &prt_user_return_family, &prt_user_watch_family, &prt_netfilter_family,
};

/* The largest number of points of @kind in a set for @most sites. */
static u32 n_of_kind(u16 kind, u32 most)
{
	u32 n = 0, i;

	for (i = 0; i < prt_script.nsites; i++)
		n += prt_script.probes[prt_script.sites[i].probe].kind == kind;
	return min(n, most);
}

u64 prt_set_memory(u32 nsites)
{
	u64 ret = ((u64)nsites + 1) *
		  (sizeof(struct prt_pair) + 2 * sizeof(struct prt_point) +
		   sizeof(struct prt_ftrace_bundle *) + sizeof(struct prt_point *));
	u32 i;

	for (i = 0; i < PRT_FAMILIES; i++)
		ret += n_of_kind(families[i]->kind, nsites) * sizeof(struct prt_point);
	return ret;
}

int prt_set_init(struct prt_set *set, u32 nsites)
{
	u32 n = nsites + 1, i;
	bool ok = true;

	set->size = nsites;
	set->pairs = prt_alloc(n, sizeof(*set->pairs), NUMA_NO_NODE);
	set->entries.p = prt_alloc(n, sizeof(*set->entries.p), NUMA_NO_NODE);
	set->returns.p = prt_alloc(n, sizeof(*set->returns.p), NUMA_NO_NODE);
	set->bundles = prt_alloc(n, sizeof(*set->bundles), NUMA_NO_NODE);
	set->order = prt_alloc(n, sizeof(*set->order), NUMA_NO_NODE);
	for (i = 0; i < PRT_FAMILIES; i++) {
		u32 most = n_of_kind(families[i]->kind, nsites);

		if (most)
			set->others[i].p = prt_alloc(most, sizeof(*set->others[i].p), NUMA_NO_NODE);
		set->others[i].size = most;
		ok &= !most || set->others[i].p;
	}
	return ok && set->pairs && set->entries.p && set->returns.p && set->bundles && set->order ?
		       0 : -ENOMEM;
}

/* Frees @size points, used or not, with what `probe` leads to. @family is NULL for entries and
 * returns. */
static void free_points(struct prt_point *points, u32 size, const struct prt_family *family)
{
	u32 i;

	for (i = 0; points && i < size; i++) {
		if (family && family->free)
			family->free(&points[i]);
		kvfree(points[i].probe);
	}
	kvfree(points);
}

void prt_set_free(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < PRT_FAMILIES; i++)
		free_points(set->others[i].p, set->others[i].size, families[i]);
	free_points(set->entries.p, set->size, NULL);
	free_points(set->returns.p, set->size, NULL);
	kvfree(set->pairs);
	kvfree(set->bundles);
	kvfree(set->order);
	*set = (struct prt_set){};
}

/* ---- points ---- */

static u32 site_nr(const struct prt_site *site)
{
	return site - prt_script.sites;
}

static int by_address(const void *x, const void *y)
{
	const struct prt_pair *a = x, *b = y;
	u64 at = prt_site_infos[site_nr(a->site)].addr, bt = prt_site_infos[site_nr(b->site)].addr;

	if (at != bt)
		return at < bt ? -1 : 1;
	if (a->syscall != b->syscall)
		return a->syscall < b->syscall ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

static struct prt_point *new_point(struct prt_points *points, unsigned long addr,
				   struct prt_pair *pairs)
{
	struct prt_point *p = &points->p[points->n++];

	*p = (struct prt_point){ .addr = addr, .pairs = pairs, .probe = p->probe,
				 .by_syscall = pairs->syscall };
	return p;
}

/* Makes points of the @n pairs from @pairs on; returns @n. */
static u32 make_points(struct prt_points *points, struct prt_pair *pairs, u32 n)
{
	struct prt_point *p = NULL;
	u32 i;

	points->n = 0;
	sort(pairs, n, sizeof(*pairs), by_address, NULL);
	for (i = 0; i < n; i++) {
		struct prt_site_info *info = &prt_site_infos[site_nr(pairs[i].site)];

		if (!p || p->addr != info->addr || p->by_syscall != !!pairs[i].syscall)
			p = new_point(points, info->addr, &pairs[i]);
		p->n++;
		smp_store_release(&info->point, p);
	}
	return n;
}

/* Places are among the entries, because there is one point at an address. */
static bool is_of_kind(const struct prt_site *site, u16 kind)
{
	u16 own = prt_script.probes[site->probe].kind;

	return own == kind || (own == PRT_PLACE && kind == PRT_ENTRY);
}

/* Writes the pairs of the sites in @list that are of @kind to @to; returns their number. */
static u32 pick(struct prt_pair *to, u16 kind, const u32 *list, u32 n,
		bool (*wanted)(const struct prt_site_info *info))
{
	u32 picked = 0, i;

	for (i = 0; i < n; i++) {
		const struct prt_site *site = &prt_script.sites[list[i]];
		const struct prt_site_info *info = &prt_site_infos[list[i]];

		if (is_of_kind(site, kind) && info->addr && (!wanted || wanted(info)))
			to[picked++] = (struct prt_pair){ site->probe, site->syscall, site };
	}
	return picked;
}

/* ---- arming ---- */

/* The points that are left for kprobes and kretprobes, after ftrace has taken its own. */
static u32 n_kprobes(const struct prt_set *set)
{
	u32 n = set->returns.n, i;

	for (i = 0; i < set->entries.n; i++)
		n += !set->entries.p[i].mechanism;
	return n;
}

/* Sets the error of every point that is not armed yet. */
static void fail_all(struct prt_set *set, int err)
{
	u32 i;

	for (i = 0; i < set->entries.n; i++)
		if (!set->entries.p[i].armed && !set->entries.p[i].gated)
			set->entries.p[i].error = err;
	for (i = 0; i < set->returns.n; i++)
		set->returns.p[i].error = err;
}

static void count_tried(const struct prt_point *p)
{
	WRITE_ONCE(prt_sites_tried, prt_sites_tried + p->n);
}

static void prepare_entry(const struct prt_set *set, struct prt_point *p)
{
	prt_kprobe_prepare(p);
}

static void arm_return(const struct prt_set *set, struct prt_point *p)
{
	/* prt_attach_status() may be reading the kretprobe that it was before. */
	if (p->mechanism == PRT_MECH_KRETPROBE || !prt_direct_arm(p))
		prt_kretprobe_arm(p, set->returns.n);
}

/* Arms @p unless its gate is closed. */
static void arm_or_gate(const struct prt_set *set, struct prt_point *p,
			void (*arm)(const struct prt_set *set, struct prt_point *p))
{
	p->gated = prt_gate_closed(p);
	if (!p->gated)
		arm(set, p);
}

static void turn_on(const struct prt_family *f, struct prt_point *p)
{
	p->gated = false;
	prt_point_set_armed(p, true);
	f->turn(p, true);
}

/* Arms @p even if its gate is closed, to take the scarce resource now. */
static void arm_to_turn(const struct prt_family *f, struct prt_point *p)
{
	f->arm(p);
	if (!p->armed)
		return;
	p->gated = prt_gate_closed(p);
	p->armed = !p->gated;
	if (p->armed)
		turn_on(f, p);
}

static void arm_others(struct prt_set *set)
{
	u32 i, k;

	for (i = 0; i < PRT_FAMILIES; i++) {
		for (k = 0; k < set->others[i].n && !READ_ONCE(prt_session.stop); k++) {
			struct prt_point *p = &set->others[i].p[k];

			if (families[i]->turn) {
				arm_to_turn(families[i], p);
				continue;
			}
			p->gated = prt_gate_closed(p);
			if (!p->gated)
				families[i]->arm(p);
		}
	}
}

int prt_set_arm(struct prt_set *set, const u32 *list, u32 n,
		bool (*wanted)(const struct prt_site_info *info))
{
	struct prt_pair *pairs = set->pairs;
	u32 i;
	int err;

	pairs += make_points(&set->entries, pairs, pick(pairs, PRT_ENTRY, list, n, wanted));
	pairs += make_points(&set->returns, pairs, pick(pairs, PRT_RETURN, list, n, wanted));
	for (i = 0; i < PRT_FAMILIES; i++)
		pairs += make_points(&set->others[i], pairs,
				     pick(pairs, families[i]->kind, list, n, wanted));
	set->npairs = pairs - set->pairs;
	err = prt_ftrace_arm(set);
	if (err) {
		fail_all(set, err);
		return err;
	}
	if (n_kprobes(set))
		prt_ftrace_guard(set);
	for (i = 0; i < set->entries.n && !READ_ONCE(prt_session.stop); i++) {
		if (!set->entries.p[i].mechanism)
			arm_or_gate(set, &set->entries.p[i], prepare_entry);
		count_tried(&set->entries.p[i]);
	}
	prt_kprobe_enable(set->entries.p, set->entries.n);
	for (i = 0; i < set->returns.n && !READ_ONCE(prt_session.stop); i++) {
		arm_or_gate(set, &set->returns.p[i], arm_return);
		count_tried(&set->returns.p[i]);
	}
	arm_others(set);
	return 0;
}

static void settle_others(void)
{
	u32 i;

	for (i = 0; i < PRT_FAMILIES; i++)
		if (families[i]->settle)
			families[i]->settle();
}

void prt_set_disarm_others(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < PRT_FAMILIES; i++)
		if (set->others[i].n)
			families[i]->disarm(set->others[i].p, set->others[i].n);
	settle_others();
	prt_kprobe_disarm(set->entries.p, set->entries.n, NULL);
	prt_direct_disarm(set->returns.p, set->returns.n, NULL);
	prt_kretprobe_disarm(set->returns.p, set->returns.n, NULL);
}

void prt_set_disarm_ftrace(struct prt_set *set)
{
	prt_ftrace_disarm(set);
}

/* ---- points that leave ---- */

u64 prt_point_recursed(const struct prt_point *p)
{
	if (!smp_load_acquire(&p->armed))
		return 0;
	if (p->mechanism == PRT_MECH_KPROBE)
		return prt_kprobe_recursed(p);
	return p->mechanism == PRT_MECH_KRETPROBE ? prt_kretprobe_recursed(p) : 0;
}

/* Detaches the sites from @p; the hits that the kernel skipped there remain counted. */
static void forget(const struct prt_point *p)
{
	u64 recursed = prt_point_recursed(p);
	u32 i;

	for (i = 0; i < p->n; i++) {
		struct prt_site_info *info = &prt_site_infos[site_nr(p->pairs[i].site)];

		WRITE_ONCE(info->error, p->error);
		WRITE_ONCE(info->gone, info->gone || p->armed || p->gated);
		info->addr = 0;
		smp_store_release(&info->point, NULL);
		WRITE_ONCE(info->recursed, info->recursed + recursed);
	}
}

/* Returns the index of the first of the *@n points in [@start, @end). */
static u32 points_within(const struct prt_points *points, unsigned long start, unsigned long end,
			 u32 *n)
{
	u32 first = 0, last;

	while (first < points->n && points->p[first].addr < start)
		first++;
	for (last = first; last < points->n && points->p[last].addr < end;)
		last++;
	*n = last - first;
	return first;
}

static void forget_range(const struct prt_points *points, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n; i++) {
		struct prt_point *p = &points->p[i];

		if (prt_site_infos[site_nr(p->pairs[0].site)].point != p)
			continue;
		forget(p);
		p->armed = p->gated = false;
	}
}

void prt_set_leave(struct prt_set *set, unsigned long start, unsigned long end)
{
	u32 n, nreturns, entry, ret, i;

	for (i = 0; i < PRT_FAMILIES; i++) {
		u32 first = points_within(&set->others[i], start, end, &n);

		if (n)
			families[i]->disarm(&set->others[i].p[first], n);
		forget_range(&set->others[i], first, n);
	}
	settle_others();

	entry = points_within(&set->entries, start, end, &n);
	ret = points_within(&set->returns, start, end, &nreturns);
	prt_kprobe_disarm(&set->entries.p[entry], n, NULL);
	prt_kretprobe_disarm(&set->returns.p[ret], nreturns, NULL);
	prt_ftrace_leave(set, start, end);
	forget_range(&set->entries, entry, n);
	forget_range(&set->returns, ret, nreturns);
}

/* ---- conditions ---- */

void prt_point_gate(struct prt_point *p)
{
	u64 recursed = prt_point_recursed(p);
	u32 i;

	for (i = 0; i < p->n; i++) {
		struct prt_site_info *info = &prt_site_infos[site_nr(p->pairs[i].site)];

		WRITE_ONCE(info->recursed, info->recursed + recursed);
	}
	p->gated = true;
	p->armed = false;
}

static bool closes(const struct prt_point *p)
{
	return p->armed && p->mechanism != PRT_MECH_FTRACE && prt_gate_closed(p);
}

static bool opens(const struct prt_point *p)
{
	return p->gated && p->mechanism != PRT_MECH_FTRACE && !prt_gate_closed(p);
}

static void gate_closing(struct prt_points *points)
{
	u32 i;

	for (i = 0; i < points->n; i++)
		if (closes(&points->p[i]))
			prt_point_gate(&points->p[i]);
}

static void close_entries(struct prt_points *points)
{
	prt_kprobe_disarm(points->p, points->n, closes);
	gate_closing(points);
}

static void close_returns(struct prt_points *points)
{
	u32 i;

	prt_direct_disarm(points->p, points->n, closes);
	prt_kretprobe_disarm(points->p, points->n, closes);
	/* The next point at this address may be of the other kind. */
	for (i = 0; i < points->n; i++)
		if (points->p[i].mechanism == PRT_MECH_DIRECT && closes(&points->p[i]))
			prt_direct_drop(&points->p[i]);
	gate_closing(points);
}

/* Disarms neighbouring points together, because the kernel waits once for each call. */
static void close_others(struct prt_points *points, void (*disarm)(struct prt_point *p, u32 n))
{
	u32 i, end;

	for (i = 0; i < points->n; i = end + 1) {
		for (end = i; end < points->n && closes(&points->p[end]);)
			end++;
		if (end == i)
			continue;
		disarm(&points->p[i], end - i);
		for (; i < end; i++)
			prt_point_gate(&points->p[i]);
	}
}

static void open_points(const struct prt_set *set, struct prt_points *points,
			void (*arm)(const struct prt_set *set, struct prt_point *p))
{
	u32 i;

	for (i = 0; i < points->n && !READ_ONCE(prt_session.stop); i++) {
		if (!opens(&points->p[i]))
			continue;
		points->p[i].gated = false;
		arm(set, &points->p[i]);
	}
}

static void follow_others(const struct prt_family *f, struct prt_points *points)
{
	u32 i;

	if (!f->turn)
		close_others(points, f->disarm);
	if (f->settle)
		f->settle();
	for (i = 0; i < points->n && !READ_ONCE(prt_session.stop); i++) {
		struct prt_point *p = &points->p[i];

		if (closes(p)) {
			f->turn(p, false);
			prt_point_gate(p);
		} else if (opens(p) && f->turn) {
			turn_on(f, p);
		} else if (opens(p)) {
			p->gated = false;
			f->arm(p);
		}
	}
}

void prt_set_follow(struct prt_set *set)
{
	u32 i;

	close_entries(&set->entries);
	close_returns(&set->returns);
	prt_ftrace_follow(set);
	open_points(set, &set->entries, prepare_entry);
	prt_kprobe_enable(set->entries.p, set->entries.n);
	open_points(set, &set->returns, arm_return);
	for (i = 0; i < PRT_FAMILIES; i++)
		follow_others(families[i], &set->others[i]);
}

/* ---- status ---- */

static bool named(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (!(prt_script.probes[p->pairs[i].probe].flags & PRT_WILDCARD))
			return true;
	return false;
}

static bool all_armed(const struct prt_points *points, u32 *armed)
{
	bool ok = true;
	u32 i;

	for (i = 0; i < points->n; i++) {
		if (points->p[i].armed || points->p[i].gated)
			++*armed;
		else if (named(&points->p[i]))
			ok = false;
	}
	return ok;
}

bool prt_set_armed(const struct prt_set *set, u32 *armed)
{
	bool ok = all_armed(&set->entries, armed);
	u32 i;

	ok &= all_armed(&set->returns, armed);
	for (i = 0; i < PRT_FAMILIES; i++)
		ok &= all_armed(&set->others[i], armed);
	return ok;
}
