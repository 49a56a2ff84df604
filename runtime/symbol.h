/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRT_SYMBOL_H
#define PRT_SYMBOL_H

#include <linux/types.h>

/** prt_symbol_print - write "name+0x10/0x20" and, in a module, " [module]" for a kernel address
 * into @buf of @room bytes (1 or more), cut to fit; "name+0x10" if the kernel does not know the
 * size, "0xADDRESS" if there is no symbol or RCU is not watching. Returns the length. Any
 * context. */
size_t prt_symbol_print(char *buf, size_t room, unsigned long addr);

#endif
