/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks of netfilter: a packet of a protocol family at a place on its way through the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ast/points.h"
#include "base/words.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/points/provider.h"
#include "analyse/locate/values/prototype.h"
#include "state.h"

/* The function of the kernel that calls hooks. */
#define CALLER "nf_hook_slow"

#define PRIORITIES(text)                                                                          \
	{ text, NULL, 0 }, { text ".priority(S)", NULL, 0 }, { text ".priority(N)", NULL, 0 }
#define ORDERS(pf, hook)                                                                          \
	PRIORITIES("netfilter." pf "." hook), PRIORITIES("netfilter." hook "." pf)

static const struct form forms[] = {
	ORDERS("pf(S)", "hook(S)"),
	ORDERS("pf(S)", "hook(N)"),
	ORDERS("pf(N)", "hook(S)"),
	ORDERS("pf(N)", "hook(N)"),
};

/* ---- names of the kernel's headers ---- */

struct hook_name { const char *name; int64_t value; };

enum { PF_INET = 1, PF_IPV4 = 2, PF_ARP = 3, PF_BRIDGE = 7, PF_IPV6 = 10 };

static const struct hook_name families[] = {
	{ "NFPROTO_INET", PF_INET }, { "NFPROTO_IPV4", PF_IPV4 }, { "NFPROTO_ARP", PF_ARP },
	{ "NFPROTO_BRIDGE", PF_BRIDGE }, { "NFPROTO_IPV6", PF_IPV6 }, {0},
};

#define FIVE_HOOKS(prefix)                                                                        \
	{ prefix "PRE_ROUTING", 0 }, { prefix "LOCAL_IN", 1 }, { prefix "FORWARD", 2 },           \
	{ prefix "LOCAL_OUT", 3 }, { prefix "POST_ROUTING", 4 }

static const struct hook_name inet_hooks[] = {
	FIVE_HOOKS("NF_INET_"), FIVE_HOOKS("NF_IP_"), FIVE_HOOKS("NF_IP6_"), {0},
};
static const struct hook_name arp_hooks[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, {0},
};
static const struct hook_name bridge_hooks[] = { FIVE_HOOKS("NF_BR_"), {0} };

#define IP_PRIORITIES(prefix)                                                                     \
	{ prefix "FIRST", INT32_MIN }, { prefix "RAW_BEFORE_DEFRAG", -450 },                      \
	{ prefix "CONNTRACK_DEFRAG", -400 }, { prefix "RAW", -300 },                              \
	{ prefix "SELINUX_FIRST", -225 }, { prefix "CONNTRACK", -200 },                           \
	{ prefix "MANGLE", -150 }, { prefix "NAT_DST", -100 }, { prefix "FILTER", 0 },            \
	{ prefix "SECURITY", 50 }, { prefix "NAT_SRC", 100 }, { prefix "SELINUX_LAST", 225 },     \
	{ prefix "CONNTRACK_HELPER", 300 }, { prefix "LAST", INT32_MAX }

static const struct hook_name ip_priorities[] = {
	IP_PRIORITIES("NF_IP_PRI_"), IP_PRIORITIES("NF_IP6_PRI_"),
	{ "NF_IP_PRI_CONNTRACK_CONFIRM", INT32_MAX }, {0},
};
static const struct hook_name bridge_priorities[] = {
	{ "NF_BR_PRI_FIRST", INT32_MIN }, { "NF_BR_PRI_NAT_DST_BRIDGED", -300 },
	{ "NF_BR_PRI_FILTER_BRIDGED", -200 }, { "NF_BR_PRI_BRNF", 0 },
	{ "NF_BR_PRI_NAT_DST_OTHER", 100 }, { "NF_BR_PRI_FILTER_OTHER", 200 },
	{ "NF_BR_PRI_NAT_SRC", 300 }, { "NF_BR_PRI_LAST", INT32_MAX }, {0},
};

/* The hooks of one protocol. */
struct protocol {
	int64_t pf, most;        /* the highest hook */
	const struct hook_name *hooks, *priorities;
};

static struct protocol protocol_of(int64_t pf)
{
	if (pf == PF_ARP)
		return (struct protocol){ pf, 2, arp_hooks, ip_priorities };
	if (pf == PF_BRIDGE)
		return (struct protocol){ pf, 4, bridge_hooks, bridge_priorities };
	return (struct protocol){ pf, 4, inet_hooks, ip_priorities };
}

