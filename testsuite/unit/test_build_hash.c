/* SPDX-License-Identifier: GPL-2.0 */
/* SHA-256 of the examples of FIPS 180-4 and of a million a's. */
#include "base/sha256.h"
#include "unit.h"

static void check(const char *data, size_t n, size_t piece, const char *want)
{
	struct sha256 c;
	char got[65];

	sha256_init(&c);
	for (size_t i = 0; i < n; i += piece)
		sha256_add(&c, data + i, n - i < piece ? n - i : piece);
	sha256_hex(&c, got);
	assert_string_equal(got, want);
}

TEST(examples)
{
	const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

	check("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 3, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check(two, 56, 5, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(million)
{
	char *a = malloc(1000000);

	assert_non_null(a);
	memset(a, 'a', 1000000);
	check(a, 1000000, 777, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(a);
}

TEST(texts_do_not_run_together)
{
	const char *const pairs[][2] = {
		{ "ab", "c" }, { "a", "bc" }, { NULL, "abc" }, { "", "abc" },
	};
	char hex[4][65];

	for (int i = 0; i < 4; i++) {
		struct sha256 c;

		sha256_init(&c);
		sha256_add_text(&c, pairs[i][0]);
		sha256_add_text(&c, pairs[i][1]);
		sha256_hex(&c, hex[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(hex[i], hex[j]);
	}
}
