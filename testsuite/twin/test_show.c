/* SPDX-License-Identifier: GPL-2.0 */
/* $value$ as text: every kind of item, unreadable values, and the cut at the end of the buffer. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "twin.h"

enum { MOST = 511, PLACE = 9 };

static struct {
	s64 wide;
	int small;
	u16 bits;
	char letter, zero;
	char name[8];
	const char *text, *bad;
	char behind[8];
} thing = { -5, -7, 0xabcd, '\'', 0, "a\"b\n", thing.behind, (const char *)16, "it's" };

#define AT(member) offsetof(typeof(thing), member), sizeof(thing.member)

static void shows(const struct prt_show *items, u32 n, const void *at, const char *want)
{
	struct prt_ctx c = { .steps = 1000 };
	char *buf = malloc(MOST);
	struct prt_str got = prt_show(&c, buf, (u64)at, items, n, PRT_SHOW_KERNEL,
				      PLACE);

	CHECK(got.len == strlen(want) && memcmp(got.s, want, got.len) == 0, "'%.*s', not '%s'",
	      (int)got.len, got.s, want);
	CHECK(c.steps == 1000 - (s64)n, "%lld steps are left", (long long)c.steps);
	CHECK(!c.err, "error %u", c.err);
	free(buf);
}

TWIN_TEST(shown_kinds)
{
	static const struct prt_show items[] = {
		{ "{.wide=", AT(wide), PRT_SHOW_SIGNED, 0, 0 },
		{ ", .wide=", AT(wide), PRT_SHOW_UNSIGNED, 0, 0 },
		{ ", .small=", AT(small), PRT_SHOW_SIGNED, 0, 0 },
		{ ", .small=", AT(small), PRT_SHOW_POINTER, 0, 0 },
		{ ", .low=", AT(bits), PRT_SHOW_UNSIGNED, 4, 8 },
		{ ", .high=", AT(bits), PRT_SHOW_SIGNED, 12, 4 },
		{ ", .letter=", AT(letter), PRT_SHOW_CHAR, 0, 0 },
		{ ", .zero=", AT(zero), PRT_SHOW_CHAR, 0, 0 },
		{ ", .name=", AT(name), PRT_SHOW_CHARS, 0, 0 },
		{ ", .text=", AT(text), PRT_SHOW_STRING, 0, 0 },
		{ ", .bad=", AT(bad), PRT_SHOW_STRING, 0, 0 },
		{ "}", 0, 0, PRT_SHOW_TEXT, 0, 0 },
	};

	machine_readable(&thing, sizeof(thing));
	/* 0xabcd has 0xbc from bit 4, and above it 0xa, which is -6 in four bits. */
	shows(items, sizeof(items) / sizeof(*items), &thing,
	      "{.wide=-5, .wide=18446744073709551611, .small=-7, .small=0xfffffff9, .low=188, "
	      ".high=-6, .letter='\\'', .zero='\\000', .name=\"a\\\"b\\n\", .text=\"it's\", "
	      ".bad=0x10}");
	shows(items, sizeof(items) / sizeof(*items), NULL, "0x0");
	shows(items, sizeof(items) / sizeof(*items), (void *)0x10, "0x10");
}

