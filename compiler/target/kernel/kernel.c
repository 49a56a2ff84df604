/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the target kernel and the sources of information about it. The build-id identifies a
 * kernel; the release only helps to find files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "shared/elf.h"
#include "shared/file.h"
#include "state.h"
#include "target/arch/names.h"
#include "target/btf/btf.h"
#include "target/kernel/installed.h"
#include "target/kernel/module.h"
#include "target/kernel/private.h"

#define RUNNING_BTF "/sys/kernel/btf/vmlinux"

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static const char *running_release(struct arena *a)
{
	struct utsname uts;

	return arena_strdup(a, uname(&uts) == 0 ? uts.release : "");
}

/* The release of a build tree, or NULL if it is not one. Debian's kernel.release differs from what
 * `uname -r` prints, so the header is tried first. */
static const char *tree_release(struct arena *a, const char *tree)
{
	static const char define[] = "#define UTS_RELEASE \"";
	const char *release = NULL;
	struct buf b;

	buf_init(&b);
	if (file_read(arena_printf(a, "%s/include/generated/utsrelease.h", tree), &b) == 0) {
		const char *start = b.len ? strstr(b.s, define) : NULL;

		if (start) {
			start += strlen(define);
			release = arena_strndup(a, start, strcspn(start, "\"\n"));
		}
	}
	if (!release) {
		b.len = 0;

		const char *path = arena_printf(a, "%s/include/config/kernel.release", tree);

		if (file_read(path, &b) == 0 && b.len)
			release = arena_strndup(a, b.s, strcspn(b.s, "\n"));
	}
	buf_deinit(&b);
	return release && *release ? release : NULL;
}

/* The value of a CONFIG_ symbol in a build tree; NULL: it is not set, or there is no tree. */
static const char *tree_config(struct arena *a, const char *tree, const char *name)
{
	size_t len = strlen(name);
	const char *ret = NULL;
	struct buf b;

	buf_init(&b);
	if (!tree || file_read(arena_printf(a, "%s/include/config/auto.conf", tree), &b) || !b.len)
		goto out;
	for (const char *line = b.s, *nl; line && !ret; line = nl ? nl + 1 : NULL) {
		nl = strchr(line, '\n');
		if (strncmp(line, name, len) == 0 && line[len] == '=') {
			const char *value = line + len + 1;

			value += *value == '"'; /* the quotes depend on the version */
			ret = arena_strndup(a, value, strcspn(value, "\"\n"));
		}
	}
out:
	buf_deinit(&b);
	return ret;
}

/* The processor of a build tree by its configuration; NULL: none that is known. */
static const char *tree_machine(struct arena *a, const char *tree)
{
	for (unsigned i = 0; arch_known(i); i++) {
		const char *value = tree_config(a, tree, arch_known(i)->option);

		if (value && strcmp(value, "y") == 0)
			return arch_known(i)->machine;
	}
	return NULL;
}

const char *kernel_config(const struct state *s, const char *name)
{
	return tree_config(s->arena, kernel_build_tree(s->kernel), name);
}

/* Finds the build tree of an installed kernel, or one made by lab/kernel. Directories that
 * several trees share ("6.1.0-56-common") do not count. */
static const char *find_build_tree(struct state *s, const char *release)
{
	const char *path = arena_printf(s->arena, "/lib/modules/%s/build", release);

	if (is_directory(path))
		return path;
	path = arena_printf(s->arena, "/usr/src/linux-headers-%s", release);
	if (tree_release(s->arena, path))
		return path;
	if (!s->cache_dir)
		return NULL;
	path = arena_printf(s->arena, "%s/lab/%s/build", s->cache_dir, release);
	return is_directory(path) ? path : NULL;
}

/* ---- opening ---- */

static const char *supported_machines(struct arena *a)
{
	const char *ret = arch_known(0)->machine;

	for (unsigned i = 1; arch_known(i); i++)
		ret = arena_printf(a, "%s%s%s", ret, arch_known(i + 1) ? ", " : " and ",
				   arch_known(i)->machine);
	return ret;
}

static int use_target(struct state *s, struct kernel *k, const char *path)
{
	const char *why;
	int err = target_open(s->arena, path, &k->target, &why);

	if (err) {
		diag_error(s->diag, (struct range){0}, E_IO, "cannot use '%s' as a kernel: %s",
			   path, why);
		diag_hint(s->diag, "-r takes a release, a build tree, or a file made with "
				   "`sudo proberun --describe > FILE`");
		return -ENOENT;
	}
	if (!arch_choose(k->target.machine)) {
		diag_error(s->diag, (struct range){0}, E_NOT_SUPPORTED,
			   "the kernel in '%s' is for %s; probec supports %s", path,
			   k->target.machine, supported_machines(s->arena));
		return -ENOENT;
	}
	k->has_target = true;
	k->release = k->target.release;
	k->build_id = k->target.build_id;
	return 0;
}

