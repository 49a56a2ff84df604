/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The index of functions in the cache: it is used if it is complete and belongs to this debug
 * information, and made again otherwise. Whatever happened to the file, the answers are those of
 * the debug information.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf_cache_fixture.h"
#include "unit.h"

#include "shared/file.h"
#include "target/object/demangle.h"

static const char text[] =
	"volatile int seen;\n"
	"static inline __attribute__((always_inline)) void copied(int x) { seen = x; }\n"
	"int leaf(int x) { copied(x); return seen; }\n"
	"int other(int x) { copied(x + 1); return seen - 1; }\n";

/* Collects "NAME KIND" lines of all functions found. */
static void note(void *data, const struct dwarf_found *one)
{
	buf_printf(data, "%s %d %llx\n", one->name, one->kind, (unsigned long long)one->die);
}

static const char *ask(struct cache_fixture *f, const char *pattern)
{
	struct demangle_pattern wanted;
	struct buf b;

	buf_init(&b);
	demangle_pattern_read(f->s.arena, pattern, true, &wanted);
	assert_true(dwarf_index_each(f->db, &wanted, note, &b));

	const char *copy = arena_strndup(f->s.arena, b.s ? b.s : "", b.len);

	buf_deinit(&b);
	dwarf_index_close(f->db);
	return copy;
}

