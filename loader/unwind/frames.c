/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A section is a list of entries. A common entry says how its functions' entries are encoded and
 * has the instructions for their beginning; a function's entry has the code that it is for and
 * further instructions, which rows.c executes.
 */
#include "unwind/frames.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "shared/search.h"
#include "unwind/cursor.h"
#include "unwind/private.h"

/* An entry's frame: its contents are from `at` on; `id` is 0 for a common entry, else the number
 * from which the position of the common one is computed. */
struct section_entry {
	size_t offset, id_at, end;
	uint64_t id;
	bool is_common;
};

/* ---- entries ---- */

/* false: there are no more. */
static bool next_entry(const struct frames *f, struct cursor *c, struct section_entry *ret)
{
	for (;;) {
		uint64_t length;
		size_t id_size = 4;

		ret->offset = c->at;
		length = cursor_number(c, 4);
		if (length == 0xffffffff) {
			length = cursor_number(c, 8);
			id_size = f->kind == FRAMES_DEBUG ? 8 : 4;
		} else if (!length && !c->bad && f->kind != FRAMES_LOADED) {
			continue;
		}
		if (c->bad || length < id_size || length > c->end - c->at)
			return false;
		ret->id_at = c->at;
		ret->end = c->at + length;
		ret->id = cursor_number(c, id_size);
		if (f->kind != FRAMES_DEBUG)
			ret->is_common = ret->id == 0;
		else
			ret->is_common = ret->id == (id_size == 8 ? UINT64_MAX : UINT32_MAX);
		return true;
	}
}

/* The part of a common entry's augmentation that its data follow: LSB 5.0 Core, 10.6.1.1.1. */
static void read_augmentation(struct cursor *c, const char *letters, struct frames_common *ret)
{
	uint64_t size = cursor_uleb(c);
	struct cursor data = *c;
	unsigned encoding;

	cursor_skip(c, size);
	data.end = c->at;
	data.bad |= c->bad;
	ret->has_data = true;
	for (const char *it = letters; *it; it++)
		switch (*it) {
		case 'R':
			ret->encoding = (unsigned)cursor_number(&data, 1);
			break;
		case 'P':
			encoding = (unsigned)cursor_number(&data, 1);
			cursor_pointer(&data, encoding & POINTER_FORM, 0);
			break;
		case 'L':
			cursor_number(&data, 1);
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

static void read_common(const struct frames *f, struct cursor *c, const struct section_entry *entry,
			struct frames_common *ret)
{
	struct cursor at = { c->bytes, c->at, entry->end, false };
	unsigned version = (unsigned)cursor_number(&at, 1);
	const char *letters = cursor_string(&at);
	uint64_t ra;

	*ret = (struct frames_common){ .offset = entry->offset, .encoding = POINTER_ABSOLUTE };
	if (version == 4) {
		at.bad |= cursor_number(&at, 1) != 8;
		at.bad |= cursor_number(&at, 1) != 0;
	}
	ret->code_factor = cursor_uleb(&at);
	ret->data_factor = cursor_sleb(&at);
	ra = version == 1 ? cursor_number(&at, 1) : cursor_uleb(&at);
	if (*letters == 'z' && f->kind != FRAMES_DEBUG)
		read_augmentation(&at, letters + 1, ret);
	else if (*letters)
		at.bad = true;
	ret->at = at.at;
	ret->at_end = entry->end;
	ret->is_usable = !at.bad && (version == 1 || version == 3 || version == 4) &&
			 ra == PRT_UNWIND_IP && !(ret->encoding & POINTER_INDIRECT);
}

static const struct frames_common *common_at(const struct frames *f, uint64_t offset)
{
	size_t i;

	search_first(i, f->ncommon, f->common[i].offset < offset);
	return i < f->ncommon && f->common[i].offset == offset ? &f->common[i] : NULL;
}

static void read_function(struct frames *f, const struct cursor *c,
			  const struct section_entry *entry)
{
	struct cursor at = { c->bytes, c->at, entry->end, false };
	const struct frames_common *common =
		common_at(f, f->kind == FRAMES_DEBUG ? entry->id : entry->id_at - entry->id);
	uint64_t start, size;

	if (!common || !common->is_usable)
		return;
	start = cursor_pointer(&at, common->encoding, f->part.address);
	size = cursor_pointer(&at, common->encoding & POINTER_FORM, 0);
	if (common->has_data)
		cursor_skip(&at, cursor_uleb(&at));
	if (at.bad || !start || !size || size > UINT64_MAX - start)
		return;
	if (f->nfunctions == f->room) {
		f->room = f->room ? 2 * f->room : 256;
		f->functions = alloc_resize(f->functions, f->room * sizeof(*f->functions));
	}
	f->functions[f->nfunctions++] = (struct frames_function){
		.start = start, .end = start + size, .at = at.at, .at_end = entry->end,
		.common = (size_t)(common - f->common),
	};
}

static void add_common(struct frames *f, struct cursor *c, const struct section_entry *entry)
{
	if (f->ncommon == f->common_room) {
		f->common_room = f->common_room ? 2 * f->common_room : 16;
		f->common = alloc_resize(f->common, f->common_room * sizeof(*f->common));
	}
	read_common(f, c, entry, &f->common[f->ncommon++]);
}

void frames_read(const struct image_part *part, enum frames_kind kind, struct frames *ret)
{
	struct cursor c = { .bytes = part->bytes, .end = part->size };
	struct section_entry entry;

	*ret = (struct frames){ .part = *part, .kind = kind };
	/* In .debug_frame, a common entry may stand behind its functions. */
	for (; next_entry(ret, &c, &entry); c.at = entry.end)
		if (entry.is_common)
			add_common(ret, &c, &entry);
	c = (struct cursor){ .bytes = part->bytes, .end = part->size };
	for (; next_entry(ret, &c, &entry); c.at = entry.end)
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
