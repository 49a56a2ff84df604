/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own symbol table, read from its image: the symbols of vmlinux that /proc/kallsyms
 * would show. Images are stripped of all other symbols. */
#ifndef KERNEL_KALLSYMS_H
#define KERNEL_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "target/kernel/image.h"

struct kallsym {
	uint64_t addr;    /* before relocation */
	const char *name;
	char type;        /* shared/kernel_symbols.h */
};

/* In ascending order of addresses; symbols with the same address in the kernel's order. */
struct kallsyms { VEC(struct kallsym) v; };

/**
 * kallsyms_read - find the tables in @img and decode them
 * @ret: owned by @a
 * @why: the reason of a failure
 *
 * returns 0 or -ENODATA
 */
int kallsyms_read(struct arena *a, const struct image *img, struct kallsyms *ret,
		  const char **why);
/** kallsyms_address - the address of the first symbol of that name; 0 if there is none. */
uint64_t kallsyms_address(const struct kallsyms *k, const char *name);
/** kallsyms_at - the symbol that the kernel shows for an address: the first one at the greatest
 *  address up to @addr. NULL if there is none. */
const struct kallsym *kallsyms_at(const struct kallsyms *k, uint64_t addr);

#endif
