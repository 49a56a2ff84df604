/* SPDX-License-Identifier: GPL-2.0 */
#include "machine/symbol_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/search.h"

enum { HEAD = 128 };

/* Writes the first line of the file, which names the boot. Returns 0 if the boot has no name. */
static bool make_head(char head[HEAD], size_t size)
{
	char boot[64];

	if (file_read_line("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) != 0 || !*boot)
		return false;
	snprintf(head, HEAD, "probec-kallsyms 2 %s %zu\n", boot, size);
	return true;
}

/* ---- reading ---- */

static bool fits(struct symbol_file *k)
{
	const char *nl = memchr(k->map, '\n', k->map_size);
	char head[HEAD];

	if (!nl)
		return false;
	k->text = nl + 1;
	k->size = k->map_size - (size_t)(k->text - (const char *)k->map);
	return make_head(head, k->size) && strlen(head) == k->map_size - k->size &&
	       memcmp(head, k->map, strlen(head)) == 0;
}

/* Probes are armed at the addresses in this file, so no other user may be able to write it. */
static bool is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & 077) &&
	       st->st_size > 0;
}

bool symbol_file_open(const char *path, struct symbol_file *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	void *map = MAP_FAILED;
	struct stat st;

	*ret = (struct symbol_file){ 0 };
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && is_ours(&st))
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	ret->map = map;
	ret->map_size = (size_t)st.st_size;
	if (fits(ret))
		return true;
	symbol_file_close(ret);
	return false;
}

void symbol_file_close(struct symbol_file *k)
{
	if (k->map)
		munmap(k->map, k->map_size);
	*k = (struct symbol_file){ 0 };
}

/* ---- searching by name ---- */

/* Returns where the name begins in "ADDRESS TYPE NAME"; the end of the line if there is none. */
static const char *name_in(const char *line, const char *end)
{
	const char *blank = memchr(line, ' ', (size_t)(end - line));

	return blank && end - blank > 3 ? blank + 3 : end;
}

static int compare(const char *line, const char *end, const char *name, size_t len)
{
	const char *own = name_in(line, end);
	size_t own_len = (size_t)(end - own);
	int cmp = memcmp(own, name, own_len < len ? own_len : len);

	return cmp ? cmp : (own_len > len) - (own_len < len);
}

/* Returns the end of the line at @p. */
static const char *line_end(const struct symbol_file *k, const char *p)
{
	const char *end = k->text + k->size, *nl = memchr(p, '\n', (size_t)(end - p));

	return nl ? nl : end;
}

void symbol_file_each(const struct symbol_file *k, const char *name,
	       void (*see)(void *data, const char *line, const char *end), void *data)
{
	size_t len = strlen(name);
	const char *line = search_line(k->text, k->size, name, len, compare), *end;

	for (; line < k->text + k->size; line = end + 1) {
		end = line_end(k, line);
		if (compare(line, end, name, len) != 0)
			return;
		see(data, line, end);
	}
}

/* ---- writing ---- */

static const char *name_of(const char *line)
{
	return name_in(line, line + strlen(line));
}

void symbol_file_write(const char *path, struct buf *lines)
{
	char head[HEAD];

	buf_sort(lines, name_of);
	if (!make_head(head, lines->len))
		return;

	struct iovec parts[] = { { head, strlen(head) }, { lines->s, lines->len } };

	file_replace(path, 0600, parts, 2);
}
