// SPDX-License-Identifier: GPL-2.0
/* For vm/starved.sh: FUNCTIONS functions, in lines.h, of eight lines each. Reading the parameter
 * `run` runs all of them. */
#include <linux/module.h>
#include <linux/sched.h>

#include "lines.h"

static int run_get(char *text, const struct kernel_param *kp)
{
	int x = 0, i;

	for (i = 0; i < 50; i++) {
		x = run_all(x);
		cond_resched();
	}
	return sprintf(text, "%d\n", x);
}

static const struct kernel_param_ops run_ops = { .get = run_get };
module_param_cb(run, &run_ops, NULL, 0444);
MODULE_LICENSE("GPL");
