/* SPDX-License-Identifier: GPL-2.0 */
/* Why a file with debug information can't be used: what libelf and libdw say about it, and what
 * they do not say. */
#include <errno.h>
#include <string.h>

#include "shared/memory.h"
#include "target/dwarf/private.h"
#include "target/object/section.h"

bool dwarf_damage_has_info(Elf *elf)
{
	GElf_Shdr head;

	return (section_find(elf, ".debug_info", &head) ||
		section_find(elf, ".zdebug_info", &head)) && head.sh_type != SHT_NOBITS;
}

const char *dwarf_damage_said(const struct dwarf_db *db, const char *message)
{
	if (message && strcmp(message, "out of memory") == 0)
		memory_lacks(db->path);
	return message ? message : "it can't be parsed";
}

static bool is_debug(const char *name)
{
	return strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0;
}

/* The reason why a section of debug information can't be read, or NULL. libdw leaves out those that
 * it can't read, and goes on without them. */
static const char *damaged_section(const struct dwarf_db *db)
{
	size_t names, n;
	GElf_Ehdr ehdr;

	if (!gelf_getehdr(db->elf, &ehdr) || elf_getshdrnum(db->elf, &n) != 0 ||
	    elf_getshdrstrndx(db->elf, &names) != 0)
		return dwarf_damage_said(db, elf_errmsg(-1));
	/* For libelf, such a file has no sections. */
	if (ehdr.e_shoff && !n)
		return "its table of sections is cut off";
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(db->elf, scn));) {
		GElf_Shdr head;
		const char *name = gelf_getshdr(scn, &head) ?
					   elf_strptr(db->elf, names, head.sh_name) : NULL;

		if (!name)
			return dwarf_damage_said(db, elf_errmsg(-1));
		if (!is_debug(name) || head.sh_type == SHT_NOBITS || !head.sh_size)
			continue;
		if (!elf_rawdata(scn, NULL))
			return arena_printf(db->arena, "%s: %s", name,
					    dwarf_damage_said(db, elf_errmsg(-1)));
		if (db->dwarf && (head.sh_flags & SHF_COMPRESSED))
			return arena_printf(db->arena, "%s can't be decompressed", name);
	}
	return NULL;
}

static const char *damaged(const struct dwarf_db *db, const char *what)
{
	return arena_printf(db->arena, "%s is damaged (%s): install it again", db->path, what);
}

static const char *library_error(const struct dwarf_db *db)
{
	return db->is_module ? dwfl_errmsg(-1) : db->elf ? dwarf_errmsg(-1) : elf_errmsg(-1);
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), len = strlen(suffix);

	return n >= len && strcmp(path + n - len, suffix) == 0;
}

const char *dwarf_damage_unopened(const struct dwarf_db *db)
{
	if (!db->is_module && db->fd < 0)
		return arena_printf(db->arena, "%s can't be opened: %s", db->path,
				    strerror(errno));
	if (!db->is_module && db->elf)
		return damaged(db, "it is not an ELF file");

	const char *what = dwarf_damage_said(db, library_error(db));

	/* libdw may not know the compression of a module's file. */
	return db->is_module && !has_suffix(db->path, ".ko") && !has_suffix(db->path, ".debug") ?
		       NULL : damaged(db, what);
}

const char *dwarf_damage_of(const struct dwarf_db *db)
{
	const char *what = damaged_section(db);

	if (!what && !db->dwarf && dwarf_damage_has_info(db->elf))
		what = dwarf_damage_said(db, library_error(db));
	return what ? damaged(db, what) : NULL;
}
