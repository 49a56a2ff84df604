/* SPDX-License-Identifier: GPL-2.0 */
/* Links runtime and script to a module, replaces the placeholder by its name, and signs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "build/private.h"
#include "records.h"
#include "shared/file.h"
#include "state.h"

static const struct range nowhere;

/* The placeholder is in .modinfo, in struct module and where the runtime names its device. */
static int patch_name(struct state *s, const char *module, const char *name)
{
	char padded[PRT_NAME_LEN + 1] = { 0 };
	struct buf b;
	int err, places = 0;

	memcpy(padded, name, strlen(name));
	buf_init(&b);
	err = file_read(module, &b);
	for (char *p = b.s; !err; p += PRT_NAME_LEN, places++) {
		p = memmem(p, b.s + b.len - p, PRT_PLACEHOLDER, PRT_NAME_LEN);
		if (!p)
			break;
		memcpy(p, padded, PRT_NAME_LEN);
	}
	if (!err)
		err = places ? file_write(module, b.s, b.len) : -EINVAL;
	buf_deinit(&b);
	if (err)
		diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", module, strerror(-err));
	return err ? -1 : 0;
}

static void report(struct state *s, const char *what, const struct buf *log)
{
	diag_error(s->diag, nowhere, E_BUILD, "%s", what);
	diag_hint(s->diag, "this is a bug in probec%s; -k keeps the files",
		  s->opt.guru ? ", or in embedded C" : "");
	fwrite(log->s, 1, log->len, stderr);
}

/* With --direct, the module contains the module of the trampolines, signed like itself, in a
 * section that the kernel ignores. */
static int add_direct(struct state *s, const struct kbuild_runtime *rt, const char *module)
{
	const char *copy = arena_printf(s->arena, "%s/direct.ko", s->tmp_dir);
	struct kbuild_words objcopy = { 0 };
	struct buf log;
	int ret;

	if (!rt->direct) {
		diag_warn(s->diag, nowhere, E_NOT_SUPPORTED, "--direct: this kernel does not "
			  "support direct calls; return probes are kretprobes");
		return 0;
	}
	ret = file_copy(rt->direct, copy) ||
	      (s->opt.sign_key && build_sign_module(s, copy)) ? -1 : 0;
	kbuild_word(s, &objcopy, kbuild_key_tool(s, "objcopy"));
	kbuild_word(s, &objcopy, "--add-section");
	kbuild_word(s, &objcopy, arena_printf(s->arena, PRT_DIRECT_SECTION "=%s", copy));
	kbuild_word(s, &objcopy, "--set-section-flags");
	kbuild_word(s, &objcopy, PRT_DIRECT_SECTION "=readonly");
	kbuild_word(s, &objcopy, module);
	buf_init(&log);
	if (!ret)
		ret = kbuild_run(s, &objcopy, NULL, &log);
	if (ret > 0)
		report(s, "the trampolines can't be added", &log);
	buf_deinit(&log);
	return ret ? -1 : 0;
}

/* For a build-id, the linker would hash the whole module, which takes half of its time. The runtime
 * has a hash already, and the script's object is small. NULL: the kernel's modules have no
 * build-id. */
static const char *build_id(struct state *s, const struct kbuild_runtime *rt, const char *object)
{
	for (size_t i = 0; i < rt->ld.w.n; i++)
		if (strncmp(rt->ld.w.v[i], "--build-id", 10) == 0)
			return build_key_link(s, rt, object);
	return NULL;
}

/* Links what build_append() leaves to the linker. */
static int link_by_ld(struct state *s, const struct kbuild_runtime *rt, const char *object,
		      const char *id, const char *module)
{
	struct kbuild_words ld = { 0 };
	struct buf log;
	int ret;

	for (size_t i = 0; i < rt->ld.w.n; i++)
		kbuild_word(s, &ld, strncmp(rt->ld.w.v[i], "--build-id", 10) != 0 ? rt->ld.w.v[i] :
			    arena_printf(s->arena, "--build-id=0x%s", id));
	kbuild_word(s, &ld, "-o");
	kbuild_word(s, &ld, module);
	kbuild_word(s, &ld, rt->object_file);
	kbuild_word(s, &ld, object);
	buf_init(&log);
	ret = kbuild_run(s, &ld, NULL, &log);
	if (ret > 0)
		report(s, "the linker rejects the module of this script", &log);
	buf_deinit(&log);
	return ret;
}

static int join(struct state *s, const struct kbuild_runtime *rt, const char *object,
		const char *module)
{
	const char *id = build_id(s, rt, object);
	int err = build_append(s, rt->linked_file, object, id, module);

	if (err == -ENOTSUP)
		return link_by_ld(s, rt, object, id, module);
	if (s->opt.verbose >= 3)
		fprintf(stderr, "joined %s %s\n", rt->linked_file, object);
	if (err)
		diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", module, strerror(-err));
	return err ? -1 : 0;
}

const char *build_link_module(struct state *s, const struct kbuild_runtime *rt,
			      const char *object)
{
	const char *module = arena_printf(s->arena, "%s/module.ko", s->tmp_dir);
	int ret = join(s, rt, object, module);

	if (!ret && s->opt.direct)
		ret = add_direct(s, rt, module);
	if (!ret && (s->opt.module_name || s->opt.sign_key))
		ret = patch_name(s, module,
				 s->opt.module_name ? s->opt.module_name : build_sign_name(s));
	if (!ret && s->opt.sign_key)
		ret = build_sign_module(s, module);
	return ret ? NULL : module;
}
