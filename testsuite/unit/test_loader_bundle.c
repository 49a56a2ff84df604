/* SPDX-License-Identifier: GPL-2.0 */
/* The index of a bundle: read, and refused when it is damaged at any byte or cut off. */
#include "bundle/bundle.h"
#include "unit.h"

static const char good[] = "bundle\0"
			   "script\treads.kp\0"
			   "later\tsomething\0"
			   "about\treads - what it does\0"
			   "module\t6.1.0\tabc\t1000\t24\0"
			   "module\t6.12\t-\t1024\t1\0"
			   "argument\t-c\0"
			   "argument\tprintf 'a\tb'\0"
			   "option\tp\tpid\tPID\tonly\thelp\nmore\0"
			   "option\t\tall\t\tall\thelp\0"
			   "end\0";
enum { GOOD = sizeof(good) - 1, END = 1025 };

static const char *parse(struct bundle_file *b, const char *text, size_t len, uint64_t end)
{
	char *copy = malloc(len + 1);

	*b = (struct bundle_file){ .fd = -1 };
	memcpy(copy, text, len);
	copy[len] = '\0';
	return bundle_parse(b, copy, len, end);
}

TEST(reads)
{
	struct bundle_file b;

	assert_null(parse(&b, good, GOOD, END));
	assert_string_equal(b.script, "reads.kp");
	assert_int_equal(b.nmodules, 2);
	assert_string_equal(b.modules[0].release, "6.1.0");
	assert_string_equal(b.modules[0].build_id, "abc");
	assert_int_equal(b.modules[1].offset, 1024);
	assert_int_equal(b.modules[1].size, 1);
	assert_int_equal(b.narguments, 2);
	assert_string_equal(b.arguments[1], "printf 'a\tb'");
	assert_int_equal(b.noptions, 2);
	assert_int_equal(b.options[0].letter, 'p');
	assert_string_equal(b.options[0].help, "help\nmore");
	assert_int_equal(b.options[1].letter, 0);
	assert_string_equal(b.options[1].name, "all");
	assert_string_equal(b.about[0], "reads - what it does");
	bundle_close(&b);
	/* A module that ends behind the modules. */
	assert_string_equal(parse(&b, good, GOOD, END - 1), "a module is outside of the file");
	bundle_close(&b);
}

TEST(cut_off)
{
	struct bundle_file b;

	for (size_t len = 0; len < GOOD; len++) {
		assert_non_null(parse(&b, good, len, END));
		bundle_close(&b);
	}
}

/* An index that is accepted has modules in the file and options with names. */
TEST(any_byte)
{
	char text[GOOD];
	struct bundle_file b;

	for (size_t at = 0; at < GOOD; at++)
		for (int byte = 0; byte < 256; byte++) {
			memcpy(text, good, GOOD);
			text[at] = (char)byte;
			if (!parse(&b, text, GOOD, END)) {
				for (unsigned i = 0; i < b.nmodules; i++)
					assert_true(b.modules[i].size <= END &&
						    b.modules[i].offset <= END - b.modules[i].size);
				for (unsigned i = 0; i < b.noptions; i++)
					assert_true(b.options[i].letter || *b.options[i].name);
			}
			bundle_close(&b);
		}
}

TEST(wrong_numbers)
{
	static const char *const bad[] = {
		"module\t6\t-\t0\t0", "module\t6\t-\t-1\t1",
		"module\t6\t-\t1\t18446744073709551615",
		"module\t6\t-\t18446744073709551615\t1", "module\t6\t-\t1\t1x", "module\t6\t-\t\t1",
		"module\t6\t-\t99999999999999999999\t1", "option\t-\tx\t\tg\th",
		"option\tab\tx\t\tg\th", "option\t\t\t\tg\th", "option\t\ta=b\t\tg\th",
		"option\tp\t\t\t\th",
	};
	char text[128];
	struct bundle_file b;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int n = snprintf(text, sizeof(text), "bundle%cmodule\t6\t-\t0\t1%c%s%cend%c",
				 0, 0, bad[i], 0, 0);

		assert_non_null(parse(&b, text, (size_t)n, END));
		bundle_close(&b);
	}
}
