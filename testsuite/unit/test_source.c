/* SPDX-License-Identifier: GPL-2.0 */
/* Sources: their lines, found when one is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/source.h"

/* Line and column of each byte by counting, and the way back. */
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

static void test_lines(void **state)
{
	static const char *const texts[] = {
		"", "\n", "a", "a\n", "\n\nab", "one\ntwo\n\nfour", "one\r\ntwo\r\n",
	};
	struct arena *a = arena_create();
	struct source *src;
	uint32_t off;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
