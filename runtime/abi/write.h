/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The changes that guru mode allows: memory of the kernel, and the registers with which the probed
 * code continues. script.h includes this file. Any context; nothing here can fault.
 */
#ifndef PRT_WRITE_H
#define PRT_WRITE_H

/** prt_write - the low @size bytes (1, 2, 4, 8) of @v to a kernel address, at once.
 *  PRT_E_BAD_ADDRESS (detail: the address) when it can't be written, read-only memory among
 *  that. */
void prt_write(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc);
/** prt_write_bits - the bit-field of @bits bits at @shift of the @size bytes there; not at once:
 *  what others write to the same bytes meanwhile is lost. */
void prt_write_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v, u32 srcloc);
/** prt_write_user - prt_write() at an address of the current process whose page is there. */
void prt_write_user(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc);
/** prt_write_user_bits - prt_write_bits() at such an address. */
void prt_write_user_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v,
			 u32 srcloc);
/** prt_writable_user - for rehearsals: check whether prt_write_user() could write, without writing.
 * PRT_E_BAD_ADDRESS: not now. */
void prt_writable_user(struct prt_ctx *c, u64 addr, u32 size, u32 srcloc);
/** prt_write_bytes - the bytes of @s, a NUL after them, to a kernel (or @user) address; @most (if
 *  not negative): at most so many, the NUL only where it fits. PRT_E_BAD_ADDRESS: a part may have
 *  been written. */
void prt_write_bytes(struct prt_ctx *c, u64 addr, struct prt_str s, s64 most, bool user,
		     u32 srcloc);

/** prt_put_bits - @old with the @bits bits from @shift on replaced by the low ones of @v. */
PRT_INLINE u64 prt_put_bits(u64 old, u32 shift, u32 bits, u64 v)
{
	u64 mask = (bits < 64 ? (1ull << bits) - 1 : ~0ull) << shift;

	return (old & ~mask) | (v << shift & mask);
}

/** prt_set_arg - argument register @n of the function that is entered; @n as in prt_arg_reg(). */
#define prt_set_arg(c, n, v) (*(u64 *)((char *)(c)->regs + PRT_REG_OFF_ARG_##n) = (v))
/** prt_set_arg_stack - stack slot @n at a function's entry. */
void prt_set_arg_stack(struct prt_ctx *c, unsigned n, u64 v, u32 srcloc);
/** prt_set_return - changes the value that the function has returned. */
PRT_INLINE void prt_set_return(struct prt_ctx *c, s64 v)
{
	*(u64 *)((char *)c->regs + PRT_REG_OFF_AX) = v;
	c->retval = v;
}
/** PRT_SET_REG - a register by its name, as PRT_REG. */
#define PRT_SET_REG(c, name, v) (*(u64 *)((char *)(c)->regs + PRT_REG_OFF_##name) = (u64)(v))
/** prt_set_register - set the register with DWARF number @n. PRT_E_BAD_VALUE: not 0 to 15, the
 * stack pointer, or a probe without registers to set: only probed functions and instructions have
 * them. */
void prt_set_register(struct prt_ctx *c, s64 n, s64 v, u32 srcloc);

/** prt_override - the function that is entered is left without running, once its probes have run,
 *  and returns @v. PRT_E_BAD_VALUE: not at the entry of a function. */
void prt_override(struct prt_ctx *c, s64 v, u32 srcloc);

/** prt_raise - send signal @number to the current process, which receives it before it returns to
 * user space. PRT_E_BAD_VALUE: not 1 to 64; a kernel thread; PRT_SIGNALS are already on their
 * way. */
void prt_raise(struct prt_ctx *c, s64 number, u32 srcloc);
/** prt_printk - a line of the kernel's log. PRT_E_BAD_VALUE: a level is 0 to 7. */
void prt_printk(struct prt_ctx *c, s64 level, struct prt_str text, u32 srcloc);
/** prt_panic - stop the machine. */
void prt_panic(struct prt_str text);
/** prt_delay - wait, with the processor busy. PRT_E_BAD_VALUE: 0 to 1000000. */
void prt_delay(struct prt_ctx *c, s64 microseconds, u32 srcloc);

#endif
