// SPDX-License-Identifier: GPL-2.0
/*
 * A module with places to be probed, for testsuite/vm/places.sh. Writing N to its parameter "run"
 * runs the loop of spot_run() N times. A comment names each line that the test probes. Each of
 * these lines does one store, so that it is one place whatever the compiler does with the rest.
 */
#include <linux/kernel.h>
#include <linux/module.h>

int spot_seen;

static __always_inline void spot_copied(int x)
{
	WRITE_ONCE(spot_seen, x);	/* copied */
}

/* Always called with the same second argument, so that the compiler makes a clone. */
static noinline int spot_clone(int a, int b)
{
	WRITE_ONCE(spot_seen, a * b);	/* clone */
	return READ_ONCE(spot_seen);
}

noinline int spot_leaf(int x)
{
	WRITE_ONCE(spot_seen, x);	/* leaf */
	return READ_ONCE(spot_seen);
}
EXPORT_SYMBOL_GPL(spot_leaf);

static noinline __cold void spot_rare(void)
{
	WRITE_ONCE(spot_seen, -1);	/* rare */
}

static noinline int spot_run(int n)
{
	int i, sum = 0;

	for (i = 0; i < n; i++) {
		sum += spot_leaf(i);
		spot_copied(sum);
	}
	if (unlikely(sum == 3)) {
		WRITE_ONCE(spot_seen, 3);	/* three */
		spot_rare();
		return sum;
	}
	sum += spot_clone(n, 7);
	spot_copied(1);
	return sum;
}

/* Exists both as a function, which is called through a pointer, and as an inlined copy. */
void spot_both(int x)
{
	WRITE_ONCE(spot_seen, x);
}
EXPORT_SYMBOL_GPL(spot_both);

static void (*spot_pointer)(int x) = spot_both;

static noinline void spot_again(int n)
{
again:
	spot_leaf(n);
	spot_both(n);
	if (--n > 0)
		goto again;
}

static int run_set(const char *value, const struct kernel_param *kp)
{
	int n, err = kstrtoint(value, 0, &n);

	if (err)
		return err;
	spot_run(n);
	spot_again(n);
	spot_leaf(-n);
	READ_ONCE(spot_pointer)(n);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int __init spot_init(void)
{
	WRITE_ONCE(spot_seen, 11);	/* init */
	return 0;
}

static void __exit spot_exit(void)
{
}

module_init(spot_init);
module_exit(spot_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Places to be probed");
