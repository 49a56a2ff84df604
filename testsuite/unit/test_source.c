/* SPDX-License-Identifier: GPL-2.0 */
/* Sources: line numbers, which are computed on demand; files, pipes and files without a size. */
#include <errno.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/source.h"
#include "unit.h"

/* Computes line and column of each byte by counting, and converts back. */
static void check_places(const struct source *src)
{
	struct linecol want = { 1, 1 };

	for (uint32_t off = 0; off <= src->len; off++) {
		struct linecol at = source_linecol(src, off);
		uint32_t back;

		assert_int_equal(at.line, want.line);
		assert_int_equal(at.col, want.col);
		assert_true(source_offset(src, at, &back));
		assert_int_equal(back, off);
		want.col++;
		if (off < src->len && src->text[off] == '\n')
			want = (struct linecol){ want.line + 1, 1 };
	}
	assert_int_equal(source_line_count(src), want.line);
	want = source_linecol(src, (uint32_t)src->len + 7);
	assert_int_equal(want.line, source_line_count(src));
}

static void check_line(const struct source *src, uint32_t line, const char *want)
{
	size_t len;
	const char *text = source_line(src, line, &len);

	assert_int_equal(len, strlen(want));
	assert_memory_equal(text, want, len);
}

TEST(lines)
{
	static const char *const texts[] = {
		"", "\n", "a", "a\n", "\n\nab", "one\ntwo\n\nfour", "one\r\ntwo\r\n",
	};
	struct arena *a = arena_create();
	struct source *src;
	uint32_t off;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		check_places(source_from_text(a, "test", texts[i], strlen(texts[i])));

	src = source_from_text(a, "test", "one\n\nthree\n", 11);
	check_line(src, 1, "one");
	check_line(src, 2, "");
	check_line(src, 3, "three");
	check_line(src, 4, "");
	check_line(src, 5, "");
	check_line(src, 0, "");
	assert_int_equal(source_line_count(src), 4);
	assert_false(source_offset(src, (struct linecol){ 5, 1 }, &off));
	assert_false(source_offset(src, (struct linecol){ 0, 1 }, &off));
	assert_false(source_offset(src, (struct linecol){ 1, 0 }, &off));
	arena_destroy(a);
}

/* ---- reading ---- */

static void check_file(struct arena *a, size_t size)
{
	char path[] = "/tmp/probec.source.XXXXXX";
	int fd = mkstemp(path);
	struct source *src;
	char *text = arena_alloc(a, size + 1);

	assert_true(fd >= 0);
	for (size_t i = 0; i < size; i++)
		text[i] = (char)('a' + i % 26);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
	src = source_from_file(a, path);
	unlink(path);
	assert_non_null(src);
	assert_string_equal(src->name, path);
	assert_int_equal(src->len, size);
	assert_string_equal(src->text, text);
}

TEST(files)
{
	static const size_t sizes[] = { 0, 1, 16383, 16384, 70000 };
	struct arena *a = arena_create();

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		check_file(a, sizes[i]);
	assert_null(source_from_file(a, "/nowhere/at/all"));
	assert_int_equal(errno, ENOENT);
	assert_null(source_from_file(a, "/"));
	assert_int_equal(errno, EISDIR);
	arena_destroy(a);
}

/* A file of proc reports a size of 0. */
TEST(proc)
{
	struct arena *a = arena_create();
	char want[256];
	FILE *f = fopen("/proc/self/comm", "r");

	assert_non_null(f);
	assert_non_null(fgets(want, sizeof(want), f));
	fclose(f);
	assert_string_equal(source_from_file(a, "/proc/self/comm")->text, want);
	arena_destroy(a);
}

/* A pipe delivers pieces, and more than the first buffer holds. */
TEST(pipe)
{
	enum { SIZE = 60000 };
	struct arena *a = arena_create();
	char *text = arena_alloc(a, SIZE + 1);
	struct source *src;
	int fds[2];

	memset(text, 'x', SIZE);
	assert_int_equal(pipe(fds), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(write(fds[1], text, SIZE / 3), SIZE / 3);
	close(fds[1]);
	src = source_from_fd(a, "<stdin>", fds[0]);
	close(fds[0]);
	assert_non_null(src);
	assert_int_equal(src->len, SIZE);
	assert_string_equal(src->text, text);
	arena_destroy(a);
}
