/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of modules: <cache>/modules/KEY.ko, where KEY is a hash of everything the module
 * depends on that is known before the script is parsed. Beside it are KEY.files, the files that
 * were read while it was analysed, with size and time: all of them must be as they were; and
 * KEY.said, the warnings and notes of the run that made it, with a hash: they are shown again.
 *
 * The directory is the user's own and nobody else may write to it (main.c); entries are looked
 * at again here, since what is taken from it runs in the kernel. Entries appear by rename.
 * Beyond SIZE_LIMIT those that were used longest ago go; a use sets the time of the entry.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/remove.h"
#include "base/sha256.h"
#include "build/build.h"
#include "build/private.h"
#include "cache/cache.h"
#include "session.h"

#define SIZE_LIMIT (256LL << 20)       /* bytes of modules */
#define RUNTIME_AGE (60 * 86400)       /* seconds without use after which a runtime object goes */

static const struct range nowhere;

/* ---- the files a module was made of ---- */

/* A file that does not exist is described as well, because debug information may be installed
 * later. */
static int describe_file(const char *path, struct buf *b)
{
	struct stat st;

	if (stat(path, &st)) {
		if (errno != ENOENT)
			return -1;
		memset(&st, 0, sizeof(st));
	}
	buf_printf(b, "%lld %lld.%09ld %llu %s\n", (long long)st.st_size,
		   (long long)st.st_mtim.tv_sec,
		   st.st_mtim.tv_nsec, (unsigned long long)st.st_ino, path);
	return 0;
}

static int describe_files(struct session *s, struct buf *b)
{
	buf_puts(b, "");
	vec_each(path, &s->files_read)
		if (describe_file(*path, b))
			return -1;
	return 0;
}

/* True when each line still describes its file. */
static bool files_unchanged(const char *manifest)
{
	struct buf then, now;
	bool same;

	buf_init(&then);
	buf_init(&now);
	same = !file_read(manifest, &then);
	for (char *p = then.s; same && p && *p;) {
		size_t len = strcspn(p, "\n");
		char *path = p;

		p[len] = '\0';
		for (int space = 0; space < 3 && path; space++) {
			path = strchr(path, ' ');
			path = path ? path + 1 : NULL;
		}
		now.len = 0;
		same = path && !describe_file(path, &now) && now.len == len + 1 && !memcmp(now.s,
											   p, len);
		p += len + 1;
	}
	buf_deinit(&then);
	buf_deinit(&now);
	return same;
}

/* ---- warnings of the script ---- */

static void hash_text(const char *text, char ret[65])
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, text);
	sha256_hex(&c, ret);
}

static void describe_said(const struct session *s, struct buf *b)
{
	struct buf said;
	char hash[65];

	buf_init(&said);
	diag_recorded(s->diag, &said);
	hash_text(said.s, hash);
	buf_printf(b, "%s\n%s", hash, said.s);
	buf_deinit(&said);
}

/* False, and nothing is shown, when it is damaged, or not what this run would say of the script. */
static bool say_again(struct session *s, const char *path)
{
	struct buf b;
	char *text, hash[65];
	bool ret = false;

	buf_init(&b);
	if (!file_read(path, &b) && b.s && b.len == strlen(b.s) && (text = strchr(b.s, '\n'))) {
		*text++ = '\0';
		hash_text(text, hash);
		ret = !strcmp(hash, b.s) && !diag_replay(s->diag, text);
	}
	buf_deinit(&b);
	return ret;
}

/* ---- looking up and storing ---- */

static bool is_own_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

