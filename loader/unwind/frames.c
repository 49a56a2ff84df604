/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A section is a list of entries. A common entry says how its functions' entries are encoded and
 * has the instructions for their beginning; a function's entry has the code that it is for and
 * further instructions, which rows.c executes.
 */
#include "unwind/frames.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/pointer.h"
#include "unwind/private.h"

/* An entry's frame: its contents are from `at` on; `id` is 0 for a common entry, else the number
 * from which the position of the common one is computed. */
struct section_entry {
	size_t offset, id_at, end;
	uint64_t id;
	bool is_common;
};

/* ---- positions ---- */

struct bytes frames_bytes(const struct frames *f, size_t at, size_t end)
{
	return (struct bytes){ .p = f->part.bytes + at, .end = f->part.bytes + end };
}

static size_t position(const struct frames *f, const struct bytes *c)
{
	return (size_t)(c->p - f->part.bytes);
}

uint64_t frames_address(const struct frames *f, const struct bytes *c)
{
	return f->part.address + position(f, c);
}

unsigned frames_word(const struct frames *f)
{
	return f->is_32bit ? 4 : PRT_UNWIND_WORD;
}

uint64_t frames_register(const struct frames *f, uint64_t number)
{
	return f->is_32bit ? arch_register_of_32bit(number) : number;
}

/* ---- entries ---- */

/* false: there are no more. */
static bool next_entry(const struct frames *f, struct bytes *c, struct section_entry *ret)
{
	for (;;) {
		uint64_t length;
		size_t id_size = 4;

		ret->offset = position(f, c);
		length = bytes_fixed(c, 4);
		if (length == 0xffffffff) {
			length = bytes_fixed(c, 8);
			id_size = f->kind == FRAMES_DEBUG ? 8 : 4;
		} else if (!length && !c->bad && f->kind != FRAMES_LOADED) {
			continue;
		}
		if (c->bad || length < id_size || length > bytes_left(c))
			return false;
		ret->id_at = position(f, c);
		ret->end = ret->id_at + length;
		ret->id = bytes_fixed(c, id_size);
		if (f->kind != FRAMES_DEBUG)
			ret->is_common = ret->id == 0;
		else
			ret->is_common = ret->id == (id_size == 8 ? UINT64_MAX : UINT32_MAX);
		return true;
	}
}

/* The part of a common entry's augmentation that its data follow: LSB 5.0 Core, 10.6.1.1.1. */
static void read_augmentation(struct bytes *c, const char *letters, unsigned word,
			      struct frames_common *ret)
{
	uint64_t size = bytes_uleb(c);
	struct bytes data = *c;
	unsigned encoding;

	bytes_skip(c, size);
	data.end = c->p;
	data.bad |= c->bad;
	ret->has_data = true;
	for (const char *it = letters; *it; it++)
		switch (*it) {
		case 'R':
			ret->encoding = (unsigned)bytes_fixed(&data, 1);
			break;
		case 'P':
			encoding = (unsigned)bytes_fixed(&data, 1);
			pointer_read(&data, encoding & POINTER_FORM, word, 0);
			break;
		case 'L':
			bytes_fixed(&data, 1);
			break;
		case 'S':
			ret->is_signal = true;
			break;
		case 'B':
			break;
		default:
			data.bad = true;
		}
	c->bad |= data.bad;
}

static void read_common(const struct frames *f, struct bytes *c, const struct section_entry *entry,
			struct frames_common *ret)
{
	struct bytes at = frames_bytes(f, position(f, c), entry->end);
	unsigned version = (unsigned)bytes_fixed(&at, 1);
	const char *letters = bytes_string(&at);
	uint64_t ra;

	*ret = (struct frames_common){ .offset = entry->offset, .encoding = POINTER_ABSOLUTE };
	if (version == 4) {
		at.bad |= bytes_fixed(&at, 1) != frames_word(f);
		at.bad |= bytes_fixed(&at, 1) != 0;
	}
	ret->code_factor = bytes_uleb(&at);
	ret->data_factor = bytes_sleb(&at);
	ra = version == 1 ? bytes_fixed(&at, 1) : bytes_uleb(&at);
	if (letters && *letters == 'z' && f->kind != FRAMES_DEBUG)
		read_augmentation(&at, letters + 1, frames_word(f), ret);
	else if (!letters || *letters)
		at.bad = true;
	ret->at = position(f, &at);
	ret->at_end = entry->end;
	ret->is_usable = !at.bad && (version == 1 || version == 3 || version == 4) &&
			 frames_register(f, ra) == PRT_UNWIND_IP &&
			 !(ret->encoding & POINTER_INDIRECT);
}

static const struct frames_common *common_at(const struct frames *f, uint64_t offset)
{
	size_t i;

	search_first(i, f->ncommon, f->common[i].offset < offset);
	return i < f->ncommon && f->common[i].offset == offset ? &f->common[i] : NULL;
}

static void read_function(struct frames *f, const struct bytes *c,
			  const struct section_entry *entry)
{
	struct bytes at = frames_bytes(f, position(f, c), entry->end);
	const struct frames_common *common =
		common_at(f, f->kind == FRAMES_DEBUG ? entry->id : entry->id_at - entry->id);
	uint64_t start, size;

	if (!common || !common->is_usable)
		return;
	start = pointer_read(&at, common->encoding, frames_word(f), frames_address(f, &at));
	size = pointer_read(&at, common->encoding & POINTER_FORM, frames_word(f), 0);
	if (common->has_data)
		bytes_skip(&at, bytes_uleb(&at));
	if (at.bad || !start || !size || size > UINT64_MAX - start)
		return;
	memory_grow(f->functions, f->nfunctions, f->room, 256);
	f->functions[f->nfunctions++] = (struct frames_function){
		.start = start, .end = start + size, .at = position(f, &at), .at_end = entry->end,
		.common = (size_t)(common - f->common),
	};
}

static void add_common(struct frames *f, struct bytes *c, const struct section_entry *entry)
{
	memory_grow(f->common, f->ncommon, f->common_room, 16);
	read_common(f, c, entry, &f->common[f->ncommon++]);
}

void frames_read(const struct image_part *part, enum frames_kind kind, bool is_32bit,
		 struct frames *ret)
{
	struct section_entry entry;
	struct bytes c;

	*ret = (struct frames){ .part = *part, .kind = kind, .is_32bit = is_32bit };
	c = frames_bytes(ret, 0, part->size);
	/* In .debug_frame, a common entry may follow its functions. */
	for (; next_entry(ret, &c, &entry); c.p = part->bytes + entry.end)
		if (entry.is_common)
			add_common(ret, &c, &entry);
	c = frames_bytes(ret, 0, part->size);
	for (; next_entry(ret, &c, &entry); c.p = part->bytes + entry.end)
		if (!entry.is_common)
			read_function(ret, &c, &entry);
}

void frames_deinit(struct frames *f)
{
	free(f->part.bytes);
	free(f->functions);
	free(f->common);
	*f = (struct frames){ 0 };
}
