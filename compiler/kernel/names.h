/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of names of a kernel; each list is read on first use. */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include <stdbool.h>

#include "base/buf.h"
#include "cache/file.h"
#include "kernel/namelist.h"

struct kernel;

enum kernel_names_of {
	KERNEL_SYMBOLS,   /* text symbols of vmlinux */
	KERNEL_TRACEABLE, /* its functions that ftrace knows, one name for each address */
	KERNEL_BLACKLIST, /* functions that kprobes refuse, those of modules as well */
	KERNEL_ALIASES,   /* "NAME NAME..." lines: symbols of one address, in kallsyms' order */
	KERNEL_NAMES
};

/* All zero: not read yet. */
struct kernel_names {
	bool is_read;
	struct namelist list; /* not of KERNEL_ALIASES in order */
	struct buf text;      /* the list's, where it was made here */
	struct cache_mapping kept; /* ... or was in the cache */
};

/** kernel_names - one of the lists; its text is NULL where it is not known. Lists of the running
 *  kernel that take long to read are kept in the cache. */
const struct namelist *kernel_names(struct kernel *k, enum kernel_names_of which);
/** kernel_names_deinit - free all lists. */
void kernel_names_deinit(struct kernel *k);

#endif
