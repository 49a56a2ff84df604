/* SPDX-License-Identifier: GPL-2.0 */
/* Where the script's text goes: records are formatted straight into one big buffer. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "format.h"

#include "alloc.h"
#include "meta.h"
#include "signals.h"

enum { BUFFER_SIZE = 1 << 18 };

void output_init(struct output *o, int fd)
{
	*o = (struct output){ .fd = fd, .buf = alloc_array(BUFFER_SIZE, 1), .size = BUFFER_SIZE };
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

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno == EINTR) {
			o->broken = signals_count() > 1;
		} else {
			o->broken = 1;
			o->error = errno;
		}
	}
	o->len = 0;
}

static long format(struct output *o, const struct meta_print *p, const void *args, size_t len)
{
	return prt_format(o->buf + o->len, o->size - o->len, p->format, p->format_len, p->types,
			  args, len);
}

int output_print(struct output *o, const struct meta_print *p, const void *args, size_t len)
{
	long n = format(o, p, args, len);

	if (n < 0)
		return 0;
	if ((size_t)n > o->size - o->len) {
		output_flush(o);
		if ((size_t)n > o->size) {
			free(o->buf);
			o->size = (size_t)n;
			o->buf = alloc_array(o->size, 1);
		}
		n = format(o, p, args, len);
	}
	o->len += (size_t)n;
	return 1;
}
