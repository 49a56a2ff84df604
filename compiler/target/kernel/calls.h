/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers by which a kernel calls the functions of system calls, from its build tree. */
#ifndef KERNEL_CALLS_H
#define KERNEL_CALLS_H

#include "base/vec.h"

struct kernel;
struct state;

#define KERNEL_CALLS_LAST 65534 /* the largest number that is understood */

struct kernel_call {
	unsigned number;
	const char *function; /* "sys_read": without the prefix of the processor */
};
struct kernel_call_list { VEC(struct kernel_call) v; };

/**
 * kernel_calls - the calls of one interface
 * @file: the file that the build generates for it, relative to the build tree
 * @ret:  in the order of the file; owned by the kernel
 *
 * returns 0, -ENOENT if there is no such file or no build tree, -EINVAL if a line of the file is
 * not understood, or another -errno
 */
int kernel_calls(struct state *s, struct kernel *k, const char *file,
		 const struct kernel_call_list **ret);

#endif
