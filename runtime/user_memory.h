/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of the current process. */
#ifndef PRT_USER_MEMORY_H
#define PRT_USER_MEMORY_H

#include <linux/futex.h>
#include <linux/uaccess.h>
#include <asm/futex.h>

/* Whether the 4 aligned bytes at @addr can be written. They stay as they are, whatever other
 * threads do to them: the write is an atomic one of no bit. It may fault, unless
 * pagefault_disable() is in force; then a page that a write would first have to bring in or copy
 * counts as one that can't be written. */
static inline bool prt_user_writable(u64 addr)
{
	int old;

	return !arch_futex_atomic_op_inuser(FUTEX_OP_OR, 0, &old, (u32 __user *)(addr & ~3ull));
}

#endif
