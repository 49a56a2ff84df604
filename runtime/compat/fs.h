/* SPDX-License-Identifier: GPL-2.0 */
/* Files, names, mounts, and files of /proc. */
#ifndef PRT_COMPAT_FS_H
#define PRT_COMPAT_FS_H

#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/proc_fs.h>

/*
 * struct dentry: the list of an inode's names is in a union, which had a name until "struct dentry:
 * make ->d_u anonymous" (2420067cecac). Kbuild looks for the name.
 */
#ifdef PRT_HAVE_DENTRY_UNION
#define PRT_COMPAT_DENTRY_ALIAS offsetof(struct dentry, d_u.d_alias)
#else
#define PRT_COMPAT_DENTRY_ALIAS offsetof(struct dentry, d_alias)
#endif

/*
 * The time of an inode's last change: a member until "fs: add ctime accessors infrastructure"
 * (9b6304c1d537). The path by which a process has mapped a file of a layered file system: that of
 * the file until "fs: store real path instead of fake path in backing file f_path" (def3ae83da02).
 * Kbuild looks for the functions.
 */
static __always_inline struct timespec64 prt_compat_inode_changed(const struct inode *inode)
{
#ifdef PRT_HAVE_INODE_CTIME
	return inode_get_ctime(inode);
#else
	return inode->i_ctime;
#endif
}

static inline const struct path *prt_compat_file_path(const struct file *file)
{
#ifdef PRT_HAVE_USER_PATH
	return file_user_path((struct file *)file);
#else
	return &file->f_path;
#endif
}

/*
 * struct mount is private to fs/. What stands before the struct vfsmount in it has been the same
 * since "switch mnt_hash to hlist" (38129a13e6e7); that it still is, is asked of each one that is
 * read: what it is mounted on must be a dentry that says so (DCACHE_MOUNTED). Where its members are
 * arranged at random (CONFIG_RANDSTRUCT), nothing is known of it.
 */
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

/* pde_data() had the name PDE_DATA() until "proc: remove PDE_DATA() completely" (359745d78351).
 * Kbuild looks for it. */
#ifndef PRT_HAVE_PDE_DATA
#define pde_data(inode) PDE_DATA(inode)
#endif

#endif
