/* SPDX-License-Identifier: GPL-2.0 */
#include "saved/saved_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "shared/buf.h"
#include "shared/file.h"

/* A line has one record of a ring at most, and a record is less than a ring of the default size. */
enum { LINE_MAX_BYTES = 16 << 20, FIRST_LINE_BYTES = 64 << 10 };

/* Most bytes of a line that a message shows, and the largest line number that it shows as one. */
enum { SHOWN_BYTES = 1 << 20, SHOWN_NUMBER = 8 << 20 };

static const struct range nowhere;

static FILE *open_input(const char *path)
{
	int fd = file_open_input(path);
	FILE *f;

	if (fd < 0)
		return NULL;
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

bool saved_lines_open(struct arena *a, struct diag *d, const char *path, enum diag_id bad,
		struct line_reader *ret)
{
	struct stat st;

	*ret = (struct line_reader){ .a = a, .d = d, .path = path, .bad = bad };
	ret->f = strcmp(path, "-") == 0 ? stdin : open_input(path);
	if (!ret->f) {
		diag_error(d, nowhere, E_IO, "can't open '%s': %s", path, source_why(errno));
		return false;
	}
	if (fstat(fileno(ret->f), &st) == 0 && S_ISDIR(st.st_mode)) {
		diag_error(d, nowhere, E_IO, "'%s' is a directory", path);
		return false;
	}
	return true;
}

static bool make_room(struct line_reader *l)
{
	size_t room = l->room ? l->room * 2 : FIRST_LINE_BYTES;
	char *text = realloc(l->text, room);

	if (!text) {
		diag_error(l->d, nowhere, E_IO, "no memory for '%s'", l->path);
		return false;
	}
	l->text = text;
	l->room = room;
	return true;
}

int saved_lines_next(struct line_reader *l)
{
	int c;

	l->len = 0;
	l->number++;
	while ((c = getc_unlocked(l->f)) != EOF && c != '\n') {
		if (l->len + 1 >= LINE_MAX_BYTES) {
			diag_error(l->d, nowhere, l->bad,
				   "%s:%u: a line of more than %d bytes", l->path, l->number,
				   LINE_MAX_BYTES);
			return -1;
		}
		if (l->len + 1 >= l->room && !make_room(l))
			return -1;
		l->text[l->len++] = (char)c;
	}
	if (ferror(l->f)) {
		diag_error(l->d, nowhere, E_IO, "can't read '%s': %s", l->path, strerror(errno));
		return -1;
	}
	if (!l->room && !make_room(l))
		return -1;
	l->text[l->len] = '\0';
	return c != EOF || l->len > 0;
}

/* Puts empty lines in front of this one, so that a message has the right line number. */
struct range saved_lines_range(const struct line_reader *l, size_t from, size_t to)
{
	uint32_t above = l->number > SHOWN_NUMBER ? 0 : l->number - 1;
	size_t len = l->len < SHOWN_BYTES ? l->len : SHOWN_BYTES;
	const char *name = strcmp(l->path, "-") == 0 ? "<stdin>" : l->path;
	struct source *src;
	struct buf b;

	if (l->number > SHOWN_NUMBER)
		name = arena_printf(l->a, "%s, line %" PRIu32, name, l->number);
	buf_init(&b);
	for (uint32_t i = 0; i < above; i++)
		buf_putc(&b, '\n');
	buf_write(&b, l->text, len);
	src = source_from_text(l->a, name, b.s ? b.s : "", b.len);
	buf_deinit(&b);
	from = from < len ? from : len;
	to = to < len ? to : len;
	return (struct range){ .src = src, .start = above + (uint32_t)from,
			       .end = above + (uint32_t)(to > from ? to : from) };
}

void saved_lines_close(struct line_reader *l)
{
	if (l->f && l->f != stdin)
		fclose(l->f);
	free(l->text);
	*l = (struct line_reader){ 0 };
}
