/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The runtime object: one run of kbuild on a copy of the runtime's sources, whose objects are then
 * linked to one without debug information. It is cached in <cache>/runtime/KEY/, where <cache> is
 * the user's, or the directory in which root prepares runtimes for all users. A lock lets one
 * process build while others wait, and the directory appears complete by a rename.
 */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"
#include "target/arch/names.h"
#include "base/packages.h"
#include "base/rights.h"
#include "base/subprocess.h"
#include "base/cache/cache.h"
#include "target/kbuild/kbuild.h"
#include "target/kernel/kernel.h"
#include "records.h"
#include "state.h"

static const struct range nowhere;

/* ---- requirements ---- */

const char *kbuild_how_to_get_tree(struct state *s)
{
	return packages_hint(s->arena, arena_printf(s->arena, "linux-headers-%s",
						    kernel_release(s->kernel)));
}

static int no_headers(struct state *s)
{
	diag_error(s->diag, nowhere, E_NO_HEADERS, "no build tree for the kernel %s",
		   kernel_release(s->kernel));
	diag_hint(s->diag, "%s", kbuild_how_to_get_tree(s));
	diag_hint(s->diag, "-r DIR names the build tree of a kernel that is in no package");
	return -1;
}

/* "x86_64-linux-gnu-" is that of "gcc-x86-64-linux-gnu". */
static const char *cross_package(struct state *s)
{
	char *name = arena_printf(s->arena, "gcc-%.*s", (int)strlen(arch_names->tools) - 1,
				  arch_names->tools);

	for (char *p = name; *p; p++)
		if (*p == '_')
			*p = '-';
	return name;
}

/* "x86_64-linux-gnu-gcc-12" is in the package "gcc-12"; for another processor than this machine's,
 * a package with that processor's name has gcc and what it needs. */
static const char *package_of(struct state *s, const char *tool)
{
	const char *gcc = strstr(tool, "gcc");

	if (arch_is_foreign() && strcmp(tool, "make") != 0)
		return cross_package(s);
	return gcc ? gcc : tool;
}

/* ---- building ---- */

static bool is_source(const char *name)
{
	size_t len = strlen(name);

	return strcmp(name, "Kbuild") == 0 ||
	       (len > 2 && name[len - 2] == '.' && strchr("chS", name[len - 1]));
}

static int copy_sources(struct state *s, const char *to)
{
	char *paths[] = { (char *)s->runtime_dir, NULL };
	FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	size_t skip = strlen(s->runtime_dir);
	int err = fts ? 0 : -errno;

	for (FTSENT *e = fts ? fts_read(fts) : NULL; e && !err; e = fts_read(fts)) {
		const char *path = arena_printf(s->arena, "%s%s", to, e->fts_path + skip);

		if (e->fts_info == FTS_D)
			err = mkdir(path, 0700) ? -errno : 0;
		else if (e->fts_info == FTS_F && is_source(e->fts_name))
			err = file_copy(e->fts_path, path);
		else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			err = -e->fts_errno;
	}
	if (fts)
		fts_close(fts);
	if (err)
		diag_error(s->diag, nowhere, E_IO, "can't copy the runtime from '%s': %s",
			   s->runtime_dir,
			   strerror(-err));
	return err ? -1 : 0;
}

static int failed(struct state *s, const char *what, const struct buf *log)
{
	diag_error(s->diag, nowhere, E_BUILD, "%s for the kernel %s", what,
		   kernel_release(s->kernel));
	diag_hint(s->diag, "the output of the tools follows; -k keeps the files");
	fwrite(log->s, 1, log->len, stderr);
	return -1;
}

/* Whether runtime/Kbuild says what the kernel lacks; then this is reported. */
static bool report_lacks(struct state *s, const struct buf *log)
{
	static const char words[] = "the kernel lacks: ";
	const char *from = memmem(log->s, log->len, words, strlen(words)), *to;

	if (!from)
		return false;
	from += strlen(words);
	to = memchr(from, ';', log->len - (from - log->s));
	diag_error(s->diag, nowhere, E_OLD_KERNEL,
		   "the kernel %s is too old: it lacks %.*s", kernel_release(s->kernel),
		   to ? (int)(to - from) : 0, from);
	diag_hint(s->diag, "boot a newer kernel: 5.10 is the oldest that probec works on "
		  "(doc/kernels.md)");
	return true;
}

