/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct ftrace_regs: a plain member `regs` first, an opaque type after arch_ftrace_regs() since
 * "ftrace: Make ftrace_regs abstract from direct use" (7888af4166d4, backported to 6.12). Kbuild
 * looks for the macro.
 *
 * Before "ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs"
 * (d19ad0775dcd), handlers were given a struct pt_regs, or NULL if they did not ask for all
 * registers, and ftrace prevented recursion unless it was told not to, since "ftrace: Reverse what
 * the RECURSION flag means in the ftrace_ops" (a25d036d939a) if it is told to. Kbuild looks for the
 * structure; both have come together.
 */
#ifndef PRT_COMPAT_FTRACE_H
#define PRT_COMPAT_FTRACE_H

#include <linux/ftrace.h>

#include "abi/script.h"

/* Flags of each ops with a handler of ours. */
#ifdef PRT_HAVE_FTRACE_REGS
enum { PRT_COMPAT_FTRACE_FLAGS = FTRACE_OPS_FL_PERMANENT };
#else
enum {
	PRT_COMPAT_FTRACE_FLAGS = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_SAVE_REGS |
				  FTRACE_OPS_FL_RECURSION_SAFE,
};
#endif

/*
 * Argument registers, sp and ip are valid in it; the others only with FTRACE_OPS_FL_SAVE_REGS. On
 * arm64, since "arm64: ftrace: replace FTRACE_WITH_REGS with FTRACE_WITH_ARGS" (26299b3f6ba2), only
 * the argument registers are, and PRT_COMPAT_FTRACE_ALL_REGS is not defined: there are no others.
 */
#ifndef PRT_HAVE_FTRACE_REGS
#define PRT_COMPAT_FTRACE_ALL_REGS 1
static __always_inline struct pt_regs *prt_compat_ftrace_regs(prt_ftrace_regs *regs)
{
	return regs;
}
#elif defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
static __always_inline struct pt_regs *prt_compat_ftrace_regs(struct ftrace_regs *fregs)
{
	return (struct pt_regs *)fregs;
}
#else
#define PRT_COMPAT_FTRACE_ALL_REGS 1
static __always_inline struct pt_regs *prt_compat_ftrace_regs(struct ftrace_regs *fregs)
{
#ifdef PRT_HAVE_ARCH_FTRACE_REGS
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}
#endif

/* Flags of an ops whose handler may call prt_compat_ftrace_return(). */
enum {
	PRT_COMPAT_FTRACE_REDIRECTS = FTRACE_OPS_FL_IPMODIFY
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
				      | FTRACE_OPS_FL_SAVE_REGS
#endif
};

#ifdef CONFIG_ARM64
/* In the handler: the function returns @value at once. Its return address is in a register, and not
 * signed yet. */
static __always_inline void prt_compat_ftrace_return(prt_ftrace_regs *fregs, unsigned long value)
{
#ifdef PRT_COMPAT_FTRACE_ALL_REGS
	struct pt_regs *regs = prt_compat_ftrace_regs(fregs);

	regs->regs[0] = value;
	regs->pc = regs->regs[30];
#else
	ftrace_regs_set_return_value(fregs, value);
	ftrace_override_function_with_return(fregs);
#endif
}
#endif

/* Frees the filter of an ops, which is not registered, or has been freed: what is exported for that
 * since "ftrace: Export ftrace_free_filter() to modules" (8be9fbd5345d) leaves pointers to what it
 * has freed. */
static inline void prt_compat_ftrace_free(struct ftrace_ops *ops)
{
#ifdef PRT_HAVE_FREE_FILTER
	ftrace_free_filter(ops);
	ops->func_hash->filter_hash = NULL;
	ops->func_hash->notrace_hash = NULL;
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

/* A direct call to @addr from the function at @ip, which is in the filter of @ops: of an ops since
 * "ftrace: Rename _ftrace_direct_multi APIs to _ftrace_direct APIs" (da8bdfbd4223), by another name
 * from "ftrace: Add multi direct register/unregister interface" (f64dd4627ec6) on, and of an
 * address before that. */
#ifdef PRT_HAVE_DIRECT_MULTI
#define prt_compat_direct_register(ops, ip, addr) register_ftrace_direct_multi(ops, addr)
#define prt_compat_direct_unregister(ops, ip, addr) unregister_ftrace_direct_multi(ops, addr)
#elif defined(PRT_HAVE_DIRECT_OPS)
#define prt_compat_direct_register(ops, ip, addr) register_ftrace_direct(ops, addr)
#define prt_compat_direct_unregister(ops, ip, addr) unregister_ftrace_direct(ops, addr, false)
#elif defined(PRT_HAVE_DIRECT_IP)
#define prt_compat_direct_register(ops, ip, addr) register_ftrace_direct(ip, addr)
#define prt_compat_direct_unregister(ops, ip, addr) unregister_ftrace_direct(ip, addr)
#endif

/* Lets live patches of the function and a direct call of @ops have the function at the same time,
 * which the kernel asks each of them since "ftrace: Allow IPMODIFY and DIRECT ops on the same
 * function" (53cd885bc5c3), with the function's address since "ftrace: Factor ftrace_ops ops_func
 * interface" (956747efd82a). The direct call has to enter the function at the address on the stack,
 * which a live patch changes; our trampolines always do. */
#ifdef PRT_HAVE_SHARE_IPMODIFY
#ifdef PRT_HAVE_SHARE_IP
static inline int prt_compat_direct_shares(struct ftrace_ops *ops, unsigned long ip,
					   enum ftrace_ops_cmd cmd)
#else
static inline int prt_compat_direct_shares(struct ftrace_ops *ops, enum ftrace_ops_cmd cmd)
#endif
{
	return 0;
}
#define prt_compat_direct_share(ops) ((ops)->ops_func = prt_compat_direct_shares)
#else
#define prt_compat_direct_share(ops) ((void)(ops))
#endif
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && defined(prt_compat_direct_register)
#define PRT_COMPAT_DIRECT 1
#endif

#endif
