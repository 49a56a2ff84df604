/* SPDX-License-Identifier: GPL-2.0 */
/* Joins rows whose stacks have the same functions. */
#include "show/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/meta.h"
#include "shared/memory.h"
#include "show/args.h"
#include "show/show.h"

/* ---- frames ---- */

/* The line at @s without its newline. */
static size_t line_length(const char *s, const char *end)
{
	const char *nl = memchr(s, '\n', (size_t)(end - s));

	return (size_t)((nl ? nl : end) - s);
}

/* Appends a frame, " 0xADDRESS : NAME+0x10/0x20 [FILE]", with the function's address and without
 * the offset: the same text for all addresses in a function. Other lines are appended as they
 * are. */
static void put_function(struct buf *to, const char *line, size_t len)
{
	char *text = strndup(line, len), *name, *plus = NULL, *slash, *file;
	uint64_t at, offset;

	name = text && strncmp(text, " 0x", 3) == 0 ? strstr(text, " : ") : NULL;
	file = name ? strrchr(name, '[') : NULL;
	for (char *p = name; p && (p = strstr(p, "+0x")) != NULL && p < file; p++)
		plus = p;
	slash = plus ? strchr(plus, '/') : NULL;
	if (!slash || slash > file) {
		buf_write(to, line, len);
		free(text);
		return;
	}
	at = strtoull(text + 1, NULL, 16);
	offset = strtoull(plus + 1, NULL, 16);
	buf_printf(to, " 0x%016" PRIx64, at - offset);
	buf_write(to, name, (size_t)(plus - name));
	buf_puts(to, " ");
	buf_puts(to, file);
	free(text);
}

static void put_functions(struct buf *to, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		size_t n = line_length(s, end);

		put_function(to, s, n);
		buf_puts(to, "\n");
		s += n + 1;
	}
}

/* Appends what both stacks have, which have the same functions: lines in which they differ become
 * functions. */
static void put_common(struct buf *to, const struct arg *a, const struct arg *b)
{
	const char *s = a->s, *end = s + a->len, *other = b->s, *other_end = other + b->len;

	while (s < end && other < other_end) {
		size_t n = line_length(s, end), m = line_length(other, other_end);

		if (n == m && memcmp(s, other, n) == 0)
			buf_write(to, s, n);
		else
			put_function(to, s, n);
		buf_puts(to, "\n");
		s += n + 1;
		other += m + 1;
	}
}

/* ---- records ---- */

static void put_string(struct buf *to, const char *s, size_t len)
{
	static const char zeros[8];
	uint32_t n = (uint32_t)len;

	buf_write(to, (const char *)&n, sizeof(n));
	buf_write(to, s, len);
	buf_write(to, zeros, -(sizeof(n) + len) & 7);
}

/* Whether rows of @p can be joined: as text, keys with stacks, values that can be added. */
static bool can_join(const struct show *s, const struct meta_print *p)
{
	return p->global && s->format == SHOW_TEXT && !s->names.lines && p->column &&
	       strchr(p->types, 'k') && !strpbrk(p->types + meta_keys(p), "sdkH");
}

/* Adds the key of a record whose stacks are strings. */
static void add_key(struct join *j, struct args args, size_t record)
{
	unsigned keys = meta_keys(j->of);
	struct join_row *row = &j->rows[j->n++];
	struct arg a;

	*row = (struct join_row){ .key = j->keys.len, .record = record };
	for (unsigned i = 0; i < keys && args_next(&args, &a) == 0; i++) {
		if (j->of->types[i] == 'k')
			put_functions(&j->keys, a.s, a.len);
		else if (a.type == 's')
			put_string(&j->keys, a.s, a.len);
		else
			buf_write(&j->keys, (const char *)&a.number, sizeof(a.number));
		buf_write(&j->keys, "", 1);
	}
	row->key_len = j->keys.len - row->key;
}

/* Replaces the stacks of a row by their texts, which names the print of such rows. */
static void take_row(struct join *j, struct show *s, size_t i)
{
	struct held_table *t = &s->held;
	struct table_record *r = &t->records[i];
	struct args args = { r->p->types, t->bytes.s + r->at, t->bytes.s + r->at + r->len };

	if (show_as_text(s, r->p, &args))
		return;
	if (!j->p) {
		j->of = r->p;
		buf_puts(&j->types, args.types);
		j->p = memory_zeroed(1, sizeof(*j->p));
		*j->p = *r->p;
		j->p->types = j->types.s;
	}
	r->p = j->p;
	r->at = t->bytes.len;
	r->len = (size_t)(args.end - args.p);
	buf_write(&t->bytes, args.p, r->len);
	args.types = j->types.s;
	add_key(j, args, i);
}