/* Runs kbuild in the copy of the sources, without a report. Returns its status, or -1. */
static int make_runtime(struct state *s, const char *tree, const char *dir, struct buf *log)
{
	struct kbuild_words make = { 0 };

	kbuild_word(s, &make, "make");
	kbuild_word(s, &make, arena_printf(s->arena, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	kbuild_word(s, &make, "-C");
	kbuild_word(s, &make, tree);
	kbuild_word(s, &make, arena_printf(s->arena, "M=%s", dir));
	if (arch_is_foreign()) {
		kbuild_word(s, &make, arena_printf(s->arena, "ARCH=%s", arch_names->folder));
		kbuild_word(s, &make, arena_printf(s->arena, "CROSS_COMPILE=%s",
						   arch_names->tools));
	}
	/* kbuild would use what is called gcc here. */
	kbuild_word(s, &make, kbuild_key_tools(s));
	/* Nothing uses the runtime's debug information, which join() would remove, nor its types,
	 * and BTF needs a tool that may be missing. */
	kbuild_word(s, &make, "CONFIG_DEBUG_INFO=");
	kbuild_word(s, &make, "CONFIG_DEBUG_INFO_BTF_MODULES=");
	kbuild_word(s, &make, "modules");
	return kbuild_run(s, &make, NULL, log);
}

static int run_kbuild(struct state *s, const char *tree, const char *dir)
{
	struct buf log;
	int ret;

	buf_init(&log);
	ret = make_runtime(s, tree, dir, &log);
	if (ret > 0 && !report_lacks(s, &log))
		ret = failed(s, "the runtime could not be built", &log);
	buf_deinit(&log);
	return ret;
}

/* Tools that are not installed, as a message names them. */
struct missing_tools {
	const char *tools;    /* "gcc-12', 'make"; NULL: nothing */
	const char *packages; /* separated by spaces */
	bool compiler, several;
};

static void add_missing(struct state *s, struct missing_tools *m, const char *tool,
			const char *package)
{
	if (!package || arch_is_foreign())
		package = package_of(s, tool);
	m->several = m->tools != NULL;
	m->tools = m->tools ? arena_printf(s->arena, "%s', '%s", m->tools, tool) : tool;
	if (!m->packages)
		m->packages = package;
	else if (!strstr(m->packages, package))
		m->packages = arena_printf(s->arena, "%s %s", m->packages, package);
}

/* Reports that tools are missing. Where one is the compiler of a kernel that is too old, this is
 * reported instead, so that nobody installs a compiler in vain. */
static int no_tools(struct state *s, const struct missing_tools *m)
{
	const char *work = arena_printf(s->arena, "%s/without", s->tmp_dir);
	bool reported = false;
	struct buf log;

	buf_init(&log);
	if (m->compiler && subprocess_find(s->arena, "make") && !copy_sources(s, work) &&
	    make_runtime(s, kernel_build_tree(s->kernel), work, &log) > 0)
		reported = report_lacks(s, &log);
	buf_deinit(&log);
	if (reported)
		return -1;
	diag_error(s->diag, nowhere, E_NO_COMPILER,
		   "'%s' %s not installed; modules for %s are built with %s", m->tools,
		   m->several ? "are" : "is", kernel_release(s->kernel),
		   m->several ? "them" : "it");
	diag_hint(s->diag, "%s", packages_hint(s->arena, m->packages));
	return -1;
}

static int check_tools(struct state *s)
{
	const char *llvm = kbuild_key_llvm(s);
	const char *const tools[][2] = {
		{ kbuild_key_compiler(s), NULL }, { "make", "make" },
		{ llvm ? arena_printf(s->arena, "ld.lld%s", llvm) : kbuild_key_tool(s, "ld"),
		  llvm ? arena_printf(s->arena, "lld%s", llvm) : "binutils" },
		{ kbuild_key_tool(s, "strip"), "binutils" },
	};
	struct missing_tools m = { 0 };

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (subprocess_find(s->arena, tools[i][0]))
			continue;
		add_missing(s, &m, tools[i][0], tools[i][1]);
		m.compiler |= i == 0;
	}
	return m.tools ? no_tools(s, &m) : 0;
}

/* Links the module's objects to one without debug information, and then links this one as kbuild
 * links a module, by the kernel's linker script. A script is appended to the latter
 * (build/append.c), or linked with the former. */
static int join(struct state *s, const struct kbuild_runtime *rt,
		const struct kbuild_words *objects)
{
	struct kbuild_words ld = { 0 }, strip = { 0 }, link = { 0 };
	struct buf log;
	int ret;

	for (size_t i = 0; i < rt->ld.w.n; i++) {
		if (strncmp(rt->ld.w.v[i], "--build-id", 10) == 0)
			continue;
		kbuild_word(s, &link, rt->ld.w.v[i]);
		if (strcmp(rt->ld.w.v[i], "-T") == 0)
			kbuild_word(s, &link, rt->ld.w.v[++i]);
		else
			kbuild_word(s, &ld, rt->ld.w.v[i]);
	}
	kbuild_word(s, &ld, "-o");
	kbuild_word(s, &ld, rt->object_file);
	vec_each(o, &objects->w)
		kbuild_word(s, &ld, *o);
	kbuild_word(s, &strip, kbuild_key_tool(s, "strip"));
	kbuild_word(s, &strip, "-g");
	kbuild_word(s, &strip, rt->object_file);
	kbuild_word(s, &link, "-o");
	kbuild_word(s, &link, rt->linked_file);
	kbuild_word(s, &link, rt->object_file);
	buf_init(&log);
	ret = kbuild_run(s, &ld, NULL, &log);
	if (!ret)
		ret = kbuild_run(s, &strip, NULL, &log);
	if (!ret)
		ret = kbuild_run(s, &link, NULL, &log);
	if (ret > 0)
		ret = failed(s, "the runtime could not be linked", &log);
	buf_deinit(&log);
	return ret;
}

/* Strips the module with the trampolines, if kbuild made one. */
static int strip_direct(struct state *s, const char *work)
{
	const char *from = arena_printf(s->arena, "%s/" PRT_DIRECT_MODULE ".ko", work);
	struct kbuild_words strip = { 0 };
	struct buf log;
	int ret;

	if (access(from, R_OK))
		return 0;
	kbuild_word(s, &strip, kbuild_key_tool(s, "strip"));
	kbuild_word(s, &strip, "-g");
	kbuild_word(s, &strip, "-o");
	kbuild_word(s, &strip, arena_printf(s->arena, "%s/" PRT_DIRECT_MODULE ".ko",
					    s->tmp_dir));
	kbuild_word(s, &strip, from);
	buf_init(&log);
	ret = kbuild_run(s, &strip, NULL, &log);
	if (ret > 0)
		ret = failed(s, "the trampolines could not be built", &log);
	buf_deinit(&log);
	return ret;
}

/* Without the list of checksums kbuild only warns, and the kernel refuses the module. */
static int check_versions(struct state *s)
{
	const char *path = arena_printf(s->arena, "%s/Module.symvers",
					kernel_build_tree(s->kernel));

	if (!kernel_config(s, "CONFIG_MODVERSIONS") || access(path, R_OK) == 0)
		return 0;
	diag_error(s->diag, nowhere, E_NO_HEADERS, "can't read '%s': %s; this kernel loads no "
		   "module that is built without it", path, strerror(errno));
	diag_hint(s->diag, "`make` in the kernel's source creates that file; `make "
			   "modules_prepare` does not");
	return -1;
}

static void say_building(struct state *s)
{
	const char *wanted = kbuild_key_wanted(s), *taken = kbuild_key_compiler(s);

	fprintf(stderr, "building the runtime for %s (once)", kernel_release(s->kernel));
	if (strcmp(wanted, taken) != 0)
		fprintf(stderr, " by %s: %s, which built the kernel, is not installed", taken,
			wanted);
	fputc('\n', stderr);
}

/* Leaves both objects of the runtime, the flags and the result of strip_direct() in s->tmp_dir. */
static int build(struct state *s)
{
	const char *work = arena_printf(s->arena, "%s/runtime", s->tmp_dir);
	char *tree = realpath(kernel_build_tree(s->kernel), NULL);
	struct kbuild_runtime rt = {
		.object_file = arena_printf(s->arena, "%s/runtime.o", s->tmp_dir),
		.linked_file = arena_printf(s->arena, "%s/linked.o", s->tmp_dir),
	};
	struct kbuild_words objects = { 0 };
	int ret = -1;

	if (!tree)
		return no_headers(s);
	if (strpbrk(work, " \t:")) {
		diag_error(s->diag, nowhere, E_IO, "kbuild can't work in '%s'", work);
		diag_hint(s->diag, "set TMPDIR to a directory without blanks and colons in its "
			  "path");
		goto out;
	}
	if (check_versions(s))
		goto out;
	say_building(s);
	if (!copy_sources(s, work) && !run_kbuild(s, tree, work) &&
	    !kbuild_flags_collect(s, work, tree, &rt, &objects) && !join(s, &rt, &objects) &&
	    !strip_direct(s, work)) {
		kbuild_stages_find(s, &rt);
		ret = kbuild_flags_save(&rt, arena_printf(s->arena, "%s/flags", s->tmp_dir));
	}
out:
	free(tree);
	return ret ? -1 : 0;
}

/* ---- the cache ---- */

/* The last component of @dir is the key. */
static int load(struct state *s, const char *dir, struct kbuild_runtime *ret)
{
	*ret = (struct kbuild_runtime){ .key = strrchr(dir, '/') + 1,
				       .object_file = arena_printf(s->arena, "%s/runtime.o", dir),
				       .linked_file = arena_printf(s->arena, "%s/linked.o", dir) };
	if (access(ret->object_file, R_OK) || access(ret->linked_file, R_OK))
		return -ENOENT;
	ret->direct = arena_printf(s->arena, "%s/" PRT_DIRECT_MODULE ".ko", dir);
	if (access(ret->direct, R_OK))
		ret->direct = NULL;
	return kbuild_flags_load(s, arena_printf(s->arena, "%s/flags", dir), ret);
}

static int copy_into(struct state *s, const char *dir, const char *name)
{
	return file_copy(arena_printf(s->arena, "%s/%s", s->tmp_dir, name),
			 arena_printf(s->arena, "%s/%s", dir, name));
}

/* Moves what build() made to @dir, and loads it. */
static int put(struct state *s, const char *dir, struct kbuild_runtime *ret)
{
	const char *fresh = arena_printf(s->arena, "%s.%d", dir, getpid());
	int err;

	err = mkdir(fresh, 0700) ? -errno : copy_into(s, fresh, "runtime.o");
	if (!err)
		err = copy_into(s, fresh, "linked.o");
	if (!err)
		err = copy_into(s, fresh, "flags");
	if (!err) {
		err = copy_into(s, fresh, PRT_DIRECT_MODULE ".ko");
		err = err == -ENOENT ? 0 : err;
	}
	if (!err)
		err = cache_entry_put_dir(fresh, dir);
	if (!err)
		err = load(s, dir, ret);
	if (err)
		file_remove_tree(fresh);
	return err;
}

static int build_into(struct state *s, const char *dir, struct kbuild_runtime *ret)
{
	const char *own = arena_printf(s->arena, "%s%s", s->tmp_dir, strrchr(dir, '/'));
	int err;

	if (build(s))
		return -1;
	err = put(s, dir, ret);
	if ((err == -ENOSPC || err == -EDQUOT) && strcmp(own, dir) != 0) {
		diag_warn(s->diag, nowhere, E_IO, "can't make '%s': %s; the runtime is not "
			  "cached", dir, strerror(-err));
		dir = own;
		err = put(s, dir, ret);
	}
	if (err)
		diag_error(s->diag, nowhere, E_IO, "can't make '%s': %s", dir, strerror(-err));
	return err ? -1 : 0;
}

/* The key is a part of the path, so what is found there is of this kernel. */
static int load_prepared(struct state *s, struct kbuild_runtime *ret)
{
	const char *dir = arena_printf(s->arena, "%s/%s", KBUILD_PREPARED_DIR,
				       kbuild_key_runtime(s));

	return rights_is_of_root(dir) ? load(s, dir, ret) : -ENOENT;
}

/* The directory is this user's own, and nobody else may write to it (cache_find()). The owner of
 * what is there is checked again, because it runs in the kernel. */
static int load_own(struct state *s, const char *dir, struct kbuild_runtime *ret)
{
	static const char *const files[] = { "runtime.o", "linked.o", "flags",
					     PRT_DIRECT_MODULE ".ko" };
	bool own = rights_is_own_dir(dir);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && own; i++) {
		const char *path = arena_printf(s->arena, "%s/%s", dir, files[i]);

		own = cache_entry_is_own(path) || access(path, F_OK);
	}
	return own ? load(s, dir, ret) : -ENOENT;
}

