/* SPDX-License-Identifier: GPL-2.0 */
#include "base/cache/file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cache/cache.h"
#include "shared/buf.h"
#include "shared/file.h"

static void put_head(struct buf *ret, const struct cache_file *at, size_t size)
{
	enum { WORD = 8 };

	buf_printf(ret, "%s %zu", at->head, size);
	while (ret->len % WORD != WORD - 1)
		buf_putc(ret, ' ');
	buf_putc(ret, '\n');
}

/* Whether the mapped file has the head, and the size that it states. */
static bool fits(const struct cache_file *at, struct cache_mapping *f)
{
	const char *nl = memchr(f->map, '\n', f->map_size);
	struct buf head;

	if (!nl)
		return false;
	f->data = nl + 1;
	f->size = f->map_size - (size_t)(f->data - (const char *)f->map);
	buf_init(&head);
	put_head(&head, at, f->size);

	bool is = head.len == f->map_size - f->size && memcmp(head.s, f->map, head.len) == 0;

	buf_deinit(&head);
	return is;
}

bool cache_file_open(struct arena *a, const struct cache_file *at, struct cache_mapping *ret)
{
	struct stat st;

	*ret = (struct cache_mapping){0};

	int fd = at->dir ? open(arena_printf(a, "%s/%s", at->dir, at->name),
				O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;

	if (fd < 0)
		return false;

	/* Another user could change it while it is mapped. */
	void *map = fstat(fd, &st) == 0 && cache_is_own(&st) && st.st_size > 0 ?
		    mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;

	close(fd);
	if (map == MAP_FAILED)
		return false;
	ret->map = map;
	ret->map_size = (size_t)st.st_size;
	if (fits(at, ret))
		return true;
	cache_file_close(ret);
	return false;
}

void cache_file_write(struct arena *a, const struct cache_file *at, const void *data, size_t size)
{
	struct buf file;

	if (!at->dir)
		return;
	buf_init(&file);
	put_head(&file, at, size);
	buf_write(&file, data, size);
	/* The cache directory exists; a file that can't be written is merely not cached. */
	mkdir(at->dir, 0755);
	file_write(arena_printf(a, "%s/%s", at->dir, at->name), file.s, file.len);
	buf_deinit(&file);
}

void cache_file_close(struct cache_mapping *f)
{
	if (f->map)
		munmap(f->map, f->map_size);
	*f = (struct cache_mapping){0};
}
