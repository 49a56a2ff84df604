/* SPDX-License-Identifier: GPL-2.0 */
/* Output files of a limited size: the content of each, how many remain, and files that were
 * there. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"
#include "show/rotate.h"
#include "unit.h"

static int setup(void **state)
{
	char *dir = strdup("/tmp/probec.unit.XXXXXX");

	*state = mkdtemp(dir);
	return *state && chdir(dir) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	char name[16];

	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "o.%d", i);
		unlink(name);
	}
	unlink("else");
	if (chdir("/") != 0 || rmdir(*state) != 0)
		return -1;
	free(*state);
	return 0;
}

static void holds(const char *path, const char *text)
{
	struct buf t = { 0 };

	assert_int_equal(file_read(path, &t), 0);
	assert_string_equal(t.s, text);
	buf_deinit(&t);
}

static void put(struct rotate *r, const char *text)
{
	assert_int_equal(rotate_write(r, text, strlen(text)), 0);
}

TEST_WITH(lines, setup, teardown)
{
	struct rotate r;

	assert_int_equal(rotate_open(&r, "./o", 10, 0), 0);
	put(&r, "1234\n6789\n"); /* just fits */
	put(&r, "a\nb\nlonger than a file\nc\n");
	put(&r, "be");
	put(&r, "gun\n");
	put(&r, "and\ngoes");
	put(&r, " on and on\nend\n");
	assert_int_equal(rotate_close(&r), 0);
	holds("o.0", "1234\n6789\n");
	holds("o.1", "a\nb\n");
	holds("o.2", "longer than a file\n");
	holds("o.3", "c\nbegun\n");
	holds("o.4", "and\ngoes on and on\n");
	holds("o.5", "end\n");
	assert_int_equal(access("o.6", F_OK), -1);
}

/* A file never holds a heading alone, unless a line is longer than the remaining size. */
TEST_WITH(headings, setup, teardown)
{
	struct rotate r;

	assert_int_equal(rotate_open(&r, "o", 10, 0), 0);
	put(&r, "a,b\n");
	rotate_heading(&r, "a,b\n", 4);
	put(&r, "1,2\n3,4\n5,6\n7,\"eight\"\n");
	rotate_heading(&r, "", 0);
	put(&r, "c\n");
	rotate_heading(&r, "c\n", 2);
	put(&r, "9\n10\n11\n12\n");
	assert_int_equal(rotate_close(&r), 0);
	holds("o.0", "a,b\n1,2\n");
	holds("o.1", "a,b\n3,4\n");
	holds("o.2", "a,b\n5,6\n");
	holds("o.3", "a,b\n7,\"eight\"\n");
	holds("o.4", "c\n9\n10\n11\n");
	holds("o.5", "c\n12\n");
}

TEST_WITH(keeps, setup, teardown)
{
	struct rotate r;

	assert_int_equal(rotate_open(&r, "o", 4, 2), 0);
	for (int i = 0; i < 8; i++)
		put(&r, "abc\n");
	assert_int_equal(rotate_close(&r), 0);
	for (int i = 0; i < 8; i++) {
		char name[] = "o.0";

		name[2] += (char)i;
		assert_int_equal(access(name, F_OK), i < 6 ? -1 : 0);
	}
}

/* A file begins where it is asked for, but not within a line. */
TEST_WITH(next, setup, teardown)
{
	struct rotate r;

	assert_int_equal(rotate_open(&r, "o", 100, 3), 0);
	put(&r, "a\n");
	assert_int_equal(rotate_next(&r), 0);
	assert_int_equal(rotate_next(&r), 0);
	rotate_heading(&r, "h\n", 2);
	put(&r, "b\nbegun");
	assert_int_equal(rotate_next(&r), 0);
	put(&r, " and");
	assert_int_equal(rotate_next(&r), 0);
	put(&r, " ended\nc\n");
	put(&r, "d\n");
	assert_int_equal(rotate_close(&r), 0);
	assert_int_equal(access("o.0", F_OK), -1);
	holds("o.1", "");
	holds("o.2", "b\nbegun and ended\n");
	holds("o.3", "h\nc\nd\n");
	assert_int_equal(access("o.4", F_OK), -1);
}

/* A link with the name of an output file is not followed. */
TEST_WITH(links, setup, teardown)
{
	struct rotate r;
	struct stat st;

	fclose(fopen("else", "w"));
	assert_int_equal(symlink("else", "o.0"), 0);
	assert_int_equal(link("else", "o.1"), 0);
	assert_int_equal(rotate_open(&r, "o", 4, 0), 0);
	put(&r, "abc\nabc\n");
	assert_int_equal(rotate_close(&r), 0);
	assert_int_equal(lstat("o.0", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	holds("o.1", "abc\n");
	holds("else", "");
}

TEST_WITH(refused, setup, teardown)
{
	struct rotate r;

	assert_int_equal(rotate_open(&r, "no/such/o", 4, 0), -ENOENT);
	rotate_close(&r);
	assert_int_equal(mkdir("o.0", 0700), 0);
	assert_int_equal(rotate_open(&r, "o", 4, 0), -EISDIR);
	rotate_close(&r);
	rmdir("o.0");
}
