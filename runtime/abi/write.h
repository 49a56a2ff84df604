/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The changes that guru mode allows: memory of the kernel, and the registers with which the probed
 * code continues. script.h includes this file. Any context; nothing here can fault.
 */
#ifndef PRT_WRITE_H
#define PRT_WRITE_H

/** prt_write - write the low @size bytes (1, 2, 4 or 8) of @v to a kernel address, atomically.
 *  PRT_E_BAD_ADDRESS (detail: the address) if it cannot be written, for example if it is
 *  read-only. */
void prt_write(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc);
/** prt_write_bits - write the bit-field of @bits bits at bit @shift of the @size bytes there. Not
 *  atomic: concurrent writes to the same bytes may be lost. */
void prt_write_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v, u32 srcloc);
/** prt_write_user - prt_write() for an address of the current process, whose page must be
 * resident. */
void prt_write_user(struct prt_ctx *c, u64 addr, u32 size, s64 v, u32 srcloc);
/** prt_write_user_bits - prt_write_bits() for such an address. */
void prt_write_user_bits(struct prt_ctx *c, u64 addr, u32 size, u32 shift, u32 bits, s64 v,
			 u32 srcloc);
/** prt_writable_user - for rehearsals: PRT_E_BAD_ADDRESS if prt_write_user() could not write there
 * now. Writes nothing. */
void prt_writable_user(struct prt_ctx *c, u64 addr, u32 size, u32 srcloc);
/** prt_write_bytes - write the bytes of @s and a NUL to an address of the kernel (or process:
 *  @user). If @most is not negative, at most @most bytes are written, the NUL only if it fits.
 *  After PRT_E_BAD_ADDRESS, a part may have been written. */
void prt_write_bytes(struct prt_ctx *c, u64 addr, struct prt_str s, s64 most, bool user,
		     u32 srcloc);

/** prt_put_bits - @old with @bits bits from bit @shift on replaced by the low bits of @v. */
PRT_INLINE u64 prt_put_bits(u64 old, u32 shift, u32 bits, u64 v)
{
	u64 mask = (bits < 64 ? (1ull << bits) - 1 : ~0ull) << shift;

	return (old & ~mask) | (v << shift & mask);
}

/** prt_set_arg - set argument register @n at a function's entry; @n as for prt_arg_reg(). */
#define prt_set_arg(c, n, v) (*(u64 *)((char *)(c)->regs + PRT_REG_OFF_ARG_##n) = (v))
/** prt_set_arg_stack - set stack slot @n at the entry of a function of the kernel.
 *  PRT_E_BAD_ADDRESS. */
void prt_set_arg_stack(struct prt_ctx *c, unsigned n, u64 v, u32 srcloc);
/** prt_slot_user - the address of stack slot @n at the entry of a function of a program. */
u64 prt_slot_user(struct prt_ctx *c, unsigned n);
/** prt_set_return - change the value that the function returns, in a return probe. */
PRT_INLINE void prt_set_return(struct prt_ctx *c, s64 v)
{
	*(u64 *)((char *)c->regs + PRT_REG_OFF_RETVAL) = v;
	c->retval = v;
}
/** PRT_SET_REG - set a register by its name, as in PRT_REG. */
#define PRT_SET_REG(c, name, v) (*(u64 *)((char *)(c)->regs + PRT_REG_OFF_##name) = (u64)(v))
/** prt_set_register - set the register with DWARF number @n. PRT_E_BAD_VALUE: @n is not in 0 to 15,
 * or is the stack pointer, or the probe kind has no registers that can be set. */
void prt_set_register(struct prt_ctx *c, s64 n, s64 v, u32 srcloc);

/** prt_override - make the function that is entered return @v without running, after its probes
 *  have run. PRT_E_BAD_VALUE: the hit is not at the entry of a function. */
void prt_override(struct prt_ctx *c, s64 v, u32 srcloc);

/** prt_raise - send signal @number to the current process, which receives it before it returns to
 * user space. PRT_E_BAD_VALUE: @number is not in 1 to 64; or current is a kernel thread; or
 * PRT_SIGNALS signals have not been delivered yet. */
void prt_raise(struct prt_ctx *c, s64 number, u32 srcloc);
/** prt_printk - write a line to the kernel's log. PRT_E_BAD_VALUE: @level is not in 0 to 7. */
void prt_printk(struct prt_ctx *c, s64 level, struct prt_str text, u32 srcloc);
/** prt_panic - call panic() with that text. */
void prt_panic(struct prt_str text);
/** prt_delay - wait in a busy loop. PRT_E_BAD_VALUE: @microseconds is not in 0 to 1000000. */
void prt_delay(struct prt_ctx *c, s64 microseconds, u32 srcloc);

#endif
