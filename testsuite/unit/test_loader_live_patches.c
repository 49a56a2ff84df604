/* SPDX-License-Identifier: GPL-2.0 */
/* Sites beside live patches, whose folders are made by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/say.h"
#include "machine/live_patches.h"
#include "module/meta.h"
#include "unit.h"

static char said[256];

static bool keep(void *arg, const struct say_message *m)
{
	(void)arg;
	snprintf(said, sizeof(said), "%s: %s", m->id, m->text);
	return true;
}

/* Makes PATCH/OBJECT/FUNCTION,NUMBER, a patch that is enabled or not, and returns what is said of
 * the sites there; what was made is removed. */
static const char *warning(const char *enabled, const char *object, const char *function,
			   const struct meta *m, const uint64_t *addresses)
{
	char root[] = "/tmp/test_loader_live_patches.XXXXXX", *paths[4];
	FILE *f;

	assert_non_null(mkdtemp(root));
	assert_true(asprintf(&paths[0], "%s/fix", root) > 0 &&
		    asprintf(&paths[1], "%s/%s", paths[0], object) > 0 &&
		    asprintf(&paths[2], "%s/%s", paths[1], function) > 0 &&
		    asprintf(&paths[3], "%s/enabled", paths[0]) > 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(mkdir(paths[i], 0700), 0);
	f = fopen(paths[3], "w");
	assert_non_null(f);
	fprintf(f, "%s\n", enabled);
	fclose(f);
	said[0] = '\0';
	say_sink(keep, NULL);
	live_patches_warn(root, m, addresses);
	say_sink(NULL, NULL);
	unlink(paths[3]);
	for (int i = 2; i >= 0; i--)
		rmdir(paths[i]);
	rmdir(root);
	for (int i = 0; i < 4; i++)
		free(paths[i]);
	return said;
}

static struct meta_site sites[] = {
	{ .object = "kernel", .symbol = "f", .pp = "the entry" },
	{ .object = "kernel", .symbol = "f", .offset = 16, .pp = "the first place" },
	{ .object = "kernel", .symbol = "f", .offset = 32, .pp = "the second place" },
	{ .object = "kernel", .symbol = "f", .offset = 32, .namesake = 1, .pp = "of a namesake" },
	{ .object = "kernel", .symbol = "variable", .offset = 8, .is_data = true, .pp = "data" },
	{ .object = "ext4", .symbol = "f", .offset = 8, .pp = "in a module" },
};
static const struct meta m = { .nsites = sizeof(sites) / sizeof(sites[0]), .sites = sites };
static const uint64_t all[] = { 1, 2, 3, 4, 5, 6 };

TEST(places_within_are_counted)
{
	assert_string_equal(warning("1", "vmlinux", "f,1", &m, all),
			    "E_LIVE_PATCHED: the live patch 'fix' replaces 'f', so that 2 probed "
			    "places within it are not reached: the first place");
}

TEST(namesakes_and_modules)
{
	assert_string_equal(warning("1", "vmlinux", "f,2", &m, all),
			    "E_LIVE_PATCHED: the live patch 'fix' replaces 'f', so that 1 probed "
			    "place within it is not reached: of a namesake");
	assert_string_equal(warning("1", "ext4", "f,1", &m, all),
			    "E_LIVE_PATCHED: the live patch 'fix' replaces 'f', so that 1 probed "
			    "place within it is not reached: in a module");
}

TEST(what_is_reached_or_not_armed)
{
	static const uint64_t entry_alone[] = { 1, 0, 0, 0, 0, 0 };

	assert_string_equal(warning("1", "vmlinux", "f,1", &m, entry_alone), "");
	assert_string_equal(warning("0", "vmlinux", "f,1", &m, all), "");
	assert_string_equal(warning("1", "vmlinux", "g,1", &m, all), "");
	assert_string_equal(warning("1", "xfs", "f,1", &m, all), "");
	assert_string_equal(warning("1", "vmlinux", "variable,1", &m, all), "");
	live_patches_warn("/nonexistent", &m, all);
}
