/* SPDX-License-Identifier: GPL-2.0 */
/* A cached file has a head, an identification of its source, and the rows, padded to a whole
 * row. */
#include "target/dwarf/cached.h"

#include <stdio.h>
#include <string.h>

#include "shared/buf.h"
#include "target/kernel/kernel.h"
#include "state.h"

typedef uint64_t lanes __attribute__((vector_size(16)));

struct head {
	uint64_t sums[2];        /* of everything that follows */
	uint64_t size;           /* bytes that follow, without padding */
};

enum { SUMMED = offsetof(struct head, size), ROW = 4 * sizeof(lanes) };

static uint64_t mix(lanes sum)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t mixed = sum[0] * factor;

	return ((mixed << 29 | mixed >> 35) ^ sum[1]) * factor;
}

/*
 * Two sums of the words in each of two lanes: the sum of the words, and the sum of its intermediate
 * values. A change within one word changes the first sum. If words change places, the first sum
 * stays the same, but the second one changes. A random change of several words leaves both the same
 * once in 2^64 times at most. A byte costs a quarter of an instruction, because every start that
 * looks up a function sums megabytes.
 */
static void sums_of(const char *rows, size_t size, uint64_t ret[2])
{
	lanes words, first = {0}, second = {0};

	for (const char *end = rows + size; rows < end; rows += ROW) {
#pragma GCC unroll 4
		for (size_t at = 0; at < ROW; at += sizeof(words)) {
			memcpy(&words, rows + at, sizeof(words));
			first += words;
			second += first;
		}
	}
	ret[0] = mix(first);
	ret[1] = mix(second);
}

static bool is_whole(const char *data, size_t size)
{
	const struct head *head = (const struct head *)data;
	uint64_t sums[2];

	if (size < sizeof(*head) || (size - SUMMED) % ROW || head->size > size - sizeof(*head))
		return false;
	sums_of(data + SUMMED, size - SUMMED, sums);
	return memcmp(head->sums, sums, sizeof(sums)) == 0;
}

/* A module's index is not cached: making it is as fast as reading it. */
static struct cache_file place_of(const struct dwarf_db *db, const struct dwarf_cached_kind *kind,
			    uint64_t of)
{
	struct kernel *k = db->s->kernel;
	const char *build_id = db->is_module || db->is_program ? NULL : kernel_build_id(k);

	if (!build_id)
		return (struct cache_file){0};
	return kernel_cache_file(k, kind->suffix,
				 arena_printf(db->arena, "%s %s %llu", kind->format, build_id,
					      (unsigned long long)of));
}

static bool open_file(struct dwarf_db *db, const struct cache_file *at, struct dwarf_cached *ret)
{
	struct cache_mapping *f = &ret->file;

	if (!cache_file_open(db->arena, at, f))
		return false;
	if (!is_whole(f->data, f->size)) {
		cache_file_close(f);
		return false;
	}
	ret->bytes = f->data + sizeof(struct head);
	ret->size = ((const struct head *)f->data)->size;
	return true;
}

/* Copies @bytes to *@ret, and stores them if @at is a place. */
static void put(struct dwarf_db *db, const struct cache_file *at, const struct buf *bytes,
		struct dwarf_cached *ret)
{
	static const char filling[ROW];
	struct head head = { .size = bytes->len };
	struct buf file;

	ret->size = bytes->len;
	ret->bytes = memcpy(arena_alloc(db->arena, bytes->len), bytes->s, bytes->len);
	if (!at->dir)
		return;
	buf_init(&file);
	buf_write(&file, &head, sizeof(head));
	buf_write(&file, bytes->s, bytes->len);
	buf_write(&file, filling, (ROW - (file.len - SUMMED) % ROW) % ROW);
	sums_of(file.s + SUMMED, file.len - SUMMED, head.sums);
	memcpy(file.s, &head, sizeof(head));
	cache_file_write(db->arena, at, file.s, file.len);
	buf_deinit(&file);
}

static void announce(const struct dwarf_db *db, const struct dwarf_cached_kind *kind, bool once)
{
	if (kind->slow && !db->is_module && !db->is_program)
		fprintf(stderr, "building the %s for %s%s\n", kind->slow,
			kernel_release(db->s->kernel), once ? " (once)" : "");
}

void dwarf_cached_open(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		       void *index)
{
	struct cache_file at = place_of(db, kind, of);
	struct dwarf_cached *cached = index;
	struct buf bytes;

	if (open_file(db, &at, cached) && kind->find(index))
		return;
	dwarf_cached_close(cached);
	announce(db, kind, at.dir);
	buf_init(&bytes);
	if (kind->make(db, &bytes)) {
		put(db, &at, &bytes, cached);
		kind->find(index);
	}
	buf_deinit(&bytes);
}

void dwarf_cached_close(struct dwarf_cached *cached)
{
	cache_file_close(&cached->file);
	*cached = (struct dwarf_cached){0};
}
