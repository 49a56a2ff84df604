/* SPDX-License-Identifier: GPL-2.0 */
/* The kernels of probec check. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "check/private.h"
#include "shared/file.h"
#include "target.h"

static const struct range nowhere;

static void add(struct state *s, struct check_request *r, const char *target)
{
	vec_push(s->arena, &r->kernels, ((struct check_kernel){ .target = target }));
}

static bool is_captured(const char *path)
{
	char line[sizeof(PRT_TARGET_MAGIC) + 1];

	return !file_read_line(path, line, sizeof(line)) && strcmp(line, PRT_TARGET_MAGIC) == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_all(struct state *s, struct check_request *r, const char *dir)
{
	struct dirent **names;
	size_t before = r->kernels.n;
	int n = scandir(dir, &names, NULL, versionsort);

	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(s->arena, "%s/%s", dir, names[i]->d_name);

		if (is_captured(path))
			add(s, r, path);
		free(names[i]);
	}
	if (n < 0) {
		diag_error(s->diag, nowhere, E_IO, "can't read '%s': %s", dir, strerror(errno));
		return;
	}
	free(names);
	if (r->kernels.n > before)
		return;
	diag_error(s->diag, nowhere, E_OPTION, "'%s' has neither captured targets nor a build tree",
		   dir);
	diag_hint(s->diag, "on a machine that runs such a kernel: proberun --describe > FILE");
}

void check_targets(struct state *s, struct check_request *r, const char *arg)
{
	/* A build tree has both a makefile and headers. */
	bool tree = access(arena_printf(s->arena, "%s/include", arg), F_OK) == 0;

	if (is_directory(arg) && !tree)
		add_all(s, r, arg);
	else
		add(s, r, arg);
}
