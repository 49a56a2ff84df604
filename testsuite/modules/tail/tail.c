// SPDX-License-Identifier: GPL-2.0
/* A module whose last function ends SHIFT bytes later than it might: vm/tail.sh. */
#include <linux/module.h>

static int calls;
module_param(calls, int, 0400);

static noinline int tail_first(int n)
{
	return n + 1;
}

/* It alone lies behind all other code. */
static noinline __section(".text.last") int tail_last(int n)
{
	calls++;
	n += tail_first(n);
	asm volatile(".rept " __stringify(SHIFT) "\n\tnop\n\t.endr");
	return n;
}

static int run_set(const char *value, const struct kernel_param *kp)
{
	return tail_last(calls) < 0 ? -ERANGE : 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A last function to be probed");
