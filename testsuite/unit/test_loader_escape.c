/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes that a terminal may take for a command are escaped; those of the script's own format
 * pass. */
#include "common/escape.h"
#include "module/meta.h"
#include "show/parts.h"
#include "show/percentiles.h"
#include "unit.h"

static void check(const char *from, const char *to)
{
	struct buf t = { 0 };

	buf_puts(&t, "\033");
	escape_add(&t, from, strlen(from));
	assert_string_equal(t.s + 1, to);
	t.len = 1;
	buf_puts(&t, from);
	escape_tail(&t, 1);
	assert_int_equal(t.s[0], '\033');
	assert_string_equal(t.s + 1, to);
	buf_deinit(&t);
}

TEST(bytes)
{
	check("", "");
	check("plain \t and\n", "plain \t and\n");
	check("\033]0;title\a\r\b\x7f", "\\x1b]0;title\\x07\\x0d\\x08\\x7f");
	check("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80",
	      "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80");
	/* CSI as one character, and the same byte alone. */
	check("\xc2\x9b" "31m", "\\xc2\\x9b31m");
	check("\x9b" "31m", "\\x9b31m");
	check("\xc0\x9b \xe2\x82", "\\xc0\\x9b \\xe2\\x82");
}

/* Short texts of every byte: nothing harmful is left, and what was harmless is unchanged. */
TEST(all)
{
	for (unsigned v = 0; v < 1 << 16; v++) {
		char s[3] = { (char)v, (char)(v >> 8), 0 };
		struct buf t = { 0 };

		escape_add(&t, s, 2);
		for (size_t i = 0; i < t.len; i++) {
			unsigned char c = (unsigned char)t.s[i];

			assert_true((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t');
			if (c >= 0x80 && c < 0xc0)
				assert_true(i == 1 && (unsigned char)t.s[0] >= 0xc2 &&
					    !((unsigned char)t.s[0] == 0xc2 && c < 0xa0));
		}
		buf_deinit(&t);
	}
}

static void print(const char *format, const char *types, const void *args, size_t len, int escape,
		  const char *to)
{
	struct meta_print p = { .format = (char *)format, .format_len = strlen(format),
				.types = (char *)types };
	struct args a = { types, args, (const char *)args + len };
	struct buf t = { 0 };

	assert_int_equal(parts_format(&p, a, NULL, escape, &t), 0);
	buf_write(&t, "", 1);
	assert_string_equal(t.s, to);
	buf_deinit(&t);
}

TEST(prints)
{
	static const struct {
		int64_t width;
		uint32_t len;
		char text[12];
		int64_t c;
	} args = { 6, 5, "\033[31m", 27 };

	print("\033[1m%*s\033[0m %c%%\n", "lsl", &args, sizeof(args), 1,
	      "\033[1m \\x1b[31m\033[0m \\x1b%\n");
	print("\033[1m%*s\033[0m %c%%\n", "lsl", &args, sizeof(args), 0,
	      "\033[1m \033[31m\033[0m \033%\n");
	print("\033[?25l", "", &args, 0, 1, "\033[?25l");
}
