/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache never returns a stale module: whatever a module depends on changes its name in the
 * cache or makes the entry invalid. The kernel is a made-up build tree in a temporary directory.
 */
#include "tmp_fixture.h"
#include "unit.h"

#include <sys/stat.h>

#include "base/cache/file.h"
#include "build/build.h"
#include "build/private.h"
#include "shared/buf.h"
#include "target/kernel/kernel.h"

static int setup(void **state)
{
	static const char *const dirs[] = {
		"tree", "tree/include", "tree/include/generated", "tree/include/config", "runtime",
		"runtime/abi", "tapsets", "more", "cache",
	};
	struct state *s = tmp_begin();

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		mkdir(tmp_in(s, dirs[i]), 0700);
	tmp_put(s, "tree/include/generated/utsrelease.h", "#define UTS_RELEASE \"9.9.9-none\"\n");
	tmp_put(s, "tree/include/generated/autoconf.h", "#define CONFIG_A 1\n");
	tmp_put(s, "tree/include/config/auto.conf", "CONFIG_CC_VERSION_TEXT=gcc-99 (none) 99\n");
	tmp_put(s, "runtime/a.c", "int a;\n");
	tmp_put(s, "runtime/abi/a.h", "int a;\n");
	tmp_put(s, "tapsets/a.kp", "function a() { }\n");
	tmp_put(s, "module.ko", "the module");
	s->runtime_dir = tmp_in(s, "runtime");
	s->tapset_dir = tmp_in(s, "tapsets");
	s->cache_dir = tmp_in(s, "cache");
	s->opt.last_pass = 5;
	s->text = source_from_text(s->arena, "x.kp", "probe begin { }", 15);
	*state = s;
	return kernel_open(s, tmp_in(s, "tree"), &s->kernel);
}

static int teardown(void **state)
{
	struct state *s = *state;

	kernel_close(s->kernel);
	return tmp_end(s);
}

TEST_WITH(compiler_name, setup, teardown)
{
	struct state *s = *state;

	assert_string_equal(kbuild_key_compiler(s), "gcc-99");
	tmp_put(s, "tree/include/config/auto.conf",
		"A=1\nCONFIG_CC_VERSION_TEXT=\"gcc-98 (x) 98\"\n");
	assert_string_equal(kbuild_key_compiler(s), "gcc-98");
	assert_string_equal(kbuild_key_tools(s), "CC=gcc-98");
	tmp_put(s, "tree/include/config/auto.conf", "A=1\n");
	assert_string_equal(kbuild_key_compiler(s), "gcc");
}

/* The text begins with the name of the distribution. kbuild gets one word for all of LLVM's tools,
 * if they linked the kernel. */
TEST_WITH(clang_name, setup, teardown)
{
	static const char text[] = "CONFIG_CC_VERSION_TEXT=\"Debian clang version 97.0.6 (1)\"\n";
	const char *path = arena_strdup(((struct state *)*state)->arena, getenv("PATH"));
	struct state *s = *state;

	setenv("PATH", tmp_in(s, "more"), 1);
	tmp_put(s, "tree/include/config/auto.conf", text);
	assert_string_equal(kbuild_key_compiler(s), "clang-97");
	assert_string_equal(kbuild_key_tools(s), "CC=clang-97");
	tmp_put(s, "more/clang", "");
	chmod(tmp_in(s, "more/clang"), 0700);
	assert_string_equal(kbuild_key_compiler(s), "clang");
	tmp_put(s, "tree/include/config/auto.conf",
		arena_printf(s->arena, "%sCONFIG_LD_IS_LLD=y\n", text));
	assert_string_equal(kbuild_key_tools(s), "LLVM=1");
	tmp_put(s, "more/clang-97", "");
	chmod(tmp_in(s, "more/clang-97"), 0700);
	assert_string_equal(kbuild_key_compiler(s), "clang-97");
	assert_string_equal(kbuild_key_tools(s), "LLVM=-97");
	setenv("PATH", path, 1);
	assert_true(kbuild_is_clang("clang-97"));
	assert_true(kbuild_is_clang("/usr/bin/clang"));
	assert_false(kbuild_is_clang("gcc-12"));
}

