/* SPDX-License-Identifier: GPL-2.0 */
/* Sites of probes that override, beside a list of functions that may be overridden, made by
 * hand. */
#include <unistd.h>

#include "common/say.h"
#include "machine/override.h"
#include "module/meta.h"
#include "unit.h"

static const char list[] = "open_ctree [btrfs]\tERRNO\n"
			   "should_failslab\tERRNO\n"
			   "twice\tNULL\n"
			   "twice\tNULL\n"
			   "old_kernel+0x0/0x20\tERRNO\n"
			   "last\tTRUE";

static struct meta_probe probes[] = { { .kind = "entry", .overrides = 1 }, { .kind = "entry" } };

static struct meta_site site(const char *object, const char *symbol, int wildcard)
{
	return (struct meta_site){ .object = object, .symbol = symbol, .pp = "pp",
				   .wildcard = wildcard };
}

static int check(const char *path, struct meta_site *s, uint32_t namesakes, uint64_t *address)
{
	struct meta m = { .nprobes = 2, .probes = probes, .nsites = 1, .sites = s };

	return override_check(path, &m, address, &namesakes);
}

/* Returns 0 if the site is accepted, -1 if it is rejected, 1 if it is left out. */
static int with_list(struct meta_site s, uint32_t namesakes)
{
	char path[] = "/tmp/test_loader_override.XXXXXX";
	int fd = mkstemp(path), err;
	uint64_t address = 8;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, list, strlen(list)), strlen(list));
	close(fd);
	err = check(path, &s, namesakes, &address);
	unlink(path);
	return err ? err : address ? 0 : 1;
}

TEST(by_name)
{
	assert_int_equal(with_list(site("kernel", "should_failslab", 0), 1), 0);
	assert_int_equal(with_list(site("kernel", "old_kernel", 0), 1), 0);
	assert_int_equal(with_list(site("kernel", "last", 0), 1), 0);
	assert_int_equal(with_list(site("kernel", "should", 0), 1), -1);
	assert_int_equal(with_list(site("kernel", "should_failslab_not", 0), 1), -1);
	assert_int_equal(with_list(site("btrfs", "open_ctree", 0), 1), 0);
	assert_int_equal(with_list(site("kernel", "open_ctree", 0), 1), -1);
	assert_int_equal(with_list(site("btrfs", "should_failslab", 0), 1), -1);
}

TEST(namesakes)
{
	assert_int_equal(with_list(site("kernel", "twice", 0), 2), 0);
	assert_int_equal(with_list(site("kernel", "twice", 0), 3), -1);
	assert_int_equal(with_list(site("kernel", "last", 0), 2), -1);
}

TEST(wildcards)
{
	assert_int_equal(with_list(site("kernel", "should_failslab", 1), 1), 0);
	assert_int_equal(with_list(site("kernel", "nope", 1), 1), 1);
}

TEST(no_list)
{
	struct meta_site s = site("kernel", "should_failslab", 0);
	uint64_t address = 8;

	assert_int_equal(check("/nonexistent/list", &s, 1, &address), -1);
	/* A script that overrides nothing needs no list. */
	probes[0].overrides = 0;
	assert_int_equal(check("/nonexistent/list", &s, 1, &address), 0);
	probes[0].overrides = 1;
	assert_int_equal(address, 8);
}
