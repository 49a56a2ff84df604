/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the compilation unit that has the code at an address by .debug_aranges. libdw is not used,
 * because it would read the headers of all units first, which takes twenty times as long. If a
 * compiler did not write the section (clang), or not for all units, the units' own ranges are used.
 */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "shared/bytes.h"

static void add_range(struct dwarf_db *db, uint64_t start, uint64_t end, Dwarf_Off unit)
{
	struct dwarf_range one = { start, end, unit };

	vec_push(db->arena, &db->ranges.v, one);
}

static uint64_t read_number(const unsigned char *p, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, p, size);
	return v;
}

/* Reads one set: {length, version, unit, sizes}, padding, then pairs of address and length. Returns
 * the beginning of the next one, or NULL. */
static const unsigned char *read_set(struct dwarf_db *db, const unsigned char *start,
				     const unsigned char *end)
{
	enum { HEAD = 12, FIRST = 16 };

	if (end - start < HEAD)
		return NULL;

	uint32_t length = (uint32_t)read_number(start, 4);
	const unsigned char *next = start + 4 + length;

	/* After a set of 64-bit DWARF, or of other sizes, find_in_units() serves. */
	if (length < HEAD - 4 || length > (size_t)(end - start) - 4 ||
	    read_number(start + 4, 2) != 2 || (start[10] != 8 && start[10] != 4) || start[11] != 0)
		return NULL;

	Dwarf_Off unit = read_number(start + 6, 4);

	unsigned word = start[10];

	for (const unsigned char *p = start + FIRST; next - p >= 2 * word; p += 2 * word) {
		uint64_t address = read_number(p, word), size = read_number(p + word, word);

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

/* Searches the ranges of the units, which are read once. */
static const struct dwarf_range *find_in_units(struct dwarf_db *db, uint64_t pc)
{
	if (db->units_read)
		return NULL;
	db->units_read = true;
	db->ranges.v.n = 0;
	read_units(db);
	dwarf_ranges_sort(&db->ranges);
	return dwarf_ranges_find(&db->ranges, pc);
}

static const struct dwarf_range *find_unit(struct dwarf_db *db, uint64_t pc)
{
	if (!db->ranges_read) {
		db->ranges_read = true;

		const Elf_Data *data = dwarf_db_section(db, ".debug_aranges");
		const unsigned char *p = data ? data->d_buf : NULL;
		const unsigned char *end = p ? p + data->d_size : NULL;

		while (p && p < end)
			p = read_set(db, p, end);
		dwarf_ranges_sort(&db->ranges);
	}

	const struct dwarf_range *r = dwarf_ranges_find(&db->ranges, pc);

	return r ? r : find_in_units(db, pc);
}

/* ---- units ---- */

uint64_t dwarf_units_length(struct bytes *c, unsigned *offset_size)
{
	enum { RESERVED = 0xfffffff0u, LONG = 0xffffffffu };
	uint64_t length = bytes_fixed(c, 4);

	*offset_size = length == LONG ? 8 : 4;
	if (length == LONG)
		length = bytes_fixed(c, 8);
	else if (length >= RESERVED)
		return 0;
	return length <= bytes_left(c) ? length : 0;
}

bool dwarf_units_language_has_scopes(int language)
{
	switch (language) {
	case -1: case 0: case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11:
	case DW_LANG_Mips_Assembler: return false;
	default: return true;
	}
}

const char *dwarf_units_producer(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	const char *ret = dwarf_diecu(die, &unit, NULL, NULL) ?
			  dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attr)) : NULL;

	return ret ? ret : "";
}

bool dwarf_units_is_by_gcc(Dwarf_Die *die)
{
	return strncmp(dwarf_units_producer(die), "GNU ", 4) == 0;
}

/* A number of DWARF's list that dwarf.h may not have yet. */
enum { ASSEMBLY = 0x31 };

