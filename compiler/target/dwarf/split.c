/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that was compiled with -gsplit-dwarf has a skeleton of each unit, with its addresses
 * and lines; functions, variables and types are in .dwo files, or in a package of them, PROGRAM.dwp
 * (DWARF 5, 3.1.2 and 3.1.3; https://gcc.gnu.org/wiki/DebugFission before it).
 *
 * libdw joins a skeleton with its unit when it is asked for it. But it knows no package before
 * 0.191, looks for a file only where it was compiled and beside the program, and reads only one of
 * the sections that hold types. So the files are found here, and made in memory as libdw can read
 * them. It opens what a skeleton names: in a copy of the program's debug information, each of them
 * names the descriptor that the unit at hand is open at. It checks that the unit is the wanted one.
 */
#include <dwarf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "target/dwarf/private.h"
#include "target/object/package.h"
#include "target/object/section.h"
#include "shared/bytes.h"
#include "shared/search.h"
#include "state.h"

/* A unit that was split. */
struct split_unit {
	Dwarf_Off skeleton;      /* of its DIE in the program's file */
	uint64_t number;         /* by which the two units know each other */
	const char *directory, *name; /* of the .dwo file; directory: NULL if it is not known */
	struct dwarf_part *part; /* NULL: missing, or not needed yet */
	bool tried, untyped;     /* untyped: without the type units of its package */
	const char *other;       /* a file of that name without the unit, or NULL */
};

struct dwarf_split {
	VEC(struct split_unit) units; /* in ascending order of skeletons */
	struct map by_part;      /* (uintptr_t)struct dwarf_part * -> struct split_unit */
	Elf *elf;                /* the copy */
	Dwarf *dwarf;            /* of it */
	int fd;                  /* open at the unit at hand */
	const char *file;        /* the program's file with debug information */
	struct package *package; /* NULL: there is none, or none was needed */
	int package_fd;
	bool package_tried;
};

/* ---- files ---- */

static int open_file(struct dwarf_db *db, const char *path)
{
	vec_push(db->arena, &db->s->files_read, path);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static const char *folder_of(struct dwarf_db *db, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(db->arena, path, (size_t)(slash - path)) : ".";
}

/* Whether a .dwo file has the unit; it is opened as libdw will do it. */
static bool has_unit(int fd, uint64_t number)
{
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *cu = NULL;
	uint64_t own;
	uint8_t type;
	bool found = false;

	while (!found && dwarf_get_units(dwarf, cu, &cu, NULL, &type, NULL, NULL) == 0)
		found = type == DW_UT_split_compile &&
			dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &own, NULL, NULL) == 0 &&
			own == number;
	dwarf_end(dwarf);
	return found;
}

/* Opens a .dwo file if it has the unit. Returns -1 if not. */
static int try_file(struct dwarf_db *db, struct split_unit *unit, const char *path)
{
	int fd = open_file(db, path), joined = fd < 0 ? -1 : package_joined(fd);

	if (joined >= 0 && has_unit(joined, unit->number)) {
		close(fd);
		return joined;
	}
	if (fd >= 0) {
		unit->other = path;
		close(fd);
	}
	if (joined >= 0)
		close(joined);
	return -1;
}

/* By the whole of a relative name, or by its last part for a file that was moved there. */
static int try_in(struct dwarf_db *db, struct split_unit *unit, const char *folder)
{
	int fd = *unit->name == '/' ? -1 :
		 try_file(db, unit, arena_printf(db->arena, "%s/%s", folder, unit->name));

	return fd >= 0 || !strchr(unit->name, '/') ? fd :
	       try_file(db, unit, arena_printf(db->arena, "%s/%s", folder, basename(unit->name)));
}

/* The directories that the user named, one after the other. */
static const char *next_named(struct dwarf_db *db, const char **list)
{
	const char *own = NULL;

	while (*list && **list && !own) {
		size_t n = strcspn(*list, ":");

		if (n)
			own = arena_strndup(db->arena, *list, n);
		*list += n + ((*list)[n] == ':');
	}
	return own;
}

static int find_file(struct dwarf_db *db, struct split_unit *unit)
{
	const char *named = db->s->opt.debuginfo, *folder;
	int fd = -1;

	if (*unit->name == '/')
		fd = try_file(db, unit, unit->name);
	else if (unit->directory && *unit->directory)
		fd = try_in(db, unit, unit->directory);
	if (fd < 0)
		fd = try_in(db, unit, folder_of(db, db->path));
	if (fd < 0 && strcmp(folder_of(db, db->path), folder_of(db, db->split->file)) != 0)
		fd = try_in(db, unit, folder_of(db, db->split->file));
	while (fd < 0 && (folder = next_named(db, &named)))
		fd = try_in(db, unit, folder);
	return fd;
}

static bool try_package(struct dwarf_db *db, const char *path)
{
	struct dwarf_split *x = db->split;

	x->package_fd = open_file(db, path);
	x->package = x->package_fd < 0 ? NULL : package_open(x->package_fd);
	if (!x->package && x->package_fd >= 0)
		close(x->package_fd);
	return x->package;
}

static void find_package(struct dwarf_db *db)
{
	const char *named = db->s->opt.debuginfo, *own = db->path, *folder;
	struct arena *a = db->arena;

	if (try_package(db, arena_printf(a, "%s.dwp", own)) ||
	    (strcmp(own, db->split->file) != 0 &&
	     try_package(db, arena_printf(a, "%s.dwp", db->split->file))))
		return;
	while ((folder = next_named(db, &named))) {
		if (try_package(db, arena_printf(a, "%s/%s.dwp", folder, basename(own))) ||
		    try_package(db, arena_printf(a, "%s%s.dwp", folder, own)))
			return;
	}
	if (!db->s->opt.debuginfo)
		try_package(db, arena_printf(a, "/usr/lib/debug%s.dwp", own));
}

/* ---- units ---- */

static int find_unit(struct dwarf_db *db, struct split_unit *unit)
{
	struct dwarf_split *x = db->split;
	int fd = -1;

	if (!x->package_tried) {
		x->package_tried = true;
		find_package(db);
	}
	/* The file has all of its types. */
	if (x->package && package_has_types(x->package)) {
		fd = find_file(db, unit);
		unit->untyped = fd < 0;
	}
	if (fd < 0 && x->package)
		fd = package_extract(x->package, unit->number);
	return fd < 0 ? find_file(db, unit) : fd;
}

static void load(struct dwarf_db *db, struct split_unit *unit)
{
	struct dwarf_split *x = db->split;
	Dwarf_Die skeleton, whole = { 0 };
	int fd;

	if (unit->tried)
		return;
	unit->tried = true;
	fd = find_unit(db, unit);
	if (fd < 0)
		return;
	if (dup3(fd, x->fd, O_CLOEXEC) >= 0 && dwarf_offdie(db->dwarf, unit->skeleton, &skeleton) &&
	    dwarf_cu_info(skeleton.cu, NULL, NULL, NULL, &whole, NULL, NULL, NULL) == 0 &&
	    whole.addr) {
		unit->part = dwarf_parts_of(db, dwarf_cu_getdwarf(whole.cu));
		unit->part->unit = whole;
		map_set_number(&x->by_part, (uintptr_t)unit->part, unit);
	}
	close(fd);
}

static struct split_unit *unit_at(struct dwarf_db *db, Dwarf_Off skeleton)
{
	size_t i;

	search_first(i, db->split->units.n, db->split->units.v[i].skeleton < skeleton);
	return i < db->split->units.n && db->split->units.v[i].skeleton == skeleton ?
	       &db->split->units.v[i] : NULL;
}

bool dwarf_split_unit(struct dwarf_db *db, Dwarf_Die *unit)
{
	struct split_unit *own = db->split && dwarf_cu_getdwarf(unit->cu) == db->dwarf ?
				 unit_at(db, dwarf_dieoffset(unit)) : NULL;

	if (!own)
		return true;
	load(db, own);
	if (own->part)
		*unit = own->part->unit;
	return own->part;
}

bool dwarf_split_skeleton(struct dwarf_db *db, Dwarf_Die *unit, Dwarf_Die *ret)
{
	const struct split_unit *own = NULL;

	if (db->split)
		own = map_get_number(&db->split->by_part,
				     (uintptr_t)dwarf_parts_of(db, dwarf_cu_getdwarf(unit->cu)));
	return own && dwarf_offdie(db->dwarf, own->skeleton, ret);
}

void dwarf_split_load(struct dwarf_db *db)
{
	if (!db->split)
		return;
	vec_each(unit, &db->split->units)
		load(db, unit);
}

/* ---- what is missing ---- */

static const char *why_missing(struct dwarf_db *db, const struct split_unit *unit)
{
	struct arena *a = db->arena;
	const char *where = *unit->name == '/' || !unit->directory ? "" :
			    arena_printf(a, "in %s, not ", unit->directory);

	if (unit->other)
		return arena_printf(a, "%s is damaged or of another build; name the directory of "
				    "the right one with --debuginfo DIR", unit->other);
	if (db->split->package)
		return arena_printf(a, "the package of %s does not have %s, and that file is "
				    "missing as well; make the package again", db->path,
				    unit->name);
	return arena_printf(a, "%s is not %sbeside the program or in %s.dwp; copy it there, or "
			    "name its directory with --debuginfo DIR", unit->name, where,
			    db->path);
}

const char *dwarf_missing(struct dwarf_db *db)
{
	const struct split_unit *first = NULL;
	size_t n = 0;

	dwarf_split_load(db);
	for (size_t i = 0; db->split && i < db->split->units.n; i++) {
		const struct split_unit *unit = &db->split->units.v[i];

		first = first || unit->part ? first : unit;
		n += !unit->part;
	}
	return first ? arena_printf(db->arena, "%zu of %zu units %s debug information: %s", n,
				    db->split->units.n, n == 1 ? "lacks its" : "lack their",
				    why_missing(db, first)) : NULL;
}

const char *dwarf_missing_types(struct dwarf_db *db)
{
	const char *missing = dwarf_missing(db);

	for (size_t i = 0; !missing && db->split && i < db->split->units.n; i++)
		if (db->split->units.v[i].untyped)
			missing = arena_printf(db->arena, "the package of %s has types in units of "
					       "their own (-fdebug-types-section), which are not "
					       "read; put its .dwo files beside the program",
					       db->path);
	return missing;
}

const char *dwarf_missing_at(struct dwarf_db *db, uint64_t pc)
{
	struct dwarf_unit *at = db->split ? dwarf_units_at(db, pc) : NULL;
	const struct split_unit *own = at ? unit_at(db, dwarf_dieoffset(&at->skeleton)) : NULL;

	return own && !own->part ? why_missing(db, own) : NULL;
}

/* ---- the copy ---- */

/* The sections of the copy that are changed; NULL: there is none. */
struct renaming {
	struct dwarf_db *db;
	Elf *elf;
	const unsigned char *info; /* in the original */
	Elf_Data *copy, *abbrev, *str, *line_str, *offsets;
	uint32_t in_str, in_line_str; /* the new name in these */
	const char *name;
};

/* A section of the copy with other contents: its own, and then @more. */
static Elf_Data *changed(struct renaming *r, const char *name, const char *more)
{
	GElf_Shdr head;
	Elf_Scn *scn = section_find(r->elf, name, &head);
	size_t room = more ? strlen(more) + 1 : 0;
	Elf_Data *data;
	char *bytes;

	if (!scn || ((head.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0))
		return NULL;
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size > UINT32_MAX)
		return NULL;
	bytes = arena_alloc(r->db->arena, data->d_size + room);
	memcpy(bytes, data->d_buf, data->d_size);
	if (room)
		memcpy(bytes + data->d_size, more, room);
	data->d_buf = bytes;
	data->d_size += room;
	return data;
}

static void put(Elf_Data *data, uint64_t at, uint32_t value)
{
	if (data && at <= data->d_size && sizeof(value) <= data->d_size - at)
		memcpy((char *)data->d_buf + at, &value, sizeof(value));
}

/* The number of a string, which libdw has read. */
static uint64_t number_of(const Dwarf_Attribute *name, size_t size)
{
	struct bytes c = { .p = name->valp, .end = name->valp + (size ? size : 10) };

	return size ? bytes_fixed(&c, size) : bytes_uleb(&c);
}

/* Where the offset of a numbered string is, in .debug_str_offsets. */
static bool numbered_at(Dwarf_Die *unit, Dwarf_Attribute *name, uint64_t *ret)
{
	Dwarf_Word base = 8; /* behind the header of the table */
	Dwarf_Attribute attr;
	size_t size;

	switch (dwarf_whatform(name)) {
	case DW_FORM_strx: size = 0; break;
	case DW_FORM_strx1: size = 1; break;
	case DW_FORM_strx2: size = 2; break;
	case DW_FORM_strx3: size = 3; break;
	case DW_FORM_strx4: size = 4; break;
	default: return false;
	}
	if (dwarf_attr(unit, DW_AT_str_offsets_base, &attr))
		dwarf_formudata(&attr, &base);
	*ret = base + 4 * number_of(name, size);
	return true;
}

static Dwarf_Attribute *name_of(Dwarf_Die *unit, Dwarf_Attribute *ret)
{
	return dwarf_attr(unit, DW_AT_dwo_name, ret) ? ret :
	       dwarf_attr(unit, DW_AT_GNU_dwo_name, ret);
}

static void rename_unit(struct renaming *r, Dwarf_Die *unit)
{
	Dwarf_Attribute name;
	uint64_t at;

	if (!name_of(unit, &name))
		return;
	at = (uint64_t)(name.valp - r->info);
	if (dwarf_whatform(&name) == DW_FORM_strp)
		put(r->copy, at, r->in_str);
	else if (dwarf_whatform(&name) == DW_FORM_line_strp)
		put(r->copy, at, r->in_line_str);
	else if (numbered_at(unit, &name, &at))
		put(r->offsets, at, r->in_str);
}

/*
 * Leaves out the entries of a skeleton but the first. In DWARF 4, a skeleton with inlined functions
 * (-fsplit-dwarf-inlining) is no skeleton to libdw, because it has such entries.
 */
static void cut_unit(struct renaming *r, Dwarf_Die *unit)
{
	enum { HEADER = 11, ABBREVIATIONS = 6 }; /* DWARF 4, section 7.5.1.1 */
	Dwarf_Off at = dwarf_dieoffset(unit);
	const char *info = r->copy->d_buf;
	uint32_t table;
	uint64_t code;

	if (!dwarf_haschildren(unit) || !r->abbrev || at < HEADER || at >= r->copy->d_size)
		return;
	memcpy(&table, info + at - HEADER + ABBREVIATIONS, sizeof(table));
	if (table >= r->abbrev->d_size)
		return;

	struct bytes c = { .p = (const unsigned char *)info + at,
			   .end = (const unsigned char *)info + r->copy->d_size };
	struct bytes a = { .p = (const unsigned char *)r->abbrev->d_buf + table,
			   .end = (const unsigned char *)r->abbrev->d_buf + r->abbrev->d_size };

	code = bytes_uleb(&c);
	/* Compilers put the entry for the unit itself first. */
	if (bytes_uleb(&a) != code || bytes_uleb(&a) != DW_TAG_compile_unit || a.p >= a.end)
		return;
	((char *)r->abbrev->d_buf)[a.p - (const unsigned char *)r->abbrev->d_buf] = DW_CHILDREN_no;
}

static uint32_t end_of(const Elf_Data *data, const char *name)
{
	return data ? (uint32_t)(data->d_size - strlen(name) - 1) : 0;
}

static bool rename_all(struct dwarf_db *db, struct renaming *r)
{
	r->info = dwarf_parts_first(db)->info.start;
	r->copy = changed(r, ".debug_info", NULL);
	r->abbrev = changed(r, ".debug_abbrev", NULL);
	r->str = changed(r, ".debug_str", r->name);
	r->line_str = changed(r, ".debug_line_str", r->name);
	r->offsets = changed(r, ".debug_str_offsets", NULL);
	r->in_str = end_of(r->str, r->name);
	r->in_line_str = end_of(r->line_str, r->name);
	if (!r->copy || r->copy->d_size != dwarf_parts_first(db)->info.size)
		return false;
	vec_each(unit, &db->split->units) {
		Dwarf_Die die;

		if (dwarf_offdie(db->dwarf, unit->skeleton, &die)) {
			rename_unit(r, &die);
			cut_unit(r, &die);
		}
	}
	return true;
}

static void find_skeletons(struct dwarf_db *db, struct dwarf_split *ret)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;

	while (dwarf_get_units(db->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		struct split_unit one = { .skeleton = dwarf_dieoffset(&die) };
		Dwarf_Attribute attr;

		if (type == DW_UT_skeleton ?
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &one.number, NULL, NULL) != 0 :
		    dwarf_formudata(dwarf_attr(&die, DW_AT_GNU_dwo_id, &attr), &one.number) != 0)
			continue;
		one.name = dwarf_formstring(name_of(&die, &attr));
		one.directory = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attr));
		if (one.name && *one.name)
			vec_push(db->arena, &ret->units, one);
	}
}

