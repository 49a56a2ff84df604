/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of lines of CPython, each a list of entries for consecutive instructions: co_lnotab of 3.9
 * (Objects/lnotab_notes.txt of that version), co_linetable of 3.10 (the same file of that version),
 * and that of 3.11 and later (Objects/locations.md).
 */
#include "scripts/language.h"
#include "scripts/python.h"
#include "shared/bytes.h"

enum { NO_POSITION = 0x7fffffff }; /* more than that is a negative number: not begun yet */

static uint32_t valid(int64_t line)
{
	return line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Pairs of differences: of addresses, and of lines with a sign. The first line has the addresses
 * before the first pair. */
static uint32_t line_309(struct bytes c, int64_t line, uint32_t position)
{
	uint64_t address = 0;

	while (bytes_left(&c) >= 2) {
		address += bytes_fixed(&c, 1);
		if (address > position)
			break;
		line += (int8_t)bytes_fixed(&c, 1);
	}
	return valid(line);
}

/* The same, but a pair has the addresses whose line it sets; -128: they have none. */
static uint32_t line_310(struct bytes c, int64_t line, uint32_t position)
{
	uint64_t address = 0;

	while (bytes_left(&c) >= 2) {
		int8_t change;

		address += bytes_fixed(&c, 1);
		change = (int8_t)bytes_fixed(&c, 1);
		if (change != -128)
			line += change;
		if (address > position)
			return change == -128 ? 0 : valid(line);
	}
	return 0;
}

/* A number of 6 bits a byte, the lowest first; bit 6 says that there are more, and the lowest bit
 * of the number is the sign. */
static int64_t read_signed(struct bytes *c)
{
	uint64_t n = 0, byte;
	unsigned shift = 0;

	do {
		byte = bytes_fixed(c, 1);
		if (shift < 60)
			n |= (byte & 63) << shift;
		shift += 6;
	} while (byte & 64);
	return n & 1 ? -(int64_t)(n >> 1) : (int64_t)(n >> 1);
}

/* The first byte of an entry has bit 7, a code and the number of its code units less 1. */
static uint32_t line_311(struct bytes c, int64_t line, uint32_t position)
{
	enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NONE = 15, UNIT = 2 };
	uint64_t address = 0;

	while (bytes_left(&c)) {
		unsigned head = (unsigned)bytes_fixed(&c, 1), code = head >> 3 & 15;

		if (code == LONG || code == NO_COLUMNS)
			line += read_signed(&c);
		else if (code >= ONE_LINE && code < NO_COLUMNS)
			line += code - ONE_LINE;
		address += UNIT * ((head & 7) + 1ull);
		if (address > position)
			return code == NONE ? 0 : valid(line);
		while (bytes_left(&c) && !(*c.p & 128))
			bytes_skip(&c, 1);
	}
	return 0;
}

uint32_t script_python_line(const struct script_object *o, uint32_t position)
{
	struct bytes c = { .p = o->lines, .end = o->lines + o->lines_len };
	int64_t first = (int64_t)(int32_t)o->first;

	if (position > NO_POSITION)
		return valid(first);
	if (!o->lines)
		return 0;
	if (o->flags == 309)
		return line_309(c, first, position);
	if (o->flags == 310)
		return line_310(c, first, position < NO_POSITION / 2 ? 2 * position : position);
	return line_311(c, first, position);
}
