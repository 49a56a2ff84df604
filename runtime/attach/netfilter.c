/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks of netfilter, in the network namespace of the process that set the session up; the session
 * keeps that namespace. The kernel calls a hook for each packet, in a process or in a softirq, and
 * does with the packet what the hook returns. The handler can let it pass or drop it; all other
 * verdicts would hand the packet over to somebody.
 */
#include <linux/kprobes.h>
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <net/net_namespace.h>

#include "arch/arch.h"
#include "attach.h"
#include "context.h"
#include "memory.h"

/* The values in c->saved; the compiler knows the numbers of the first two. */
enum { HOOK_SKB, HOOK_STATE, HOOK_VERDICT, HOOK_VALUES };

static u64 *values_of(struct prt_ctx *c)
{
	return c->probe->kind == PRT_NETFILTER ? c->saved : NULL;
}
NOKPROBE_SYMBOL(values_of);

s64 prt_verdict(struct prt_ctx *c)
{
	const u64 *values = values_of(c);

	return values ? (s64)values[HOOK_VERDICT] : NF_ACCEPT;
}
NOKPROBE_SYMBOL(prt_verdict);

void prt_verdict_set(struct prt_ctx *c, s64 verdict, u32 srcloc)
{
	u64 *values = values_of(c);

	if (verdict != NF_DROP && verdict != NF_ACCEPT)
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("a verdict is nf_drop (0) or nf_accept (1)"));
	else if (values)
		values[HOOK_VERDICT] = verdict;
}
NOKPROBE_SYMBOL(prt_verdict_set);

#ifdef CONFIG_NETFILTER
static struct net *hooks_net;      /* NULL: no probe is at a hook */

static __always_inline unsigned int hook_hit(const struct prt_point *p, const struct pt_regs *regs,
					     struct sk_buff *skb, const struct nf_hook_state *state)
{
	u64 values[HOOK_VALUES] = { (unsigned long)skb, (unsigned long)state, NF_ACCEPT };

	prt_context_hit(p->pairs[0].probe, p->pairs[0].site, regs, values, 0);
	return values[HOOK_VERDICT] == NF_DROP ? NF_DROP : NF_ACCEPT;
}

static unsigned int notrace hook_plain(void *point, struct sk_buff *skb,
				       const struct nf_hook_state *state)
{
	return hook_hit(point, NULL, skb, state);
}
NOKPROBE_SYMBOL(hook_plain);

/* The same for probes that take the stack, which begins with the caller's registers. */
static unsigned int notrace hook_regs(void *point, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	struct pt_regs regs;

	prt_arch_caller(&regs, __builtin_frame_address(0));
	return hook_hit(point, &regs, skb, state);
}
NOKPROBE_SYMBOL(hook_regs);

/* The kernel warns of hooks that it does not have. */
static bool hook_exists(const struct prt_hook *hook)
{
	switch (hook->pf) {
	case NFPROTO_INET:
	case NFPROTO_IPV4:
	case NFPROTO_IPV6:
		return hook->hook < NF_INET_NUMHOOKS;
	case NFPROTO_ARP:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP) && hook->hook < NF_ARP_NUMHOOKS;
	case NFPROTO_BRIDGE:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE) && hook->hook < NF_INET_NUMHOOKS;
	}
	return false;
}

static int hook_register(struct prt_point *p)
{
	const struct prt_hook *hook = &prt_script.probes[p->pairs[0].probe].hook;
	struct nf_hook_ops *ops = p->probe;

	if (!hook_exists(hook))
		return -EOPNOTSUPP;
	if (!ops)
		ops = p->probe = prt_alloc(1, sizeof(*ops), NUMA_NO_NODE);
	if (!ops)
		return -ENOMEM;
	*ops = (struct nf_hook_ops){
		.hook = prt_point_flags(p) & PRT_NEED_REGS ? hook_regs : hook_plain, .priv = p,
		.pf = hook->pf, .hooknum = hook->hook, .priority = hook->priority,
	};
	return prt_register(nf_register_net_hook(hooks_net, ops));
}

static void netfilter_arm(struct prt_point *p)
{
	p->mechanism = PRT_MECH_NETFILTER;
	p->error = hook_register(p);
	prt_point_set_armed(p, !p->error);
}

static void netfilter_disarm(struct prt_point *points, u32 n)
{
	bool any = false;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!points[i].armed)
			continue;
		nf_unregister_net_hook(hooks_net, points[i].probe);
		any = true;
	}
	/* The kernel calls hooks in a reader's section of RCU. */
	if (any)
		synchronize_rcu();
}

int prt_netfilter_setup(void)
{
	u32 i;

	for (i = 0; i < prt_script.nprobes && !hooks_net; i++)
		if (prt_script.probes[i].kind == PRT_NETFILTER)
			hooks_net = get_net(current->nsproxy->net_ns);
	return 0;
}

void prt_netfilter_free(void)
{
	if (hooks_net)
		put_net(hooks_net);
	hooks_net = NULL;
}
#else
static void netfilter_arm(struct prt_point *p)
{
	p->mechanism = PRT_MECH_NETFILTER;
	p->error = -EOPNOTSUPP;
}

static void netfilter_disarm(struct prt_point *points, u32 n)
{
}

int prt_netfilter_setup(void)
{
	return 0;
}

void prt_netfilter_free(void)
{
}
#endif

const struct prt_family prt_netfilter_family = {
	.kind = PRT_NETFILTER, .arm = netfilter_arm, .disarm = netfilter_disarm,
};
