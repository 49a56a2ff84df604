/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The output of hosts, each line or record with the name of its host: in front of text, as the
 * member "host" of a JSON object, as the first column of CSV, as the outermost frame of a stack.
 * Lines are shown when they are complete.
 *
 * Hosts are not trusted. What one of them sends is shown under its name, whatever it is: a JSON
 * object that names a host itself, or is none, and a record of CSV whose quotes do not end, are
 * messages and no part of the output. Messages have no control characters.
 */
#include <string.h>

#include "base/json.h"
#include "remote/merge.h"
#include "remote/private.h"

/* A line that is longer is cut. The longest of an honest session, an element with a stack and a
 * histogram, has some tens of kilobytes. */
enum { LINE_BYTES_MAX = 1 << 20 };

/* The part that is shown of a line that is not taken for output. */
enum { WRONG_BYTES_MAX = 200 };

void output_init(struct host_output *l)
{
	*l = (struct host_output){ .in_table = false };
	buf_init(&l->part);
	buf_init(&l->heading);
	buf_init(&l->text);
	buf_init(&l->globals);
}

void output_deinit(struct host_output *l)
{
	buf_deinit(&l->part);
	buf_deinit(&l->heading);
	buf_deinit(&l->text);
	buf_deinit(&l->globals);
}

/* The length of the character at @s, 1 for a byte that begins none of UTF-8. */
static size_t char_len(const char *s, size_t len)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c < 0xc2 || c > 0xf4 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < n; i++)
		if (i >= len || (s[i] & 0xc0) != 0x80)
			return 1;
	return n;
}

/* Whether a character is a control, C1 among them: U+0080 to U+009F, or such a byte alone, which
 * terminals without UTF-8 understand. */
static bool is_control(const char *s, size_t len)
{
	unsigned char c = (unsigned char)*s;

	if (len == 2)
		return c == 0xc2 && (unsigned char)s[1] < 0xa0;
	return len == 1 && ((c < ' ' && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0));
}

static void put_escaped(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = char_len(text + i, len - i);
		if (!is_control(text + i, n)) {
			buf_write(b, text + i, n);
			continue;
		}
		for (size_t j = 0; j < n; j++)
			buf_printf(b, "\\x%02x", (unsigned char)text[i + j]);
	}
}

void output_escape(const struct screen *to, struct buf *b, const char *text, size_t len)
{
	if (to->escape)
		put_escaped(b, text, len);
	else
		buf_write(b, text, len);
}

static void put_host(struct buf *b, int width, const char *host)
{
	buf_printf(b, "%s:%*s", host, width + 1 - (int)strlen(host), "");
}

/* A line of text, whose control characters are escaped if @to says so. */
static void put_text(struct screen *to, const char *host, const char *line, size_t len)
{
	put_host(&to->out.text, to->width, host);
	output_escape(to, &to->out.text, line, len);
	buf_putc(&to->out.text, '\n');
}

void output_message(struct screen *to, const char *host, const char *line, size_t len)
{
	const char *end;

	do {
		size_t n;

		end = memchr(line, '\n', len);
		n = end ? (size_t)(end - line) : len;
		put_host(&to->err.text, to->width, host);
		put_escaped(&to->err.text, line, n);
		buf_putc(&to->err.text, '\n');
		n += end != NULL;
		line += n;
		len -= n;
	} while (end);
}

/* A line that is no part of the output: its beginning is a message. */
static void put_wrong(struct screen *to, const char *host, const char *line, size_t len)
{
	const char *end = memchr(line, '\n', len);

	len = end ? (size_t)(end - line) : len;
	output_message(to, host, line, len < WRONG_BYTES_MAX ? len : WRONG_BYTES_MAX);
}

struct json_object *output_parse(struct screen *to, const char *line, size_t len)
{
	struct json_object *o;
	size_t at;

