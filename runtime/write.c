/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing memory without faults, and the registers of the probed code; any context. A write to an
 * address outside of the kernel would be an oops and not a fault that can be caught; so the address
 * is read first: the kernel's own reading function knows which addresses are valid.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "compat/kernel.h"
#include "compat/uaccess.h"
#include "context.h"
#include "user_memory.h"

/* 0 or -EFAULT. */
static long store(u64 addr, u32 size, u64 v)
{
	u64 old;

	if (prt_fetch_kernel(&old, addr, size))
		return -EFAULT;
	pagefault_disable();
	switch (size) {
	case 1: prt_compat_put_kernel(addr, &v, u8, fault); break;
	case 2: prt_compat_put_kernel(addr, &v, u16, fault); break;
	case 4: prt_compat_put_kernel(addr, &v, u32, fault); break;
	default: prt_compat_put_kernel(addr, &v, u64, fault); break;
	}
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}
NOKPROBE_SYMBOL(store);

void prt_write(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc)
{
	if (unlikely(store(addr, size, v)))
		prt_bad_address(c, addr, srcloc);
}
NOKPROBE_SYMBOL(prt_write);

void prt_write_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v, u32 srcloc)
{
	u64 old = prt_read(c, addr, size, false, srcloc);

	if (!c->err)
		prt_write(c, addr, size, prt_put_bits(old, shift, bits, v), srcloc);
}
NOKPROBE_SYMBOL(prt_write_bits);

/* A kernel thread has no user memory, but may borrow that of a process. */
static long store_user(u64 addr, const void *from, u32 size)
{
	return current->mm ? copy_to_user_nofault((void __user *)addr, from, size) : -EFAULT;
}
NOKPROBE_SYMBOL(store_user);

void prt_write_user(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc)
{
	if (unlikely(store_user(addr, &v, size)))
		prt_bad_address(c, addr, srcloc);
}
NOKPROBE_SYMBOL(prt_write_user);

void prt_write_user_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v,
			 u32 srcloc)
{
	u64 old = prt_read_user(c, addr, size, false, srcloc);

	if (!c->err)
		prt_write_user(c, addr, size, prt_put_bits(old, shift, bits, v), srcloc);
}
NOKPROBE_SYMBOL(prt_write_user_bits);

void prt_writable_user(struct prt_ctx *c, u64 addr, u32 size, u32 srcloc)
{
	bool ok;
	u64 at;

	if (!current->mm)
		return;
	for (at = addr; !c->err && at < addr + size; at = (at | (PAGE_SIZE - 1)) + 1) {
		pagefault_disable();
		ok = prt_user_writable(at);
		pagefault_enable();
		if (ok)
			continue;
		prt_absent(c, at, 1, true);
		prt_bad_address(c, at, srcloc);
	}
}
NOKPROBE_SYMBOL(prt_writable_user);

void prt_write_bytes(struct prt_ctx *c, u64 addr, struct prt_str s, s64 most, bool user, u32 srcloc)
{
	u32 n = most < 0 || most > s.len ? s.len + 1 : most, i;
	char byte;
	long err;

	for (i = 0; i < n; i++) {
		byte = i < s.len ? s.s[i] : 0;
		err = user ? store_user(addr + i, &byte, 1) : store(addr + i, 1, byte);
		if (unlikely(err)) {
			prt_bad_address(c, addr + i, srcloc);
			return;
		}
	}
}
NOKPROBE_SYMBOL(prt_write_bytes);

void prt_set_arg_stack(struct prt_ctx *c, unsigned int n, u64 v, u32 srcloc)
{
	prt_write(c, (u64)prt_arch_slot(c->regs, n), 8, v, srcloc);
}
NOKPROBE_SYMBOL(prt_set_arg_stack);

u64 prt_slot_user(struct prt_ctx *c, unsigned int n)
{
	return (u64)prt_arch_slot(c->regs, n);
}
NOKPROBE_SYMBOL(prt_slot_user);

void prt_set_register(struct prt_ctx *c, s64 n, s64 v, u32 srcloc)
{
	unsigned long *reg = NULL;

	/* The registers of an interrupted context may be a copy, so probes that interrupt cannot
	 * set them. */
	if (c->regs && (c->probe->flags & PRT_SETS_REGS) && c->probe->kind < PRT_TRACE)
		reg = prt_arch_register((struct pt_regs *)c->regs, n);
	if (reg)
		*reg = v;
	else
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("a register that can't be set here"));
}
NOKPROBE_SYMBOL(prt_set_register);

void prt_override(struct prt_ctx *c, s64 v, u32 srcloc)
{
	if (c->probe->kind == PRT_ENTRY && (c->probe->flags & PRT_OVERRIDES))
		prt_arch_override((struct pt_regs *)c->regs, v);
	else
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("only where it is entered can a function be overridden"));
}
NOKPROBE_SYMBOL(prt_override);

void prt_printk(struct prt_ctx *c, s64 level, struct prt_str text, u32 srcloc)
{
	if (level < 0 || level > 7)
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("levels of the kernel's log are 0 to 7"));
	else
		printk(KERN_SOH "%c%.*s\n", (int)('0' + level), (int)text.len, text.s);
}
NOKPROBE_SYMBOL(prt_printk);

void prt_panic(struct prt_str text)
{
	panic("%.*s", (int)text.len, text.s);
}
NOKPROBE_SYMBOL(prt_panic);

void prt_delay(struct prt_ctx *c, s64 microseconds, u32 srcloc)
{
	s64 i;

	if (microseconds < 0 || microseconds > USEC_PER_SEC) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("a delay is a second at most"));
		return;
	}
	for (i = microseconds / 1000; i; i--)
		udelay(1000);
	udelay(microseconds % 1000);
}
NOKPROBE_SYMBOL(prt_delay);
