/* SPDX-License-Identifier: GPL-2.0 */
/* Compares the formatter with the C library's printf, and checks where they differ on purpose. */
#include "format.h"
#include "records.h"
#include "unit.h"

struct block {
	unsigned char bytes[8192];
	size_t len;
};

static void add_long(struct block *b, long long v)
{
	memcpy(b->bytes + b->len, &v, 8);
	b->len += 8;
}

static void add_string(struct block *b, const char *s, uint32_t len)
{
	size_t all = (4 + (size_t)len + 7) & ~(size_t)7;

	memset(b->bytes + b->len, 0, all);
	memcpy(b->bytes + b->len, &len, 4);
	memcpy(b->bytes + b->len + 4, s, len);
	b->len += all;
}

static long format(char *buf, size_t size, const char *fmt, const char *types,
		   const struct block *b)
{
	return prt_format(buf, size, fmt, strlen(fmt), types, b->bytes, b->len);
}

static void check_text(const char *fmt, const char *types, const struct block *b, const char *want)
{
	char got[8192];
	long n = format(got, sizeof(got) - 1, fmt, types, b);

	assert_true(n >= 0 && (size_t)n < sizeof(got));
	got[n] = '\0';
	if (strcmp(got, want) != 0)
		print_error("format '%s'\n", fmt);
	assert_string_equal(got, want);
	assert_int_equal(format(NULL, 0, fmt, types, b), n);
}

static const char *const flag_sets[] = { "",   "-",  "0",  "+",  " ",   "#",  "-0", "-+", "+0",
					 " 0", "#0", "-#", "+ ", "#-0", "0-", "##", "+-" };
static const char *const widths[] = { "", "1", "7", "20", "40" };
static const char *const precisions[] = { "", ".", ".0", ".1", ".5", ".20", ".30" };

/* Compares the same specification in both; @conv: our conversion, @theirs: the C library's. */
static void against_libc_long(char conv, const char *theirs, const char *flags, const char *width,
			      const char *precision, long long v)
{
	char ours[64], libc[64], want[256];
	struct block b = { .len = 0 };

	snprintf(ours, sizeof(ours), "<%%%s%s%s%c>", flags, width, precision, conv);
	snprintf(libc, sizeof(libc), "<%%%s%s%s%s>", flags, width, precision, theirs);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(want, sizeof(want), libc, v);
#pragma GCC diagnostic pop
	add_long(&b, v);
	check_text(ours, "l", &b, want);
}

TEST(numbers)
{
	static const long long values[] = {
		0,
		1,
		-1,
		7,
		8,
		9,
		10,
		255,
		-255,
		4096,
		99999,
		-100000,
		INT32_MAX,
		INT32_MIN,
		(long long)UINT32_MAX,
		INT64_MAX,
		INT64_MIN,
		INT64_MIN + 1,
		0x0123456789abcdefLL,
	};
	static const struct {
		char ours;
		const char *theirs;
	} convs[] = { { 'd', "lld" }, { 'i', "lli" }, { 'u', "llu" },
		      { 'x', "llx" }, { 'X', "llX" }, { 'o', "llo" } };

	for (size_t c = 0; c < sizeof(convs) / sizeof(convs[0]); c++)
		for (size_t f = 0; f < sizeof(flag_sets) / sizeof(flag_sets[0]); f++)
			for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
				for (size_t p = 0; p < sizeof(precisions) / sizeof(*precisions);
				     p++)
					for (size_t v = 0; v < sizeof(values) / sizeof(*values);
					     v++)
						against_libc_long(convs[c].ours, convs[c].theirs,
								  flag_sets[f], widths[w],
								  precisions[p], values[v]);
}

TEST(pointers)
{
	struct block b = { .len = 0 };
	static const char *const wide[] = { "", "4", "18", "-18", "018" };

	/* Like %#llx, except that 0 has its 0x, too. */
	for (size_t w = 0; w < sizeof(wide) / sizeof(wide[0]); w++) {
		against_libc_long('p', "llx", "#", wide[w], "", 255);
		against_libc_long('p', "llx", "#", wide[w], "", -1);
	}
	add_long(&b, 0);
	check_text("%p", "l", &b, "0x0");
	check_text("%6p|", "l", &b, "   0x0|");
}

