/* SPDX-License-Identifier: GPL-2.0 */
/* Offsets that differ from kernel to kernel and that a script's code has in its instructions:
 * abi/fast.h. */
#ifndef PRT_CONSTANT_H
#define PRT_CONSTANT_H

/* Used inside a function: defines the absolute symbol @name with the value @value. */
#define PRT_CONSTANT(name, value)                                                              \
	asm(".globl " #name "\n\t.set " #name ", %c0" : : "i"(value))

#endif