enum dwarf_language dwarf_units_language(Dwarf_Die *die)
{
	/* Numbers of DWARF's list that dwarf.h may not have yet. */
	enum { CPP_17 = 0x2a, CPP_20 = 0x2b, C_17 = 0x2c, CPP_23 = 0x3a, C_23 = 0x3e };
	Dwarf_Die unit;

	switch (dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1) {
	case -1: case 0: case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11:
	case C_17: case C_23: case DW_LANG_ObjC: case DW_LANG_Mips_Assembler: case ASSEMBLY:
		return DWARF_LANGUAGE_C;
	case DW_LANG_C_plus_plus: case DW_LANG_C_plus_plus_03: case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14: case CPP_17: case CPP_20: case CPP_23:
	case DW_LANG_ObjC_plus_plus:
		return DWARF_LANGUAGE_CPP;
	case DW_LANG_Rust:
		return DWARF_LANGUAGE_RUST;
	case DW_LANG_Go:
		return DWARF_LANGUAGE_GO;
	default:
		return DWARF_LANGUAGE_OTHER;
	}
}

struct dwarf_unit *dwarf_units_of(struct dwarf_db *db, Dwarf_Die *die)
{
	Dwarf_Die top, skeleton;
	Dwarf_Attribute attr;
	Dwarf_Word lines;

	if (!dwarf_diecu(die, &top, NULL, NULL))
		return NULL;
	dwarf_split_unit(db, &top);

	Dwarf_Off offset = dwarf_parts_offset(db, &top);
	struct dwarf_unit *u = map_get_number(&db->units, offset);

	if (u)
		return u;
	u = NEW(db->arena, struct dwarf_unit);
	if (!dwarf_split_skeleton(db, &top, &skeleton))
		skeleton = top;
	u->die = top;
	u->skeleton = skeleton;
	u->offset = offset;
	u->has_lines = dwarf_attr(&skeleton, DW_AT_stmt_list, &attr) &&
		       dwarf_formudata(&attr, &lines) == 0;
	u->lines = u->has_lines ? lines : 0;
	u->has_scopes = dwarf_units_language_has_scopes(dwarf_srclang(&top));
	map_set_number(&db->units, offset, u);
	return u;
}

struct dwarf_unit *dwarf_units_at(struct dwarf_db *db, uint64_t pc)
{
	const struct dwarf_range *r = find_unit(db, pc);
	Dwarf_Off next;
	Dwarf_Die die;
	size_t head;

	if (!r || dwarf_nextcu(db->dwarf, r->of, &next, &head, NULL, NULL, NULL) != 0 ||
	    !dwarf_offdie(db->dwarf, r->of + head, &die))
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

const char *dwarf_place_directory(const struct dwarf_place *at)
{
	struct dwarf_unit *unit = dwarf_units_at(at->db, at->pc);
	Dwarf_Attribute attr;

	return unit ? dwarf_formstring(dwarf_attr(&unit->skeleton, DW_AT_comp_dir, &attr)) : NULL;
}

bool dwarf_is_assembler(const struct dwarf_place *at)
{
	struct dwarf_unit *unit = at->db->is_program ? dwarf_units_at(at->db, at->pc) : NULL;
	int language = unit ? dwarf_srclang(&unit->die) : -1;

	return language == DW_LANG_Mips_Assembler || language == ASSEMBLY;
}

bool dwarf_is_32bit(const struct dwarf_place *at)
{
	return at->db->is_32bit;
}

static bool is_in_language(const struct dwarf_place *at, int language)
{
	struct dwarf_unit *unit = at->db->is_program ? dwarf_units_at(at->db, at->pc) : NULL;

	return unit && dwarf_srclang(&unit->die) == language;
}

bool dwarf_is_go(const struct dwarf_place *at)
{
	return is_in_language(at, DW_LANG_Go);
}

bool dwarf_is_rust(const struct dwarf_place *at)
{
	return is_in_language(at, DW_LANG_Rust);
}
