/* SPDX-License-Identifier: GPL-2.0 */
/* JSON and CSV output of hostile strings, parsed by parsers of the tests. */
#include "json_check.h"
#include "show/csv.h"
#include "show/json.h"
#include "unit.h"

static uint32_t seed = 12345;

static unsigned next_random(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* The parser itself must be able to reject a text. */
TEST(checker_refuses)
{
	static const char *const bad[] = {
		"",         "{",         "{}x",      "[1,]",       "{\"a\"}",     "{\"a\":}",
		"\"\n\"",   "\"\\x\"",   "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\xff\"",
		"\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "01", "1.", "-", "nul",
		"[1 2]",    "{\"a\":1,}", "\"a",
	};
	static const char *const good[] = {
		"{}", "[]", "[1,-2.50,null,true,false,\"x\"]", "{\"a\":{\"b\":[{}]}}",
		"\"\\ud83d\\ude00\xf0\x9f\x98\x80\"", " 0 ",
	};
	struct json_check j;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (json_check(&j, bad[i], strlen(bad[i])))
			fail_msg("accepted: %s", bad[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!json_check(&j, good[i], strlen(good[i])))
			fail_msg("refused: %s", good[i]);
}

static void one_string(const char *s, size_t len, const char *want)
{
	struct buf t = { 0 };

	json_string(&t, NULL, s, len);
	assert_string_equal(t.s, want);
	buf_deinit(&t);
}

TEST(strings)
{
	one_string("", 0, "\"\"");
	one_string("plain", 5, "\"plain\"");
	one_string("a\"b\\c/", 6, "\"a\\\"b\\\\c/\"");
	one_string("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
	one_string("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
	one_string("\xc3\xa9\xf0\x9f\x98\x80", 6, "\"\xc3\xa9\xf0\x9f\x98\x80\"");
	/* Each invalid byte is replaced alone, and the valid bytes around it stay. */
	one_string("a\xff" "b", 3, "\"a\xef\xbf\xbd" "b\"");
	one_string("\xc3", 1, "\"\xef\xbf\xbd\"");
	one_string("\xe2\x82z", 3, "\"\xef\xbf\xbd\xef\xbf\xbdz\"");
	one_string("\xc0\x80", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	one_string("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

/* Bytes that often are a part of UTF-8, so that all kinds of damage occur. */
static size_t random_string(char *s, size_t max)
{
	static const char favourites[] = "\"\\\n\t,'{}[] \r\x7f\xc2\xc3\xe0\xe2\xed\xef\xf0\xf4\xf5"
					 "\x80\x8f\x90\x9f\xa0\xbf\xff" "abc01";
	size_t len = next_random((unsigned)max);

	for (size_t i = 0; i < len; i++)
		s[i] = next_random(4) ? favourites[next_random(sizeof(favourites))] :
					(char)next_random(256);
	return len;
}

TEST(any_string)
{
	struct buf t = { 0 };
	struct json_check j;
	char s[48];
	int kept = 0;

	for (int i = 0; i < 50000; i++) {
		size_t len = random_string(s, i % 2 ? sizeof(s) : 5);

		t.len = 0;
		json_string(&t, NULL, s, len);
		assert_true(json_check(&j, t.s, t.len));
		assert_null(memchr(t.s, '\n', t.len));
		if (!json_is_utf8(s, len))
			continue;
		assert_int_equal(j.len, len);
		assert_memory_equal(j.last, s, len);
		kept++;
	}
	assert_true(kept > 1000);
	buf_deinit(&t);
}

TEST(objects)
{
	static const char want[] = "{\"a\":[],\"b\":[{},{}],\"c\":-9223372036854775808,"
				   "\"d\":18446744073709551615,\"e\":null,\"f\":\"[\",\"g\":"
				   "[1,null],\"h\":1.000000002}";
	struct buf t = { 0 };
	struct json_check j;

	json_open(&t, NULL, '{');
	json_open(&t, "a", '[');
	json_close(&t, ']');
	json_open(&t, "b", '[');
	json_open(&t, NULL, '{');
	json_close(&t, '}');
	json_open(&t, NULL, '{');
	json_close(&t, '}');
	json_close(&t, ']');
	json_signed(&t, "c", INT64_MIN);
	json_unsigned(&t, "d", UINT64_MAX);
	json_text(&t, "e", NULL);
	json_text(&t, "f", "[");
	json_open(&t, "g", '[');
	json_signed(&t, NULL, 1);
	json_null(&t, NULL);
	json_close(&t, ']');
	json_seconds(&t, "h", 1000000002);
	json_close(&t, '}');
	assert_string_equal(t.s, want);
	assert_true(json_check(&j, t.s, t.len));
	buf_deinit(&t);
}

/* Decodes the field at @p as RFC 4180 describes it into @s; returns the comma behind it or the end
 * of the line. */
static const char *read_field(const char *p, char *s, size_t *len)
{
	*len = 0;
	if (*p != '"') {
		while (*p != ',' && *p != '\n')
			s[(*len)++] = *p++;
		return p;
	}
	for (p++;; p++) {
		if (*p == '"' && *++p != '"')
			return p;
		s[(*len)++] = *p;
	}
}

TEST(rows)
{
	struct buf t = { 0 };

	csv_string(&t, "a b", 3);
	csv_signed(&t, -5);
	csv_nothing(&t);
	csv_string(&t, "", 0);
	csv_string(&t, "x,\"y\"\n", 6);
	csv_string(&t, " x", 2);
	csv_unsigned(&t, UINT64_MAX);
	csv_end(&t);
	assert_string_equal(t.s, "a b,-5,,\"\",\"x,\"\"y\"\"\n\",\" x\",18446744073709551615\n");
	t.len = 0;
	csv_nothing(&t);
	csv_nothing(&t);
	csv_end(&t);
	assert_string_equal(t.s, ",\n");
	buf_deinit(&t);
}

TEST(any_row)
{
	struct buf t = { 0 };

	for (int i = 0; i < 20000; i++) {
		char s[3][32], got[128];
		size_t len[3], n;
		const char *p;

		t.len = 0;
		for (int f = 0; f < 3; f++) {
			len[f] = random_string(s[f], sizeof(s[f]));
			csv_string(&t, s[f], len[f]);
		}
		csv_end(&t);
		p = t.s;
		for (int f = 0; f < 3; f++) {
			p = read_field(p, got, &n);
			assert_int_equal(n, len[f]);
			assert_memory_equal(got, s[f], n);
			assert_int_equal(*p, f < 2 ? ',' : '\n');
			p++;
		}
		assert_ptr_equal(p, t.s + t.len);
	}
	buf_deinit(&t);
}
