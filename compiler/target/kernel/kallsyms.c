/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables are those that the kernel's scripts/kallsyms.c writes, and nothing says where they
 * are. What is looked for is what no other bytes have by chance: 256 tokens that end where an index
 * says, and names of which every 256th begins where a marker says.
 *
 *   num_syms      u32
 *   names         for each symbol: a length (two bytes from 128 on), and so many bytes, each the
 *                 number of a token; the first character is the symbol's type
 *   markers       u32: where each 256th name begins
 *   token_table   256 strings, each with a NUL
 *   token_index   u16: where each of these begins
 *   offsets       i32 for each symbol, and after them relative_base, u64; both stand after
 *                 token_index, or before num_syms in kernels before 6.4
 *
 * Each begins at a multiple of 8 bytes. In the images of Linux 7.2 this is 4, and an offset is the
 * distance from its own place to the symbol, so there is no relative_base.
 */
#include "target/kernel/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "shared/kernel_symbols.h"
#include "shared/search.h"

enum { TOKENS = 256, MARKED = 256, MIN_SYMS = 1000, MAX_SYMS = 1 << 23 };

/* Names contain digits, so each digit is the token of its own character. */
static const char digits[] = "0\0" "1\0" "2\0" "3\0" "4\0" "5\0" "6\0" "7\0" "8\0" "9";

struct tables {
	const uint8_t *start, *end;  /* of the segment they are in */
	uint64_t addr;               /* of `start` in the kernel */
	const uint8_t *tokens, *index, *names;
	const uint8_t *offsets;
	uint64_t base;
	uint32_t n;
	unsigned align;              /* of each table: 8, or 4 with distances as offsets */
};

