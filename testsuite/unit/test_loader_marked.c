/* SPDX-License-Identifier: GPL-2.0 */
/* Marks in the strings of records. live/container-names has names in their place. */
#include "record_writer.h"
#include "show/args.h"
#include "show/marked.h"
#include "unit.h"

static struct record r;

static const char *replaced(struct marked *m, bool ids, const char *s, size_t n)
{
	static char text[512];
	const void *args;
	struct args all;
	struct arg a;
	size_t len;

	r.len = 0;
	put_long(&r, 7);
	put_string(&r, s, (uint32_t)n);
	put_text(&r, "last");
	args = r.bytes;
	len = r.len;
	assert_true(marked_replace(m, ids, "lss", &args, &len));
	assert_true(len % 8 == 0 && (args == r.bytes) == !memchr(s, 0x1d, n));
	all = (struct args){ "lss", args, (const char *)args + len };
	assert_int_equal(args_next(&all, &a), 0);
	assert_int_equal(a.number, 7);
	assert_int_equal(args_next(&all, &a), 0);
	snprintf(text, sizeof(text), "%.*s", (int)a.len, a.s);
	assert_int_equal(args_next(&all, &a), 0);
	assert_true(a.len == 4 && memcmp(a.s, "last", 4) == 0 && all.p == all.end);
	return text;
}

#define REPLACED(m, ids, s) replaced(m, ids, s, sizeof(s) - 1)

TEST(marks)
{
	struct marked m = { 0 };

	assert_string_equal(REPLACED(&m, true, "plain"), "plain");
	assert_string_equal(REPLACED(&m, true, ""), "");
	assert_string_equal(REPLACED(&m, true, "\035cabc\035"), "abc");
	assert_string_equal(REPLACED(&m, true, "a \035pabc\035/\035cdef\035 z"), "a abc/def z");
	/* Marks that a string was too short for, or that a program has made. */
	assert_string_equal(REPLACED(&m, true, "x\035cabc"), "xabc");
	assert_string_equal(REPLACED(&m, true, "x\035c"), "x");
	assert_string_equal(REPLACED(&m, true, "x\035"), "x");
	assert_string_equal(REPLACED(&m, true, "\035\035\035\035y"), "y");
	assert_string_equal(REPLACED(&m, true, "\035zabc\035"), "abc");
	marked_deinit(&m);
}

TEST(unknown)
{
	struct marked m = { 0 };

	/* No machine has a container of that id. */
	assert_string_equal(REPLACED(&m, false, "\035c0123456789abcdef\035"), "0123456789abcdef");
	assert_string_equal(REPLACED(&m, false, "\035zabc\035"), "abc");
	marked_deinit(&m);
}

TEST(damaged)
{
	struct marked m = { 0 };

	r.len = 0;
	put_text(&r, "\035c0123456789\035");
	for (size_t n = 0; n < r.len; n++) {
		const void *args = r.bytes;
		size_t len = n;

		assert_true(!memchr(r.bytes, 0x1d, n) ||
			    !marked_replace(&m, true, "s", &args, &len));
	}
	marked_deinit(&m);
}
