/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of modules: <cache>/modules/KEY.ko, where KEY is a hash of everything that the module
 * depends on and that is known before the script is parsed. KEY.files lists the files that were
 * read during analysis, with size and time: none of them may have changed. KEY.said has the
 * warnings and notes of the run that made the module, which are shown again, and their hash.
 *
 * A script may also depend on the surroundings of the run: which program `process` or a name means.
 * Then KEY.around says on what (enum around), and the module has the name KEY', a hash of KEY and
 * of these, so that there may be several: one for each program that -c names, for example.
 *
 * The directory is the user's own, and nobody else may write to it (cache_find()). The owner of an
 * entry is checked again here, because a module from it runs in the kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "build/build.h"
#include "build/private.h"
#include "base/cache/cache.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "state.h"

static const struct range nowhere;

/* ---- the files a module was made of ---- */

/* A missing file is described as well, because debug information may be installed later. */
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

static int describe_files(struct state *s, struct buf *b)
{
	buf_puts(b, "");
	vec_each(path, &s->files_read)
		if (describe_file(*path, b))
			return -1;
	return 0;
}

/* Whether each line still describes its file. */
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
		same = path && !describe_file(path, &now) && now.len == len + 1 &&
		       memcmp(now.s, p, len) == 0;
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

static void describe_said(const struct state *s, struct buf *b)
{
	struct buf said;
	char hash[65];

	buf_init(&said);
	diag_recorded(s->diag, &said);
	hash_text(said.s, hash);
	buf_printf(b, "%s\n%s", hash, said.s);
	buf_deinit(&said);
}

/* Shows the stored warnings. Returns false without showing any if they are damaged, or if this run
 * would give others. */
static bool replay_warnings(struct state *s, const char *path)
{
	struct buf b;
	char *text, hash[65];
	bool ret = false;

	buf_init(&b);
	if (!file_read(path, &b) && b.s && b.len == strlen(b.s) && (text = strchr(b.s, '\n'))) {
		*text++ = '\0';
		hash_text(text, hash);
		ret = strcmp(hash, b.s) == 0 && !diag_replay(s->diag, text);
	}
	buf_deinit(&b);
	return ret;
}

/* ---- the surroundings ---- */

static const char *around_path(struct state *s, const char *dir)
{
	return arena_printf(s->arena, "%s/%s.around", dir, s->cache_key);
}

/* On what modules of s->cache_key depend, as far as it is known. */
static unsigned read_around(struct state *s, const char *dir)
{
	const char *path = around_path(s, dir);
	unsigned around = 0;
	struct buf b;

	buf_init(&b);
	if (cache_entry_is_own(path) && !file_read(path, &b) && b.s)
		around = (unsigned)strtoul(b.s, NULL, 10);
	buf_deinit(&b);
	return around;
}

/* Adds what this run depends on. Returns the key of its module, or NULL if it can't be stored. */
static const char *add_around(struct state *s, const char *dir)
{
	unsigned before = read_around(s, dir), around = before | s->around;
	const char *text = arena_printf(s->arena, "%u\n", around);

	if (around != before && file_write(around_path(s, dir), text, strlen(text)))
		return NULL;
	return build_key_around(s, around);
}

/* ---- looking up and storing ---- */

const char *build_lookup(struct state *s)
{
	const char *dir = s->opt.no_cache ? NULL : cache_dir_of(s, "modules"), *module, *manifest,
		*said, *key;

	if (!dir)
		return NULL;
	diag_record(s->diag);
	/* Computed now, so that a file that changes during compilation leads to another name. */
	s->cache_key = build_key_module(s);
	key = build_key_around(s, read_around(s, dir));
	module = arena_printf(s->arena, "%s/%s.ko", dir, key);
	manifest = arena_printf(s->arena, "%s/%s.files", dir, key);
	said = arena_printf(s->arena, "%s/%s.said", dir, key);
	if (s->opt.poison_cache)
		return NULL;
	if (!cache_entry_is_own(module) || !cache_entry_is_own(manifest) ||
	    !cache_entry_is_own(said) || !files_unchanged(manifest) || !replay_warnings(s, said))
		return NULL;
	cache_entry_use(module);
	return build_cache_deliver(s, module, true);
}

const char *build_cache_store(struct state *s, const char *module)
{
	const char *dir = s->cache_key ? cache_dir_of(s, "modules") : NULL;
	const char *path, *manifest, *said_path, *key = dir ? add_around(s, dir) : NULL;
	struct buf b, said;
	int err;

	if (!key)
		return NULL;
	path = arena_printf(s->arena, "%s/%s.ko", dir, key);
	manifest = arena_printf(s->arena, "%s/%s.files", dir, key);
	said_path = arena_printf(s->arena, "%s/%s.said", dir, key);
	buf_init(&b);
	buf_init(&said);
	describe_said(s, &said);
	err = describe_files(s, &b) || file_write(manifest, b.s, b.len) ||
	      file_write(said_path, said.s, said.len) || file_copy(module, path);
	buf_deinit(&b);
	buf_deinit(&said);
	if (err)
		return NULL;
	cache_entry_shrink(s);
	return path;
}

const char *build_cache_deliver(struct state *s, const char *path, bool cached)
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