/* Checks that the name differs from the previous one. */
static void moved(struct state *s, const char **key, const char *why)
{
	const char *now = build_key_module(s);

	if (strcmp(now, *key) == 0)
		fail_msg("the name of the module stays when %s changes", why);
	*key = now;
}

TEST_WITH(module_key, setup, teardown)
{
	struct state *s = *state;
	char one[] = "1", two[] = "2", *arguments[] = { one, two };
	const char *key = build_key_module(s);

	assert_string_equal(build_key_module(s), key);
	s->text = source_from_text(s->arena, "x.kp", "probe begin {  }", 16);
	moved(s, &key, "the script");
	s->text = source_from_text(s->arena, "y.kp", "probe begin {  }", 16);
	moved(s, &key, "the script's name");
	s->opt.argv = arguments;
	s->opt.argc = 1;
	moved(s, &key, "an argument");
	s->opt.argc = 2;
	moved(s, &key, "the number of arguments");
	s->opt.guru = true;
	moved(s, &key, "-g");
	s->opt.caps.maxaction = 7;
	moved(s, &key, "a limit");
	s->opt.module_name = "m";
	moved(s, &key, "-m");
	vec_push(s->arena, &s->opt.globals, "a=1");
	moved(s, &key, "-G");
	vec_push(s->arena, &s->opt.include_dirs, tmp_in(s, "more"));
	moved(s, &key, "-I");
	tmp_put(s, "more/b.kp", "function b() { }\n");
	moved(s, &key, "a new tapset");
	tmp_put(s, "tapsets/a.kp", "function a() { /* */ }\n");
	moved(s, &key, "a tapset");
	tmp_put(s, "runtime/a.c", "int b;\n");
	moved(s, &key, "the runtime");
	tmp_put(s, "tree/include/generated/autoconf.h", "#define CONFIG_B 1\n");
	moved(s, &key, "the kernel's configuration");
	tmp_put(s, "tree/include/generated/randstruct_hash.h", "#define SEED\n");
	moved(s, &key, "the order of members");
	/* Files that are not sources are ignored. */
	tmp_put(s, "runtime/.a.o.cmd", "x");
	tmp_put(s, "tapsets/README", "x");
	assert_string_equal(build_key_module(s), key);
	/* Options of the session do not affect the module. */
	s->opt.command = "ls";
	s->opt.seconds = 3;
	s->opt.verbose = 1;
	assert_string_equal(build_key_module(s), key);
}

TEST_WITH(runtime_key, setup, teardown)
{
	struct state *s = *state;
	const char *key = kbuild_key_runtime(s);

	s->text = source_from_text(s->arena, "y.kp", "", 0);
	tmp_put(s, "tapsets/a.kp", "");
	tmp_put(s, "runtime/a.c", "int a;\n"); /* the same text in a new file */
	assert_string_equal(kbuild_key_runtime(s), key);
	tmp_put(s, "runtime/abi/a.h", "int b;\n");
	assert_string_not_equal(kbuild_key_runtime(s), key);
	key = kbuild_key_runtime(s);
	tmp_put(s, "tree/include/generated/autoconf.h", "#define CONFIG_B 1\n");
	assert_string_not_equal(kbuild_key_runtime(s), key);
}