/* Without an image, a build tree is enough for scripts that need no symbols or types of the
 * kernel. */
static void use_installed(struct state *s, struct kernel *k, const char *given_tree)
{
	if (strchr(k->release, '/') ||
	    installed_open(s, k->release, given_tree, &k->target, &k->image_why) != 0)
		return;
	k->has_target = true;
	k->build_id = k->target.build_id;
}

/* Collects the other information about the kernel k->release that this machine has. */
static int use_release(struct state *s, struct kernel *k)
{
	const char *captured = NULL, *given_tree = k->build_tree;

	if (s->cache_dir && !strchr(k->release, '/'))
		captured = arena_printf(s->arena, "%s/targets/%s", s->cache_dir, k->release);
	if (captured && is_file(captured))
		return use_target(s, k, captured);
	k->is_running = strcmp(k->release, running_release(s->arena)) == 0;
	if (!k->is_running) {
		if (!k->build_tree)
			k->build_tree = find_build_tree(s, k->release);
		arch_choose(tree_machine(s->arena, k->build_tree));
		use_installed(s, k, given_tree);
	}
	return 0;
}

static int open_path(struct state *s, struct kernel *k, const char *path)
{
	if (!is_directory(path))
		return use_target(s, k, path);
	k->release = tree_release(s->arena, path);
	if (!k->release) {
		diag_error(s->diag, (struct range){0}, E_NO_HEADERS,
			   "'%s' is not the build tree of a kernel", path);
		diag_hint(s->diag, "it has no include/generated/utsrelease.h; in a source tree "
				   "`make modules_prepare` makes it");
		return -ENOENT;
	}

	char *absolute = realpath(path, NULL);

	k->build_tree = arena_strdup(s->arena, absolute ? absolute : path);
	free(absolute);
	return use_release(s, k);
}

static int open_release(struct state *s, struct kernel *k, const char *release)
{
	k->release = arena_strdup(s->arena, release);

	int err = use_release(s, k);

	if (err || k->has_target || k->is_running || k->build_tree)
		return err;

	/* A directory whose name is a version is not meant as a path. */
	bool is_path = is_file(release) ||
		       (is_directory(release) && tree_release(s->arena, release));
	const char *newest = is_path ? NULL : kernel_releases_newest(s, release);

	if (is_path || (!newest && is_directory(release)))
		return open_path(s, k, release);
	if (newest && strcmp(newest, release) != 0) {
		if (s->opt.verbose)
			fprintf(stderr, "the kernel %s is %s\n", release, newest);
		return open_release(s, k, newest);
	}
	kernel_releases_report(s, release);
	return -ENOENT;
}

int kernel_open(struct state *s, const char *target, struct kernel **ret)
{
	struct kernel *k = NEW(s->arena, struct kernel);
	int err = 0;

	k->arena = s->arena;
	k->cache_dir = s->cache_dir;
	arch_choose(NULL);
	if (!target) {
		k->release = running_release(s->arena);
		k->is_running = true;
	} else if (strchr(target, '/')) {
		err = open_path(s, k, target);
	} else {
		err = open_release(s, k, target);
	}
	if (err) {
		kernel_close(k);
		return err;
	}
	if (!k->build_tree)
		k->build_tree = find_build_tree(s, k->release);
	*ret = k;
	return 0;
}

void kernel_close(struct kernel *k)
{
	if (!k)
		return;
	/* The BTF of modules refers to that of the kernel, so they are closed first. */
	kernel_modules_deinit(k);
	btf_db_close(k->btf);
	buf_deinit(&k->btf_text);
	cache_file_close(&k->btf_kept);
	kernel_names_deinit(k);
	target_close(&k->target);
	k->has_target = k->is_running = false;
}

/* ---- identity ---- */

bool kernel_knows_inlined(const struct kernel *k)
{
	return k->has_target && k->target.section[TARGET_INLINED].data;
}

bool kernel_lists_inlined(const struct kernel *k, const char *function)
{
	const struct namelist l = { k->target.section[TARGET_INLINED].data,
				    k->target.section[TARGET_INLINED].size };

	return kernel_knows_inlined(k) && namelist_count(&l, function) > 0;
}

const char *kernel_release(const struct kernel *k)
{
	return k->release;
}

const char *kernel_fetched_debug(const struct state *s, const struct kernel *k)
{
	return s->cache_dir ? arena_printf(s->arena, "%s/lab/%s/debug", s->cache_dir, k->release) :
			      NULL;
}

