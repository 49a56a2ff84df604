// SPDX-License-Identifier: GPL-2.0
/*
 * A module with chains of calls, for testsuite/vm/chains.sh. Writing N to its parameter "run" calls
 * chain_one() N times and the other functions once. All chains end in chain_end(), whose argument
 * names the callers; the parameter "counts" shows how often each chain was followed.
 */
#include <linux/kernel.h>
#include <linux/module.h>

/* Functions on the way to chain_end(), as bits of its argument. */
enum { ONE = 1, TWO = 2, AROUND = 4, AGAIN = 8, FAR = 16, ALL = 32 };

static int counts[ALL];
module_param_array(counts, int, NULL, 0444);

static noinline int chain_end(int from)
{
	WRITE_ONCE(counts[from], READ_ONCE(counts[from]) + 1);
	return READ_ONCE(counts[from]);
}

static noinline int chain_middle(int from)
{
	int first = chain_end(from);

	return first + chain_end(from);
}

static noinline int chain_one(int from)
{
	return chain_middle(from | ONE) + 1;
}

/* Reaches chain_middle() directly and by chain_one(). */
static noinline int chain_two(int from)
{
	int first = chain_one(from | TWO);

	return first + chain_middle(from | TWO);
}

/* Has an inlined copy on the way. */
static __always_inline int chain_copied(int from)
{
	return chain_middle(from | AROUND) + 3;
}

static noinline int chain_around(int from)
{
	return chain_copied(from) + 1;
}

/* Calls itself @n times, and then chain_middle(). */
static noinline int chain_again(int n, int from)
{
	int last = n ? chain_again(n - 1, from) : chain_middle(from | AGAIN);

	return last + READ_ONCE(counts[0]);
}

/* Lies in a section of its own, which the kernel places separately. kbuild of 7.2 joins those whose
 * names begin with ".text.". */
static noinline __section(".far") int chain_far(int from)
{
	return chain_middle(from | FAR) + 1;
}

/* The last function of the module is not probed: for the kernel it extends to the end of its page,
 * and Debian's 6.12 reads beyond that when a kprobe is set in it. */
static noinline __used __section(".text.last") void chain_last(void)
{
}

static int run_set(const char *value, const struct kernel_param *kp)
{
	int i, n, sum = 0, err = kstrtoint(value, 0, &n);

	if (err)
		return err;
	for (i = 0; i < n; i++)
		sum += chain_one(0);
	sum += chain_two(0) + chain_around(0) + chain_again(n, 0) + chain_far(0);
	return sum < 0 ? -ERANGE : 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Chains of calls to be probed");
