/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading the memory of the current process, any context; faults are not waited for.
 *
 * What copy_from_user_nofault() (mm/maccess.c) does for each piece is done once here, and a word at
 * a time is read in one window of user access. The kernel's function calls two others for each
 * piece, and one of them, check_object_size(), looks for the vmapped stack that the buffer may lie
 * in: 1,000 instructions on 6.12 for a buffer that is of no constant size.
 */
#ifndef PRT_USER_READ_H
#define PRT_USER_READ_H

#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "bytes.h"
#include "compat/uaccess.h"

/* Bytes of the address space of a process from @addr on. */
static __always_inline u64 prt_user_room(u64 addr)
{
	return addr < PRT_COMPAT_TASK_SIZE_MAX ? PRT_COMPAT_TASK_SIZE_MAX - addr : 0;
}

/* Copies @n bytes at @from to @to. 0; -EFAULT: they are not all resident, or not all the process's;
 * then @to has some of them. @mapped: prt_arch_user_mapped(). */
static __always_inline long prt_user_copy(void *to, u64 from, u32 n, bool mapped)
{
	u32 i = 0;

	if (prt_user_room(from) < n || !mapped)
		return -EFAULT;
	pagefault_disable();
	prt_arch_user_read_begin();
	for (; i + 8 <= n; i += 8) {
		u64 word;

		unsafe_get_user(word, (const u64 __user *)(from + i), fault);
		__builtin_memcpy((char *)to + i, &word, 8);
	}
	for (; i < n; i++) {
		char byte;

		unsafe_get_user(byte, (const char __user *)(from + i), fault);
		((char *)to)[i] = byte;
	}
	prt_arch_user_read_end();
	pagefault_enable();
	return 0;
fault:
	prt_arch_user_read_end();
	pagefault_enable();
	return -EFAULT;
}

/* Copies the string at @from, at most @most bytes of it, to @to without its NUL, and returns its
 * length. -EFAULT: what is at *@bad is not resident, or not the process's; all before it is.
 * Aligned words lie in one page each, so that a string that ends before a page which can't be read
 * is read whole. @mapped: prt_arch_user_mapped(). */
static __always_inline long prt_user_string(char *to, u64 from, u32 most, bool mapped, u64 *bad)
{
	u32 before = from & 7, len = 0, end = min_t(u64, most, prt_user_room(from)), i, n;
	/* Ones for the bytes of the first word that are not the string's. */
	u64 word, others = before ? ~0ull << 8 * (8 - before) : 0;

	*bad = from;
	if (!most)
		return 0;
	if (!end || !mapped)
		return -EFAULT;
	pagefault_disable();
	prt_arch_user_read_begin();
	do {
		unsafe_get_user(word, (const u64 __user *)(from + len - before), fault);
		word >>= 8 * before;
		if (likely(len + 8 <= most)) {
			__builtin_memcpy(to + len, &word, 8);
		} else {
			for (i = 0; i < most - len; i++)
				to[len + i] = word >> 8 * i;
		}
		n = prt_word_strlen(word | others);
		if (n < 8) {
			most = end = min(end, len + n);
			break;
		}
		len += 8 - before;
		before = 0;
		others = 0;
	} while (len < end);
	prt_arch_user_read_end();
	pagefault_enable();
	*bad = from + end;
	return end < most ? -EFAULT : end;
fault:
	prt_arch_user_read_end();
	pagefault_enable();
	*bad = from + len;
	return -EFAULT;
}

#endif