TEST_WITH(lookup, setup, teardown)
{
	struct state *s = *state;
	const char *path;

	tmp_put(s, "read.kp", "one");
	assert_null(build_lookup(s));
	vec_push(s->arena, &s->files_read, tmp_in(s, "read.kp"));
	path = build_cache_store(s, tmp_in(s, "module.ko"));
	assert_non_null(path);
	assert_string_equal(build_lookup(s), path);

	tmp_put(s, "read.kp", "two");
	assert_null(build_lookup(s));
	assert_string_equal(build_cache_store(s, tmp_in(s, "module.ko")), path);
	assert_string_equal(build_lookup(s), path);
	unlink(tmp_in(s, "read.kp"));
	assert_null(build_lookup(s));
	tmp_put(s, "read.kp", "two");
	assert_non_null(build_cache_store(s, tmp_in(s, "module.ko")));

	chmod(path, 0666);
	assert_null(build_lookup(s));
	chmod(path, 0644);
	assert_string_equal(build_lookup(s), path);
	unlink(path);
	assert_int_equal(symlink(tmp_in(s, "module.ko"), path), 0);
	assert_null(build_lookup(s));
}

/* If a file of the entry is missing, cut or changed, the module is built again. */
TEST_WITH(said, setup, teardown)
{
	struct state *s = *state;
	const struct range nowhere = { 0 };
	const char *path, *said;
	struct buf text;

	assert_null(build_lookup(s));
	diag_warn(s->diag, nowhere, E_UNUSED, "nothing reads %s", "x");
	diag_hint(s->diag, "read it");
	path = build_cache_store(s, tmp_in(s, "module.ko"));
	assert_non_null(path);
	assert_string_equal(build_lookup(s), path);

	said = arena_printf(s->arena, "%.*s.said", (int)strlen(path) - 3, path);
	buf_init(&text);
	assert_int_equal(file_read(said, &text), 0);
	assert_non_null(strstr(text.s, "nothing reads x [E_UNUSED]\n      = read it\n"));
	for (size_t i = 0; i < text.len; i++) {
		assert_int_equal(file_write(said, text.s, i), 0);
		assert_null(build_lookup(s));
		text.s[i] ^= 1;
		assert_int_equal(file_write(said, text.s, text.len), 0);
		assert_null(build_lookup(s));
		text.s[i] ^= 1;
	}
	assert_int_equal(file_write(said, text.s, text.len), 0);
	assert_string_equal(build_lookup(s), path);
	diag_set_werror(s->diag, 1); /* the warning is an error */
	assert_int_equal(diag_replay(s->diag, strchr(text.s, '\n') + 1), -1);
	assert_true(diag_silence(s->diag, "unused"));
	assert_int_equal(diag_replay(s->diag, strchr(text.s, '\n') + 1), 0);
	buf_deinit(&text);
	assert_int_equal(unlink(said), 0);
	assert_null(build_lookup(s));
}

TEST_WITH(no_cache, setup, teardown)
{
	struct state *s = *state;

	s->opt.no_cache = true;
	assert_null(build_lookup(s));
	assert_null(build_cache_store(s, tmp_in(s, "module.ko")));
	s->opt.no_cache = false;
	s->cache_dir = NULL;
	assert_null(build_lookup(s));
	assert_null(build_cache_store(s, tmp_in(s, "module.ko")));
}

/* A file that others may have written, or a link, is not mapped; a new one takes its place. */
TEST_WITH(mapped_file, setup, teardown)
{
	struct state *s = *state;
	struct cache_file at = { .dir = s->cache_dir, .name = "known", .head = "format 1" };
	const char *path = tmp_in(s, "cache/known");
	struct cache_mapping f;

	assert_false(cache_file_open(s->arena, &at, &f));
	cache_file_write(s->arena, &at, "what", 4);
	assert_true(cache_file_open(s->arena, &at, &f));
	assert_memory_equal(f.data, "what", f.size);
	cache_file_close(&f);
	assert_int_equal(chmod(path, 0664), 0);
	assert_false(cache_file_open(s->arena, &at, &f));
	cache_file_write(s->arena, &at, "that", 4);
	assert_true(cache_file_open(s->arena, &at, &f));
	cache_file_close(&f);
	assert_int_equal(rename(path, tmp_in(s, "cache/other")), 0);
	assert_int_equal(symlink("other", path), 0);
	assert_false(cache_file_open(s->arena, &at, &f));
}
