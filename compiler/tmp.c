/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two processes may remove the directory, and once one has, the name is free for everybody. So only
 * a directory of this user is removed, which in a sticky /tmp nobody else can put there or move
 * away.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rights.h"
#include "shared/file.h"
#include "state.h"
#include "tmp.h"

static const struct range nowhere;

int tmp_make(struct state *s)
{
	const char *base = s->opt.tmp_base ? s->opt.tmp_base : getenv("TMPDIR");
	char *dir = arena_printf(s->arena, "%s/probec.XXXXXX",
				 base && *base == '/' ? base : "/tmp");
	char real[PATH_MAX];

	if (!mkdtemp(dir)) {
		diag_error(s->diag, nowhere, E_IO, "can't make the temporary directory '%s': %s",
			   dir,
			   strerror(errno));
		return -1;
	}
	s->tmp_dir = dir;
	if (realpath(dir, real) && rights_is_safe(real))
		return 0;
	diag_error(s->diag, nowhere, E_IO, "others can replace a directory above '%s'", dir);
	diag_hint(s->diag, "set TMPDIR to a directory that belongs, with all directories above it, "
		  "to you or to root");
	rmdir(dir);
	return -1;
}

static void remove_all(const char *dir)
{
	struct stat st;

	if (lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid())
		file_remove_tree(dir);
}

void tmp_drop(const struct state *s)
{
	if (s->opt.keep)
		fprintf(stderr, "kept %s\n", s->tmp_dir);
	else
		remove_all(s->tmp_dir);
}

void tmp_drop_early(const struct state *s, const char *module)
{
	size_t len = strlen(s->tmp_dir);

	if (!s->opt.keep && !(strncmp(module, s->tmp_dir, len) == 0 && module[len] == '/'))
		remove_all(s->tmp_dir);
}
