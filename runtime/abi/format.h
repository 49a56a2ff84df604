/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formatter, compiled into the runtime (sprintf() in a handler) and into the loader (all
 * output). runtime/format.c is freestanding: it allocates nothing, calls only memcpy and memset,
 * has no global state, and may run in any context.
 *
 * The format language is printf's as scripts know it, normalised by the compiler:
 *   %[flags][width][.precision]conv   flags: - + space 0 #;  width and precision: number or * (an l
 *                                                            argument)
 *   conv  d i u x X o c p b s M %     l arguments but %s and %M. %c writes one byte, %#c as
 *                                     C does in a literal; %p is 0x and as many digits as it takes;
 *                                     %b writes the low 1, 2, 4 or 8 (precision; default 8) bytes
 *                                     raw, little-endian
 *         e f g E F G                 a number of type double (d argument), as printf() of C writes
 *                                     it, rounded to nearest, ties to even
 *         M                           the bytes of a string (s argument), two hexadecimal digits
 *                                     each
 *         H                           a histogram (H argument): rows of text, each ended by a
 *                                     newline, and an empty one; width: columns of the bars (50);
 *                                     precision: empty rows that are shown on each side of others
 *                                     (2); flag -: empty rows are not left out
 * A width or precision in the format is at most PRT_WIDTH_MAX, which the compiler ensures; one of
 * an argument is limited to it. The l and h modifiers are dropped by the compiler. An unknown
 * conversion is copied unchanged.
 */
#ifndef PRT_FORMAT_H
#define PRT_FORMAT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#endif

/* No buffer of the runtime or the loader needs more. */
#define PRT_WIDTH_MAX 65536

/**
 * prt_format - format a block of arguments
 * @buf, @size: where to write; no NUL is added; NULL with 0 to learn the length
 * @fmt, @fmt_len: the format; it may hold NULs
 * @types: the types string of the print statement ("lsl", "" for none)
 * @args, @args_len: the arguments laid out as records.h says
 *
 * returns the length of the whole text in bytes, or -1 if the arguments do not match the types (a
 * damaged record). If the length is larger than @size, the text was cut there.
 */
long prt_format(char *buf, size_t size, const char *fmt, size_t fmt_len, const char *types,
		const void *args, size_t args_len);

#endif
