/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A .dwp file has the sections of many .dwo files, each one after the other, and an index that says
 * where those of each unit are: DWARF 5, 7.3.5, and https://gcc.gnu.org/wiki/DebugFissionDWP before
 * it. elfutils before 0.191 does not read such files, so a unit's sections are copied to a .dwo
 * file of their own, in memory.
 * All units share one section of strings, which may be large: only those of the unit are copied.
 */
#include "target/object/package.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/memory.h"

enum {
	EXTRACT_MAX = 64 << 20,  /* bytes of a file that is made; RLIMIT_FSIZE of lines/confine.c */
	COLUMNS_MAX = 16,
};

/* The sections that are copied. */
enum package_part { PART_INFO, PART_TYPES, PART_ABBREV, PART_LINE, PART_OLD_LOCATIONS,
		    PART_LOCATIONS, PART_RANGES, PART_OFFSETS, PART_STRINGS, PARTS };

/* Their numbers in the index, of both versions; 0: not in it. */
static const struct { const char *name; unsigned column, older; } parts[PARTS] = {
	[PART_INFO] = { ".debug_info.dwo", 1, 1 },
	[PART_TYPES] = { ".debug_types.dwo", 0, 2 },
	[PART_ABBREV] = { ".debug_abbrev.dwo", 3, 3 },
	[PART_LINE] = { ".debug_line.dwo", 4, 4 },
	[PART_OLD_LOCATIONS] = { ".debug_loc.dwo", 0, 5 },
	[PART_LOCATIONS] = { ".debug_loclists.dwo", 5, 0 },
	[PART_RANGES] = { ".debug_rnglists.dwo", 8, 0 },
	[PART_OFFSETS] = { ".debug_str_offsets.dwo", 6, 6 },
	[PART_STRINGS] = { ".debug_str.dwo", 0, 0 },
};

struct span {
	const unsigned char *p;
	size_t n;
};

struct package {
	Elf *elf;
	unsigned char ident[EI_NIDENT];
	GElf_Half machine;
	struct span index, types; /* of units; of type units */
	struct span sections[PARTS];
};

static struct span contents(Elf_Scn *section, const GElf_Shdr *head)
{
	Elf_Data *data;

	if ((head->sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0)
		return (struct span){ 0 };
	data = elf_getdata(section, NULL);
	if (!data || !data->d_buf)
		return (struct span){ 0 };
	return (struct span){ data->d_buf, data->d_size };
}

static void find_sections(struct package *p, size_t names)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(p->elf, section));) {
		GElf_Shdr head;
		const char *name = gelf_getshdr(section, &head) ?
					   elf_strptr(p->elf, names, head.sh_name) : NULL;

		if (!name || head.sh_type == SHT_NOBITS)
			continue;
		if (strcmp(name, ".debug_cu_index") == 0)
			p->index = contents(section, &head);
		if (strcmp(name, ".debug_tu_index") == 0)
			p->types = contents(section, &head);
		for (size_t i = 0; i < PARTS; i++)
			if (strcmp(name, parts[i].name) == 0)
				p->sections[i] = contents(section, &head);
	}
}

struct package *package_open(int fd)
{
	struct package *p = memory_zeroed(1, sizeof(*p));
	GElf_Ehdr file;
	size_t names;

	p->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (p->elf && gelf_getehdr(p->elf, &file) && elf_getshdrstrndx(p->elf, &names) == 0) {
		memcpy(p->ident, file.e_ident, EI_NIDENT);
		p->machine = file.e_machine;
		find_sections(p, names);
	}
	if (p->index.n)
		return p;
	package_close(p);
	return NULL;
}

void package_close(struct package *p)
{
	if (p)
		elf_end(p->elf);
	free(p);
}

/* ---- the index ---- */

static uint64_t number_at(struct span s, uint64_t at, size_t size)
{
	uint64_t v = 0;

	if (at <= s.n && size <= s.n - at)
		memcpy(&v, s.p + at, size);
	return v;
}

bool package_has_types(const struct package *p)
{
	return number_at(p->types, 8, 4) > 0;
}

