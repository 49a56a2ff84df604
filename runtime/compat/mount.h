/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct mount is private to fs/. What stands before the struct vfsmount in it has been the same
 * for as long as it exists; that it still is, is asked of each one that is read: what it is mounted
 * on must be a dentry that says so (DCACHE_MOUNTED). Where its members are arranged at random
 * (CONFIG_RANDSTRUCT), nothing is known of it.
 */
#ifndef PRT_COMPAT_MOUNT_H
#define PRT_COMPAT_MOUNT_H

#include <linux/dcache.h>
#include <linux/mount.h>

#ifdef CONFIG_RANDSTRUCT
enum { PRT_COMPAT_MOUNT_KNOWN = 0 };
#else
enum { PRT_COMPAT_MOUNT_KNOWN = 1 };
#endif

struct prt_compat_mount {
	struct hlist_node hash;
	struct prt_compat_mount *parent;
	struct dentry *mountpoint;
	struct vfsmount mnt;
};

#endif