/* Makes the runtime in the directory @cache, or in a temporary one if it is NULL. */
static int get_in(struct state *s, const char *cache, struct kbuild_runtime *ret, bool *built)
{
	const char *dir = arena_printf(s->arena, "%s/%s", cache ? cache : s->tmp_dir,
				       kbuild_key_runtime(s));
	int lock, err = 0;

	*built = false;
	if (!load_own(s, dir, ret)) {
		cache_entry_use(dir);
		return 0;
	}
	lock = cache_entry_lock(s->arena, dir);
	if (load_own(s, dir, ret)) {
		err = build_into(s, dir, ret);
		*built = !err;
	}
	cache_entry_unlock(s->arena, dir, lock);
	return err;
}

static int check_needs(struct state *s)
{
	return kernel_build_tree(s->kernel) ? check_tools(s) : no_headers(s);
}

int kbuild_runtime_get(struct state *s, struct kbuild_runtime *ret)
{
	bool built;

	if (check_needs(s))
		return -1;
	return load_prepared(s, ret) ? get_in(s, cache_dir_of(s, "runtime"), ret, &built) : 0;
}

/* Lets all users read what build_into() has put there. */
static int open_to_all(struct state *s, const struct kbuild_runtime *rt)
{
	const char *dir = arena_printf(s->arena, "%s/%s", KBUILD_PREPARED_DIR, rt->key);
	const char *const files[] = { rt->object_file, rt->linked_file, rt->direct,
				      arena_printf(s->arena, "%s/flags", dir) };
	int err = chmod(dir, 0755);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i])
			err |= chmod(files[i], 0644);
	if (err)
		diag_error(s->diag, nowhere, E_IO, "can't let other users read '%s': %s", dir,
			   strerror(errno));
	return err;
}

int kbuild_runtime_prepare(struct state *s, bool for_all, bool *built)
{
	const char *cache = for_all ? KBUILD_PREPARED_DIR : cache_dir_of(s, "runtime");
	struct kbuild_runtime rt;
	int err;

	if (check_needs(s))
		return -1;
	if (!cache) {
		diag_error(s->diag, nowhere, E_IO, "there is no cache for the runtime");
		diag_hint(s->diag, "PROBEC_CACHE names a directory of this user");
		return -1;
	}
	err = for_all ? file_make_dirs(arena_strdup(s->arena, cache)) : 0;
	if (!err && for_all && (chmod(KBUILD_PREPARED_BASE, 0755) || chmod(cache, 0755)))
		err = -errno;
	if (err) {
		diag_error(s->diag, nowhere, E_IO, "can't make '%s': %s", cache, strerror(-err));
		return -1;
	}
	if (get_in(s, cache, &rt, built))
		return -1;
	return for_all && *built ? open_to_all(s, &rt) : 0;
}
