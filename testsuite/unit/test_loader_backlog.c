/* SPDX-License-Identifier: GPL-2.0 */
/* The last lines of a session: whole lines, in order, and the number of lines that were
 * overwritten. */
#include "background/backlog.h"
#include "unit.h"

enum { SIZE = BACKLOG_RECORD_MAX, LINE = 16 };

/* Returns all that a reader gets, as "KIND text"; messages begin with '!'. */
static size_t take_text(struct backlog *k, struct backlog_reader *r, char *ret, uint64_t *missed)
{
	static char buf[2 * SIZE];
	size_t n = backlog_take(k, r, buf, sizeof(buf), missed), len = 0;

	for (size_t at = 0; at < n;) {
		struct backlog_head head;

		memcpy(&head, buf + at, sizeof(head));
		at += sizeof(head);
		assert_true(head.len > 0 && at + head.len <= n);
		if (head.kind == BACKLOG_MESSAGE)
			ret[len++] = '!';
		memcpy(ret + len, buf + at, head.len);
		len += head.len;
		at += head.len;
	}
	ret[len] = '\0';
	return len;
}

TEST(order)
{
	struct backlog k;
	struct backlog_reader r = { 0 }, late = { 0 };
	char text[2 * SIZE];
	uint64_t missed;

	backlog_init(&k, SIZE);
	assert_int_equal(take_text(&k, &r, text, &missed), 0);
	backlog_add(&k, BACKLOG_OUT, "one\ntwo\nthr", 11);
	take_text(&k, &r, text, &missed);
	assert_string_equal(text, "one\ntwo\nthr");
	backlog_add(&k, BACKLOG_MESSAGE, "oops\n", 5);
	backlog_add(&k, BACKLOG_OUT, "ee\n", 3);
	take_text(&k, &r, text, &missed);
	assert_string_equal(text, "!oops\nee\n");
	assert_int_equal(missed, 0);
	take_text(&k, &late, text, &missed);
	assert_string_equal(text, "one\ntwo\nthr!oops\nee\n");
	assert_int_equal(missed, 0);
	assert_int_equal(take_text(&k, &late, text, &missed), 0);
	backlog_deinit(&k);
}

/* Lines of LINE bytes with their heads: SIZE / LINE of them fit. */
static void add_lines(struct backlog *k, int from, int to)
{
	for (int i = from; i < to; i++) {
		char line[LINE];

		snprintf(line, sizeof(line), "%07d\n", i);
		backlog_add(k, BACKLOG_OUT, line, LINE - sizeof(struct backlog_head));
	}
}

TEST(forgets)
{
	struct backlog k;
	struct backlog_reader early = { 0 }, late = { 0 };
	char text[2 * SIZE];
	uint64_t missed;

	backlog_init(&k, SIZE);
	add_lines(&k, 0, 3);
	assert_int_equal(take_text(&k, &early, text, &missed), 24);
	add_lines(&k, 3, 10 + SIZE / LINE);
	assert_int_equal(k.overwritten, 10);
	assert_int_equal(take_text(&k, &early, text, &missed), SIZE / 2);
	assert_int_equal(missed, 7);
	assert_memory_equal(text, "0000010\n", 8);
	assert_int_equal(take_text(&k, &late, text, &missed), SIZE / 2);
	assert_int_equal(missed, 10);
	/* After many rounds the buffer still holds the last lines, and whole ones. */
	add_lines(&k, 10 + SIZE / LINE, 100000);
	assert_int_equal(take_text(&k, &late, text, &missed), SIZE / 2);
	assert_int_equal(missed, 100000 - (10 + SIZE / LINE) - SIZE / LINE);
	for (int i = 0; i < SIZE / LINE; i++)
		assert_int_equal(atoi(text + i * 8), 100000 - SIZE / LINE + i);
	backlog_deinit(&k);
}

TEST(long_line)
{
	struct backlog k;
	struct backlog_reader r = { 0 };
	char line[3 * SIZE], text[4 * SIZE];
	uint64_t missed;

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	backlog_init(&k, 4 * SIZE);
	backlog_add(&k, BACKLOG_OUT, "first\n", 6);
	backlog_add(&k, BACKLOG_OUT, line, sizeof(line));
	assert_int_equal(backlog_take(&k, &r, text, sizeof(text), &missed),
			 6 + sizeof(line) + 5 * sizeof(struct backlog_head));
	/* A line is overwritten as a whole: no reader sees the end of a line as a line. */
	r = (struct backlog_reader){ 0 };
	backlog_add(&k, BACKLOG_OUT, line, sizeof(line));
	assert_int_equal(k.overwritten, 2);
	backlog_take(&k, &r, text, sizeof(text), &missed);
	assert_int_equal(missed, 2);
	backlog_deinit(&k);
}

/* A reader with a small buffer gets whole records only. */
TEST(parts)
{
	struct backlog k;
	struct backlog_reader r = { 0 };
	char buf[BACKLOG_RECORD_MAX];
	uint64_t missed;
	size_t n, total = 0;

	backlog_init(&k, 4 * SIZE);
	add_lines(&k, 0, 4 * SIZE / LINE);
	while ((n = backlog_take(&k, &r, buf, sizeof(buf), &missed)) > 0) {
		assert_int_equal(n % LINE, 0);
		total += n;
	}
	assert_int_equal(total, 4 * SIZE);
	backlog_deinit(&k);
}
