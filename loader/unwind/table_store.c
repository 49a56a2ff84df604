/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/table_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/buf.h"
#include "shared/file.h"

enum {
	SIZE_LEAST = 8 << 10,   /* bytes of a table: smaller ones take less than 1 ms */
	SIZE_MOST = 256 << 20,
	TABLES_MOST = 1024,
	SETTLED = 2,            /* seconds */
	PATH_ROOM = 256,
};

static long long ns_of(const struct timespec *t)
{
	return t->tv_sec * 1000000000ll + t->tv_nsec;
}

/* false: there is no name. */
static bool name_table(const char *dir, const struct stat *st, char path[PATH_ROOM])
{
	struct stat self;

	if (stat("/proc/self/exe", &self) != 0)
		return false;
	return snprintf(path, PATH_ROOM, "%s/%llx-%llx-%llx-%llx-%llx-%llx", dir,
			(long long)st->st_dev, (long long)st->st_ino, (long long)st->st_size,
			ns_of(&st->st_ctim), (long long)self.st_ino,
			ns_of(&self.st_ctim)) < PATH_ROOM;
}

/* Whether nobody else can have written it. */
static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & 077);
}

static bool is_whole(const struct buf *text)
{
	struct prt_unwind_table head;

	if (text->len < sizeof(head))
		return false;
	memcpy(&head, text->s, sizeof(head));
	return head.magic == PRT_UNWIND_MAGIC && head.size == text->len;
}

struct prt_unwind_table *table_store_read(const char *dir, const struct stat *st)
{
	char path[PATH_ROOM];
	struct buf text = { 0 };
	struct stat of_dir, of_table;

	if (!name_table(dir, st, path) || lstat(dir, &of_dir) != 0 || !is_ours(&of_dir) ||
	    lstat(path, &of_table) != 0 || !is_ours(&of_table))
		return NULL;
	if (file_read_limited(path, SIZE_MOST, &text) == 0 && is_whole(&text))
		return (struct prt_unwind_table *)text.s;
	buf_deinit(&text);
	return NULL;
}

static void empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *it;
	unsigned n = 0;

	while (d && (it = readdir(d)))
		n++;
	if (n >= TABLES_MOST) {
		rewinddir(d);
		while ((it = readdir(d)))
			unlinkat(dirfd(d), it->d_name, 0);
	}
	if (d)
		closedir(d);
}

void table_store_write(const char *dir, const struct stat *st, const struct prt_unwind_table *t)
{
	const struct iovec all = { (void *)(uintptr_t)t, t->size };
	char path[PATH_ROOM];
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (t->size < SIZE_LEAST || now.tv_sec - st->st_ctim.tv_sec < SETTLED ||
	    !name_table(dir, st, path))
		return;
	mkdir(dir, 0700);
	empty(dir);
	file_replace(path, 0600, &all, 1);
}
