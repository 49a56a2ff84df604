/* SPDX-License-Identifier: GPL-2.0 */
/* The directory in which sessions leave files for each other until the machine goes down. */
#ifndef SHARED_RUN_DIR_H
#define SHARED_RUN_DIR_H

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN_DIR "/run/probec"

/** run_dir_make - make the directory @dir, RUN_DIR but for tests, if it does not exist. 0; -EPERM:
 *  other users can write to it, so nothing in it may be used; -errno. */
static inline int run_dir_make(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0700) != 0 && errno != EEXIST)
		return -errno;
	if (lstat(dir, &st) != 0)
		return -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) ? 0 : -EPERM;
}

#endif
