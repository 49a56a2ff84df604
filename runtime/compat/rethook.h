/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernels with CONFIG_PROVE_RCU ask, each time a hooked function has returned, whether RCU may be
 * read (rethook_get_handler()). What they call for it can be traced, and a return probe on it
 * would come back to itself until the stack is gone.
 */
#ifndef PRT_COMPAT_RETHOOK_H
#define PRT_COMPAT_RETHOOK_H

#include <linux/rcupdate.h>

/* Whether the kernel itself calls the function at @addr for every return. */
static inline bool prt_compat_in_each_return(unsigned long addr)
{
#ifdef CONFIG_PROVE_RCU
	if (addr == (unsigned long)rcu_read_lock_any_held)
		return true;
#ifdef CONFIG_HOTPLUG_CPU
	if (addr == (unsigned long)rcu_lockdep_current_cpu_online)
		return true;
#endif
#endif
	return false;
}

#endif
