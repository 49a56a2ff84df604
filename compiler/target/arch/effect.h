/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The effects of an instruction on general registers and on the words of a function's frame, as far
 * as they are needed to follow addresses of code from where they are made to where they are
 * returned.
 */
#ifndef ARCH_EFFECT_H
#define ARCH_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARCH_EFFECT_REGISTERS = 32 }; /* registers are numbered 0 ... 31, those of arm64 as named */

/* The origin of a value. */
struct arch_effect_source {
	enum {
		ARCH_EFFECT_CONSTANT, /* `value` */
		ARCH_EFFECT_REGISTER, /* register `reg`, plus `value` */
		/* the word in memory at `value`; with `based`, at register `reg` plus `value` */
		ARCH_EFFECT_WORD,
		ARCH_EFFECT_SLOT,     /* the word of the frame at the distance `value` */
	} kind;
	unsigned reg;
	bool based;
	uint64_t value;
};

/* Registers are lost first, and then the target is set. */
struct arch_effect {
	uint32_t lost;         /* a bit for each register that gets a value that is not known */
	bool sets, may_set;    /* the target gets the value of `from`; may_set: or of register
				* `other` */
	unsigned other;
	bool to_slot;          /* the target is the word of the frame at `slot`, not `reg` */
	unsigned reg;
	int64_t slot;
	struct arch_effect_source from;
	/* `lost_bytes` bytes of the frame from `slot` on get a value that is not known */
	unsigned lost_bytes;
	bool moves_frame;      /* all words of the frame get another distance, or may be written */
	bool begins_frame;     /* from here on, a frame of the function has a fixed distance */
	bool shares_frame;     /* an address in the frame gets into a register: others may write */
};

/** arch_effect - decode the instruction at @code, of which @n bytes are known and which is at
 *  @address. Calls lose arch_effect_call() besides. Returns false if it is invalid. @of_32bit, in
 *  all functions: the code is that of a 32-bit program, whose words have 4 bytes. */
bool arch_effect(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
		 struct arch_effect *ret);
/** arch_effect_call - the registers that a called function may change, as bits. Source: psABI of
 *  x86-64 and of i386, "Register Usage"; AAPCS64, "General-purpose registers". */
uint32_t arch_effect_call(bool of_32bit);
/** arch_effect_takes_return - whether the code at @code, which is called, does nothing but load the
 *  address that it returns to into register *@reg, as position-independent code of i386 needs it.
 *  Returns the bytes of the load, or 0. */
unsigned arch_effect_takes_return(const unsigned char *code, size_t n, bool of_32bit,
				  unsigned *reg);
/** arch_effect_result - the register of a function's result. */
unsigned arch_effect_result(void);
/** arch_effect_zero - the register that is always 0, or ARCH_EFFECT_REGISTERS if there is none. */
unsigned arch_effect_zero(void);

#endif
