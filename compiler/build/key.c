/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names for results: a hash of all that a result depends on. Files that are read by the thousand
 * or by tools count by name, size and time of change; sources of the runtime by content, so that
 * installing the same version again costs nothing. To hash that content takes as long as half of
 * the compiler's start, so it is kept by the identities of the files.
 */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/subprocess.h"
#include "build/build.h"
#include "config.h"
#include "locate/kernel.h"
#include "parse/library_dirs.h"
#include "records.h"
#include "session.h"

/* Raised when the way modules are put together changes. */
#define BUILD_VERSION "2"

enum { KEY_LEN = 40 }; /* of the hash's 64 digits; more would only make longer names */

static const char *const source_ends[] = { ".c", ".h", ".S", "Kbuild", NULL };
static const char *const tapset_ends[] = { ".kp", ".kpm", ".stp", ".stpm", NULL };

static void add_number(struct sha256 *c, long long v)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", v);
	sha256_add_text(c, text);
}

/* Without st_dev: a disk's number may be another after the next boot. */
static void add_stat(struct sha256 *c, const struct stat *st)
{
	add_number(c, st->st_ino);
	add_number(c, st->st_size);
	add_number(c, st->st_mtim.tv_sec);
	add_number(c, st->st_mtim.tv_nsec);
	add_number(c, st->st_ctim.tv_sec);
	add_number(c, st->st_ctim.tv_nsec);
}

/* A file's name and identity; a missing file counts as such. */
static void add_file(struct sha256 *c, const char *path)
{
	struct stat st;

	sha256_add_text(c, path);
	if (path && !stat(path, &st))
		add_stat(c, &st);
	else
		sha256_add_text(c, "absent");
}

static void add_content(struct sha256 *c, const char *path)
{
	struct buf b;

	buf_init(&b);
	build_files_read(path, &b);
	add_number(c, b.len);
	sha256_add(c, b.s ? b.s : "", b.len);
	buf_deinit(&b);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool ends_in(const char *name, const char *const *ends)
{
	size_t len = strlen(name);

	for (; *ends; ends++) {
		size_t n = strlen(*ends);

		if (len >= n && !strcmp(name + len - n, *ends))
			return true;
	}
	return false;
}

/* All files below @dir whose names end so: by content, or by identity. */
static void add_dir(struct sha256 *c, const char *dir, const char *const *ends, bool content)
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
			add_content(c, e->fts_path);
		else
			add_stat(c, e->fts_statp);
	}
	if (fts)
		fts_close(fts);
}

static void add_program(struct session *s, struct sha256 *c, const char *name)
{
	sha256_add_text(c, name);
	add_file(c, subprocess_find(s->arena, name));
}

const char *build_key_config(struct session *s, const char *name)
{
	const char *tree = kernel_build_tree(s->kernel), *ret = NULL;
	FILE *f = tree ? fopen(arena_printf(s->arena, "%s/include/config/auto.conf", tree),
			       "re") : NULL;
	size_t len = strlen(name);
	char line[512];

	while (f && !ret && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, name, len) && line[len] == '=') {
			const char *value = line + len + 1;

			value += *value == '"'; /* some versions quote, some do not */
			ret = arena_strndup(s->arena, value, strcspn(value, "\"\n"));
		}
	}
	if (f)
		fclose(f);
	return ret;
}

const char *build_key_compiler(struct session *s)
{
	const char *text = build_key_config(s, "CONFIG_CC_VERSION_TEXT");

	return text ? arena_strndup(s->arena, text, strcspn(text, " ")) : "gcc";
}

/* The build tree, as far as a module depends on it, and the tools. */
static void add_tree(struct session *s, struct sha256 *c)
{
	static const char *const files[] = {
		"include/generated/autoconf.h", "include/generated/utsrelease.h",
		"include/config/auto.conf", "Module.symvers", "Makefile", "tools/objtool/objtool",
		"scripts/mod/modpost", "arch/x86/module.lds", "scripts/module.lds",
	};
	const char *tree = kernel_build_tree(s->kernel);
	char *real = tree ? realpath(tree, NULL) : NULL;

	sha256_add_text(c, kernel_release(s->kernel));
	sha256_add_text(c, real);
	for (size_t i = 0; real && i < sizeof(files) / sizeof(files[0]); i++)
		add_file(c, arena_printf(s->arena, "%s/%s", real, files[i]));
	free(real);
	add_program(s, c, build_key_compiler(s));
	add_program(s, c, "ld");
}

