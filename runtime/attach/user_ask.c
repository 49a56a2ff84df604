/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the fast path of breakpoints in programs (user_fast.c) is asked about each of them on x86-64:
 * by a direct call of ftrace at the beginning of kprobe_int3_handler(), which the exception calls
 * first and whose answer 1 ends it. A function has room for one direct call. If another session has
 * it, or the kernel has no direct calls, a notifier is asked, which the exception calls next, after
 * two of the kernel's own; this takes 100 to 140 instructions more. It is asked for each single
 * step of the machine as well, so it is there only from the first hit at a place that it may know.
 */
#include <linux/ftrace.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/notifier.h>

#include "arch/user.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "global.h"
#include "memory.h"
#include "user_known.h"

static int see_trap(struct notifier_block *self, unsigned long event, void *data)
{
	return event == DIE_INT3 ? prt_user_see_breakpoint(((struct die_args *)data)->regs) :
	       NOTIFY_DONE;
}
NOKPROBE_SYMBOL(see_trap);

#ifdef PRT_COMPAT_DIRECT
static struct ftrace_ops direct;
static unsigned long direct_at;
#endif
static struct notifier_block traps = { .notifier_call = see_trap, .priority = INT_MAX };
static DEFINE_MUTEX(traps_lock);
static bool direct_registered, traps_registered;

/* Fails where another session has the direct call: the notifier is for that. */
int prt_user_ask_start(void)
{
#ifdef PRT_COMPAT_DIRECT
	direct_at = prt_form_address("kprobe_int3_handler");
	direct_registered = direct_at &&
		!prt_register(ftrace_set_filter_ip(&direct, direct_at, 0, 1)) &&
		!prt_register(prt_compat_direct_register(&direct, direct_at,
						(unsigned long)prt_arch_breakpoint_call));
#endif
	return 0;
}

/* Not for another that does the same: that may take long. */
static void start_traps(void)
{
	if (!mutex_trylock(&traps_lock))
		return;
	if (!traps_registered && !prt_register(register_die_notifier(&traps)))
		WRITE_ONCE(traps_registered, true);
	mutex_unlock(&traps_lock);
}

void prt_user_ask_ready(void)
{
	if (unlikely(!direct_registered && !READ_ONCE(traps_registered)))
		start_traps();
}

void prt_user_ask_stop(void)
{
	if (traps_registered)
		unregister_die_notifier(&traps);
	traps_registered = false;
#ifdef PRT_COMPAT_DIRECT
	if (direct_registered)
		prt_compat_direct_unregister(&direct, direct_at,
					     (unsigned long)prt_arch_breakpoint_call);
	direct_registered = false;
	prt_compat_ftrace_free(&direct);
	prt_global_grace();
#endif
}
