/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the system waits for nobody when it looks at a file. A file system that is a program of
 * some user (FUSE) answers when that user likes, and who waits for it can't even be killed. So
 * files of other users are read only where root has mounted them: what processes see is compared
 * with the mounts in the namespaces of this process and of the first one. There nobody else can
 * mount anything but FUSE, by fusermount, and the kernel says whose that is. The same is true of
 * other namespaces of mounts that root has made, such as a container's. In a namespace of their own
 * users can also lay an overlay over FUSE, which looks as any other.
 */
#ifndef LOADER_MOUNTS_H
#define LOADER_MOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "shared/buf.h"

/* Tables of mounts, which are read when they are first needed. All zero but for @pid: none is. */
struct mounts {
	pid_t pid;               /* whose files are looked for; 0: the files of this process */
	struct buf own, first, theirs;
	int owner;               /* of the namespace of `theirs`: 1: ours; -1: another one */
};

/** mounts_allow - return whether the file that @fd, of O_PATH, stands for may be read. */
bool mounts_allow(struct mounts *m, int fd);
/** mounts_open - open for reading what @fd, of O_PATH, stands for. Closes @fd. -1: it may not be
 *  read, is no regular file, or an error. mounts_reopen() asks nothing: mounts_allow() has allowed
 *  it. */
int mounts_open(struct mounts *m, int fd);
int mounts_reopen(int fd);
/** mounts_find - the file at @path for mounts_open(), looked up so that nothing waits on the way.
 *  -1: there is none, or a folder on the way may not be read. */
int mounts_find(struct mounts *m, const char *path);
/** mounts_deinit - free the tables. */
void mounts_deinit(struct mounts *m);

#endif