/* The part of a section that belongs to a unit, which is all of it if the index does not say. */
static struct span part_of(const struct package *p, enum package_part part, uint64_t offset,
			   uint64_t size)
{
	struct span s = p->sections[part];

	if (!s.p || offset > s.n || size > s.n - offset)
		return (struct span){ 0 };
	return (struct span){ s.p + offset, size };
}

/* Row @row, from 1, of the index: for each column a number that says which section it is, and then
 * in one table the offsets in these, in another the sizes. */
static bool read_row(const struct package *p, uint64_t tables, uint32_t ncolumns, uint32_t nunits,
		     uint32_t row, struct span ret[PARTS])
{
	const struct span index = p->index;
	const uint64_t line = 4ull * ncolumns;
	const bool is_older = number_at(index, 0, 4) == 2;

	if (!row || row > nunits)
		return false;
	for (uint32_t i = 0; i < ncolumns; i++) {
		uint64_t column = number_at(index, tables + 4 * i, 4);
		uint64_t at = tables + line * row + 4 * i;

		for (size_t k = 0; k < PARTS; k++)
			if (column && (is_older ? parts[k].older : parts[k].column) == column)
				ret[k] = part_of(p, k, number_at(index, at, 4),
						 number_at(index, at + line * nunits, 4));
	}
	return ret[PART_INFO].n && ret[PART_ABBREV].n;
}

/* The index begins with a hash table: the numbers of units, then their rows. */
static bool find_unit(const struct package *p, uint64_t unit, struct span ret[PARTS])
{
	const struct span index = p->index;
	const uint32_t ncolumns = (uint32_t)number_at(index, 4, 4);
	const uint32_t nunits = (uint32_t)number_at(index, 8, 4);
	const uint32_t nslots = (uint32_t)number_at(index, 12, 4);
	const uint64_t rows = 16 + 8ull * nslots, tables = rows + 4ull * nslots;

	if (ncolumns > COLUMNS_MAX || tables > index.n ||
	    4ull * ncolumns * (1 + 2ull * nunits) > index.n - tables)
		return false;
	for (uint32_t i = 0; i < nslots; i++) {
		uint32_t row = (uint32_t)number_at(index, rows + 4ull * i, 4);

		if (row && number_at(index, 16 + 8ull * i, 8) == unit)
			return read_row(p, tables, ncolumns, nunits, row, ret);
	}
	return false;
}

/* ---- strings ---- */

/* Where the numbers begin in the unit's table of strings: DWARF 5 gives it a header. */
static size_t offsets_start(struct span offsets)
{
	return number_at(offsets, 0, 4) == offsets.n - 4 && number_at(offsets, 4, 2) == 5 ? 8 : 0;
}

static bool reserve(unsigned char **p, size_t *room, size_t n)
{
	unsigned char *more;

	if (n <= *room)
		return true;
	more = n > EXTRACT_MAX ? NULL : realloc(*p, 2 * n);
	if (!more)
		return false;
	*p = more;
	*room = 2 * n;
	return true;
}

/* Replaces the unit's table of strings, and the strings of all units, by those of the unit. false:
 * there are too many. */
static bool compact(const struct package *p, struct span unit[PARTS])
{
	const struct span all = p->sections[PART_STRINGS], old = unit[PART_OFFSETS];
	unsigned char *offsets = malloc(old.n + 1), *strings = NULL;
	size_t n = 0, room = 0;

	if (!offsets)
		return false;
	if (old.n)
		memcpy(offsets, old.p, old.n);
	for (size_t at = offsets_start(old); at + 4 <= old.n; at += 4) {
		uint64_t from = number_at(old, at, 4);
		const unsigned char *s = from < all.n ? all.p + from : NULL;
		size_t size = s ? strnlen((const char *)s, all.n - from) : 0;
		uint32_t to = (uint32_t)n;

		if (!reserve(&strings, &room, n + size + 1)) {
			free(offsets);
			free(strings);
			return false;
		}
		if (size)
			memcpy(strings + n, s, size);
		strings[n + size] = 0;
		n += size + 1;
		memcpy(offsets + at, &to, sizeof(to));
	}
	unit[PART_OFFSETS] = (struct span){ offsets, old.n };
	unit[PART_STRINGS] = (struct span){ strings, n };
	return true;
}

