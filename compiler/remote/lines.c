/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The output of hosts, each line or record with the name of its host: in front of text, as the
 * member "host" of a JSON object, as the first column of CSV, as the outermost frame of a stack.
 * Lines are shown when they are complete.
 */
#include <string.h>

#include "remote/merge.h"
#include "remote/private.h"

/* A line that is longer is cut. */
enum { LINE_BYTES_MAX = 16 << 20 };

void lines_init(struct host_lines *l)
{
	*l = (struct host_lines){ .in_table = false };
	buf_init(&l->part);
	buf_init(&l->heading);
	buf_init(&l->text);
}

void lines_deinit(struct host_lines *l)
{
	buf_deinit(&l->part);
	buf_deinit(&l->heading);
	buf_deinit(&l->text);
}

static void put_prefixed(struct buf *b, int width, const char *host, const char *line, size_t len)
{
	buf_printf(b, "%s:%*s", host, width + 1 - (int)strlen(host), "");
	buf_write(b, line, len);
	buf_putc(b, '\n');
}

void lines_message(struct screen *to, const char *host, const char *line, size_t len)
{
	put_prefixed(&to->err.text, to->width, host, line, len);
}

/* Text that a host prints between the objects is no part of the stream. */
void lines_object(struct screen *to, const char *host, const char *line, size_t len)
{
	struct buf *b = &to->out.text;

	if (len < 2 || line[0] != '{') {
		lines_message(to, host, line, len);
		return;
	}
	buf_printf(b, "{\"host\":\"%s\"%s", host, line[1] == '}' ? "" : ",");
	buf_write(b, line + 1, len - 1);
	buf_putc(b, '\n');
}

/* C1 controls are two bytes in UTF-8. */
static bool is_control(const char *s, size_t len)
{
	unsigned char c = (unsigned char)*s;

	return (c < ' ' && c != '\t' && c != '\n') || c == 0x7f ||
	       (c == 0xc2 && len > 1 && (unsigned char)s[1] < 0xa0);
}

void lines_escape(const struct screen *to, struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (to->escape && is_control(text + i, len - i))
			buf_printf(b, "\\x%02x", (unsigned char)text[i]);
		else
			buf_putc(b, text[i]);
}

static bool same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->s ? a->s : "", b->s ? b->s : "", a->len) == 0;
}

/* A heading follows an empty line; it is shown when its first row comes, unless the rows before it,
 * of any host, are of the same table. */
static void put_record(struct screen *to, struct host_lines *l, const char *host, const char *line,
		       size_t len)
{
	struct buf *b = &to->out.text;

	if (!len) {
		l->in_table = false;
		return;
	}
	if (!l->in_table) {
		l->in_table = true;
		l->heading.len = 0;
		buf_write(&l->heading, line, len);
		return;
	}
	if (!same(&to->heading, &l->heading)) {
		buf_puts(b, to->heading.len ? "\nhost," : "host,");
		buf_write(b, l->heading.s, l->heading.len);
		buf_putc(b, '\n');
		to->heading.len = 0;
		buf_write(&to->heading, l->heading.s, l->heading.len);
	}
	buf_printf(b, "%s,", host);
	buf_write(b, line, len);
	buf_putc(b, '\n');
}

static void put_line(struct screen *to, struct host_lines *l, const char *host, const char *line,
		     size_t len)
{
	if (to->merge) {
		merge_line(to, l, host, line, len);
		return;
	}
	switch (to->format) {
	case FORMAT_TEXT: put_prefixed(&to->out.text, to->width, host, line, len); break;
	case FORMAT_JSON: lines_object(to, host, line, len); break;
	case FORMAT_CSV: put_record(to, l, host, line, len); break;
	case FORMAT_FOLDED:
		buf_printf(&to->out.text, "%s;", host);
		buf_write(&to->out.text, line, len);
		buf_putc(&to->out.text, '\n');
		break;
	case FORMAT_PERFETTO: case FORMATS: break; /* options_parse() refuses it */
	}
}

/* A record of CSV whose quotes are open goes on in the next line. */
static bool is_complete(const struct screen *to, const struct buf *part)
{
	bool open = false;

	for (size_t i = 0; to->format == FORMAT_CSV && i < part->len; i++)
		open ^= part->s[i] == '"';
	return !open;
}

void lines_take(struct screen *to, struct host_lines *l, const char *host, const char *data,
		size_t n)
{
	while (n) {
		const char *end = memchr(data, '\n', n);
		size_t len = end ? (size_t)(end - data) : n;

		buf_write(&l->part, data, len);
		if ((end && is_complete(to, &l->part)) || l->part.len > LINE_BYTES_MAX) {
			put_line(to, l, host, l->part.s ? l->part.s : "", l->part.len);
			l->part.len = 0;
		} else if (end) {
			buf_putc(&l->part, '\n');
		}
		data += len + (end != NULL);
		n -= len + (end != NULL);
	}
}

void lines_text(struct screen *to, struct host_lines *l, const char *host, const char *text,
		size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;

		lines_escape(to, &l->text, text, len);
		if (end || l->text.len > LINE_BYTES_MAX) {
			put_prefixed(&to->out.text, to->width, host, l->text.s ? l->text.s : "",
				     l->text.len);
			l->text.len = 0;
		}
		text += len + (end != NULL);
		n -= len + (end != NULL);
	}
}

void lines_end(struct screen *to, struct host_lines *l, const char *host)
{
	if (l->part.len)
		put_line(to, l, host, l->part.s, l->part.len);
	l->part.len = 0;
	if (l->text.len)
		put_prefixed(&to->out.text, to->width, host, l->text.s, l->text.len);
	l->text.len = 0;
}
