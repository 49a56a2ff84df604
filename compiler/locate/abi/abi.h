/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calling convention: where a parameter lies when a function is entered, and its value when it
 * returns. It holds for functions as written; a compiler's clone (name.isra.0) has its own.
 */
#ifndef LOCATE_ABI_H
#define LOCATE_ABI_H

#include "locate/btf/btf.h"

enum { ABI_ARGUMENT_REGISTERS = 6 };

enum abi_where {
	ABI_NOWHERE,       /* not available; why says it */
	ABI_REGISTERS,     /* argument registers first .. first + n - 1, 8 bytes each */
	ABI_STACK,         /* stack slots first .. first + n - 1; 0: above the return address */
	ABI_RETURN_VALUE,  /* the return value's register; with n = 2 it holds the first 8 bytes */
	ABI_RETURN_MEMORY, /* that register holds the address of the value */
};

struct abi_place {
	enum abi_where where;
	unsigned first, n;
	const char *why;   /* ABI_NOWHERE: why, as in "$x is not available: ..." */
};

/** abi_x86_64_param - where parameter @i of @f lies at entry. */
struct abi_place abi_x86_64_param(const struct btf_func *f, unsigned i);
/** abi_x86_64_return - where the value of @f lies at its return; ABI_NOWHERE with @why NULL
 *  is void. */
struct abi_place abi_x86_64_return(const struct btf_func *f);

/** abi_x86_64_register - the name in struct pt_regs of a register by its number in debug information;
 *  NULL: it is not there. */
const char *abi_x86_64_register(uint64_t number);
/** abi_x86_64_argument - which argument register that is, 0 to 5; -1: none. */
int abi_x86_64_argument(const char *name);
/** The stack pointer's name; at a function's entry it points to the return address. */
#define ABI_X86_64_STACK "sp"

#endif
