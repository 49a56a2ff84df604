/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the fast path of breakpoints in programs (user_fast.c) is asked about each of them on arm64:
 * by ftrace, at the beginning of the function that handles uprobes' breakpoints. It is given the
 * program's registers and the exception's syndrome, and its answer 0 ends the exception; a hit that
 * has been handled returns in its place, as live patches enter another function. Only one user of
 * ftrace may do so at a function. Another session therefore takes the function that calls this one,
 * which is asked about the breakpoints of others as well; a third one leaves its hits to the
 * kernel.
 *
 * Newer kernels, and Debian's 6.12 too, call these functions by other names and with interrupts on.
 */
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>

#include "arch/user.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "memory.h"
#include "user_known.h"

static void notrace answer(prt_ftrace_regs *fregs, struct pt_regs *regs, u64 esr)
{
	unsigned long flags;
	bool handled;

	if (!data_race(prt_user_any_known) || !prt_arch_is_breakpoint(esr))
		return;
	raw_local_irq_save(flags);
	handled = prt_user_see_breakpoint(regs);
	raw_local_irq_restore(flags);
	if (handled)
		prt_compat_ftrace_return(fregs, 0);
}
NOKPROBE_SYMBOL(answer);

/* uprobe_brk_handler(regs, esr). */
static void notrace see_handler(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				prt_ftrace_regs *fregs)
{
	const struct pt_regs *args = prt_compat_ftrace_regs(fregs);

	answer(fregs, (struct pt_regs *)prt_arch_arg(args, 0), prt_arch_arg(args, 1));
}
NOKPROBE_SYMBOL(see_handler);

/* do_el0_brk64(esr, regs). */
static void notrace see_caller(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       prt_ftrace_regs *fregs)
{
	const struct pt_regs *args = prt_compat_ftrace_regs(fregs);

	answer(fregs, (struct pt_regs *)prt_arch_arg(args, 1), prt_arch_arg(args, 0));
}
NOKPROBE_SYMBOL(see_caller);

/* brk_handler(address, esr, regs). */
static void notrace see_old_caller(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct pt_regs *args = prt_compat_ftrace_regs(fregs);

	answer(fregs, (struct pt_regs *)prt_arch_arg(args, 2), prt_arch_arg(args, 1));
}
NOKPROBE_SYMBOL(see_old_caller);

struct redirect {
	const char *symbol;
	ftrace_func_t func;
};

static const struct redirect redirects[] = {
	{ "uprobe_brk_handler", see_handler },
	{ "uprobe_breakpoint_handler", see_handler },
	{ "do_el0_brk64", see_caller },
	{ "brk_handler", see_old_caller },
};

static struct ftrace_ops redirecting;
static bool is_redirecting;

static int try_redirect(const struct redirect *one)
{
	unsigned long addr = prt_form_address(one->symbol);

	if (!addr)
		return -ENOENT;
	redirecting = (struct ftrace_ops){
		.func = one->func,
		.flags = PRT_COMPAT_FTRACE_FLAGS | PRT_COMPAT_FTRACE_REDIRECTS,
	};
	if (!prt_register(ftrace_set_filter_ip(&redirecting, addr, 0, 1)) &&
	    !prt_register(register_ftrace_function(&redirecting)))
		return 0;
	prt_compat_ftrace_free(&redirecting);
	return -EBUSY;
}

/* All hits of the machine's breakpoints in programs call it from now on. */
int prt_user_ask_start(void)
{
	int ret = -ENOENT, err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(redirects) && !is_redirecting; i++) {
		err = try_redirect(&redirects[i]);
		is_redirecting = !err;
		ret = err == -ENOENT ? ret : err;
	}
	return ret;
}

void prt_user_ask_ready(void)
{
}

/* ftrace waits for those that it has called. */
void prt_user_ask_stop(void)
{
	if (!is_redirecting)
		return;
	unregister_ftrace_function(&redirecting);
	prt_compat_ftrace_free(&redirecting);
	is_redirecting = false;
}
