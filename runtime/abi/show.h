/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values as text with the names of their members: $value$. script.h includes this file. Any
 * context; nothing here can fault.
 */
#ifndef PRT_SHOW_H
#define PRT_SHOW_H

/* One item of the output of $value$: a text, followed by the value at `offset` from the address. */
enum prt_show_kind {
	PRT_SHOW_TEXT, PRT_SHOW_SIGNED, PRT_SHOW_UNSIGNED, PRT_SHOW_POINTER, PRT_SHOW_CHAR,
	PRT_SHOW_CHARS,          /* an array of char, up to its end or a NUL */
	PRT_SHOW_STRING,         /* a pointer to a string */
};
struct prt_show {
	const char *text;        /* NUL-terminated */
	u32 offset, size;        /* bytes */
	u8 kind;                 /* enum prt_show_kind */
	u8 bit_offset, bit_size; /* of a bit-field in the `size` bytes; bit_size 0: no bit-field */
};
enum prt_show_where {
	PRT_SHOW_KERNEL,         /* the address is one of the kernel */
	PRT_SHOW_USER,           /* the address is one of the current process */
	PRT_SHOW_IN_HAND,        /* the address is one of the kernel, pointers there lead to the
				  * process */
};
/** prt_show - print @n items at an address into @buf of MAXSTRINGLEN bytes, cut there. An item that
 * cannot be read becomes "?"; if none can, the result is the address. Spends steps for each item:
 * PRT_E_STEPS. */
struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc);

#endif
