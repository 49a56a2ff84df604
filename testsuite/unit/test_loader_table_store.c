/* SPDX-License-Identifier: GPL-2.0 */
/* Unwind tables that sessions keep for each other: loader/unwind/table_store.h. */
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "unwind/table_store.h"

enum { SIZE = 10 << 10 };

static char dir[64];

static struct stat some_file(void)
{
	return (struct stat){ .st_dev = 1, .st_ino = 2, .st_size = 3, .st_ctim = { 1000, 5 } };
}

static struct prt_unwind_table *some_table(uint64_t size)
{
	struct prt_unwind_table *t = calloc(1, size);

	t->magic = PRT_UNWIND_MAGIC;
	t->size = size;
	memset(t + 1, 7, size - sizeof(*t));
	return t;
}

static unsigned count_tables(void)
{
	DIR *d = opendir(dir);
	unsigned n = 0;
	struct dirent *it;

	while (d && (it = readdir(d)))
		n += it->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_loader_store.XXXXXX");
	return mkdtemp(dir) && rmdir(dir) == 0 ? 0 : -1;
}

static int remove_dir(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

TEST_WITH(finds_by_file, make_dir, remove_dir)
{
	struct stat st = some_file(), other;
	struct prt_unwind_table *t = some_table(SIZE), *found;

	assert_null(table_store_read(dir, &st));
	table_store_write(dir, &st, t);
	found = table_store_read(dir, &st);
	assert_non_null(found);
	assert_memory_equal(found, t, SIZE);
	free(found);
	other = st;
	other.st_ctim.tv_nsec++;
	assert_null(table_store_read(dir, &other));
	other = st;
	other.st_ino++;
	assert_null(table_store_read(dir, &other));
	free(t);
}

TEST_WITH(keeps_what_is_worth_it, make_dir, remove_dir)
{
	struct stat young = some_file(), st = some_file();
	struct prt_unwind_table *small = some_table(1000), *t = some_table(SIZE);

	clock_gettime(CLOCK_REALTIME, &young.st_ctim);
	table_store_write(dir, &young, t);
	table_store_write(dir, &st, small);
	assert_int_equal(count_tables(), 0);
	free(small);
	free(t);
}

TEST_WITH(reads_nothing_of_others, make_dir, remove_dir)
{
	struct stat st = some_file();
	struct prt_unwind_table *t = some_table(SIZE), *found;

	table_store_write(dir, &st, t);
	chmod(dir, 0777);
	assert_null(table_store_read(dir, &st));
	chmod(dir, 0700);
	found = table_store_read(dir, &st);
	assert_non_null(found);
	free(found);
	free(t);
}

TEST_WITH(reads_no_part, make_dir, remove_dir)
{
	struct stat st = some_file();
	struct prt_unwind_table *t = some_table(SIZE);
	char command[128];

	table_store_write(dir, &st, t);
	snprintf(command, sizeof(command), "truncate -s 9000 %s/*", dir);
	assert_int_equal(system(command), 0);
	assert_null(table_store_read(dir, &st));
	free(t);
}

TEST_WITH(is_bounded, make_dir, remove_dir)
{
	struct prt_unwind_table *t = some_table(SIZE);
	struct stat st = some_file();
	unsigned most = 0;

	for (unsigned i = 0; i < 1100; i++) {
		unsigned n;

		st.st_ino = i;
		table_store_write(dir, &st, t);
		n = count_tables();
		most = n > most ? n : most;
	}
	assert_true(most >= 100 && most <= 1024);
	assert_true(count_tables() >= 1 && count_tables() <= 100);
	free(t);
}
