/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a module's code. When a kprobe is registered, the kernel decodes the whole function to
 * see whether a jump may replace the kprobe (can_optimize() in arch/x86/kernel/kprobes/opt.c). It
 * takes the last function of a module to extend to the end of the page, because kallsyms knows no
 * other end. The padding is zeros, which decode as instructions of two bytes; if their number is
 * odd, the second byte of the last one is read from the next page. Since text has memory of its own
 * (ac3b43283923, 6.4), that page may not be mapped, and the kernel crashes. So probes in such a
 * function are refused, unless the number is even.
 *
 * At ftrace's call nothing is decoded. Where an instruction ends before the zeros is known only if
 * it ends a function and contains no zeros itself; everything else is refused.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "memory.h"

bool prt_tail_bounds(unsigned long addr, unsigned long *start, unsigned long *end)
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

#ifdef PRT_ARCH_DECODES_FUNCTIONS
static bool read_byte(unsigned long addr, u8 *ret)
{
	return !copy_from_kernel_nofault(ret, (const void *)addr, 1);
}

/* Whether @addr is a call to ftrace according to the kernel. The code does not tell: a function may
 * begin with another call, and a probed function begins with a breakpoint or a jump. */
static bool is_ftrace(unsigned long addr)
{
	struct ftrace_ops *scratch = prt_alloc(1, sizeof(*scratch), NUMA_NO_NODE);
	bool ret = scratch && !ftrace_set_filter_ip(scratch, addr, 0, 1);

	if (scratch)
		prt_compat_ftrace_free(scratch);
	kvfree(scratch);
	return ret;
}

/* Whether an instruction ends with the byte @last, which is not 0, for sure: int3, ret, hlt, ud2,
 * or a jump back. What looks like a short one may be in a longer one, which a zero ends. */
static bool is_end(unsigned long last)
{
	u8 code[5] = {}, byte, before, third;

	if (copy_from_kernel_nofault(code, (const void *)(last - 4), sizeof(code)))
		return false;
	byte = code[4];
	before = code[3];
	third = code[1];
	if (before == 0xeb && byte & 0x80)
		return third != 0xe8 && third != 0xe9 && third != 0x15 && third != 0x25;
	return byte == 0xcc || byte == 0xc3 || byte == 0xf4 || (before == 0x0f && byte == 0x0b) ||
	       (code[0] == 0xe9 && byte & 0x80);
}

bool prt_tail_allows(unsigned long addr)
{
	unsigned long start, end, last;
	u8 byte;

	if (addr < MODULES_VADDR || addr >= MODULES_END || !prt_tail_bounds(addr, &start, &end) ||
	    !PAGE_ALIGNED(end) || read_byte(end, &byte))
		return true;
	if ((addr == start || addr == start + 4) && is_ftrace(addr))
		return true;
	for (last = end - 1; last > addr; last--)
		if (!read_byte(last, &byte) || byte)
			break;
	return is_end(last) && (end - last) % 2;
}
#else
bool prt_tail_allows(unsigned long addr)
{
	return true;
}
#endif
