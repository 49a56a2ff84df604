/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct dentry: the list of an inode's names is in a union, which had the name d_u before 7.x.
 * Kbuild looks for the name.
 */
#ifndef PRT_COMPAT_DENTRY_H
#define PRT_COMPAT_DENTRY_H

#include <linux/dcache.h>

#ifdef PRT_HAVE_DENTRY_UNION
#define PRT_COMPAT_DENTRY_ALIAS offsetof(struct dentry, d_u.d_alias)
#else
#define PRT_COMPAT_DENTRY_ALIAS offsetof(struct dentry, d_alias)
#endif

#endif
