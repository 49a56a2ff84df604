/* SPDX-License-Identifier: GPL-2.0 */
/* Reading sources and finding lines in them. */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"

static void index_lines(struct arena *a, struct source *src)
{
	uint32_t n = 1;

	for (size_t i = 0; i < src->len; i++)
		n += src->text[i] == '\n';
	src->line_start = arena_alloc(a, n * sizeof(uint32_t));
	src->nlines = 1;
	for (size_t i = 0; i < src->len; i++)
		if (src->text[i] == '\n')
			src->line_start[src->nlines++] = (uint32_t)i + 1;
}

struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len)
{
	struct source *src = NEW(a, struct source);

	src->name = arena_strdup(a, name);
	src->text = arena_strndup(a, text, len);
	src->len = len;
	index_lines(a, src);
	return src;
}

struct source *source_from_fd(struct arena *a, const char *name, int fd)
{
	struct source *src = NULL;
	char chunk[16384];
	struct buf b;
	ssize_t n;

	buf_init(&b);
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto out;
		/* Offsets are 32 bits wide; no script comes near. */
		if (b.len + (size_t)n > INT32_MAX) {
			errno = EFBIG;
			goto out;
		}
		buf_write(&b, chunk, (size_t)n);
	}
	src = source_from_text(a, name, b.s ? b.s : "", b.len);
out:
	buf_deinit(&b);
	return src;
}

struct source *source_from_file(struct arena *a, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), saved;
	struct source *src;

	if (fd < 0)
		return NULL;
	src = source_from_fd(a, path, fd);
	saved = errno;
	close(fd);
	errno = saved;
	return src;
}

struct linecol source_linecol(const struct source *src, uint32_t off)
{
	uint32_t lo = 0, hi = src->nlines;

	if (off > src->len)
		off = (uint32_t)src->len;
	while (hi - lo > 1) {
		uint32_t mid = (lo + hi) / 2;

		if (src->line_start[mid] <= off)
			lo = mid;
		else
			hi = mid;
	}
	return (struct linecol){ lo + 1, off - src->line_start[lo] + 1 };
}

const char *source_line(const struct source *src, uint32_t line, size_t *len)
{
	const char *start, *end;

	if (line < 1 || line > src->nlines) {
		*len = 0;
		return "";
	}
	start = src->text + src->line_start[line - 1];
	end = memchr(start, '\n', src->len - src->line_start[line - 1]);
	*len = end ? (size_t)(end - start) : src->len - src->line_start[line - 1];
	return start;
}

struct range range_join(struct range a, struct range b)
{
	if (!a.src)
		return b;
	if (a.src != b.src || a.via != b.via)
		return a;
	if (b.start < a.start)
		a.start = b.start;
	if (b.end > a.end)
		a.end = b.end;
	return a;
}
