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

/** kernel_symbols_is_text - whether a symbol of that type, as nm shows it, is one of text. */
bool kernel_symbols_is_text(char type);

/**
 * kernel_symbols_type - the type of the next symbol in the order of kallsyms
 * @in_data: false before the first one; kept between the calls
 *
 * returns @type, or 'D' for a variable that has the type of code
 */
char kernel_symbols_type(bool *in_data, char type, const char *name, size_t len);

/** kernel_symbols_correct - write these types into the lines "ADDRESS TYPE NAME[\t[MODULE]]" of
 *  /proc/kallsyms. @in_data: as above. */
void kernel_symbols_correct(bool *in_data, char *lines, size_t size);

#endif
