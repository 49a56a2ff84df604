/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_LOG2_H
#define TWIN_LINUX_LOG2_H

#include <linux/types.h>

static inline u32 ilog2(u64 v)
{
	return 63 - __builtin_clzll(v);
}

static inline u64 roundup_pow_of_two(u64 v)
{
	return v <= 1 ? 1 : 2ull << ilog2(v - 1);
}

#endif
