/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of the kernel's own symbols, as kallsyms has them. In Linux 7.x, the section .data may
 * be executable, and then variables have the types of code, t and T. They lie from the symbol
 * _sdata to the symbol _edata, and kallsyms is in the order of addresses, so this holds where
 * addresses are hidden as well. Readers have to agree on the types, because functions of one name
 * are numbered. Two other names of the place of _sdata come before it, and keep their type.
 */
#ifndef SHARED_KERNEL_SYMBOLS_H
#define SHARED_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** kernel_symbols_is_text - whether a symbol of that type, as nm shows it, is one of text. */
static inline bool kernel_symbols_is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/**
 * kernel_symbols_type - the type of the next symbol in the order of kallsyms
 * @in_data: false before the first one; kept between the calls
 *
 * returns @type, or 'D' for a variable that has the type of code
 */
static inline char kernel_symbols_type(bool *in_data, char type, const char *name, size_t len)
{
	bool begins = len == 6 && memcmp(name, "_sdata", 6) == 0;
	bool ends = len == 6 && memcmp(name, "_edata", 6) == 0;
	bool is_data = (*in_data || begins || ends) && kernel_symbols_is_text(type);

	*in_data = (*in_data || begins) && !ends;
	return is_data ? 'D' : type;
}

/** kernel_symbols_correct - write these types into the lines "ADDRESS TYPE NAME[\t[MODULE]]" of
 *  /proc/kallsyms. @in_data: as above. */
static inline void kernel_symbols_correct(bool *in_data, char *lines, size_t size)
{
	char *end = lines + size, *next;

	for (char *line = lines; line < end; line = next) {
		char *nl = memchr(line, '\n', (size_t)(end - line)), *type;

		next = nl ? nl + 1 : end;
		nl = nl ? nl : end;
		type = memchr(line, ' ', (size_t)(nl - line));
		if (type && nl - type > 3)
			type[1] = kernel_symbols_type(in_data, type[1], type + 3,
						      (size_t)(nl - type - 3));
	}
}

#endif
