/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which compilation unit has the code at an address: from .debug_aranges, read here because libdw
 * would go over the headers of all units for it, which takes twenty times as long. Where a compiler
 * wrote none (clang), or not of all units, the units are asked themselves.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "locate/dwarf/dwarf_private.h"

static void add_range(struct dwarf_db *db, uint64_t start, uint64_t end, Dwarf_Off unit)
{
	if (db->ranges.n == db->ranges.cap) {
		size_t cap = db->ranges.cap ? 2 * db->ranges.cap : 4096;
		void *v = realloc(db->ranges.v, cap * sizeof(*db->ranges.v));
		if (!v)
			return;
		db->ranges.v = v;
		db->ranges.cap = cap;
	}
	db->ranges.v[db->ranges.n++] = (struct dwarf_unit_range){ start, end, unit };
}

static uint64_t read_number(const unsigned char *p, size_t size)
{
	uint64_t v = 0;
	memcpy(&v, p, size);
	return v;
}

/* One set: {length, version, unit, sizes}, padding, then pairs of address and length. Returns where
 * the next one begins, or NULL. */
static const unsigned char *read_set(struct dwarf_db *db, const unsigned char *start,
				     const unsigned char *end)
{
	enum { HEAD = 12, PAIR = 16 };
	if (end - start < HEAD)
		return NULL;
	uint32_t length = (uint32_t)read_number(start, 4);
	const unsigned char *next = start + 4 + length;
	/* 64-bit DWARF and other sizes of addresses are not the kernel's. */
	if (length < HEAD - 4 || length > (size_t)(end - start) - 4 ||
	    read_number(start + 4, 2) != 2 || start[10] != 8 || start[11] != 0)
		return NULL;
	Dwarf_Off unit = read_number(start + 6, 4);
	for (const unsigned char *p = start + PAIR; next - p >= PAIR; p += PAIR) {
		uint64_t address = read_number(p, 8), size = read_number(p + 8, 8);
		if (size)
			add_range(db, address, address + size, unit);
	}
	return next;
}

static void read_units(struct dwarf_db *db)
{
	Dwarf_Off offset = 0, next;
	size_t head;
	for (; dwarf_nextcu(db->dwarf, offset, &next, &head, NULL, NULL, NULL) == 0;
	     offset = next) {
		Dwarf_Die die;
		Dwarf_Addr base, start, end;
		if (!dwarf_offdie(db->dwarf, offset + head, &die))
			continue;
		for (ptrdiff_t i = 0; (i = dwarf_ranges(&die, i, &base, &start, &end)) > 0;)
			add_range(db, start, end, offset);
	}
}

static int by_start(const void *x, const void *y)
{
	const struct dwarf_unit_range *a = x, *b = y;
	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort_ranges(struct dwarf_db *db)
{
	if (db->ranges.n)
		qsort(db->ranges.v, db->ranges.n, sizeof(*db->ranges.v), by_start);
}

static const struct dwarf_unit_range *find_range(const struct dwarf_db *db, uint64_t pc)
{
	size_t low = 0, high = db->ranges.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (db->ranges.v[mid].start <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low && pc < db->ranges.v[low - 1].end ? &db->ranges.v[low - 1] : NULL;
}

/* The units' own word, once. */
static const struct dwarf_unit_range *find_in_units(struct dwarf_db *db, uint64_t pc)
{
	if (db->units_read)
		return NULL;
	db->units_read = true;
	db->ranges.n = 0;
	read_units(db);
	sort_ranges(db);
	return find_range(db, pc);
}

static const struct dwarf_unit_range *find_unit(struct dwarf_db *db, uint64_t pc)
{
	if (!db->ranges_read) {
		db->ranges_read = true;
		const Elf_Data *data = dwarf_db_section(db, ".debug_aranges");
		const unsigned char *p = data ? data->d_buf : NULL;
		const unsigned char *end = p ? p + data->d_size : NULL;
		while (p && p < end)
			p = read_set(db, p, end);
		sort_ranges(db);
	}
	const struct dwarf_unit_range *r = find_range(db, pc);
	return r ? r : find_in_units(db, pc);
}

/* ---- units ---- */

struct dwarf_unit *dwarf_units_of(struct dwarf_db *db, Dwarf_Die *die)
{
	Dwarf_Die top;
	Dwarf_Attribute attr;
	Dwarf_Word lines;
	if (!dwarf_diecu(die, &top, NULL, NULL))
		return NULL;
	Dwarf_Off offset = dwarf_dieoffset(&top);
	if (!db->units)
		db->units = arena_alloc(db->arena, DWARF_UNITS_HASH * sizeof(*db->units));
	struct dwarf_unit **slot = &db->units[offset * 2654435761u / 64 % DWARF_UNITS_HASH];
	for (struct dwarf_unit *u = *slot; u; u = u->next) {
		if (u->offset == offset)
			return u;
	}
	struct dwarf_unit *u = NEW(db->arena, struct dwarf_unit);
	u->die = top;
	u->offset = offset;
	u->has_lines = dwarf_attr(&top, DW_AT_stmt_list, &attr) &&
		       dwarf_formudata(&attr, &lines) == 0;
	u->lines = u->has_lines ? lines : 0;
	u->next = *slot;
	*slot = u;
	return u;
}

struct dwarf_unit *dwarf_units_at(struct dwarf_db *db, uint64_t pc)
{
	const struct dwarf_unit_range *r = find_unit(db, pc);
	Dwarf_Off next;
	Dwarf_Die die;
	size_t head;
	if (!r || dwarf_nextcu(db->dwarf, r->unit, &next, &head, NULL, NULL, NULL) != 0 ||
	    !dwarf_offdie(db->dwarf, r->unit + head, &die))
		return NULL;
	return dwarf_units_of(db, &die);
}

const char *dwarf_units_file(struct dwarf_db *db, struct dwarf_unit *unit, uint64_t nr)
{
	if (!unit->files_read) {
		unit->files_read = true;
		if (unit->has_lines)
			dwarf_lines_files(db, unit->lines, &unit->files);
	}
	return nr < unit->files.n ? unit->files.v[nr] : NULL;
}