/* Makes the same query without an index. */
static const char *scanned(struct cache_fixture *f)
{
	struct buf b;

	buf_init(&b);
	dwarf_scan(f->db, NULL, note, &b);

	const char *copy = arena_strndup(f->s.arena, b.s ? b.s : "", b.len);

	buf_deinit(&b);
	return copy;
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static void put(const char *path, const char *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static int setup(void **state)
{
	struct cache_fixture *f = calloc(1, sizeof(*f));

	cache_fixture_begin(f, "dwarf-functions");
	f->object = fixture_object(f->s.arena, text, ".c", "-O2");
	cache_fixture_open(f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	cache_fixture_end(*state);
	return 0;
}

/* Queries all functions and one; after that the file must be as it was first written. */
static void expect_same(struct cache_fixture *f, const char *all, const char *one, const char *what,
			size_t at)
{
	struct buf now;

	buf_init(&now);
	if (strcmp(ask(f, "*"), all) != 0)
		fail_msg("%s %zu: another answer for all", what, at);
	if (strcmp(ask(f, "copied"), one) != 0)
		fail_msg("%s %zu: another answer for one", what, at);
	assert_int_equal(file_read(f->file, &now), 0);
	if (now.len != f->good.len || memcmp(now.s, f->good.s, now.len) != 0)
		fail_msg("%s %zu: the file was not made again", what, at);
	buf_deinit(&now);
}

static void make_good(struct cache_fixture *f, const char **all, const char **one)
{
	*one = ask(f, "copied");
	*all = ask(f, "*");
	assert_string_equal(*all, scanned(f));
	assert_int_equal(file_read(f->file, &f->good), 0);
	/* Two copies; no function of that name has code. */
	assert_int_equal(strncmp(*one, "copied 2 ", 9), 0);
	assert_non_null(strstr(*one + 1, "\ncopied 2 "));
	assert_non_null(strstr(*all, "leaf 0 "));
	assert_non_null(strstr(*all, "other 0 "));
}

/* Queries read the cached file and do not walk the debug information each time. */
TEST_WITH(used, setup, teardown)
{
	struct cache_fixture *f = *state;
	const char *all, *one;
	struct stat before, after;

	make_good(f, &all, &one);
	assert_int_equal(stat(f->file, &before), 0);
	expect_same(f, all, one, "whole", 0);
	assert_string_equal(ask(f, "copie"), "");
	assert_string_equal(ask(f, "zzz"), "");
	assert_int_equal(stat(f->file, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

TEST_WITH(cut, setup, teardown)
{
	struct cache_fixture *f = *state;
	const char *all, *one;

	make_good(f, &all, &one);
	for (size_t n = 0; n < f->good.len; n++) {
		put(f->file, f->good.s, n);
		expect_same(f, all, one, "cut at", n);
	}

	char *longer = calloc(1, f->good.len + 8);

	memcpy(longer, f->good.s, f->good.len);
	for (size_t n = 1; n <= 8; n++) {
		put(f->file, longer, f->good.len + n);
		expect_same(f, all, one, "longer by", n);
	}
	free(longer);
}

TEST_WITH(flipped, setup, teardown)
{
	struct cache_fixture *f = *state;
	const char *all, *one;

	make_good(f, &all, &one);

	char *bad = malloc(f->good.len);

	for (size_t bit = 0; bit < f->good.len * 8; bit++) {
		memcpy(bad, f->good.s, f->good.len);
		bad[bit / 8] = (char)(bad[bit / 8] ^ 1 << bit % 8);
		put(f->file, bad, f->good.len);
		expect_same(f, all, one, "flipped bit", bit);
	}
	/* Changes several bytes at once, also whole runs. */
	srandom(1);
	for (size_t round = 0; round < 300; round++) {
		memcpy(bad, f->good.s, f->good.len);

		size_t at = (size_t)random() % f->good.len;
		size_t n = 1 + (size_t)random() % (f->good.len - at);

		for (size_t i = at; i < at + n; i++)
			bad[i] = round % 2 ? 0 : (char)random();

		bool same = memcmp(bad, f->good.s, f->good.len) == 0;

		put(f->file, bad, f->good.len);
		if (!same)
			expect_same(f, all, one, "round", round);
	}
	free(bad);
}

/* An index of another build, by its name in the cache, or of other debug information of this
 * build. */
TEST_WITH(others, setup, teardown)
{
	struct cache_fixture *f = *state;
	const char *all, *one, *why;

	make_good(f, &all, &one);
	f->kernel.build_id = "4567";
	f->file = arena_printf(f->s.arena, "%s/symbols/4567.dwarf-functions", f->cache);
	put(f->file, f->good.s, f->good.len);

	struct buf first = f->good;

	buf_init(&f->good);
	ask(f, "*");
	assert_int_equal(file_read(f->file, &f->good), 0);
	assert_true(f->good.len == first.len && memcmp(f->good.s, first.s, first.len) != 0);
	expect_same(f, all, one, "another build", 0);
	buf_deinit(&first);

	const char *longer = arena_printf(f->s.arena, "%sint more(int x) { return -x; }\n", text);
	const char *object = fixture_object(f->s.arena, longer, ".c", "-O2");
	struct dwarf_db *small = f->db;

	f->db = dwarf_db_of_file(&f->s, object, &why);
	assert_non_null(f->db);
	f->db->is_module = false;
	assert_non_null(strstr(ask(f, "*"), "more 0 "));
	f->db = small;
	assert_null(strstr(ask(f, "*"), "more 0 "));
	unlink(object);
}

/* Without a directory for the cache. */
TEST_WITH(no_cache, setup, teardown)
{
	struct cache_fixture *f = *state;
	const char *all, *one;

	make_good(f, &all, &one);
	unlink(f->file);
	f->kernel.cache_dir = NULL;
	assert_string_equal(ask(f, "*"), all);
	assert_false(is_there(f->file));
	f->kernel.cache_dir = "/proc/nowhere";
	assert_string_equal(ask(f, "copied"), one);
}

/* A second unit without a valid head. */
TEST_WITH(damaged, setup, teardown)
{
	static const char second[] = "	.section .debug_info,\"\",@progbits\n"
				     "	.long 0xfffffff1\n	.fill 16\n";
	struct cache_fixture *f = *state;
	struct demangle_pattern any;
	struct buf b;

	buf_init(&b);
	dwarf_close(&f->s);
	unlink(f->object);
	f->object = fixture_object(f->s.arena, second, ".s", "-g");
	cache_fixture_open(f);
	demangle_pattern_read(f->s.arena, "*", true, &any);
	assert_false(dwarf_index_each(f->db, &any, note, &b));
	assert_false(is_there(f->file));
	buf_deinit(&b);
}
