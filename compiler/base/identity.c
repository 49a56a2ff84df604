/* SPDX-License-Identifier: GPL-2.0 */
#include "base/identity.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/words.h"
#include "shared/buf.h"
#include "shared/file.h"

void identity_add_number(struct sha256 *c, long long v)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", v);
	sha256_add_text(c, text);
}

/* Without st_dev, because the number of a disk may change with a boot. */
static void add_stat(struct sha256 *c, const struct stat *st)
{
	identity_add_number(c, st->st_ino);
	identity_add_number(c, st->st_size);
	identity_add_number(c, st->st_mtim.tv_sec);
	identity_add_number(c, st->st_mtim.tv_nsec);
	identity_add_number(c, st->st_ctim.tv_sec);
	identity_add_number(c, st->st_ctim.tv_nsec);
}

/* Adds a file's name and identity; a missing file has one as well. */
void identity_add_file(struct sha256 *c, const char *path)
{
	struct stat st;

	sha256_add_text(c, path);
	if (path && !stat(path, &st))
		add_stat(c, &st);
	else
		sha256_add_text(c, "absent");
}

void identity_add_content(struct sha256 *c, const char *path)
{
	struct buf b;

	buf_init(&b);
	file_read(path, &b);
	identity_add_number(c, b.len);
	sha256_add(c, b.s ? b.s : "", b.len);
	buf_deinit(&b);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool ends_in(const char *name, const char *const *ends)
{
	while (*ends && !words_end(name, *ends))
		ends++;
	return *ends != NULL;
}

/* Adds all files below @dir whose names end so: their contents, or their identities. */
void identity_add_dir(struct sha256 *c, const char *dir, const char *const *ends, bool content)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	size_t skip = strlen(dir);

	sha256_add_text(c, content ? "content" : dir);
	for (FTSENT *e = fts ? fts_read(fts) : NULL; e; e = fts_read(fts)) {
		if (e->fts_info != FTS_F || !ends_in(e->fts_name, ends))
			continue;
		sha256_add_text(c, e->fts_path + skip);
		if (content)
			identity_add_content(c, e->fts_path);
		else
			add_stat(c, e->fts_statp);
	}
	if (fts)
		fts_close(fts);
}

const char *identity_name(struct arena *a, struct sha256 *c)
{
	char hex[65];

	sha256_hex(c, hex);
	return arena_strndup(a, hex, IDENTITY_LEN);
}
