// SPDX-License-Identifier: GPL-2.0
/*
 * A module whose last function is SHIFT bytes longer than necessary: vm/tail.sh. With CALLS, ftrace
 * has no entry for the function, although it begins with a call.
 */
#include <linux/linkage.h>
#include <linux/module.h>

static int calls;
module_param(calls, int, 0400);

int tail_first(int n);
int tail_last(int n);

noinline int tail_first(int n)
{
	calls++;
	return n + 1;
}

/* This function lies behind all other code of the module. */
#ifdef CALLS
asm(".pushsection .text.last, \"ax\"\n"
    ".globl tail_last\n"
    ".type tail_last, @function\n"
    "tail_last:\n\t"
    "call tail_first\n\t"
    ".rept " __stringify(SHIFT) "\n\tnop\n\t.endr\n\t"
    ASM_RET
    "\n.size tail_last, . - tail_last\n"
    ".popsection");
#else
noinline __section(".text.last") int tail_last(int n)
{
	n += tail_first(n);
	asm volatile(".rept " __stringify(SHIFT) "\n\tnop\n\t.endr");
	return n;
}
#endif

static int run_set(const char *value, const struct kernel_param *kp)
{
	return tail_last(calls) < 0 ? -ERANGE : 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A last function to be probed");