const char *build_lookup(struct session *s)
{
	const char *dir = s->opt.no_cache ? NULL : cache_dir_of(s, "modules"), *module, *manifest,
		*said;

	if (!dir)
		return NULL;
	diag_record(s->diag);
	/* Taken now, so that what changes while we compile gets another name. */
	s->cache_key = build_key_module(s);
	module = arena_printf(s->arena, "%s/%s.ko", dir, s->cache_key);
	manifest = arena_printf(s->arena, "%s/%s.files", dir, s->cache_key);
	said = arena_printf(s->arena, "%s/%s.said", dir, s->cache_key);
	if (s->opt.poison_cache)
		return NULL;
	if (!is_own_file(module) || !is_own_file(manifest) || !is_own_file(said) ||
	    !files_unchanged(manifest) || !say_again(s, said))
		return NULL;
	utimensat(AT_FDCWD, module, NULL, 0);
	return build_cache_deliver(s, module, true);
}

struct cached_module {
	const char *path; /* without .ko */
	long long size;
	struct timespec used;
};

static int by_use(const void *a, const void *b)
{
	const struct cached_module *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

static void drop_old_modules(struct session *s, const char *dir)
{
	VEC(struct cached_module) all = { 0 };
	long long total = 0;
	DIR *d = opendir(dir);

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		size_t len = strlen(e->d_name);
		struct stat st;

		if (len < 4 || strcmp(e->d_name + len - 3, ".ko") ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		const char *path = arena_printf(s->arena, "%s/%.*s", dir, (int)len - 3, e->d_name);
		struct cached_module entry = { path, st.st_size, st.st_mtim };

		vec_push(s->arena, &all, entry);
		total += st.st_size;
	}
	if (d)
		closedir(d);
	if (total <= SIZE_LIMIT)
		return;
	qsort(all.v, all.n, sizeof(all.v[0]), by_use);
	for (size_t i = 0; i < all.n && total > SIZE_LIMIT; i++) {
		unlink(arena_printf(s->arena, "%s.ko", all.v[i].path));
		unlink(arena_printf(s->arena, "%s.files", all.v[i].path));
		unlink(arena_printf(s->arena, "%s.said", all.v[i].path));
		total -= all.v[i].size;
	}
}

static void drop_old_runtimes(struct session *s)
{
	const char *dir = cache_dir_of(s, "runtime");
	DIR *d = dir ? opendir(dir) : NULL;
	time_t now = time(NULL);

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		struct stat st;

		if (e->d_name[0] != '.' && !fstatat(dirfd(d), e->d_name, &st,
						    AT_SYMLINK_NOFOLLOW) &&
		    now - st.st_mtim.tv_sec > RUNTIME_AGE)
			remove_tree(arena_printf(s->arena, "%s/%s", dir, e->d_name));
	}
	if (d)
		closedir(d);
}

const char *build_cache_store(struct session *s, const char *module)
{
	const char *dir = s->cache_key ? cache_dir_of(s, "modules") : NULL;
	const char *path, *manifest, *said_path;
	struct buf b, said;
	int err;

	if (!dir)
		return NULL;
	path = arena_printf(s->arena, "%s/%s.ko", dir, s->cache_key);
	manifest = arena_printf(s->arena, "%s/%s.files", dir, s->cache_key);
	said_path = arena_printf(s->arena, "%s/%s.said", dir, s->cache_key);
	buf_init(&b);
	buf_init(&said);
	describe_said(s, &said);
	err = describe_files(s, &b) || file_write(manifest, b.s, b.len) ||
	      file_write(said_path, said.s, said.len) || file_copy(module, path);
	buf_deinit(&b);
	buf_deinit(&said);
	if (err)
		return NULL;
	drop_old_modules(s, dir);
	drop_old_runtimes(s);
	return path;
}

const char *build_cache_deliver(struct session *s, const char *path, bool cached)
{
	const char *name = s->opt.module_name, *here;
	int err;

	if (s->opt.last_pass != 4 || (cached && !name))
		return path;
	here = arena_printf(s->arena, "%s.ko", name ? name : "probec");
	err = file_copy(path, here);
	if (!err)
		return here;
	diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", here, strerror(-err));
	return NULL;
}

void build_shrink_cache(struct session *s)
{
	const char *dir = cache_dir_of(s, "modules");

	if (!dir)
		return;
	drop_old_modules(s, dir);
	drop_old_runtimes(s);
}
