/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of an inode's last change: a member until "fs: add ctime accessors infrastructure"
 * (9b6304c1d537). The path by which a process has mapped a file of a layered file system: that of
 * the file until "fs: store real path instead of fake path in backing file f_path" (def3ae83da02).
 * Kbuild looks for the functions.
 */
#ifndef PRT_COMPAT_INODE_H
#define PRT_COMPAT_INODE_H

#include <linux/fs.h>

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

#endif
