/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module with values to be probed: vm/values.sh. Writing N to its parameter `run` calls each
 * function. The module's parameter `said` shows the values that a probe at the lines marked HERE
 * must see.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "values.h"

static char text[4096];
static size_t used;
static long counter = 1000;
static DEFINE_PER_CPU(long, mine);

void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	used += vscnprintf(text + used, sizeof(text) - used, format, ap);
	va_end(ap);
}

whole void observe(const void *p, long v)
{
	barrier();
}

/* Locals in registers, in memory and in pieces, and a static one. */
static whole long locals(struct thing *t, long n)
{
	static int calls = 40;
	const long fixed = 1234;
	struct pair pair = { n * 3, (int)n + 5 };
	int array[4] = { 1, 2, 3, 4 };
	unsigned char byte = (unsigned char)(n * 77);
	long sum = t->mid + n;

	calls++;
	array[n & 3] = -(int)n;
	observe(array, sum);
	pair.first += sum;
	say("locals sum=%ld byte=%d a=%d,%d first=%ld second=%d calls=%d fixed=%ld\n", sum, byte,
	    array[n & 3], array[3], pair.first, pair.second, calls, fixed);
	observe(&array[1], byte); /* HERE locals */
	return sum + byte + array[2] + pair.first * pair.second * fixed;
}

/* The members of a structure. */
static whole long members(struct thing *t)
{
	say("members low=%u mid=%d wide=%lu grid=%d name=%s lo=%u hi=%u shade=%d next=%d\n", t->low,
	    t->mid, (unsigned long)t->wide, t->grid[1][2], t->name, t->lo, t->hi, t->shade,
	    t->next->mid);
	return t->low; /* HERE members */
}

static __always_inline long twice(long x)
{
	long y = x * 2;

	observe(&y, x); /* HERE twice */
	observe(NULL, x);
	return y + x;
}

static whole long outer(long a)
{
	long r;

	say("twice x=%ld y=%ld\n", a, a * 2);
	r = twice(a);
	say("twice x=%ld y=%ld\n", r + 1, (r + 1) * 2);
	return r + twice(r + 1);
}

/* The compiler passes the member that is used, and drops the rest. */
static noinline long cloned(struct thing *t, long unused, long k)
{
	observe(NULL, k);
	return k * 5;
}

static whole void clones(struct thing *t, long n)
{
	say("cloned k=%ld\n", n + 2);
	cloned(t, 1, n + 2);
}

/*
 * The compiler does not keep this parameter; its value is the entry value of its register. A value
 * that a call returned and that is not kept cannot be found.
 */
static whole long forgets(long gone, long n)
{
	long early = other(gone);

	observe(NULL, early); /* HERE kept */
	observe(NULL, n);
	return n; /* HERE gone */
}

static int noted[4];

/* Each call drops its own value, and the probe reads it after the nested call. */
static whole long nested(struct thing *t, long n)
{
	noted[n] = t->mid;
	if (t->next)
		nested(t->next, n + 1);
	say("nested mid=%d n=%ld\n", noted[n], n);
	observe(NULL, n);
	return n; /* HERE nested */
}

static whole void in_register(long n)
{
	say("register r15=%ld\n", n * 31);
	asm volatile("mov %0, %%r15" : : "r" (n * 31) : "r15");
	asm volatile("nop" : : : "r15", "memory"); /* HERE register */
	observe(NULL, n);
}

static whole void globals(void)
{
	int cpu;

	counter += 7;
	preempt_disable();
	cpu = smp_processor_id();
	per_cpu(mine, cpu) = 500 + cpu;
	say("globals counter=%ld mine=%ld shared=%ld\n", counter, per_cpu(mine, cpu), other(3));
	observe(NULL, counter); /* HERE globals */
	preempt_enable();
}

static int run(const char *value, const struct kernel_param *kp)
{
	struct thing second = { .mid = 9, .shade = LIGHT };
	struct thing first = {
		.low = 5, .mid = -7, .wide = 0xabcdef0123, .grid = { { 1, 2, 3 }, { 4, 5, -6 } },
		.name = "first", .word = 0x12345678, .shade = DARK, .next = &second,
	};
	long n;

	if (kstrtol(value, 0, &n))
		return -EINVAL;
	used = 0;
	locals(&first, n);
	members(&first);
	outer(n);
	clones(&first, n);
	say("kept early=%ld gone=%ld\ngone gone=%ld gone=? n=%#lx early=?\n", values_shared, n, n,
	    n + 1);
	forgets(n, n + 1);
	nested(&first, 0);
	in_register(n);
	globals();
	return 0;
}

static int said(char *buffer, const struct kernel_param *kp)
{
	memcpy(buffer, text, used);
	return (int)used;
}

static const struct kernel_param_ops run_ops = { .set = run };
static const struct kernel_param_ops said_ops = { .get = said };

module_param_cb(run, &run_ops, NULL, 0200);
module_param_cb(said, &said_ops, NULL, 0400);

static int __init values_init(void)
{
	return 0;
}
module_init(values_init);

static void __exit values_exit(void)
{
}
module_exit(values_exit);

MODULE_DESCRIPTION("values to be looked at");
MODULE_LICENSE("GPL");