	json_parse(to->tokener, line, len, &o, &at);
	if (json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}

void output_object(struct screen *to, const char *host, const struct json_object *o,
		  const char *line, size_t len)
{
	struct buf *b = &to->out.text;

	if (!o || line[0] != '{' || json_object_object_get_ex(o, "host", NULL)) {
		put_wrong(to, host, line, len);
		return;
	}
	buf_printf(b, "{\"host\":\"%s\"%s", host, line[1] == '}' ? "" : ",");
	for (size_t i = 1, n; i < len; i += n) {
		n = char_len(line + i, len - i);
		if (is_control(line + i, n))
			buf_printf(b, "\\u00%02x", (unsigned char)line[i + n - 1]);
		else
			buf_write(b, line + i, n);
	}
	buf_putc(b, '\n');
}

static void put_json(struct screen *to, const char *host, const char *line, size_t len)
{
	struct json_object *o = output_parse(to, line, len);

	output_object(to, host, o, line, len);
	json_object_put(o);
}

static bool same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->s ? a->s : "", b->s ? b->s : "", a->len) == 0;
}

/* A heading follows an empty line; it is shown when its first row comes, unless the rows before it,
 * of any host, are of the same table. */
static void put_record(struct screen *to, struct host_output *l, const char *host, const char *line,
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
		output_escape(to, b, l->heading.s, l->heading.len);
		buf_putc(b, '\n');
		to->heading.len = 0;
		buf_write(&to->heading, l->heading.s, l->heading.len);
	}
	buf_printf(b, "%s,", host);
	output_escape(to, b, line, len);
	buf_putc(b, '\n');
}

static void put_line(struct screen *to, struct host_output *l, const char *host, const char *line,
		     size_t len)
{
	if (to->merge) {
		merge_line(to, l, host, line, len);
		return;
	}
	switch (to->format) {
	case FORMAT_TEXT: put_text(to, host, line, len); break;
	case FORMAT_JSON: put_json(to, host, line, len); break;
	case FORMAT_CSV: put_record(to, l, host, line, len); break;
	case FORMAT_FOLDED:
		buf_printf(&to->out.text, "%s;", host);
		output_escape(to, &to->out.text, line, len);
		buf_putc(&to->out.text, '\n');
		break;
	case FORMAT_PERFETTO: case FORMAT_CTF: case FORMATS: break; /* options_parse() refuses it */
	}
}

/* Shows the line in l->part, or its beginning. */
static void end_line(struct screen *to, struct host_output *l, const char *host)
{
	const char *line = l->part.s ? l->part.s : "";

	if (l->in_quotes)
		put_wrong(to, host, line, l->part.len);
	else
		put_line(to, l, host, line, l->part.len);
	l->part.len = 0;
	l->in_quotes = false;
}

void output_take(struct screen *to, struct host_output *l, const char *host, const char *data,
		size_t n)
{
	while (n) {
		const char *end = memchr(data, '\n', n);
		size_t len = end ? (size_t)(end - data) : n;

		buf_write(&l->part, data, len);
		/* A record of CSV whose quotes are open goes on in the next line. */
		for (size_t i = 0; to->format == FORMAT_CSV && i < len; i++)
			l->in_quotes ^= data[i] == '"';
		if ((end && !l->in_quotes) || l->part.len > LINE_BYTES_MAX) {
			end_line(to, l, host);
		} else if (end) {
			buf_putc(&l->part, '\n');
		}
		data += len + (end != NULL);
		n -= len + (end != NULL);
	}
}

void output_text(struct screen *to, struct host_output *l, const char *host, const char *text,
		size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;

		buf_write(&l->text, text, len);
		if (end || l->text.len > LINE_BYTES_MAX) {
			put_text(to, host, l->text.s ? l->text.s : "", l->text.len);
			l->text.len = 0;
		}
		text += len + (end != NULL);
		n -= len + (end != NULL);
	}
}

void output_end(struct screen *to, struct host_output *l, const char *host)
{
	if (l->part.len)
		end_line(to, l, host);
	if (l->text.len)
		put_text(to, host, l->text.s, l->text.len);
	l->text.len = 0;
}
