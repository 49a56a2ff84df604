/* SPDX-License-Identifier: GPL-2.0 */
#include "metrics/field.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/utf8.h"
#include "metrics/protobuf.h"
#include "show/json.h"

static bool is_json(const struct metrics_page *p)
{
	return p->format == METRICS_OTLP_JSON;
}

static void push(struct metrics_page *p, unsigned number)
{
	p->open[p->depth++] = protobuf_open(p->text, number);
}

static void pop(struct metrics_page *p)
{
	protobuf_close(p->text, p->open[--p->depth]);
}

void field_open(struct metrics_page *p, const char *name, unsigned number)
{
	if (is_json(p))
		json_open(p->text, name, '{');
	else
		push(p, number);
}

void field_close(struct metrics_page *p)
{
	if (is_json(p))
		json_close(p->text, '}');
	else
		pop(p);
}

void field_list(struct metrics_page *p, const char *name)
{
	if (is_json(p))
		json_open(p->text, name, '[');
}

void field_list_end(struct metrics_page *p)
{
	if (is_json(p))
		json_close(p->text, ']');
}

void field_numbers(struct metrics_page *p, const char *name, unsigned number)
{
	if (is_json(p))
		json_open(p->text, name, '[');
	else
		push(p, number);
}

void field_numbers_end(struct metrics_page *p)
{
	if (is_json(p))
		json_close(p->text, ']');
	else
		pop(p);
}

/* ---- texts ---- */

void field_bytes(struct metrics_page *p, const char *name, unsigned number,
		 const unsigned char *s, size_t len)
{
	struct buf hex = { 0 };

	if (!is_json(p)) {
		protobuf_bytes(p->text, number, (const char *)s, len);
		return;
	}
	for (size_t i = 0; i < len; i++)
		buf_printf(&hex, "%02x", s[i]);
	json_string(p->text, name, hex.s ? hex.s : "", hex.len);
	buf_deinit(&hex);
}

void field_text(struct metrics_page *p, const char *name, unsigned number, const char *s,
		size_t len)
{
	if (is_json(p)) {
		json_string(p->text, name, s, len);
		return;
	}
	push(p, number);
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = utf8_sequence(s + i, len - i);
		if (n)
			buf_write(p->text, s + i, n);
		else
			buf_puts(p->text, "\xef\xbf\xbd");
	}
	pop(p);
}

/* ---- numbers ---- */

static void put_number_text(struct metrics_page *p, const char *name, uint64_t v, bool is_signed)
{
	char number[24];

	if (is_signed)
		snprintf(number, sizeof(number), "%" PRId64, (int64_t)v);
	else
		snprintf(number, sizeof(number), "%" PRIu64, v);
	json_text(p->text, name, number);
}

void field_int(struct metrics_page *p, const char *name, unsigned number, int64_t v)
{
	if (is_json(p))
		put_number_text(p, name, (uint64_t)v, true);
	else
		protobuf_number(p->text, number, (uint64_t)v);
}

void field_fixed(struct metrics_page *p, const char *name, unsigned number, uint64_t v,
		 bool is_signed)
{
	if (is_json(p))
		put_number_text(p, name, v, is_signed);
	else
		protobuf_fixed(p->text, number, v);
}

void field_small(struct metrics_page *p, const char *name, unsigned number, unsigned v)
{
	if (is_json(p))
		json_unsigned(p->text, name, v);
	else
		protobuf_number(p->text, number, v);
}

void field_sint(struct metrics_page *p, const char *name, unsigned number, int32_t v)
{
	if (is_json(p))
		json_signed(p->text, name, v);
	else
		protobuf_number(p->text, number, protobuf_zigzag(v));
}

void field_double(struct metrics_page *p, const char *name, unsigned number, int64_t v)
{
	if (is_json(p))
		json_signed(p->text, name, v);
	else
		protobuf_double(p->text, number, (double)v);
}

void field_true(struct metrics_page *p, const char *name, unsigned number)
{
	if (!is_json(p)) {
		protobuf_number(p->text, number, 1);
		return;
	}
	buf_puts(p->text, ",\"");
	buf_puts(p->text, name);
	buf_puts(p->text, "\":true");
}

void field_in_fixed(struct metrics_page *p, uint64_t v)
{
	if (is_json(p))
		put_number_text(p, NULL, v, false);
	else
		protobuf_put_fixed(p->text, v);
}

void field_in_int(struct metrics_page *p, uint64_t v)
{
	if (is_json(p))
		put_number_text(p, NULL, v, false);
	else
		protobuf_put(p->text, v);
}

void field_in_double(struct metrics_page *p, int64_t v)
{
	if (is_json(p))
		json_signed(p->text, NULL, v);
	else
		protobuf_put_fixed(p->text, protobuf_bits((double)v));
}
