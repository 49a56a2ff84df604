/* SPDX-License-Identifier: GPL-2.0 */
/* Removing directories. */
#include "base/remove.h"

#include <ftw.h>
#include <stdio.h>

enum { OPEN_AT_ONCE = 16 };

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	remove(path);
	return 0;
}

void remove_tree(const char *path)
{
	nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}
