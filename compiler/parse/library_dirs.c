/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the directories of tapsets and macros: -I, $XDG_DATA_HOME (~/.local/share) and
 * $XDG_DATA_DIRS with /probec/tapsets appended, and the library; and those of tools, with
 * /probec/tools appended. Their contents end up in the kernel, so a directory or file of the user's
 * or the system's that somebody else could have written is not used, nor is what another probec has
 * installed there. Directories of -I are the user's choice, the library belongs to the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/arch/names.h"
#include "base/rights.h"
#include "target/kernel/kernel.h"
#include "parse/library_dirs.h"

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static void add(struct state *s, struct library_dirs *ret, const char *path, int in_tapset,
		bool automatic)
{
	struct library_dir dir = { path, in_tapset, automatic };

	vec_push(s->arena, &ret->v, dir);
}

static bool is_roots(const struct stat *st)
{
	return st->st_uid == 0 && !(st->st_mode & 022);
}

/* Whether only this user or root can change the contents of the directory @path. */
static bool is_safe_dir(const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	return realpath(path, real) && !stat(real, &st) &&
	       (rights_is_own_dir(real) || is_roots(&st)) && rights_is_safe(real);
}

static void warn_unsafe(struct state *s, const char *what, const char *path)
{
	diag_warn(s->diag, (struct range){ 0 }, E_IO,
		  "the %s '%s' is not used: others can write to it or to a directory above it",
		  what, path);
}

/* A kind of directory below DATA/probec. */
struct data_kind {
	const char *name; /* "tapsets" */
	const char *what; /* for messages */
	const char *own;  /* that of probec itself, or NULL */
	bool warn;        /* about directories that are not safe to use */
};

/* Whether DATA/probec is an installation of this or of another probec, whose tapsets suit its own
 * runtime only. */
static bool is_installation(struct state *s, const char *data)
{
	return !access(arena_printf(s->arena, "%s/probec/runtime/abi/script.h", data), F_OK);
}

/* Adds DATA/probec/NAME, if it exists and is not part of an installation. */
static void add_data(struct state *s, struct library_dirs *ret, const char *data,
		     const struct data_kind *kind)
{
	char real[PATH_MAX];
	const char *path = arena_printf(s->arena, "%s/probec/%s", data, kind->name);
	struct stat st;

	if (*data != '/' || !realpath(path, real) || stat(real, &st) || !S_ISDIR(st.st_mode))
		return;
	if (is_installation(s, data))
		return;
	if (is_safe_dir(real))
		add(s, ret, path, 1, true);
	else if (kind->warn)
		warn_unsafe(s, kind->what, path);
}

/* Adds the directories of the user, of the system and of probec. */
static void add_all_data(struct state *s, struct library_dirs *ret, const struct data_kind *kind)
{
	const char *home = getenv("XDG_DATA_HOME"), *dirs = getenv("XDG_DATA_DIRS");

	if (home && *home == '/')
		add_data(s, ret, home, kind);
	else if (rights_home())
		add_data(s, ret, arena_printf(s->arena, "%s/.local/share", rights_home()), kind);
	if (!dirs || !*dirs)
		dirs = "/usr/local/share:/usr/share";
	for (const char *end; *dirs; dirs = *end ? end + 1 : end) {
		end = strchrnul(dirs, ':');
		add_data(s, ret, arena_strndup(s->arena, dirs, (size_t)(end - dirs)), kind);
	}
	if (kind->own)
		add(s, ret, kind->own, 2, false);
}

void library_roots(struct state *s, struct library_dirs *ret, bool warn)
{
	vec_each(dir, &s->opt.include_dirs)
		add(s, ret, *dir, 1, false);
	add_all_data(s, ret, &(struct data_kind){ "tapsets", "tapset directory", s->tapset_dir,
						  warn });
}

void library_tools(struct state *s, struct library_dirs *ret, bool warn)
{
	add_all_data(s, ret, &(struct data_kind){ "tools", "directory of tools", s->tool_dir,
						  warn });
}

int library_open_tool(struct state *s, const struct library_dir *dir, const char *name)
{
	const char *path = arena_printf(s->arena, "%s/%s", dir->path, name);
	int fd;

	if (!dir->automatic)
		return open(path, O_RDONLY | O_CLOEXEC);
	fd = rights_open(path);
	if (fd == -EPERM)
		warn_unsafe(s, "tool", path);
	return fd < 0 ? -1 : fd;
}

static void add_sub(struct state *s, struct library_dirs *ret, const struct library_dir *root,
		    const char *sub, bool warn)
{
	const char *path = arena_printf(s->arena, "%s/%s", root->path, sub);

	if (!is_dir(path))
		return;
	if (!root->automatic || is_safe_dir(path))
		add(s, ret, path, root->in_tapset, root->automatic);
	else if (warn)
		warn_unsafe(s, "tapset directory", path);
}

/* Adds NAME/x86_64 and NAME, then the same for shorter names: 6.1.0-56-amd64, 6.1.0, 6.1. */
static void add_versions(struct state *s, struct library_dirs *ret,
			 const struct library_dir *root, const char *release, bool warn)
{
	size_t len = strlen(release), base = strspn(release, "0123456789.");

	while (len) {
		const char *name = arena_strndup(s->arena, release, len);

		add_sub(s, ret, root,
			arena_printf(s->arena, "%s/%s", name, arch_names->machine), warn);
		add_sub(s, ret, root, name, warn);
		if (len > base) {
			len = base;
			continue;
		}

		const char *dot = strrchr(name, '.');

		len = dot && dot != strchr(name, '.') ? (size_t)(dot - name) : 0;
	}
}

void library_dirs(struct state *s, struct library_dirs *ret, bool warn)
{
	struct library_dirs roots = { 0 };

	library_roots(s, &roots, warn);
	vec_each(root, &roots.v) {
		if (s->kernel)
			add_versions(s, ret, root, kernel_release(s->kernel), warn);
		add_sub(s, ret, root, arch_names->machine, warn);
		add(s, ret, root->path, root->in_tapset, root->automatic);
	}
}

struct source *library_read(struct state *s, const struct library_dir *dir, const char *name)
{
	const char *path = arena_printf(s->arena, "%s/%s", dir->path, name);
	struct source *src = NULL;
	int fd = dir->automatic ? rights_open(path) : 0;

	if (!dir->automatic) {
		src = source_from_file(s->arena, path);
	} else if (fd >= 0) {
		src = source_from_fd(s->arena, path, fd);
		close(fd);
	} else if (fd == -EPERM) {
		warn_unsafe(s, "tapset", path);
		return NULL;
	} else {
		errno = -fd;
	}
	if (src)
		vec_push(s->arena, &s->files_read, path);
	else
		diag_error(s->diag, (struct range){ 0 }, E_IO, "cannot read '%s': %s", path,
			   source_why(errno));
	return src;
}
