/* SPDX-License-Identifier: GPL-2.0 */
/* The script's output: records are formatted directly into one large buffer. */
#include "show/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"

#include "common/signals.h"
#include "module/meta.h"
#include "shared/file.h"
#include "shared/memory.h"

enum { BUFFER_SIZE = 1 << 18 };

void output_init(struct output *o, int fd)
{
	*o = (struct output){ .fd = fd, .buf = memory_zeroed(BUFFER_SIZE, 1), .size = BUFFER_SIZE };
}

void output_to(struct output *o, int (*to)(void *, const char *, size_t), void *arg)
{
	o->fd = -1;
	o->to = to;
	o->to_arg = arg;
}

void output_deinit(struct output *o)
{
	free(o->buf);
	o->buf = NULL;
}

void output_flush(struct output *o)
{
	size_t done = 0;

	if (o->to && o->len && !o->broken) {
		o->error = -o->to(o->to_arg, o->buf, o->len);
		o->broken = o->error != 0;
		done = o->len;
	}
	while (done < o->len && !o->broken) {
		ssize_t n = write(o->fd, o->buf + done, o->len - done);

		if (n < 0 && errno == EAGAIN) {
			file_wait_room(o->fd);
		} else if (n < 0 && errno != EINTR) {
			o->broken = true;
			o->error = errno;
			break;
		}
		if (n > 0)
			done += (size_t)n;
		/* A signal can shorten a write or prevent it. */
		o->broken = done < o->len && signals_count() > 1;
	}
	o->len = 0;
	if (o->flush && !o->broken) {
		o->error = -o->flush(o->flush_arg);
		o->broken = o->error != 0;
	}
}

static long format(struct output *o, const struct meta_print *p, const void *args, size_t len)
{
	return prt_format(o->buf + o->len, o->size - o->len, p->format, p->format_len, p->types,
			  args, len);
}

/* Makes room for @n bytes after the text, by writing the text if necessary. */
static bool make_room(struct output *o, size_t n)
{
	if (n <= o->size - o->len)
		return false;
	output_flush(o);
	if (n > o->size) {
		free(o->buf);
		o->size = n;
		o->buf = memory_zeroed(o->size, 1);
	}
	return true;
}

bool output_print(struct output *o, const struct meta_print *p, const void *args, size_t len)
{
	long n = format(o, p, args, len);

	if (n < 0)
		return false;
	if (make_room(o, (size_t)n))
		n = format(o, p, args, len);
	o->len += (size_t)n;
	return true;
}

void output_heading(struct output *o, const char *line, size_t len)
{
	/* The buffered text belongs to the previous heading, and a heading itself has none. */
	if (o->heading) {
		output_flush(o);
		o->heading(o->to_arg, "", 0);
	}
	output_write(o, line, len);
	if (o->heading) {
		output_flush(o);
		o->heading(o->to_arg, line, len);
	}
}

void output_next_file(struct output *o)
{
	if (!o->next_file)
		return;
	output_flush(o);
	if (o->broken)
		return;
	o->error = -o->next_file(o->to_arg);
	o->broken = o->error != 0;
}

void output_write(struct output *o, const char *s, size_t len)
{
	make_room(o, len);
	memcpy(o->buf + o->len, s, len);
	o->len += len;
}
