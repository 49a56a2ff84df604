/* SPDX-License-Identifier: GPL-2.0 */
/* The last lines of a session in the background. */
#include "background/backlog.h"

#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

void backlog_init(struct backlog *k, size_t bytes)
{
	*k = (struct backlog){ .size = bytes > BACKLOG_RECORD_MAX ? bytes : BACKLOG_RECORD_MAX };
	k->buf = memory_zeroed(k->size, 1);
}

void backlog_deinit(struct backlog *k)
{
	free(k->buf);
	*k = (struct backlog){ 0 };
}

static void copy_in(struct backlog *k, uint64_t at, const void *from, size_t n)
{
	size_t offset = at % k->size, part = k->size - offset < n ? k->size - offset : n;

	memcpy(k->buf + offset, from, part);
	memcpy(k->buf, (const char *)from + part, n - part);
}

static void copy_out(const struct backlog *k, uint64_t at, void *to, size_t n)
{
	size_t offset = at % k->size, part = k->size - offset < n ? k->size - offset : n;

	memcpy(to, k->buf + offset, part);
	memcpy((char *)to + part, k->buf, n - part);
}

/* Returns the bytes of the record at @at with its head; sets @ends_line if it ends a line. */
static size_t record_at(const struct backlog *k, uint64_t at, int *ends_line)
{
	struct backlog_head head;
	char last;

	copy_out(k, at, &head, sizeof(head));
	copy_out(k, at + sizeof(head) + head.len - 1, &last, 1);
	*ends_line = last == '\n';
	return sizeof(head) + head.len;
}

/* Removes the oldest line with all its records. */
static void overwrite_line(struct backlog *k)
{
	int ends_line = 0;

	while (k->first < k->end && !ends_line)
		k->first += record_at(k, k->first, &ends_line);
	k->overwritten += (uint64_t)ends_line;
}

static void add_record(struct backlog *k, enum backlog_kind kind, const char *text, size_t len)
{
	struct backlog_head head = { .kind = kind, .len = (uint32_t)len };

	while (k->end + sizeof(head) + len - k->first > k->size)
		overwrite_line(k);
	copy_in(k, k->end, &head, sizeof(head));
	copy_in(k, k->end + sizeof(head), text, len);
	k->end += sizeof(head) + len;
}

void backlog_add(struct backlog *k, enum backlog_kind kind, const char *text, size_t len)
{
	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) + 1 : len;

		if (n > BACKLOG_RECORD_MAX - sizeof(struct backlog_head))
			n = BACKLOG_RECORD_MAX - sizeof(struct backlog_head);
		add_record(k, kind, text, n);
		text += n;
		len -= n;
	}
}

size_t backlog_take(const struct backlog *k, struct backlog_reader *r, char *buf, size_t size,
		 uint64_t *missed)
{
	size_t done = 0;

	*missed = 0;
	if (r->at < k->first) {
		*missed = k->overwritten - r->line;
		r->at = k->first;
		r->line = k->overwritten;
	}
	while (r->at < k->end) {
		int ends_line;
		size_t n = record_at(k, r->at, &ends_line);

		if (n > size - done)
			break;
		copy_out(k, r->at, buf + done, n);
		done += n;
		r->at += n;
		r->line += (uint64_t)ends_line;
	}
	return done;
}