static void forget(struct span unit[PARTS])
{
	free((unsigned char *)unit[PART_OFFSETS].p);
	free((unsigned char *)unit[PART_STRINGS].p);
}

/* ---- the file ---- */

/* The headers of the sections follow the header of the file; then come the sections. */
static bool write_file(const struct package *p, int fd, const struct span unit[PARTS])
{
	Elf64_Ehdr file = { .e_type = ET_REL, .e_machine = p->machine, .e_version = EV_CURRENT,
			    .e_shoff = sizeof(file), .e_ehsize = sizeof(file),
			    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = PARTS + 2,
			    .e_shstrndx = PARTS + 1 };
	Elf64_Shdr heads[PARTS + 2] = { 0 };
	uint64_t at = sizeof(file) + sizeof(heads);
	char names[256] = "";
	size_t n = 1;

	memcpy(file.e_ident, p->ident, EI_NIDENT);
	for (size_t i = 0; i < PARTS; i++) {
		heads[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)n, .sh_type = SHT_PROGBITS,
					     .sh_offset = at, .sh_size = unit[i].n,
					     .sh_addralign = 1 };
		strcpy(names + n, parts[i].name);
		n += strlen(parts[i].name) + 1;
		at += unit[i].n;
	}
	heads[PARTS + 1] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = at,
					 .sh_size = sizeof(names), .sh_addralign = 1 };
	if (at + sizeof(names) > EXTRACT_MAX ||
	    file_write_all(fd, &file, sizeof(file)) || file_write_all(fd, heads, sizeof(heads)))
		return false;
	for (size_t i = 0; i < PARTS; i++)
		if (file_write_all(fd, unit[i].p, unit[i].n))
			return false;
	return file_write_all(fd, names, sizeof(names)) == 0;
}

int package_extract(const struct package *p, uint64_t unit)
{
	struct span found[PARTS] = { 0 };
	bool done;
	int fd;

	if (!find_unit(p, unit, found) || !compact(p, found))
		return -1;
	fd = memfd_create("unit", MFD_CLOEXEC);
	done = fd >= 0 && write_file(p, fd, found);
	forget(found);
	if (done)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* ---- a .dwo file ---- */

static size_t part_named(const char *name)
{
	size_t i = 0;

	while (i < PARTS && (!name || strcmp(name, parts[i].name) != 0))
		i++;
	return i;
}

/* Calls @visit for each section that is a part. */
static void each_part(Elf *elf, void (*visit)(struct span *part, struct span own),
		      struct span ret[PARTS])
{
	size_t names, i;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr head;

		if (!gelf_getshdr(section, &head) || head.sh_type == SHT_NOBITS)
			continue;
		i = part_named(elf_strptr(elf, names, head.sh_name));
		if (i < PARTS)
			visit(&ret[i], contents(section, &head));
	}
}

static void count_bytes(struct span *part, struct span own)
{
	part->n += own.n;
}

/* There is room for them. */
static void append(struct span *part, struct span own)
{
	if (own.n)
		memcpy((unsigned char *)part->p + part->n, own.p, own.n);
	part->n += own.n;
}

static bool write_joined(const struct package *p, int fd)
{
	struct span all[PARTS] = { 0 };
	bool done;

	each_part(p->elf, count_bytes, all);
	for (size_t i = 0; i < PARTS; i++)
		all[i] = (struct span){ memory_zeroed(all[i].n + 1, 1), 0 };
	each_part(p->elf, append, all);
	done = all[PART_INFO].n && write_file(p, fd, all);
	for (size_t i = 0; i < PARTS; i++)
		free((unsigned char *)all[i].p);
	return done;
}

int package_joined(int fd)
{
	struct package p = { .elf = elf_begin(fd, ELF_C_READ_MMAP, NULL) };
	GElf_Ehdr file;
	int ret = -1;

	if (p.elf && gelf_getehdr(p.elf, &file) && gelf_getclass(p.elf) == ELFCLASS64) {
		memcpy(p.ident, file.e_ident, EI_NIDENT);
		p.machine = file.e_machine;
		ret = memfd_create("unit", MFD_CLOEXEC);
	}
	if (ret >= 0 && !write_joined(&p, ret)) {
		close(ret);
		ret = -1;
	}
	elf_end(p.elf);
	return ret;
}
