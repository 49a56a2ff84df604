/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a module's code. Whoever sets a kprobe makes the kernel decode the whole function, to see
 * whether a jump may stand for the kprobe (can_optimize() in arch/x86/kernel/kprobes/opt.c). For it
 * the last function of a module goes on to the end of the page (kallsyms knows no other end), through
 * zeros, which are instructions of two bytes: where their number is odd, the second byte of the last one is read
 * from the next page. Since text has memory of its own (ac3b43283923, 6.4) nothing need be mapped
 * there, and the kernel dies. So places in such a function are refused, unless the number is even.
 *
 * Where ftrace's call is, nothing is decoded. Where an instruction ends before the zeros is known only if
 * it is one that ends a function and has no zeros itself; all else is refused.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/uaccess.h>

#include "attach.h"

static bool read_byte(unsigned long addr, u8 *ret)
{
	return !copy_from_kernel_nofault(ret, (const void *)addr, 1);
}

/* The bytes of the function that @addr lies in, as the kernel counts them. false: it has no name. */
static bool bounds_of(unsigned long addr, unsigned long *start, unsigned long *end)
{
	static char text[KSYM_SYMBOL_LEN]; /* prt_attach_lock */
	unsigned long offset, size;
	const char *numbers;

	sprint_symbol(text, addr);
	numbers = strchr(text, '+');
	if (!numbers || sscanf(numbers, "+%lx/%lx", &offset, &size) != 2)
		return false;
	*start = addr - offset;
	*end = *start + size;
	return true;
}

/* Whether ftrace's call, or what stands for it, is there, behind a landing mark or not. */
static bool is_ftrace(unsigned long addr)
{
	static const u8 mark[] = { 0xf3, 0x0f, 0x1e, 0xfa }, nop[] = { 0x0f, 0x1f, 0x44, 0, 0 };
	u8 code[sizeof(mark) + sizeof(nop)];
	const u8 *at = code;

	if (copy_from_kernel_nofault(code, (const void *)addr, sizeof(code)))
		return false;
	if (!memcmp(code, mark, sizeof(mark)))
		at += sizeof(mark);
	return !memcmp(at, nop, sizeof(nop)) || *at == 0xe8;
}

/* Whether an instruction ends with the byte @last, which is not 0, for sure: int3, ret, hlt, ud2, or a
 * jump back. */
static bool is_end(unsigned long last)
{
	u8 byte = 0, before = 0, jump = 0;

	if (!read_byte(last, &byte) || !read_byte(last - 1, &before) || !read_byte(last - 4, &jump))
		return false;
	return byte == 0xcc || byte == 0xc3 || byte == 0xf4 || (before == 0x0f && byte == 0x0b) ||
	       (jump == 0xe9 && byte & 0x80);
}

bool prt_tail_allows(unsigned long addr)
{
	unsigned long start, end, last;
	u8 byte;

	if (addr < MODULES_VADDR || addr >= MODULES_END || !bounds_of(addr, &start, &end) ||
	    !PAGE_ALIGNED(end) || read_byte(end, &byte))
		return true;
	if ((addr == start || addr == start + 4) && is_ftrace(addr))
		return true;
	for (last = end - 1; last > addr; last--)
		if (!read_byte(last, &byte) || byte)
			break;
	return is_end(last) && (end - last) % 2;
}