/* ---- arguments ---- */

/* @all: the names that count, for the hint. */
static int unknown_name(const struct located_request *rq, const struct pp_component *part,
			const struct hook_name *all)
{
	struct arena *a = rq->s->arena;
	struct name_list names = {0};

	if (rq->quiet)
		return -EINVAL;
	for (const struct hook_name *n = all; n->name; n++)
		vec_push(a, &names.v, n->name);
	diag_error(rq->s->diag, part->arg->range, E_PROBE_POINT, "netfilter has no %s '%s' here",
		   strcmp(part->name, "pf") == 0 ? "protocol family" : part->name,
		   part->arg->u.str.s);

	const char *nearest = diag_nearest(part->arg->u.str.s, names.v.v, names.v.n);

	if (nearest)
		diag_hint(rq->s->diag, "did you mean '%s'?", nearest);
	else
		diag_hint(rq->s->diag, "known here: %s, and numbers",
			  words_join(a, names.v.v, names.v.n));
	return -EINVAL;
}

/* The value of an argument: a number, a number as text, or one of the @names. */
static int value_of(const struct located_request *rq, const struct pp_component *part,
		    const struct hook_name *names, int64_t *ret)
{
	char *end;

	if (part->arg->kind != EX_STR) {
		provider_number(part, ret);
		return 0;
	}

	const char *text = part->arg->u.str.s;

	for (const struct hook_name *n = names; n->name; n++) {
		if (strcmp(n->name, text) == 0) {
			*ret = n->value;
			return 0;
		}
	}
	errno = 0;
	*ret = strtoll(text, &end, 0);
	return *text && !*end && !errno ? 0 : unknown_name(rq, part, names);
}

static bool is_family(int64_t pf)
{
	for (const struct hook_name *n = families; n->name; n++)
		if (n->value == pf)
			return true;
	return false;
}

static int read_arguments(const struct located_request *rq, struct hook *ret)
{
	const struct pp_component *pf = points_part(rq->pp, "pf");
	const struct pp_component *hook = points_part(rq->pp, "hook");
	const struct pp_component *priority = points_part(rq->pp, "priority");
	int64_t number = 0, nr = 0, order = 0;
	int err = value_of(rq, pf, families, &number);

	if (!err && !is_family(number))
		err = provider_bad_number(rq, pf, "netfilter",
					  "1 (IPv4 and IPv6), 2 (IPv4), 3 (ARP), 7 (bridges) or "
					  "10 (IPv6)");
	if (err)
		return err;

	struct protocol protocol = protocol_of(number);

	err = value_of(rq, hook, protocol.hooks, &nr);
	if (!err && (nr < 0 || nr > protocol.most))
		err = provider_bad_number(rq, hook, "netfilter", protocol.most == 2 ?
					  "at least 0 and at most 2" : "at least 0 and at most 4");
	if (!err && priority)
		err = value_of(rq, priority, protocol.priorities, &order);
	if (!err && (order < INT32_MIN || order > INT32_MAX))
		err = provider_bad_number(rq, priority, "netfilter", "a number of 32 bits");
	*ret = (struct hook){ .pf = (uint8_t)number, .hook = (uint8_t)nr,
			      .priority = (int32_t)order };
	return err;
}

/* ---- interface ---- */

static int check_kernel(const struct located_request *rq)
{
	struct state *s = rq->s;
	const char *const *names;

	if (!kernel_symbols_known(s->kernel) ||
	    kernel_symbols_match(s, s->kernel, CALLER, &names) > 0)
		return 0;
	if (!rq->quiet) {
		diag_error(s->diag, rq->pp->range, E_NO_MATCH, "kernel %s is built without "
			   "netfilter", kernel_release(s->kernel));
		diag_hint(s->diag, "kernel.function(\"ip_rcv\") and the like see packets, too");
	}
	return -ENOENT;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	struct hook *hook = NEW(rq->s->arena, struct hook);
	int err = read_arguments(rq, hook);

	if (!err)
		err = check_kernel(rq);
	if (err)
		return err;
	ret->kind = PK_NETFILTER;
	ret->hook = hook;
	provider_add_site(rq, ret)->prototype = prototype_of(rq->s, NULL, CALLER, 1);
	return 0;
}

const struct provider netfilter_provider = {
	"netfilter", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
