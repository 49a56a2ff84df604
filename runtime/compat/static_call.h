/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trampolines of static calls. Three bytes behind the jump mark one since "static_call,x86:
 * Robustify trampoline patching" (2105a92748e8); arch/x86_form.h knows those that it has had soon
 * afterwards, and Kbuild looks for them. Before, only its name shows what it is.
 */
#ifndef PRT_COMPAT_STATIC_CALL_H
#define PRT_COMPAT_STATIC_CALL_H

#include <linux/kallsyms.h>
#include <linux/string.h>

/* Process context. */
static inline bool prt_compat_is_trampoline(unsigned long addr)
{
#if defined(CONFIG_HAVE_STATIC_CALL) && !defined(PRT_HAVE_TRAMPOLINE_MARK)
	static const char prefix[] = "__SCT__";
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, addr);
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
#else
	return false;
#endif
}

#endif
