/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of names of a kernel; each list is read on first use. */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include <stdbool.h>

#include "base/cache/file.h"
#include "shared/buf.h"
#include "target/kernel/namelist.h"

struct kernel;

enum kernel_names_of {
	KERNEL_SYMBOLS,   /* text symbols of vmlinux */
	KERNEL_DATA,      /* its other symbols */
	KERNEL_TRACEABLE, /* functions of vmlinux that ftrace knows, one name for each address */
	KERNEL_BLACKLIST, /* functions that kprobes refuse, including those of modules */
	/* lines "NAME NAME...": the symbols of one address, in the order of kallsyms */
	KERNEL_ALIASES,
	KERNEL_NAMES
};

/* All zero: not read yet. */
struct kernel_names {
	bool is_read;
	struct namelist list; /* sorted, except KERNEL_ALIASES */
	struct buf text;      /* the text of `list`, if it was made here */
	struct cache_mapping kept; /* ... or if it was in the cache */
};

/** kernel_names - one of the lists; its text is NULL if it is not known. Lists of the running
 *  kernel that take long to read are cached. */
const struct namelist *kernel_names(struct kernel *k, enum kernel_names_of which);
/** kernel_names_deinit - free all lists. */
void kernel_names_deinit(struct kernel *k);

#endif
