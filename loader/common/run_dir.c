/* SPDX-License-Identifier: GPL-2.0 */
#include "common/run_dir.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

int run_dir_make(void)
{
	struct stat st;

	if (mkdir(RUN_DIR, 0700) != 0 && errno != EEXIST)
		return -errno;
	if (lstat(RUN_DIR, &st) != 0)
		return -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) ? 0 : -EPERM;
}
