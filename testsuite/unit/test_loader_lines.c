/* SPDX-License-Identifier: GPL-2.0 */
/* Answers of the line reader, which are as little trusted as the file that it reads. */
#include "shared/lines.h"
#include "unit.h"
#include "unwind/lines.h"

/* Two frames: 7 in "get" of "/a.h", 9 in a name of C++ of "b\nc". */
static const char answer[] = "\2\0\0\0"
			     "\7\0\0\0" "get\0" "/a.h\0"
			     "\x09\1\0\0" "_Z3puti\0" "b\nc";
enum { SIZE = sizeof(answer) }; /* the last NUL is of the last path */

TEST(whole)
{
	struct line_frame frames[LINES_FRAMES];

	assert_int_equal(lines_decode(answer, SIZE, frames), 2);
	assert_string_equal(frames[0].function, "get");
	assert_string_equal(frames[0].file, "/a.h");
	assert_int_equal(frames[0].line, 7);
	assert_string_equal(frames[1].function, "put(int)");
	assert_string_equal(frames[1].file, "b?c");
	assert_int_equal(frames[1].line, 0x109);
	lines_forget(frames, 2);
}

/* At every byte; the copy has exactly these bytes: a sanitizer sees what reads past them. */
TEST(truncated)
{
	struct line_frame frames[LINES_FRAMES];

	for (size_t size = 0; size < SIZE; size++) {
		char *copy = malloc(size ? size : 1);
		size_t n;

		assert_non_null(copy);
		memcpy(copy, answer, size);
		n = lines_decode(copy, size, frames);
		assert_int_equal(n, size >= 4 + 4 + 4 + 5);
		lines_forget(frames, n);
		free(copy);
	}
}

/* A number of frames that there are not, and more than there may be. */
TEST(too_many)
{
	static const unsigned char none[] = { 0xff, 0xff, 0xff, 0xff };
	static unsigned char many[4 + (LINES_FRAMES + 8) * 6] = { LINES_FRAMES + 8 };
	struct line_frame frames[LINES_FRAMES];

	assert_int_equal(lines_decode(none, sizeof(none), frames), 0);
	assert_int_equal(lines_decode(many, sizeof(many), frames), LINES_FRAMES);
	assert_string_equal(frames[LINES_FRAMES - 1].file, "");
	lines_forget(frames, LINES_FRAMES);
}
