// SPDX-License-Identifier: GPL-2.0
/* Reading untrusted bytes, compared with numbers that were encoded here, whole and cut off. */
#include "shared/bytes.h"
#include "unit.h"

enum { LEB_MAX = 10 };

static size_t put_uleb(unsigned char *to, uint64_t v)
{
	size_t n = 0;

	do {
		to[n] = (unsigned char)(v & 0x7f);
		v >>= 7;
		if (v)
			to[n] |= 0x80;
		n++;
	} while (v);
	return n;
}

static size_t put_sleb(unsigned char *to, int64_t v)
{
	size_t n = 0;
	bool more;

	do {
		unsigned char byte = (unsigned char)(v & 0x7f);

		v >>= 7;
		more = !((v == 0 && !(byte & 0x40)) || (v == -1 && byte & 0x40));
		to[n++] = more ? byte | 0x80 : byte;
	} while (more);
	return n;
}

static const uint64_t edges[] = {
	0, 1, 63, 64, 127, 128, 8191, 8192, 16383, 16384, INT32_MAX, UINT32_MAX,
	INT64_MAX / 2, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX - 64, UINT64_MAX - 63, UINT64_MAX,
};

TEST(leb_numbers)
{
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		unsigned char bytes[LEB_MAX + 1];
		size_t n = put_uleb(bytes, edges[i]);
		struct bytes c = { .p = bytes, .end = bytes + n };

		assert_int_equal(bytes_uleb(&c), edges[i]);
		assert_ptr_equal(c.p, bytes + n);
		assert_false(c.bad);
		c = (struct bytes){ .p = bytes, .end = bytes + n - 1 };
		assert_int_equal(bytes_uleb(&c), 0);
		assert_true(c.bad);

		n = put_sleb(bytes, (int64_t)edges[i]);
		c = (struct bytes){ .p = bytes, .end = bytes + n };
		assert_true(bytes_sleb(&c) == (int64_t)edges[i]);
		assert_ptr_equal(c.p, bytes + n);
		assert_false(c.bad);
		c = (struct bytes){ .p = bytes, .end = bytes + n - 1 };
		assert_true(bytes_sleb(&c) == 0);
		assert_true(c.bad);
	}
}

/* A number may be padded; one of more than ten bytes is refused. */
TEST(leb_lengths)
{
	const unsigned char padded[] = { 0x85, 0x80, 0x80, 0x00 };
	const unsigned char negative[] = { 0xff, 0xff, 0xff, 0x7f };
	unsigned char endless[LEB_MAX + 2];
	struct bytes c = { .p = padded, .end = padded + sizeof(padded) };

	assert_int_equal(bytes_uleb(&c), 5);
	c = (struct bytes){ .p = negative, .end = negative + sizeof(negative) };
	assert_true(bytes_sleb(&c) == -1);
	memset(endless, 0x80, sizeof(endless));
	c = (struct bytes){ .p = endless, .end = endless + sizeof(endless) };
	assert_int_equal(bytes_uleb(&c), 0);
	assert_true(c.bad);
	assert_int_equal(bytes_left(&c), 0);
}

TEST(fixed_numbers)
{
	const unsigned char some[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	struct bytes c = { .p = some, .end = some + sizeof(some) };

	assert_int_equal(bytes_fixed(&c, 1), 1);
	assert_int_equal(bytes_fixed(&c, 2), 0x0302);
	assert_int_equal(bytes_fixed(&c, 4), 0x07060504);
	assert_int_equal(bytes_left(&c), 2);
	assert_false(c.bad);
	assert_int_equal(bytes_fixed(&c, 4), 0);
	assert_true(c.bad);
	assert_int_equal(bytes_left(&c), 0);
	assert_int_equal(bytes_fixed(&c, 1), 0);
}

TEST(skipping)
{
	const unsigned char some[4] = { 0 };
	struct bytes c = { .p = some, .end = some + sizeof(some) };

	bytes_skip(&c, sizeof(some));
	assert_false(c.bad);
	bytes_skip(&c, 0);
	assert_false(c.bad);
	c = (struct bytes){ .p = some, .end = some + sizeof(some) };
	bytes_skip(&c, UINT64_MAX);
	assert_true(c.bad);
	assert_ptr_equal(c.p, c.end);
}

TEST(strings)
{
	static const char some[] = { 'a', 'b', '\0', '\0', 'c' };
	const unsigned char *start = (const unsigned char *)some;
	struct bytes c = { .p = start, .end = start + sizeof(some) };

	assert_string_equal(bytes_string(&c), "ab");
	assert_string_equal(bytes_string(&c), "");
	assert_false(c.bad);
	assert_null(bytes_string(&c));
	assert_true(c.bad);
	assert_null(bytes_string(&c));
}