static uint16_t u16(const uint8_t *p)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static uint32_t u32(const uint8_t *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* Segments begin at whole pages, both in memory and in the buffer. */
static const uint8_t *aligned(const struct tables *t, const uint8_t *p)
{
	return p + (t->align - (size_t)(p - t->start) % t->align) % t->align;
}

/* ---- tokens ---- */

/* Whether the index at @index fits the strings before it, among which @zero is the token of '0'. */
static bool is_index(struct tables *t, const uint8_t *index, const uint8_t *zero)
{
	const uint8_t *tokens;

	if (t->end - index < TOKENS * 2 || u16(index) != 0 ||
	    u16(index + 2 * '0') > zero - t->start)
		return false;
	tokens = zero - u16(index + 2 * '0');
	for (int i = 0; i + 1 < TOKENS; i++) {
		const uint8_t *token = tokens + u16(index + 2 * i);
		size_t left = token < index ? (size_t)(index - token) : 0;
		size_t len = left ? strnlen((const char *)token, left) : 0;

		if (len == left || u16(index + 2 * i) + len + 1 != u16(index + 2 * (i + 1)))
			return false;
	}
	t->tokens = tokens;
	t->index = index;
	return true;
}

/* Tries each position at which the tokens of all digits follow each other. */
static bool find_tokens(struct tables *t, const uint8_t *from)
{
	for (;; from++) {
		const uint8_t *p;

		from = from < t->end ? memmem(from, (size_t)(t->end - from), digits,
					      sizeof(digits)) : NULL;
		if (!from)
			return false;
		p = from;
		for (int i = '0'; i < TOKENS && p < t->end; i++)
			p += strnlen((const char *)p, (size_t)(t->end - p)) + 1;
		for (t->align = 8; p < t->end && t->align >= 4; t->align /= 2)
			if (is_index(t, aligned(t, p), from))
				return true;
	}
}

/* ---- names ---- */

/* The bytes of the name at *@p, which is advanced past it. NULL if it does not end before @end. */
static const uint8_t *next_name(const uint8_t **p, const uint8_t *end, size_t *len)
{
	const uint8_t *name = *p;

	if (end - name < 2)
		return NULL;
	*len = *name++;
	if (*len & 0x80)
		*len = (*len & 0x7f) | (size_t)*name++ << 7;
	if (!*len || *len > (size_t)(end - name))
		return NULL;
	*p = name + *len;
	return name;
}

/* Whether @n names begin at @names, with their markers after them. */
static bool is_names(const struct tables *t, const uint8_t *names, uint32_t n)
{
	const uint8_t *p = names, *end = t->tokens, *markers;
	size_t len, marked = (n + MARKED - 1) / MARKED;

	for (uint32_t i = 0; i < n; i++) {
		if (!next_name(&p, end, &len))
			return false;
	}
	markers = aligned(t, p);
	if (markers > end || (size_t)(end - markers) < marked * 4)
		return false;
	p = names;
	for (uint32_t i = 0; i < n; i++) {
		if (i % MARKED == 0 && u32(markers + i / MARKED * 4) != p - names)
			return false;
		next_name(&p, end, &len);
	}
	return true;
}

static bool find_names(struct tables *t)
{
	const uint8_t *p = aligned(t, t->tokens);

	for (; p - t->start >= t->align; p -= t->align) {
		uint32_t n = u32(p - t->align);

		if (p <= t->tokens && (t->align == 4 || u32(p - 4) == 0) && n >= MIN_SYMS &&
		    n <= MAX_SYMS && n < t->tokens - p && is_names(t, p, n)) {
			t->names = p;
			t->n = n;
			return true;
		}
	}
	return false;
}

/* ---- addresses ---- */

/* The address to which an offset at @place leads. */
static uint64_t address_from(const struct tables *t, const uint8_t *place)
{
	return t->addr + (uint64_t)(place - t->start) + (uint64_t)(int64_t)(int32_t)u32(place);
}

static bool take_distances(struct tables *t, const struct image *img)
{
	t->offsets = aligned(t, t->index + TOKENS * 2);
	return t->offsets <= t->end && (size_t)t->n * 4 <= (size_t)(t->end - t->offsets) &&
	       image_at(img, address_from(t, t->offsets), 1);
}

static bool take_offsets(struct tables *t, const struct image *img, const uint8_t *offsets)
{
	size_t size = ((size_t)t->n * 4 + 7) / 8 * 8;

	if (offsets < t->start || offsets > t->end || size + 8 > (size_t)(t->end - offsets))
		return false;
	memcpy(&t->base, offsets + size, sizeof(t->base));
	t->offsets = offsets;
	return image_at(img, t->base, 1);
}

static bool find_offsets(struct tables *t, const struct image *img)
{
	size_t size = ((size_t)t->n * 4 + 7) / 8 * 8 + 16;

	if (t->align == 4)
		return take_distances(t, img);
	return take_offsets(t, img, aligned(t, t->index + TOKENS * 2)) ||
	       (size <= (size_t)(t->names - t->start) && take_offsets(t, img, t->names - size));
}

/* If a table has negative offsets, these are the kernel's own, below the base; the others are
 * absolute addresses of per-processor data. */
static bool has_absolute(const struct tables *t)
{
	for (uint32_t i = 0; t->align == 8 && i < t->n; i++) {
		if ((int32_t)u32(t->offsets + 4 * (size_t)i) < 0)
			return true;
	}
	return false;
}

static uint64_t address_of(const struct tables *t, uint32_t i, bool absolute)
{
	const uint8_t *place = t->offsets + 4 * (size_t)i;
	uint32_t offset = u32(place);

	if (t->align == 4)
		return address_from(t, place);
	if (!absolute)
		return t->base + offset;
	return (int32_t)offset >= 0 ? offset : t->base - 1 - (uint64_t)(int64_t)(int32_t)offset;
}

/* ---- the door ---- */

static void decode(struct arena *a, const struct tables *t, struct kallsyms *ret)
{
	const uint8_t *p = t->names, *name;
	bool absolute = has_absolute(t), in_data = false;
	struct buf text;
	size_t len;

	buf_init(&text);
	for (uint32_t i = 0; i < t->n && (name = next_name(&p, t->tokens, &len)); i++) {
		struct kallsym sym = { .addr = address_of(t, i, absolute) };

		text.len = 0;
		for (size_t c = 0; c < len; c++)
			buf_puts(&text, (const char *)t->tokens + u16(t->index + 2 * name[c]));
		if (text.len < 2)
			continue;
		sym.type = kernel_symbols_type(&in_data, text.s[0], text.s + 1, text.len - 1);
		sym.name = arena_strndup(a, text.s + 1, text.len - 1);
		vec_push(a, &ret->v, sym);
	}
	buf_deinit(&text);
}

/* An index at a multiple of 8 is at one of 4 as well. */
static bool find_tables(struct tables *t, const struct image *img)
{
	for (; t->align >= 4; t->align /= 2)
		if (find_names(t) && find_offsets(t, img))
			return true;
	return false;
}

int kallsyms_read(struct arena *a, const struct image *img, struct kallsyms *ret,
		  const char **why)
{
	*ret = (struct kallsyms){0};
	*why = "it has no table of its symbols in a known form: was it built with "
	       "CONFIG_KALLSYMS?";
	vec_each(part, &img->parts) {
		struct tables t = {
			.start = part->data, .end = part->data + part->size, .addr = part->addr,
		};

		for (const uint8_t *from = t.start; find_tokens(&t, from); from = t.index) {
			if (!find_tables(&t, img))
				continue;
			decode(a, &t, ret);
			for (size_t i = 1; i < ret->v.n; i++) {
				if (ret->v.v[i].addr < ret->v.v[i - 1].addr)
					return -ENODATA;
			}
			return 0;
		}
	}
	return -ENODATA;
}

uint64_t kallsyms_address(const struct kallsyms *k, const char *name)
{
	vec_each(it, &k->v) {
		if (strcmp(it->name, name) == 0)
			return it->addr;
	}
	return 0;
}

const struct kallsym *kallsyms_at(const struct kallsyms *k, uint64_t addr)
{
	size_t low;

	search_first(low, k->v.n, k->v.v[low].addr <= addr);
	if (!low)
		return NULL;
	for (low--; low && k->v.v[low - 1].addr == k->v.v[low].addr; low--)
		;
	return &k->v.v[low];
}
