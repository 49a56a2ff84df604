/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module with a tracepoint: vm/tracepoints.sh. Writing N to its parameter `run` passes the
 * tracepoint N times, with as many arguments as a tracepoint can have, of all sizes. Loading the
 * module passes it once, with N = 100.
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

enum stone_kind { STONE_SMALL = 1, STONE_LARGE = -7 };

struct stone {
	int weight;
	char name[12];
};

#define STONE_PROTO                                                                                \
	TP_PROTO(signed char a, unsigned short b, int c, long d, bool e, const char *f,            \
		 unsigned char g, short h, unsigned int i, u64 j, const struct stone *k,           \
		 enum stone_kind l)
#define STONE_ARGS TP_ARGS(a, b, c, d, e, f, g, h, i, j, k, l)

/* From 6.16 on, DECLARE_TRACE() adds "_tp" to the name. */
#ifndef DECLARE_TRACE_EVENT
#define DECLARE_TRACE_EVENT DECLARE_TRACE
#endif
DECLARE_TRACE_EVENT(stone_fell, PARAMS(STONE_PROTO), PARAMS(STONE_ARGS));
DEFINE_TRACE(stone_fell, PARAMS(STONE_PROTO), PARAMS(STONE_ARGS));

static void fall(int n)
{
	const struct stone stone = { .weight = 70 + n, .name = "granite" };

	trace_stone_fell(-1, 65535, -2, -3, true, "text", 255, -4, 4294967295u, 1ull << 63, &stone,
			 n > 1 ? STONE_LARGE : STONE_SMALL);
}

static int run(const char *text, const struct kernel_param *kp)
{
	int n, i;

	if (kstrtoint(text, 0, &n))
		return -EINVAL;
	for (i = 0; i < n; i++)
		fall(i);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run };
module_param_cb(run, &run_ops, NULL, 0200);

static int __init stone_init(void)
{
	fall(100);
	return 0;
}
module_init(stone_init);

static void __exit stone_exit(void)
{
}
module_exit(stone_exit);

MODULE_DESCRIPTION("a tracepoint to be probed");
MODULE_LICENSE("GPL");