/* Items under a condition, which may not be known. */
TWIN_TEST(shown_when)
{
	static const struct prt_show items[] = {
		{ "<", 0, 0, PRT_SHOW_OBJECT, 0, 0, 0 },
		{ "", offsetof(typeof(thing), small), 4, PRT_SHOW_READ_SIGNED, 0, 0, 0 },
		{ "", -7, 0, PRT_SHOW_NUMBER, 0, 0, 0 },
		{ "", PRT_SHOW_EQ, 0, PRT_SHOW_OPERATOR, 0, 0, 0 },
		{ "", 0, 2, PRT_SHOW_WHEN, 0, 0, 1 },
		{ "Some(", AT(wide), PRT_SHOW_SIGNED, 0, 0, 0 },
		{ ")", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
		{ "", 0, 0, PRT_SHOW_NUMBER, 0, 0, 0 },
		{ "", 0, 1, PRT_SHOW_WHEN, 0, 0, 0 },
		{ "None", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
		{ ">", 0, 0, PRT_SHOW_UNKNOWN, 0, 0, 0 },
		{ "", 0, 1, PRT_SHOW_WHEN, 0, 0, 1 },
		{ "hidden", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
		{ "", 0, 0, PRT_SHOW_UNKNOWN, 0, 0, 0 },
		{ "", 0, 1, PRT_SHOW_WHEN, 0, 0, 0 },
		{ "hidden", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
		{ "!", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
	};

	machine_readable(&thing, sizeof(thing));
	shows(items, sizeof(items) / sizeof(*items), &thing, "<Some(-5)>?!");
}

/* Names of values, the least and the greatest one as well; other values are numbers. */
TWIN_TEST(shown_names)
{
	static const struct prt_word words[] = {
		{ (u64)-7, "LEAST" }, { 0, "NONE" }, { 3, "SOME" }, { 5, "MOST" },
	};
	static const s32 values[] = { -7, 0, 3, 5, -8, -1, 1, 4, 6 };
	static const char *const names[] = {
		"LEAST", "NONE", "SOME", "MOST", "-8", "-1", "1", "4", "6",
	};

	machine_readable(values, sizeof(values));
	for (u32 i = 0; i < PRT_COUNT(values); i++) {
		const struct prt_show item = { "", i * 4, 4, PRT_SHOW_SIGNED, 0, 0, 4, words };

		shows(&item, 1, values, names[i]);
	}
	/* The first four of its bits, with a sign and without one. */
	for (u32 i = 0; i < 2; i++) {
		static const s32 bits = 0xf9;
		const struct prt_show item = { "", 0, 4, i ? PRT_SHOW_UNSIGNED : PRT_SHOW_SIGNED,
					       0, 4, 4, words };

		machine_readable(&bits, sizeof(bits));
		shows(&item, 1, &bits, i ? "9" : "LEAST");
	}
}

/* Each character, as C writes it. */
TWIN_TEST(shown_characters)
{
	static const char names[] = "abtnvfr";
	static const struct prt_show item = { "", 0, 1, PRT_SHOW_CHAR, 0, 0 };
	static unsigned char ch;
	char want[8];

	for (u32 i = 0; i < 256; i++) {
		ch = (unsigned char)i;
		machine_readable(&ch, 1);
		if (i == '\'' || i == '\\')
			sprintf(want, "'\\%c'", ch);
		else if (i >= 7 && i <= 13)
			sprintf(want, "'\\%c'", names[i - 7]);
		else
			sprintf(want, isprint(ch) ? "'%c'" : "'\\%03o'", ch);
		shows(&item, 1, &ch, want);
	}
}

/* "yes": the operator makes @want of the two numbers; "?": it makes none. */
static const struct { s32 operator, a, b, want; const char *shown; } operations[] = {
	{ PRT_SHOW_ADD, -7, 3, -4, "yes" }, { PRT_SHOW_SUB, -7, 3, -10, "yes" },
	{ PRT_SHOW_MUL, -7, 3, -21, "yes" }, { PRT_SHOW_DIV, -7, 3, -2, "yes" },
	{ PRT_SHOW_MOD, -7, 3, -1, "yes" }, { PRT_SHOW_DIV, -7, 1, -7, "yes" },
	{ PRT_SHOW_DIV, 7, 0, 0, "?" }, { PRT_SHOW_MOD, 7, -1, 0, "?" },
	{ PRT_SHOW_AND, 12, 10, 8, "yes" }, { PRT_SHOW_OR, 12, 10, 14, "yes" },
	{ PRT_SHOW_XOR, 12, 10, 6, "yes" }, { PRT_SHOW_SHL, 3, 4, 48, "yes" },
	{ PRT_SHOW_SHL, 3, 64, 0, "yes" }, { PRT_SHOW_SHL, 3, -1, 0, "yes" },
	{ PRT_SHOW_SHR, -48, 4, -3, "yes" }, { PRT_SHOW_SHR, -48, 64, -1, "yes" },
	{ PRT_SHOW_SHR, 48, 64, 0, "yes" }, { PRT_SHOW_SHR, 48, -1, 0, "yes" },
	{ PRT_SHOW_EQ, 3, 3, 1, "yes" }, { PRT_SHOW_EQ, 3, -3, 0, "yes" },
	{ PRT_SHOW_NE, 3, 3, 0, "yes" }, { PRT_SHOW_NE, 3, -3, 1, "yes" },
	{ PRT_SHOW_LT, -3, 3, 1, "yes" }, { PRT_SHOW_LT, 3, 3, 0, "yes" },
	{ PRT_SHOW_LE, 3, 3, 1, "yes" }, { PRT_SHOW_LE, 3, -3, 0, "yes" },
	{ PRT_SHOW_GT, 3, -3, 1, "yes" }, { PRT_SHOW_GT, 3, 3, 0, "yes" },
	{ PRT_SHOW_GE, 3, 3, 1, "yes" }, { PRT_SHOW_GE, -3, 3, 0, "yes" },
};

TWIN_TEST(shown_operators)
{
	for (u32 i = 0; i < PRT_COUNT(operations); i++) {
		const struct prt_show items[] = {
			{ "", operations[i].a, 0, PRT_SHOW_NUMBER, 0, 0, 0 },
			{ "", operations[i].b, 0, PRT_SHOW_NUMBER, 0, 0, 0 },
			{ "", operations[i].operator, 0, PRT_SHOW_OPERATOR, 0, 0, 0 },
			{ "", operations[i].want, 0, PRT_SHOW_NUMBER, 0, 0, 0 },
			{ "", PRT_SHOW_EQ, 0, PRT_SHOW_OPERATOR, 0, 0, 0 },
			{ "", 0, 1, PRT_SHOW_WHEN, 0, 0, 1 },
			{ "yes", 0, 0, PRT_SHOW_TEXT, 0, 0, 0 },
		};

		machine_readable(&thing, sizeof(thing));
		shows(items, PRT_COUNT(items), &thing, operations[i].shown);
	}
}

/* A structure whose end is not readable. */
TWIN_TEST(shown_torn)
{
	static const struct prt_show items[] = {
		{ "{.a=", 0, 4, PRT_SHOW_SIGNED, 0, 0 },
		{ ", .b=", 4, 4, PRT_SHOW_SIGNED, 0, 0 },
		{ ", .c=", 8, 8, PRT_SHOW_CHARS, 0, 0 },
		{ "}", 0, 0, PRT_SHOW_TEXT, 0, 0 },
	};
	static const int one = 3;

	machine_readable(&one, sizeof(one));
	shows(items, 4, &one, "{.a=3, .b=?, .c=?}");
}

/* The text is never longer than a string may be. */
TWIN_TEST(shown_cut)
{
	static char text[1024];
	static const struct prt_show chars[] = { { "<", 0, 1000, PRT_SHOW_CHARS, 0, 0 },
						 { ">", 0, 0, PRT_SHOW_TEXT, 0, 0 } };
	struct prt_ctx c = { .steps = 1000 };
	char *buf = malloc(MOST);
	struct prt_str got;
	u32 i;

	twin_bytes(text, sizeof(text));
	for (i = 0; i < sizeof(text); i++)
		text[i] = text[i] ? text[i] : 'x';
	machine_readable(text, sizeof(text));
	got = prt_show(&c, buf, (u64)text, chars, 2, PRT_SHOW_KERNEL, PLACE);
	CHECK(got.len == MOST, "%u bytes", got.len);
	CHECK(got.s[0] == '<' && got.s[1] == '"', "'%.2s'", got.s);
	free(buf);
}
