/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes kmalloc() takes for an object: kmalloc_size_roundup() says it since "slab:
 * Introduce kmalloc_size_roundup()" (05a940656e1e). Kbuild looks for it. Before, it is at most the
 * next power of two.
 */
#ifndef PRT_COMPAT_SLAB_H
#define PRT_COMPAT_SLAB_H

#include <linux/log2.h>
#include <linux/slab.h>

#ifdef PRT_HAVE_SIZE_ROUNDUP
#define prt_compat_kmalloc_size(bytes) kmalloc_size_roundup(bytes)
#else
#define prt_compat_kmalloc_size(bytes) roundup_pow_of_two(bytes)
#endif

#endif
