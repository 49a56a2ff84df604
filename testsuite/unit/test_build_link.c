/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of the last link: those of kbuild except for the build-id, which depends on the
 * runtime and the object only. The linker is a script that prints its arguments.
 */
#include "tmp_fixture.h"
#include "unit.h"

#include "build/private.h"

static int setup(void **state)
{
	struct state *s = tmp_begin();

	tmp_put(s, "linker", "echo \"$@\" >${0%/*}/words\n");
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	return tmp_end(*state);
}

/* Returns the linker's arguments when it links the runtime of that key with an object of these
 * bytes; @id is kbuild's option for the build-id. */
static const char *link_words(struct state *s, const char *key, const char *object,
			      const char *id)
{
	struct kbuild_runtime rt = { .key = key, .object_file = "runtime.o" };
	const char *const ld[] = { "/bin/sh", tmp_in(s, "linker"), "-r", id, "-T", "module.lds" };
	struct buf b;
	const char *ret;

	for (size_t i = 0; i < sizeof(ld) / sizeof(ld[0]); i++)
		kbuild_word(s, &rt.ld, ld[i]);
	tmp_put(s, "script.o", object);
	assert_string_equal(build_link_module(s, &rt, tmp_in(s, "script.o")),
			    tmp_in(s, "module.ko"));
	buf_init(&b);
	assert_int_equal(file_read(tmp_in(s, "words"), &b), 0);
	ret = arena_strndup(s->arena, b.s, b.len);
	buf_deinit(&b);
	return ret;
}

TEST_WITH(words, setup, teardown)
{
	struct state *s = *state;
	const char *words = link_words(s, "a", "x", "--build-id=sha1");
	const char *id = strstr(words, "--build-id=0x"), *rest;

	assert_non_null(id);
	id += strlen("--build-id=0x");
	rest = id + strspn(id, "0123456789abcdef");
	assert_int_equal(rest - id, 40);
	assert_int_equal(strncmp(words, "-r --build-id=0x", 16), 0);
	assert_string_equal(rest, arena_printf(s->arena, " -T module.lds -o %s runtime.o %s\n",
					       tmp_in(s, "module.ko"), tmp_in(s, "script.o")));
	assert_null(strstr(link_words(s, "a", "x", "--no-relax"), "--build-id"));
}

TEST_WITH(build_id, setup, teardown)
{
	struct state *s = *state;
	const char *const others[][2] = { { "b", "x" }, { "a", "y" }, { "a", "" }, { "ax", "" } };
	const char *words = link_words(s, "a", "x", "--build-id=sha1");

	assert_string_equal(link_words(s, "a", "x", "--build-id=sha1"), words);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_string_not_equal(link_words(s, others[i][0], others[i][1],
						   "--build-id=sha1"), words);
}
