/* SPDX-License-Identifier: GPL-2.0 */
/* Reads sources and finds lines in them. */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "shared/search.h"

/* No script is as large; a device never ends. */
enum { SOURCE_MAX = 16 << 20 };

/* Lines are computed on first use, because a run reads a hundred tapsets and reports lines of
 * few. */
struct source_lines {
	struct arena *arena;
	uint32_t *start; /* byte offset of each line; NULL until one is needed */
	uint32_t n;
};

static void find_lines(const struct source *src, struct source_lines *lines)
{
	const char *end = src->text + src->len, *p;
	uint32_t n = 1;

	for (p = src->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	lines->start = arena_alloc(lines->arena, n * sizeof(uint32_t));
	lines->n = 1;
	for (p = src->text; (p = memchr(p, '\n', (size_t)(end - p)));)
		lines->start[lines->n++] = (uint32_t)(++p - src->text);
}

static const struct source_lines *lines_of(const struct source *src)
{
	if (!src->lines->start)
		find_lines(src, src->lines);
	return src->lines;
}

/* Makes a source of a text that is in the arena already. */
static struct source *source_of(struct arena *a, const char *name, const char *text, size_t len)
{
	struct source *src = NEW(a, struct source);

	src->name = arena_strdup(a, name);
	src->text = text;
	src->len = len;
	src->lines = NEW(a, struct source_lines);
	src->lines->arena = a;
	return src;
}

struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len)
{
	return source_of(a, name, arena_strndup(a, text, len), len);
}

/* The bytes of a file, the NUL, and one more to notice the end of the file. */
static size_t room_for(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SOURCE_MAX ?
		       (size_t)st.st_size + 2 : 16384;
}

struct source *source_from_fd(struct arena *a, const char *name, int fd)
{
	size_t room = room_for(fd), len = 0;
	char *text = arena_alloc(a, room);
	ssize_t n;

	while ((n = read(fd, text + len, room - 1 - len)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		len += (size_t)n;
		if (len > SOURCE_MAX) {
			errno = EFBIG;
			return NULL;
		}
		if (len == room - 1) {
			char *more = arena_alloc(a, room *= 2);

			text = memcpy(more, text, len);
		}
	}
	return source_of(a, name, text, len);
}

struct source *source_from_file(struct arena *a, const char *path)
{
	/* Opening a FIFO would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), saved;
	struct source *src = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		src = source_from_fd(a, path, fd);
	else
		errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
	saved = errno;
	close(fd);
	errno = saved;
	return src;
}

const char *source_why(int err)
{
	return err == EFBIG ? "it is larger than 16 MB" :
	       err == ETIMEDOUT ? "it is a FIFO that no process writes to" :
	       err == ENOTSUP ? "it is not a regular file" : strerror(err);
}

struct linecol source_linecol(const struct source *src, uint32_t off)
{
	const struct source_lines *lines = lines_of(src);
	size_t line;

	if (off > src->len)
		off = (uint32_t)src->len;
	search_first(line, lines->n, lines->start[line] <= off);
	return (struct linecol){ (uint32_t)line, off - lines->start[line - 1] + 1 };
}

bool source_offset(const struct source *src, struct linecol at, uint32_t *ret)
{
	const struct source_lines *lines = lines_of(src);

	if (at.line < 1 || at.line > lines->n || at.col < 1)
		return false;
	*ret = lines->start[at.line - 1] + at.col - 1;
	return true;
}

uint32_t source_line_count(const struct source *src)
{
	return lines_of(src)->n;
}

const char *source_line(const struct source *src, uint32_t line, size_t *len)
{
	const struct source_lines *lines = lines_of(src);
	const char *start, *end;

	if (line < 1 || line > lines->n) {
		*len = 0;
		return "";
	}
	start = src->text + lines->start[line - 1];
	end = src->text + (line < lines->n ? lines->start[line] - 1 : src->len);
	*len = (size_t)(end - start);
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
