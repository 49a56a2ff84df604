/* SPDX-License-Identifier: GPL-2.0 */
/* Sites beside a blacklist made by hand: edges of ranges, wildcards, no list. */
#include <unistd.h>

#include "common/say.h"
#include "machine/blacklist.h"
#include "module/meta.h"
#include "unit.h"

/* The list is not sorted; the last range but one lies within the one before it, and the last range
 * is as a user without rights sees it. */
static const char list[] = "0xffffffff81000200-0xffffffff81000210\tsecond\n"
			   "0xffffffff81000100-0xffffffff81000140\tfirst\n"
			   "0xffffffff81000300-0xffffffff81000400\touter\n"
			   "0xffffffff81000310-0xffffffff81000320\tinner\n"
			   "0x0000000000000000-0x0000000000000000\thidden\n";

static int apply(const char *text, const struct meta *m, uint64_t *addresses)
{
	char path[] = "/tmp/test_loader_blacklist.XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = blacklist_apply(path, m, addresses, 0);
	unlink(path);
	return err;
}

static struct meta_site site(const char *object, int wildcard)
{
	return (struct meta_site){ .object = object,
				   .symbol = "f",
				   .pp = "pp",
				   .wildcard = wildcard };
}

TEST(wildcards)
{
	static const struct {
		uint64_t address;
		int listed;
	} cases[] = {
		{ 0xffffffff810000ff, 0 }, { 0xffffffff81000100, 1 }, { 0xffffffff8100013f, 1 },
		{ 0xffffffff81000140, 0 }, { 0xffffffff81000204, 1 }, { 0xffffffff81000210, 0 },
		{ 0xffffffff81000300, 1 }, { 0xffffffff81000318, 1 }, { 0xffffffff81000330, 1 },
		{ 0xffffffff81000400, 0 }, { 0, 0 },
	};
	enum { N = sizeof(cases) / sizeof(cases[0]) };
	struct meta_site sites[N];
	struct meta m = { .nsites = N, .sites = sites };
	uint64_t addresses[N];

	for (size_t i = 0; i < N; i++) {
		sites[i] = site("kernel", 1);
		addresses[i] = cases[i].address;
	}
	assert_int_equal(apply(list, &m, addresses), 0);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(addresses[i], cases[i].listed ? 0 : cases[i].address);
}

TEST(named)
{
	struct meta_site sites[] = { site("kernel", 0), site("kernel", 0) };
	struct meta m = { .nsites = 2, .sites = sites };
	uint64_t addresses[] = { 0xffffffff81000000, 0xffffffff81000200 };

	assert_int_equal(apply(list, &m, addresses), -1);
	addresses[1] = 0xffffffff81000220;
	assert_int_equal(apply(list, &m, addresses), 0);
	assert_int_equal(addresses[1], 0xffffffff81000220);
}

/* The kernel itself rejects sites in modules when the module is loaded: the blacklist's addresses
 * are then others. */
TEST(modules)
{
	struct meta_site sites[] = { site("ext4", 0) };
	struct meta m = { .nsites = 1, .sites = sites };
	uint64_t addresses[] = { 0xffffffff81000200 };

	assert_int_equal(apply(list, &m, addresses), 0);
	assert_int_equal(addresses[0], 0xffffffff81000200);
}

TEST(no_list)
{
	struct meta_site sites[] = { site("kernel", 0) };
	struct meta m = { .nsites = 1, .sites = sites };
	uint64_t addresses[] = { 0xffffffff81000200 };

	assert_int_equal(blacklist_apply("/nonexistent/list", &m, addresses, 0), 0);
	assert_int_equal(apply("", &m, addresses), 0);
	assert_int_equal(apply("\n0x\nnonsense\n0x10-\n0xffffffff81000200 0xffffffff81000210\n", &m,
			       addresses), 0);
	assert_int_equal(addresses[0], 0xffffffff81000200);
}