static const char *finish(struct session *s, struct sha256 *c)
{
	char hex[65];

	sha256_hex(c, hex);
	return arena_strndup(s->arena, hex, KEY_LEN);
}

/* Of the runtime's sources: a hash of their content, or of their identities. */
static const char *hash_sources(struct session *s, bool content)
{
	struct sha256 c;

	sha256_init(&c);
	add_dir(&c, s->runtime_dir, source_ends, content);
	return finish(s, &c);
}

static const char *sources_content(struct session *s)
{
	const char *dir = build_cache_dir(s, "runtime"), *path, *ret;
	struct buf kept;

	if (!dir)
		return hash_sources(s, true);
	/* Identities are taken first: who changes a file meanwhile gives it another. */
	path = arena_printf(s->arena, "%s/%s.sources", dir, hash_sources(s, false));
	buf_init(&kept);
	if (!build_files_read(path, &kept) && kept.len == KEY_LEN) {
		ret = arena_strndup(s->arena, kept.s, kept.len);
	} else {
		ret = hash_sources(s, true);
		build_files_write(path, ret, KEY_LEN);
	}
	buf_deinit(&kept);
	return ret;
}

const char *build_key_runtime(struct session *s)
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, "runtime " BUILD_VERSION " " PROBEC_VERSION);
	add_tree(s, &c);
	sha256_add_text(&c, sources_content(s));
	return finish(s, &c);
}

const char *build_key_link(struct session *s, const struct build_runtime *rt, const char *object)
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, rt->key);
	add_content(&c, object);
	return finish(s, &c);
}

static void add_options(struct session *s, struct sha256 *c)
{
	struct options *o = &s->opt;

	add_number(c, o->argc);
	for (int i = 0; i < o->argc; i++)
		sha256_add_text(c, o->argv[i]);
	add_number(c, o->guru | o->werror << 1 | o->unoptimized << 2 | o->direct << 3 |
		   o->skip_badvars << 4 | o->no_display << 5);
	sha256_add_text(c, o->compatible);
	add_number(c, o->modinfo.n);
	vec_each(m, &o->modinfo)
		sha256_add_text(c, *m);
	sha256_add_text(c, o->module_name);
	sha256_add_text(c, o->debuginfo ? o->debuginfo : "usual");
	sha256_add_text(c, o->sign_key);
	if (o->sign_key) {
		add_file(c, o->sign_key);
		add_file(c, o->sign_cert);
		add_file(c, build_sign_program(s));
	}
	add_number(c, o->globals.n);
	vec_each(g, &o->globals)
		sha256_add_text(c, *g);
	add_number(c, o->caps.maxstringlen);
	add_number(c, o->caps.maxmapentries);
	add_number(c, o->caps.maperrors);
	add_number(c, o->caps.maxaction);
	add_number(c, o->caps.maxnesting);
	add_number(c, o->caps.maxerrors);
	add_number(c, o->caps.maxload);
	add_number(c, o->caps.hist_width);
	add_number(c, o->caps.hist_elision);
}

const char *build_key_module(struct session *s)
{
	struct library_dirs dirs = { 0 };
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, "module " BUILD_VERSION " " PROBEC_VERSION);
	sha256_add_text(&c, s->text->name);
	add_number(&c, s->text->len);
	sha256_add(&c, s->text->text, s->text->len);
	add_options(s, &c);
	sha256_add_text(&c, kernel_identity(s, s->kernel));
	add_tree(s, &c);
	add_file(&c, "/proc/self/exe");
	add_dir(&c, s->runtime_dir, source_ends, false);
	library_roots(s, &dirs, false);
	vec_each(dir, &dirs.v)
		add_dir(&c, dir->path, tapset_ends, false);
	return finish(s, &c);
}