TEST(strings)
{
	static const char *const values[] = { "", "a", "hello", "twenty-six letters in here" };
	static const char *const flags[] = { "", "-" };

	for (size_t f = 0; f < 2; f++)
		for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
			for (size_t p = 0; p < sizeof(precisions) / sizeof(precisions[0]); p++)
				for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
					char fmt[64], want[256];
					struct block b = { .len = 0 };

					snprintf(fmt, sizeof(fmt), "<%%%s%s%ss>", flags[f],
						 widths[w], precisions[p]);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
					snprintf(want, sizeof(want), fmt, values[v]);
#pragma GCC diagnostic pop
					add_string(&b, values[v], (uint32_t)strlen(values[v]));
					check_text(fmt, "s", &b, want);
				}
}

TEST(stars)
{
	for (int w = -12; w <= 12; w++)
		for (int p = -3; p <= 6; p++) {
			struct block b = { .len = 0 };
			char want[128];

			add_long(&b, w);
			add_long(&b, p);
			add_long(&b, -42);
			add_long(&b, w);
			add_string(&b, "xyz", 3);
			snprintf(want, sizeof(want), "<%*.*d|%*s>", w, p, -42, w, "xyz");
			check_text("<%*.*d|%*s>", "lllls", &b, want);
		}
}

TEST(characters)
{
	struct block b = { .len = 0 };
	char got[16];

	add_long(&b, 'A');
	add_long(&b, 0);
	add_long(&b, 'z');
	add_long(&b, 0x141);
	assert_int_equal(format(got, sizeof(got), "%c%c%3c%%%-3c|", "llll", &b), 10);
	assert_memory_equal(got, "A\0  z%A  |", 10);
}

