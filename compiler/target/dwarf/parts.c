/* SPDX-License-Identifier: GPL-2.0 */
/* The files that an object's debug information is in, and the numbers of their DIEs. */
#include <dwarf.h>

#include "target/dwarf/private.h"
#include "target/object/section.h"
#include "shared/search.h"

struct dwarf_section dwarf_parts_bytes(const struct dwarf_part *part, const char *name)
{
	Elf *elf = dwarf_getelf(part->dwarf);
	char split[64];
	GElf_Shdr head;
	Elf_Scn *scn = section_find(elf, name, &head);
	Elf_Data *data;

	if (!scn) {
		snprintf(split, sizeof(split), "%s.dwo", name);
		scn = section_find(elf, split, &head);
	}
	data = scn && head.sh_type != SHT_NOBITS ? elf_getdata(scn, NULL) : NULL;
	return (struct dwarf_section){ data ? data->d_buf : NULL, data ? data->d_size : 0 };
}

static struct dwarf_part *add_part(struct dwarf_db *db, Dwarf *dwarf)
{
	struct dwarf_part *part = NEW(db->arena, struct dwarf_part);

	part->dwarf = dwarf;
	part->info = dwarf_parts_bytes(part, ".debug_info");
	part->types = dwarf_parts_bytes(part, ".debug_types");
	if (db->parts.n) {
		const struct dwarf_part *last = db->parts.v[db->parts.n - 1];

		part->base = last->base + last->info.size + last->types.size;
	}
	vec_push(db->arena, &db->parts, part);
	return part;
}

struct dwarf_part *dwarf_parts_first(struct dwarf_db *db)
{
	return db->parts.n ? db->parts.v[0] : add_part(db, db->dwarf);
}

struct dwarf_part *dwarf_parts_of(struct dwarf_db *db, Dwarf *dwarf)
{
	struct dwarf_part *first = dwarf_parts_first(db), *part;

	if (dwarf == first->dwarf)
		return first;
	part = map_get_number(&db->part_of, (uintptr_t)dwarf);
	if (!part) {
		part = add_part(db, dwarf);
		map_set_number(&db->part_of, (uintptr_t)dwarf, part);
	}
	return part;
}

uint64_t dwarf_parts_offset(struct dwarf_db *db, Dwarf_Die *die)
{
	struct dwarf_part *part = dwarf_parts_of(db, dwarf_cu_getdwarf(die->cu));
	const unsigned char *at = die->addr;

	if (part->types.size && at >= part->types.start &&
	    at < part->types.start + part->types.size)
		return part->base + part->info.size + (uint64_t)(at - part->types.start);
	return part->base + dwarf_dieoffset(die);
}

bool dwarf_parts_die(struct dwarf_db *db, uint64_t offset, Dwarf_Die *ret)
{
	const struct dwarf_part *part = dwarf_parts_first(db);
	size_t after;

	search_first(after, db->parts.n, db->parts.v[after]->base <= offset);
	if (after)
		part = db->parts.v[after - 1];
	offset -= part->base;
	return offset < part->info.size || !part->types.size ?
	       dwarf_offdie(part->dwarf, offset, ret) :
	       dwarf_offdie_types(part->dwarf, offset - part->info.size, ret);
}

/* Visits the units of a part but for those with code, which are found by their skeletons. */
static bool visit_types(const struct dwarf_part *part,
			bool (*visit)(void *data, Dwarf_Die *unit), void *data)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	int more;

	while ((more = dwarf_get_units(part->dwarf, cu, &cu, NULL, &type, &unit, NULL)) == 0) {
		if ((type == DW_UT_type || type == DW_UT_split_type) && !visit(data, &unit))
			return true;
	}
	return more > 0;
}

bool dwarf_parts_units(struct dwarf_db *db, bool (*visit)(void *data, Dwarf_Die *unit),
		       void *data)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	bool whole = true;
	int more;

	while ((more = dwarf_get_units(db->dwarf, cu, &cu, NULL, NULL, &unit, NULL)) == 0) {
		if (!dwarf_split_unit(db, &unit))
			continue;
		if (!visit(data, &unit))
			return true;
	}
	for (size_t i = 1; db->split && i < db->parts.n; i++)
		whole &= visit_types(db->parts.v[i], visit, data);
	return whole && more > 0;
}