const char *kernel_build_tree(struct kernel *k)
{
	return k->build_tree;
}

const char *kernel_build_id(struct kernel *k)
{
	if (k->is_running && !k->read_build_id) {
		struct buf notes;

		buf_init(&notes);
		if (file_read("/sys/kernel/notes", &notes) == 0)
			k->build_id = kernel_build_id_of_notes(k->arena, notes.s, notes.len);
		buf_deinit(&notes);
		k->read_build_id = true;
	}
	return k->build_id;
}

struct cache_file kernel_cache_file(struct kernel *k, const char *suffix, const char *head)
{
	const char *build_id = kernel_build_id(k);

	if (!k->cache_dir || !build_id)
		return (struct cache_file){0};
	return (struct cache_file){ .dir = arena_printf(k->arena, "%s/symbols", k->cache_dir),
			      .name = arena_printf(k->arena, "%s.%s", build_id, suffix),
			      .head = head };
}

const char *kernel_identity(struct state *s, struct kernel *k)
{
	const char *build_id = kernel_build_id(k);
	const char *source = "tree";

	if (k->has_target) {
		source = arena_printf(s->arena, "target %s %zu %lld", k->target.path,
				      k->target.map_size, (long long)k->target.mtime_ns);
	} else if (k->is_running) {
		struct utsname uts;

		source = arena_printf(s->arena, "running %s lists %d",
				      uname(&uts) == 0 ? uts.version : "", geteuid() == 0);
	}
	return arena_printf(s->arena, "%s %s %s tree %s", k->release,
			    build_id ? build_id : "-", source, k->build_tree ? k->build_tree : "-");
}

/* ---- BTF ---- */

/* The kernel returns it page by page, which takes longer than opening it. */
static void read_running_btf(struct kernel *k)
{
	struct cache_file at = kernel_cache_file(k, "btf", "probec-btf 1");

	if (access(RUNNING_BTF, R_OK) == 0 && cache_file_open(k->arena, &at, &k->btf_kept)) {
		k->btf_data = k->btf_kept.data;
		k->btf_size = k->btf_kept.size;
	} else if (file_read(RUNNING_BTF, &k->btf_text) == 0) {
		k->btf_data = k->btf_text.s;
		k->btf_size = k->btf_text.len;
		cache_file_write(k->arena, &at, k->btf_data, k->btf_size);
	}
}

const void *kernel_btf_data(struct kernel *k, size_t *size, const char **why)
{
	if (!k->read_btf) {
		k->read_btf = true;
		if (k->has_target) {
			k->btf_data = k->target.section[TARGET_BTF].data;
			k->btf_size = k->target.section[TARGET_BTF].size;
			k->btf_why = k->target.image ?
				"the kernel's image has none: was it built with "
				"CONFIG_DEBUG_INFO_BTF?" :
				"the captured target has none: was its kernel built with "
				"CONFIG_DEBUG_INFO_BTF?";
		} else if (k->is_running) {
			read_running_btf(k);
			k->btf_why = RUNNING_BTF " can't be read: was the kernel built with "
				     "CONFIG_DEBUG_INFO_BTF?";
		} else {
			k->btf_why = arena_printf(k->arena, "%s; install the kernel's package, or "
						  KERNEL_HOW_TO_DESCRIBE, k->image_why ?
						  k->image_why : "there is no image of it here");
		}
	}
	*size = k->btf_size;
	*why = k->btf_data ? NULL : k->btf_why;
	return k->btf_data;
}

static void keep_functions(struct kernel *k)
{
	const char *head = arena_printf(k->arena, "probec-functions 1 of %zu", k->btf_size);
	struct cache_file at = kernel_cache_file(k, "functions", head);

	btf_db_set_cache(k->btf, &at);
}

struct btf_db *kernel_btf(struct kernel *k, const char **why)
{
	size_t size;
	const void *data = kernel_btf_data(k, &size, why);

	if (!data)
		return NULL;
	if (!k->btf_opened) {
		k->btf_opened = true;
		if (btf_db_open(k->arena, data, size, &k->btf) == 0)
			keep_functions(k);
		else
			k->btf_why = "it is damaged, or of a version that can't be read here";
	}
	*why = k->btf ? NULL : k->btf_why;
	return k->btf;
}

const char *kernel_build_id_of_notes(struct arena *a, const char *notes, size_t size)
{
	struct elf_build_id id;
	char *hex;

	if (!elf_find_build_id(notes, size, &id))
		return NULL;
	hex = arena_alloc(a, 2 * id.n + 1);
	for (size_t i = 0; i < id.n; i++) {
		hex[2 * i] = "0123456789abcdef"[id.v[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id.v[i] & 15];
	}
	return hex;
}
