/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values as text with the names of their members: $value$. script.h includes this file. Any
 * context; nothing here can fault.
 */
#ifndef PRT_SHOW_H
#define PRT_SHOW_H

#include "show_limits.h"

/* One item of the output of $value$: a text, followed by the value at `offset` from the address. */
enum prt_show_kind {
	PRT_SHOW_TEXT, PRT_SHOW_SIGNED, PRT_SHOW_UNSIGNED, PRT_SHOW_POINTER, PRT_SHOW_DOUBLE,
	PRT_SHOW_CHAR,
	PRT_SHOW_CHARS,          /* an array of char, up to its end or a NUL */
	PRT_SHOW_STRING,         /* a pointer to a string */
	/* The same two without quotes, as the last item: what they can't read is an error. */
	PRT_SHOW_CHARS_PLAIN, PRT_SHOW_STRING_PLAIN,
	/* Operations on a stack of numbers, by which the items below find what they show. A number
	 * that cannot be read makes all that is computed from it unknown. */
	PRT_SHOW_OBJECT,         /* push the address of the object */
	PRT_SHOW_NUMBER,         /* push `offset`, a signed number */
	PRT_SHOW_UNKNOWN,        /* push a number that is not known */
	/* replace an address by the number `offset` (signed) bytes from it */
	PRT_SHOW_READ, PRT_SHOW_READ_SIGNED,
	PRT_SHOW_OPERATOR,       /* replace two numbers; `offset` is an enum prt_show_operator */
	PRT_SHOW_SELECT,         /* replace a condition and two numbers by one of these */
	/* Items that take their operands from the stack. */
	PRT_SHOW_COUNTED,        /* an address and a length: "text" */
	PRT_SHOW_COUNTED_PLAIN,  /* the same without quotes, as above */
	/* an address and a number of elements of `offset` bytes each: the next `size` items show
	 * one of them; `most` of them are shown */
	PRT_SHOW_ELEMENTS,
	PRT_SHOW_AT,             /* an address: the next `size` items show the object there */
	/* a condition: unless it holds, the next `size` items are left out; if it is not known,
	 * "?" is shown instead where `most` is set */
	PRT_SHOW_WHEN,
};
enum prt_show_operator {
	PRT_SHOW_ADD, PRT_SHOW_SUB, PRT_SHOW_MUL, PRT_SHOW_DIV, PRT_SHOW_MOD, PRT_SHOW_AND,
	PRT_SHOW_OR, PRT_SHOW_XOR, PRT_SHOW_SHL, PRT_SHOW_SHR, PRT_SHOW_EQ, PRT_SHOW_NE,
	PRT_SHOW_LT, PRT_SHOW_LE, PRT_SHOW_GT, PRT_SHOW_GE, /* numbers are signed */
};
struct prt_show {
	const char *text;        /* NUL-terminated */
	u32 offset, size;        /* bytes */
	u8 kind;                 /* enum prt_show_kind */
	u8 bit_offset, bit_size; /* of a bit-field in the `size` bytes; bit_size 0: no bit-field */
	u16 most;                /* of words: their number; 0: there are none */
	/* PRT_SHOW_SIGNED, PRT_SHOW_UNSIGNED: what values are shown as, in ascending order of the
	 * values as signed numbers; others are shown as numbers */
	const struct prt_word *words;
};
enum prt_show_where {
	PRT_SHOW_KERNEL,         /* the address is one of the kernel */
	PRT_SHOW_USER,           /* the address is one of the current process */
	PRT_SHOW_IN_HAND,        /* the address is one of the kernel, pointers there lead to the
				  * process */
};
/** prt_show - print @n items at an address into @buf of MAXSTRINGLEN bytes, cut there. An item that
 * cannot be read becomes "?"; if none can, the result is the address. Spends steps for each item,
 * of elements each time: PRT_E_STEPS. PRT_E_BAD_ADDRESS if only a text without quotes is wanted. */
struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc);

#endif