/* The file once more. What libdw has decompressed it has also changed in the original's headers,
 * which are those of its mapping, so that serves only for a file that is compressed as a whole. */
static Elf *open_again(struct dwarf_db *db)
{
	size_t size, again = 0;
	char *bytes = elf_rawfile(dwarf_getelf(db->dwarf), &size);
	int fd = open(db->path, O_RDONLY | O_CLOEXEC);
	Elf *ret = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL) : NULL;
	bool is_same = ret && elf_kind(ret) == ELF_K_ELF && elf_cntl(ret, ELF_C_FDREAD) == 0 &&
		       elf_rawfile(ret, &again) && again == size;

	if (fd >= 0)
		close(fd);
	if (is_same)
		return ret;
	elf_end(ret);
	return bytes ? elf_memory(bytes, size) : NULL;
}

static bool open_copy(struct dwarf_db *db)
{
	struct dwarf_split *x = db->split;
	struct renaming r = { .db = db };

	x->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	x->elf = r.elf = x->fd >= 0 ? open_again(db) : NULL;
	r.name = arena_printf(db->arena, "/proc/self/fd/%d", x->fd);
	if (!x->elf || !rename_all(db, &r))
		return false;
	x->dwarf = dwarf_begin_elf(x->elf, DWARF_C_READ, NULL);
	return x->dwarf;
}

