/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct ftrace_regs: a plain member `regs` first, an opaque type after arch_ftrace_regs() since
 * "ftrace: Make ftrace_regs abstract from direct use" (backported to 6.12). Kbuild looks for the
 * macro.
 */
#ifndef PRT_COMPAT_FTRACE_H
#define PRT_COMPAT_FTRACE_H

#include <linux/ftrace.h>

/*
 * Argument registers, sp and ip are valid in it; the others only with FTRACE_OPS_FL_SAVE_REGS. On
 * arm64, since "arm64: ftrace: replace FTRACE_WITH_REGS with FTRACE_WITH_ARGS" (26299b3f6ba2), only
 * the argument registers are, and PRT_COMPAT_FTRACE_ALL_REGS is not defined: there are no others.
 */
#if defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
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

/* A direct call to @addr from the function in the filter of @ops: of an ops since "ftrace: Rename
 * _ftrace_direct_multi APIs to _ftrace_direct APIs" (da8bdfbd4223), by another name before. */
#ifdef PRT_HAVE_DIRECT_MULTI
#define prt_compat_direct_register(ops, addr) register_ftrace_direct_multi(ops, addr)
#define prt_compat_direct_unregister(ops, addr) unregister_ftrace_direct_multi(ops, addr)
#elif defined(PRT_HAVE_DIRECT_OPS)
#define prt_compat_direct_register(ops, addr) register_ftrace_direct(ops, addr)
#define prt_compat_direct_unregister(ops, addr) unregister_ftrace_direct(ops, addr, false)
#endif
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && defined(prt_compat_direct_register)
#define PRT_COMPAT_DIRECT 1
#endif

#endif
