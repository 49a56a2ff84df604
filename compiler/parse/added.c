/* SPDX-License-Identifier: GPL-2.0 */
/* With -W, the files of the directories of -I are parsed, whether the script needs them or not. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/source.h"
#include "parse/library_dirs.h"
#include "parse/parse.h"

static int is_tapset(const struct dirent *de)
{
	const char *end = strrchr(de->d_name, '.');

	return de->d_name[0] != '.' && end &&
	       (strcmp(end, ".kp") == 0 || strcmp(end, ".stp") == 0);
}

/* Directories that can't be read are reported by pass 2. */
static void parse_dir(struct state *s, const struct library_dir *dir)
{
	struct dirent **list;
	int n = scandir(dir->path, &list, is_tapset, alphasort);

	for (int i = 0; i < n; i++) {
		struct source *src = library_read(s, dir, list[i]->d_name);

		free(list[i]);
		if (!src)
			continue;
		src->in_tapset = dir->in_tapset;
		parse_source(s, src);
	}
	if (n >= 0)
		free(list);
}

int parse_added(struct state *s)
{
	unsigned before = diag_errors(s->diag);
	struct library_dirs dirs = { 0 };

	if (!s->opt.werror || !s->opt.include_dirs.n)
		return 0;
	library_dirs(s, &dirs, false);
	vec_each(dir, &dirs.v)
		if (dir->in_tapset == 1 && !dir->automatic)
			parse_dir(s, dir);
	return diag_errors(s->diag) == before ? 0 : -1;
}
