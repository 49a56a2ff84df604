/* SPDX-License-Identifier: GPL-2.0 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache/cache.h"
#include "shared/file.h"
#include "state.h"

#define MODULES_SIZE (256LL << 20) /* bytes */
#define RUNTIME_AGE (60 * 86400)   /* seconds */

bool cache_is_own(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	       !(st->st_mode & (S_IWGRP | S_IWOTH));
}

bool cache_entry_is_own(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && cache_is_own(&st);
}

void cache_entry_use(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

static const char *lock_path(struct arena *a, const char *path)
{
	return arena_printf(a, "%s.lock", path);
}

int cache_entry_lock(struct arena *a, const char *path)
{
	int lock = open(lock_path(a, path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (lock >= 0)
		flock(lock, LOCK_EX);
	return lock;
}

void cache_entry_unlock(struct arena *a, const char *path, int lock)
{
	if (lock < 0)
		return;
	unlink(lock_path(a, path));
	close(lock);
}

int cache_entry_put_dir(const char *fresh, const char *path)
{
	file_remove_tree(path); /* a damaged one */
	return rename(fresh, path) ? -errno : 0;
}

struct module_entry {
	const char *path; /* without ".ko" */
	long long size;   /* size of the .ko in bytes */
	struct timespec used;
};

static int by_use(const void *a, const void *b)
{
	const struct module_entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

/* KEY.around, a few bytes, is of no module alone. */
static void drop_around(int dir, const char *name)
{
	const char *end = strrchr(name, '.');
	struct stat st;

	if (end && strcmp(end, ".around") == 0 && !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    time(NULL) - st.st_mtim.tv_sec > RUNTIME_AGE)
		unlinkat(dir, name, 0);
}

static void drop_modules(struct state *s)
{
	static const char *const files[] = { "ko", "files", "said" };
	VEC(struct module_entry) all = { 0 };
	const char *dir = cache_dir_of(s, "modules");
	DIR *d = dir ? opendir(dir) : NULL;
	long long total = 0;

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		size_t len = strlen(e->d_name);
		struct stat st;

		drop_around(dirfd(d), e->d_name);
		if (len < 4 || strcmp(e->d_name + len - 3, ".ko") != 0 ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;

		const char *path = arena_printf(s->arena, "%s/%.*s", dir, (int)len - 3, e->d_name);
		struct module_entry entry = { path, st.st_size, st.st_mtim };

		vec_push(s->arena, &all, entry);
		total += st.st_size;
	}
	if (d)
		closedir(d);
	if (total <= MODULES_SIZE)
		return;
	qsort(all.v, all.n, sizeof(all.v[0]), by_use);
	for (size_t i = 0; i < all.n && total > MODULES_SIZE; i++) {
		for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++)
			unlink(arena_printf(s->arena, "%s.%s", all.v[i].path, files[k]));
		total -= all.v[i].size;
	}
}

static void drop_runtimes(struct state *s)
{
	const char *dir = cache_dir_of(s, "runtime");
	DIR *d = dir ? opendir(dir) : NULL;
	time_t now = time(NULL);

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		struct stat st;

		if (e->d_name[0] != '.' && !fstatat(dirfd(d), e->d_name, &st,
						    AT_SYMLINK_NOFOLLOW) &&
		    now - st.st_mtim.tv_sec > RUNTIME_AGE)
			file_remove_tree(arena_printf(s->arena, "%s/%s", dir, e->d_name));
	}
	if (d)
		closedir(d);
}

void cache_entry_shrink(struct state *s)
{
	drop_modules(s);
	drop_runtimes(s);
}