/* Only programs by clang have this section otherwise. */
static bool may_be_split(struct dwarf_db *db)
{
	GElf_Shdr head;

	return section_find(dwarf_getelf(db->dwarf), ".debug_addr", &head);
}

const char *dwarf_split_refused(struct dwarf_db *db)
{
	struct dwarf_split all = { 0 };

	if (!may_be_split(db))
		return NULL;
	find_skeletons(db, &all);
	return !all.units.n ? NULL : arena_printf(db->arena, "that of %s is in .dwo files, "
		"as %s, which are read for programs only; build it without "
		"CONFIG_DEBUG_INFO_SPLIT and -gsplit-dwarf", db->path, all.units.v[0].name);
}

void dwarf_split_open(struct dwarf_db *db, const char *file)
{
	struct dwarf_split *x;

	if (!may_be_split(db))
		return;
	x = NEW(db->arena, struct dwarf_split);
	find_skeletons(db, x);
	if (!x->units.n)
		return;
	map_init(&x->by_part, db->arena);
	x->file = file ? file : db->path;
	db->split = x;
	if (open_copy(db))
		db->dwarf = x->dwarf;
	/* Its parts are numbered anew. */
	db->parts.n = 0;
}

void dwarf_split_close(struct dwarf_db *db)
{
	struct dwarf_split *x = db->split;

	if (!x)
		return;
	dwarf_end(x->dwarf);
	elf_end(x->elf);
	if (x->fd >= 0)
		close(x->fd);
	package_close(x->package);
	if (x->package)
		close(x->package_fd);
	db->split = NULL;
}