/* ---- values ---- */

/* The value of both rows by its name; @sum and @count are of both. */
static int64_t both(const char *name, size_t len, int64_t a, int64_t b, int64_t sum, int64_t count)
{
	if (len == 3 && memcmp(name, "min", 3) == 0)
		return a < b ? a : b;
	if (len == 3 && memcmp(name, "max", 3) == 0)
		return a > b ? a : b;
	if (len == 3 && memcmp(name, "avg", 3) == 0)
		return count ? sum / count : 0;
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t total(const struct join *j, struct args x, struct args y, const char *wanted)
{
	struct arg a, b;
	size_t len;

	for (unsigned i = 0; args_next(&x, &a) == 0 && args_next(&y, &b) == 0 && a.type; i++) {
		const char *name = meta_name(j->of, i, &len);

		if (name && len == strlen(wanted) && memcmp(name, wanted, len) == 0)
			return (int64_t)((uint64_t)a.number + (uint64_t)b.number);
	}
	return 0;
}

/* Joins the record @from to @to, which gets new arguments. */
static void join_two(struct join *j, struct held_table *t, struct table_record *to,
		     const struct table_record *from)
{
	const char *p = t->bytes.s;
	struct args x = { j->types.s, p + to->at, p + to->at + to->len }, y = x;
	struct buf joined = { 0 };
	int64_t sum, count, value;
	struct arg a, b;
	size_t len;

	y.p = p + from->at;
	y.end = y.p + from->len;
	sum = total(j, x, y, "sum");
	count = total(j, x, y, "count");
	for (unsigned i = 0; args_next(&x, &a) == 0 && args_next(&y, &b) == 0 && a.type; i++) {
		const char *name = meta_name(j->of, i, &len);

		if (i >= meta_keys(j->of)) {
			value = both(name ? name : "", name ? len : 0, a.number, b.number, sum,
				     count);
			buf_write(&joined, (const char *)&value, sizeof(value));
		} else if (j->of->types[i] == 'k') {
			struct buf stack = { 0 };

			put_common(&stack, &a, &b);
			put_string(&joined, stack.s ? stack.s : "", stack.len);
			buf_deinit(&stack);
		} else if (a.type == 's') {
			put_string(&joined, a.s, a.len);
		} else {
			buf_write(&joined, (const char *)&a.number, sizeof(a.number));
		}
	}
	to->at = t->bytes.len;
	to->len = joined.len;
	buf_write(&t->bytes, joined.s ? joined.s : "", joined.len);
	buf_deinit(&joined);
}

/* ---- rows ---- */

static int compare(const void *left, const void *right, void *all)
{
	const struct join_row *a = left, *b = right;
	const char *keys = all;
	size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
	int n = memcmp(keys + a->key, keys + b->key, len);

	if (!n && a->key_len != b->key_len)
		n = a->key_len < b->key_len ? -1 : 1;
	return n ? n : (a->record > b->record) - (a->record < b->record);
}

static bool same_key(const struct join *j, const struct join_row *a, const struct join_row *b)
{
	return a->key_len == b->key_len &&
	       memcmp(j->keys.s + a->key, j->keys.s + b->key, a->key_len) == 0;
}

/* Removes the records that were joined to others, whose print is NULL. */
static void remove_joined(struct held_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->records[i].p)
			t->records[n++] = t->records[i];
	t->n = n;
}

void join_rows(struct join *j, struct show *s)
{
	struct held_table *t = &s->held;

	if (!t->n || !can_join(s, t->records[0].p))
		return;
	j->rows = memory_zeroed(t->n, sizeof(*j->rows));
	for (size_t i = 0; i < t->n; i++)
		if (!j->of || t->records[i].p == j->of)
			take_row(j, s, i);
	qsort_r(j->rows, j->n, sizeof(*j->rows), compare, j->keys.s);
	for (size_t i = 0, first = 0; i < j->n; i++) {
		if (!i || !same_key(j, &j->rows[first], &j->rows[i])) {
			first = i;
			continue;
		}
		join_two(j, t, &t->records[j->rows[first].record],
			 &t->records[j->rows[i].record]);
		t->records[j->rows[i].record].p = NULL;
	}
	remove_joined(t);
}

void join_deinit(struct join *j)
{
	free(j->p);
	free(j->rows);
	buf_deinit(&j->types);
	buf_deinit(&j->keys);
	*j = (struct join){ 0 };
}
