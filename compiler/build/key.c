/* SPDX-License-Identifier: GPL-2.0 */
/* The names of modules in the cache. */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/identity.h"
#include "build/private.h"
#include "config.h"
#include "target/kernel/kernel.h"
#include "parse/library_dirs.h"
#include "state.h"

static const char *const tapset_ends[] = { ".kp", ".kpm", ".stp", ".stpm", NULL };

const char *build_key_link(struct state *s, const struct kbuild_runtime *rt, const char *object)
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, rt->key);
	identity_add_content(&c, object);
	return identity_name(s->arena, &c);
}

static void add_options(struct state *s, struct sha256 *c)
{
	struct options *o = &s->opt;

	identity_add_number(c, o->argc);
	for (int i = 0; i < o->argc; i++)
		sha256_add_text(c, o->argv[i]);
	identity_add_number(c, o->guru | o->werror << 1 | o->unoptimized << 2 | o->direct << 3 |
			    o->skip_badvars << 4 | o->no_display << 5 |
			    options_want_snapshots(o) << 6 | options_limit_group(o) << 7);
	sha256_add_text(c, o->compatible);
	identity_add_number(c, o->modinfo.n);
	vec_each(m, &o->modinfo)
		sha256_add_text(c, *m);
	sha256_add_text(c, o->module_name);
	sha256_add_text(c, o->debuginfo ? o->debuginfo : "usual");
	sha256_add_text(c, o->sign_key);
	if (o->sign_key) {
		identity_add_file(c, o->sign_key);
		identity_add_file(c, o->sign_cert);
		identity_add_file(c, build_sign_program(s));
	}
	identity_add_number(c, o->globals.n);
	vec_each(g, &o->globals)
		sha256_add_text(c, *g);
	identity_add_number(c, o->caps.maxstringlen);
	identity_add_number(c, o->caps.maxmapentries);
	identity_add_number(c, o->caps.maperrors);
	identity_add_number(c, o->caps.maxaction);
	identity_add_number(c, o->caps.maxnesting);
	identity_add_number(c, o->caps.maxerrors);
	identity_add_number(c, o->caps.maxload);
	identity_add_number(c, o->caps.hist_width);
	identity_add_number(c, o->caps.hist_elision);
	identity_add_number(c, o->caps.show_elements);
	identity_add_number(c, o->caps.maxstacks);
	identity_add_number(c, o->percentiles != NULL);
}

const char *build_key_module(struct state *s)
{
	struct library_dirs dirs = { 0 };
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, "module " KBUILD_KEY_VERSION " " PROBEC_VERSION);
	sha256_add_text(&c, s->text->name);
	identity_add_number(&c, s->text->len);
	sha256_add(&c, s->text->text, s->text->len);
	add_options(s, &c);
	sha256_add_text(&c, kernel_identity(s, s->kernel));
	kbuild_key_add_tree(s, &c);
	identity_add_file(&c, "/proc/self/exe");
	kbuild_key_add_runtime(s, &c);
	library_roots(s, &dirs, false);
	vec_each(dir, &dirs.v)
		identity_add_dir(&c, dir->path, tapset_ends, false);
	return identity_name(s->arena, &c);
}

/* The program that a process runs; other processes that run it have the same. */
static void add_program(struct state *s, struct sha256 *c, int64_t pid)
{
	const char *link = arena_printf(s->arena, "/proc/%lld/exe", (long long)pid);
	char path[4096];
	ssize_t n = pid ? readlink(link, path, sizeof(path)) : 0;
	struct stat st;

	identity_add_number(c, n);
	sha256_add(c, path, n > 0 ? (size_t)n : 0);
	if (n > 0 && !stat(link, &st)) {
		identity_add_number(c, (long long)st.st_dev);
		identity_add_number(c, (long long)st.st_ino);
	}
}

const char *build_key_around(struct state *s, unsigned around)
{
	const struct options *o = &s->opt;
	char directory[PATH_MAX];
	struct sha256 c;

	if (!around)
		return s->cache_key;
	sha256_init(&c);
	sha256_add_text(&c, s->cache_key);
	identity_add_number(&c, around);
	if (around & (AROUND_COMMAND | AROUND_PROCESS))
		identity_add_number(&c, o->last_pass == 4 || o->vm || o->bundle || o->remotes.n);
	if (around & AROUND_COMMAND)
		sha256_add_text(&c, o->command);
	if (around & AROUND_PROCESS)
		add_program(s, &c, o->pid);
	if (around & AROUND_DIRECTORY)
		sha256_add_text(&c, getcwd(directory, sizeof(directory)));
	if (around & AROUND_PATH)
		sha256_add_text(&c, getenv("PATH"));
	if (around & AROUND_LIBRARIES)
		sha256_add_text(&c, getenv("LD_LIBRARY_PATH"));
	return identity_name(s->arena, &c);
}
