/* SPDX-License-Identifier: GPL-2.0 */
/* Reads symbols, BTF and the build-id of a module's file (NAME.ko, also compressed). */
#ifndef KERNEL_MODULE_FILE_H
#define KERNEL_MODULE_FILE_H

#include "base/arena.h"
#include "shared/buf.h"

struct module_file {
	const char *name;       /* as the kernel will have it */
	const char *build_id;   /* lower-case hex; NULL: it has none */
	struct buf symbols;     /* "TYPE NAME" lines of its functions, as of a captured target */
	struct buf btf;         /* raw; empty: none */
	const char *btf_why;    /* why there is none; NULL: it is simply not there */
};

/**
 * module_file_read - read one file
 * @ret: module_file_deinit() frees it, also after a failure
 * @why: the reason of a failure
 *
 * returns 0, -ENOENT (can't be read or decompressed), or -EINVAL (not a module for the processor)
 */
int module_file_read(struct arena *a, const char *path, struct module_file *ret, const char **why);
void module_file_deinit(struct module_file *f);

#endif