/* %#c prints the byte as a C character constant has it. */
TEST(escaped_characters)
{
	static const struct {
		long long c;
		const char *want;
	} rows[] = {
		{ 'a', "a" }, { '"', "\"" }, { '\'', "\\'" }, { '\\', "\\\\" }, { '\n', "\\n" },
		{ '\a', "\\a" }, { '\v', "\\v" }, { 0, "\\000" }, { 127, "\\177" },
		{ 200, "\\310" }, { 0x10a, "\\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct block b = { .len = 0 };
		char want[32];

		add_long(&b, rows[i].c);
		check_text("%#c", "l", &b, rows[i].want);
		snprintf(want, sizeof(want), "%6s|", rows[i].want);
		check_text("%#6c|", "l", &b, want);
	}
}

TEST(binary)
{
	struct block b = { .len = 0 };
	char got[64];

	add_long(&b, 0x0807060504030201LL);
	assert_int_equal(format(got, sizeof(got), "%b", "l", &b), 8);
	assert_memory_equal(got, "\1\2\3\4\5\6\7\10", 8);
	assert_int_equal(format(got, sizeof(got), "%.2b", "l", &b), 2);
	assert_memory_equal(got, "\1\2", 2);
	assert_int_equal(format(got, sizeof(got), "%4b", "l", &b), 4);
	assert_memory_equal(got, "\1\2\3\4", 4);
	assert_int_equal(format(got, sizeof(got), "%3.1b", "l", &b), 3);
	assert_memory_equal(got, "\0\0\1", 3);
	assert_int_equal(format(got, sizeof(got), "%-3.1b", "l", &b), 3);
	assert_memory_equal(got, "\1\0\0", 3);
}

TEST(odd_formats)
{
	struct block none = { .len = 0 };
	char got[16];

	check_text("", "", &none, "");
	check_text("100%", "", &none, "100%");
	check_text("%5", "", &none, "%5");
	check_text("%q and %-4.2Z", "", &none, "%q and %-4.2Z");
	assert_int_equal(prt_format(got, sizeof(got), "a\0b", 3, "", "", 0), 3);
	assert_memory_equal(got, "a\0b", 3);
}

TEST(cut)
{
	struct block b = { .len = 0 };
	char got[16];

	add_long(&b, 123456);
	add_string(&b, "abcdef", 6);
	for (size_t size = 0; size <= sizeof(got); size++) {
		memset(got, '!', sizeof(got));
		assert_int_equal(format(got, size, "%8d%s%2s", "ls", &b), -1);
		assert_int_equal(format(got, size, "%8d%s", "ls", &b), 14);
		assert_memory_equal(got, "  123456abcdef", size < 14 ? size : 14);
		for (size_t i = size < 14 ? size : 14; i < sizeof(got); i++)
			assert_int_equal(got[i], '!');
	}
}

TEST(damaged_arguments)
{
	struct block b = { .len = 0 };
	char got[64];

	add_long(&b, 1);
	assert_int_equal(format(got, 64, "%d", "", &b), -1);
	assert_int_equal(format(got, 64, "%d", "s", &b), -1);
	assert_int_equal(format(got, 64, "%s", "l", &b), -1);
	assert_int_equal(format(got, 64, "%d%d", "ll", &b), -1);
	assert_int_equal(format(got, 64, "%*d", "ll", &b), -1);
	assert_int_equal(format(got, 64, "%H", "H", &b), -1);
	b.len = 0;
	add_string(&b, "abc", 3);
	memcpy(b.bytes, &(uint32_t){ 5 }, 4);
	assert_int_equal(format(got, 64, "%s", "s", &b), -1);
	memcpy(b.bytes, &(uint32_t){ UINT32_MAX }, 4);
	assert_int_equal(format(got, 64, "%s", "s", &b), -1);
}

static void add_hist(struct block *b, struct prt_hist_data h, const uint64_t *counts)
{
	memcpy(b->bytes + b->len, &h, sizeof(h));
	memcpy(b->bytes + b->len + sizeof(h), counts, h.n * 8);
	b->len += sizeof(h) + h.n * 8;
}

/* Checks a row as SystemTap's runtime draws it: the label right-aligned in its column, one @ for
 * every `each` counts, and the count below the heading. */
static void add_row(char *to, const char *label, int label_width, long long count, long long each,
		    int count_width)
{
	char bar[51];
	size_t n = (size_t)(count / each);

	memset(bar, '@', n);
	bar[n] = '\0';
	sprintf(to + strlen(to), "%*s |%-51s%*lld\n", label_width, label, bar, count_width, count);
}

#define BAR "--------------------------------------------------"
#define FULL "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@"

TEST(log_histogram)
{
	static const uint64_t counts[] = { 4, 1, 0, 0, 0, 2, 0, 0, 100, 0 };
	struct prt_hist_data h = { .is_log = 1, .n = 10, .first = 64 };
	struct block b = { .len = 0 };

	add_hist(&b, h, counts);
	check_text("h:\n%Hend", "H", &b,
		   "h:\n"
		   "value |" BAR " count\n"
		   "    0 |@@                                                   4\n"
		   "    1 |                                                     1\n"
		   "    2 |                                                     0\n"
		   "    4 |                                                     0\n"
		   "    8 |                                                     0\n"
		   "   16 |@                                                    2\n"
		   "   32 |                                                     0\n"
		   "   64 |                                                     0\n"
		   "  128 |" FULL " 100\n"
		   "  256 |                                                     0\n"
		   "  512 |                                                     0\n"
		   "\n"
		   "end");
	/* Fewer columns; fewer empty rows; all rows. */
	check_text("%10.0H", "H", &b,
		   "value |---------- count\n"
		   "    0 |             4\n"
		   "    1 |             1\n"
		   "      ~\n"
		   "   16 |             2\n"
		   "      ~\n"
		   "  128 |@@@@@@@@@@ 100\n"
		   "\n");
}

/* The examples of SystemTap's language reference: the rows shown and the lengths of the bars. */
TEST(reference_histograms)
{
	struct prt_hist_data lin = { .n = 54, .low = 0, .high = 10400, .width = 200 };
	struct prt_hist_data log = { .is_log = 1, .n = 6, .first = 70 };
	static const uint64_t lengths[54] = { [1] = 1650, [2] = 8, [8] = 1 };
	static const uint64_t sizes[] = { 254, 3, 2, 2, 4, 16689 };
	static const char *const labels[] = { "8", "16", "32", "64", "128", "256", "512", "1024",
					      "2048", "4096" };
	static const long long values[] = { 0, 0, 254, 3, 2, 2, 4, 16689, 0, 0 };
	struct block b = { .len = 0 };
	char want[2048] = "value |" BAR " count\n";

	add_hist(&b, lin, lengths);
	check_text("%H", "H", &b,
		   "value |" BAR " count\n"
		   "    0 |" FULL " 1650\n"
		   "  200 |                                                      8\n"
		   "  400 |                                                      0\n"
		   "  600 |                                                      0\n"
		   "      ~\n"
		   " 1000 |                                                      0\n"
		   " 1200 |                                                      0\n"
		   " 1400 |                                                      1\n"
		   " 1600 |                                                      0\n"
		   " 1800 |                                                      0\n"
		   "\n");
	b.len = 0;
	add_hist(&b, log, sizes);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		add_row(want, labels[i], 5, values[i], 334, 5);
	strcat(want, "\n");
	check_text("%H", "H", &b, want);
}

TEST(negative_histogram)
{
	static const uint64_t counts[] = { 7, 0, 1000000 };
	struct prt_hist_data h = { .is_log = 1, .n = 3, .first = 62 };
	struct prt_hist_data ends = { .is_log = 1, .n = 128, .first = 0 };
	uint64_t all[128] = { [0] = UINT64_MAX, [127] = 1 };
	struct block b = { .len = 0 };

	add_hist(&b, h, counts);
	check_text("%H", "H", &b,
		   "value |" BAR " count\n"
		   "   -8 |                                                         0\n"
		   "   -4 |                                                         0\n"
		   "   -2 |                                                         7\n"
		   "   -1 |                                                         0\n"
		   "    0 |" FULL " 1000000\n"
		   "    1 |                                                         0\n"
		   "    2 |                                                         0\n"
		   "\n");
	b.len = 0;
	add_hist(&b, ends, all);
	check_text("%H", "H", &b,
		   "               value |" BAR " count\n"
		   "-9223372036854775808 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ "
		   " 18446744073709551615\n"
		   "-4611686018427387904 |                                                  "
		   "                    0\n"
		   "-2305843009213693952 |                                                  "
		   "                    0\n"
		   "                     ~\n"
		   " 1152921504606846976 |                                                  "
		   "                    0\n"
		   " 2305843009213693952 |                                                  "
		   "                    0\n"
		   " 4611686018427387904 |                                                  "
		   "                    1\n"
		   "\n");
}

TEST(linear_histogram)
{
	static const uint64_t counts[] = { 0, 3, 0, 0, 2, 1 };
	static const uint64_t gap[] = { 1, 0, 0, 0, 0, 0, 0, 0, 50 };
	static const uint64_t nothing[6];
	struct prt_hist_data h = { .n = 6, .low = -10, .high = 30, .width = 10 };
	struct prt_hist_data wide = { .n = 9, .low = 0, .high = 7, .width = 1 };
	struct block b = { .len = 0 };

	add_hist(&b, h, counts);
	check_text("%H", "H", &b,
		   "value |" BAR " count\n"
		   "  -10 |@@@                                                3\n"
		   "    0 |                                                   0\n"
		   "   10 |                                                   0\n"
		   "   20 |@@                                                 2\n"
		   " >=30 |@                                                  1\n"
		   "\n");
	b.len = 0;
	add_hist(&b, wide, gap);
	check_text("%.1H", "H", &b,
		   "value |" BAR " count\n"
		   "   <0 |@                                                   1\n"
		   "    0 |                                                    0\n"
		   "      ~\n"
		   "    6 |                                                    0\n"
		   "  >=7 |" FULL " 50\n"
		   "\n");
	check_text("%-5H", "H", &b,
		   "value |----- count\n"
		   "   <0 |       1\n"
		   "    0 |       0\n"
		   "    1 |       0\n"
		   "    2 |       0\n"
		   "    3 |       0\n"
		   "    4 |       0\n"
		   "    5 |       0\n"
		   "    6 |       0\n"
		   "  >=7 |@@@@@ 50\n"
		   "\n");
	b.len = 0;
	add_hist(&b, h, nothing);
	check_text("%H", "H", &b, "value |" BAR " count\n\n");
}

TEST(damaged_histogram)
{
	static const uint64_t counts[4];
	struct prt_hist_data h = { .is_log = 1, .n = 4, .first = 125 };
	struct block b = { .len = 0 };
	char got[64];

	add_hist(&b, h, counts);
	assert_int_equal(format(got, 64, "%H", "H", &b), -1);
	h.first = UINT32_MAX;
	b.len = 0;
	add_hist(&b, h, counts);
	assert_int_equal(format(got, 64, "%H", "H", &b), -1);
	h.first = 0;
	b.len = 0;
	add_hist(&b, h, counts);
	b.len -= 8;
	assert_int_equal(format(got, 64, "%H", "H", &b), -1);
}
