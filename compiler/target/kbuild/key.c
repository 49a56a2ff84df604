/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The identity of a kernel's build tree, compiler and runtime. Hashing the runtime's sources takes
 * as long as half of the compiler's start, so the hash of their contents is cached under the hash
 * of their identities.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shared/buf.h"
#include "shared/file.h"
#include "target/arch/names.h"
#include "base/identity.h"
#include "base/subprocess.h"
#include "base/cache/cache.h"
#include "config.h"
#include "target/kbuild/kbuild.h"
#include "target/kernel/kernel.h"
#include "state.h"

static const char *const source_ends[] = { ".c", ".h", ".S", "Kbuild", NULL };

static void add_program(struct state *s, struct sha256 *c, const char *name)
{
	sha256_add_text(c, name);
	identity_add_file(c, subprocess_find(s->arena, name));
}

bool kbuild_is_clang(const char *tool)
{
	const char *slash = strrchr(tool, '/');

	return strncmp(slash ? slash + 1 : tool, "clang", 5) == 0;
}

/* "Debian clang version 16.0.6 (...)" does not begin with a program's name. Where several versions
 * are installed, their programs end with the number. */
static const char *clang_of(struct state *s, const char *text)
{
	static const char words[] = "clang version ";
	const char *at = strstr(text, words), *name;

	if (!at)
		return NULL;
	name = arena_printf(s->arena, "clang-%lu", strtoul(at + strlen(words), NULL, 10));
	return subprocess_find(s->arena, name) || !subprocess_find(s->arena, "clang") ? name :
										     "clang";
}

const char *kbuild_key_wanted(struct state *s)
{
	const char *text = kernel_config(s, "CONFIG_CC_VERSION_TEXT"), *clang;

	if (!text)
		return kbuild_key_tool(s, "gcc");
	clang = clang_of(s, text);
	return clang ? clang :
	       kbuild_key_tool(s, arena_strndup(s->arena, text, strcspn(text, " ")));
}

/* Each distribution has a few versions of gcc, and a newer one builds modules for older kernels. An
 * older one may not know an option that the kernel was configured for. */
const char *kbuild_key_compiler(struct state *s)
{
	enum { VERSIONS = 8 };
	const char *wanted = kbuild_key_wanted(s), *number = strrchr(wanted, '-');
	unsigned long version = number ? strtoul(number + 1, NULL, 10) : 0;

	if (!version || kbuild_is_clang(wanted) || subprocess_find(s->arena, wanted))
		return wanted;
	for (unsigned long newer = version + 1; newer <= version + VERSIONS; newer++) {
		const char *name = arena_printf(s->arena, "%.*s-%lu", (int)(number - wanted),
						wanted, newer);

		if (subprocess_find(s->arena, name))
			return name;
	}
	return wanted;
}

const char *kbuild_key_llvm(struct state *s)
{
	const char *compiler = kbuild_key_compiler(s);

	return kbuild_is_clang(compiler) && kernel_config(s, "CONFIG_LD_IS_LLD") ?
	       compiler + strlen("clang") : NULL;
}

const char *kbuild_key_tools(struct state *s)
{
	const char *llvm = kbuild_key_llvm(s);

	if (!llvm)
		return arena_printf(s->arena, "CC=%s", kbuild_key_compiler(s));
	return *llvm ? arena_printf(s->arena, "LLVM=%s", llvm) : "LLVM=1";
}

const char *kbuild_key_tool(struct state *s, const char *name)
{
	if (!arch_is_foreign() || strncmp(name, arch_names->tools, strlen(arch_names->tools)) == 0)
		return name;
	return arena_printf(s->arena, "%s%s", arch_names->tools, name);
}

/* Adds the parts of the build tree on which a module depends, and the tools. */
void kbuild_key_add_tree(struct state *s, struct sha256 *c)
{
	const char *const files[] = {
		"include/generated/autoconf.h", "include/generated/utsrelease.h",
		"include/generated/randstruct_hash.h",
		"include/config/auto.conf", "Module.symvers", "Makefile", "tools/objtool/objtool",
		"scripts/mod/modpost", "scripts/module.lds",
		arena_printf(s->arena, "arch/%s/module.lds", arch_names->folder),
	};
	const char *tree = kernel_build_tree(s->kernel);
	char *real = tree ? realpath(tree, NULL) : NULL;

	sha256_add_text(c, kernel_release(s->kernel));
	sha256_add_text(c, real);
	for (size_t i = 0; real && i < sizeof(files) / sizeof(files[0]); i++)
		identity_add_file(c, arena_printf(s->arena, "%s/%s", real, files[i]));
	free(real);
	add_program(s, c, kbuild_key_compiler(s));
	add_program(s, c, kbuild_key_tool(s, "as"));
	add_program(s, c, kbuild_key_tool(s, "ld"));
}

/* Hashes the contents of the runtime's sources, or their identities. */
static const char *hash_sources(struct state *s, bool content)
{
	struct sha256 c;

	sha256_init(&c);
	identity_add_dir(&c, s->runtime_dir, source_ends, content);
	return identity_name(s->arena, &c);
}

static const char *sources_content(struct state *s)
{
	const char *dir = cache_dir_of(s, "runtime"), *path, *ret;
	struct buf kept;

	if (!dir)
		return hash_sources(s, true);
	/* The identities are computed first, so a file that changes meanwhile leads to another
	 * path. */
	path = arena_printf(s->arena, "%s/%s.sources", dir, hash_sources(s, false));
	buf_init(&kept);
	if (!file_read(path, &kept) && kept.len == IDENTITY_LEN) {
		ret = arena_strndup(s->arena, kept.s, kept.len);
	} else {
		ret = hash_sources(s, true);
		file_write(path, ret, IDENTITY_LEN);
	}
	buf_deinit(&kept);
	return ret;
}

const char *kbuild_key_runtime(struct state *s)
{
	struct sha256 c;

	sha256_init(&c);
	sha256_add_text(&c, "runtime " KBUILD_KEY_VERSION " " PROBEC_VERSION);
	kbuild_key_add_tree(s, &c);
	sha256_add_text(&c, sources_content(s));
	return identity_name(s->arena, &c);
}

void kbuild_key_add_runtime(struct state *s, struct sha256 *c)
{
	identity_add_dir(c, s->runtime_dir, source_ends, false);
}
