/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expresses the address of a variable so that it can be found in a running kernel. The whole kernel
 * is relocated by one distance, so the distance from its first symbol is enough, even if other
 * variables have the same name. The sections of a module are relocated separately, so a symbol of
 * the same section is needed whose name is unique.
 *
 * The address of a per-CPU variable of the kernel is its offset in each processor's area, which is
 * not relocated; that of a module is relocated like the others.
 */
#include <string.h>

#include "target/dwarf/values/location.h"

struct found_section {
	size_t nr;
	GElf_Shdr head;
	bool per_cpu;
};

static bool find_section(struct dwarf_db *db, uint64_t address, struct found_section *ret)
{
	size_t names;
	Elf_Scn *scn = dwarf_db_section_at(db, address, &ret->head);
	const char *name = scn && elf_getshdrstrndx(db->elf, &names) == 0 ?
				   elf_strptr(db->elf, names, ret->head.sh_name) : NULL;

	if (!name)
		return false;
	ret->nr = elf_ndxscn(scn);
	ret->per_cpu = strncmp(name, ".data..percpu", 13) == 0;
	return true;
}

static Elf_Data *symbol_table(struct dwarf_db *db, GElf_Shdr *head)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(db->elf, scn));) {
		if (gelf_getshdr(scn, head) && head->sh_type == SHT_SYMTAB)
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

static bool is_unique(struct dwarf_db *db, Elf_Data *symbols, const GElf_Shdr *head,
		      const char *name)
{
	GElf_Sym sym;
	int n = 0;

	for (int i = 1; gelf_getsym(symbols, i, &sym) && n < 2; i++) {
		const char *other = elf_strptr(db->elf, head->sh_link, sym.st_name);

		n += other && strcmp(other, name) == 0;
	}
	return n == 1;
}

bool address_of_symbol(struct dwarf_db *db, const char *name, uint64_t *ret)
{
	GElf_Shdr head, section;
	GElf_Sym sym;
	Elf_Data *symbols = symbol_table(db, &head);

	for (int i = 1; symbols && gelf_getsym(symbols, i, &sym); i++) {
		const char *other = elf_strptr(db->elf, head.sh_link, sym.st_name);

		if (GELF_ST_BIND(sym.st_info) != STB_GLOBAL ||
		    GELF_ST_TYPE(sym.st_info) == STT_FUNC || !other || strcmp(other, name) != 0 ||
		    !gelf_getshdr(elf_getscn(db->elf, sym.st_shndx), &section))
			continue;
		*ret = sym.st_value + (db->is_module ? section.sh_addr : 0);
		return true;
	}
	return false;
}

/* Whether the symbol may be that of a variable: static ones of functions, and names of C++ and Rust
 * without their linkage name, are parts of it. */
static bool may_be_named(const char *symbol, const char *name)
{
	size_t n = strlen(name);

	return (strncmp(symbol, name, n) == 0 && (!symbol[n] || symbol[n] == '.')) ||
	       (symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R') &&
		strstr(symbol, name));
}

bool address_is_thread_local(struct dwarf_db *db, uint64_t offset, const char *name)
{
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *symbols = symbol_table(db, &head);

	for (int i = 1; symbols && gelf_getsym(symbols, i, &sym); i++) {
		const char *symbol = elf_strptr(db->elf, head.sh_link, sym.st_name);

		if (GELF_ST_TYPE(sym.st_info) == STT_TLS && sym.st_shndx != SHN_UNDEF &&
		    sym.st_value == offset && symbol && may_be_named(symbol, name))
			return true;
	}
	return false;
}

bool address_of_thread_local(struct dwarf_db *db, const char *name, uint64_t *offset,
			     uint64_t *size)
{
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *symbols = symbol_table(db, &head);
	bool found = false;

	for (int i = 1; symbols && gelf_getsym(symbols, i, &sym); i++) {
		const char *symbol = elf_strptr(db->elf, head.sh_link, sym.st_name);

		if (GELF_ST_TYPE(sym.st_info) != STT_TLS || sym.st_shndx == SHN_UNDEF ||
		    !symbol || strcmp(symbol, name) != 0)
			continue;
		if (found)
			return false;
		*offset = sym.st_value;
		*size = sym.st_size;
		found = true;
	}
	return found;
}

/* The nearest symbol before an address in a module's section. */
static const char *symbol_before(struct dwarf_db *db, uint64_t address,
				 const struct found_section *section, uint64_t *distance)
{
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *symbols = symbol_table(db, &head);
	uint64_t offset = address - section->head.sh_addr;
	const char *best = NULL;

	for (int i = 1; symbols && gelf_getsym(symbols, i, &sym); i++) {
		unsigned type = GELF_ST_TYPE(sym.st_info);

		if (sym.st_shndx != section->nr || sym.st_value > offset ||
		    (type != STT_OBJECT && type != STT_FUNC && type != STT_NOTYPE) ||
		    (best && offset - sym.st_value >= *distance))
			continue;

		const char *name = elf_strptr(db->elf, head.sh_link, sym.st_name);

		if (name && *name && is_unique(db, symbols, &head, name)) {
			best = name;
			*distance = offset - sym.st_value;
		}
	}
	return best;
}

/* A program is relocated as a whole, so the address is stored as a distance from the probed
 * instruction; the caller, which knows that instruction, adds it. */
bool address_program(struct dwarf_db *db, uint64_t address, struct location_ops *ret,
		      bool *per_cpu)
{
	struct found_section section;
	struct location_op op = { .kind = LO_SYMBOL, .object = db->object };

	if (!find_section(db, address, &section))
		return false;
	*per_cpu = section.per_cpu;
	if (db->is_program) {
		op.name = "";
		op.n = (int64_t)address;
	} else if (db->is_module) {
		uint64_t distance = 0;

		op.name = symbol_before(db, address, &section, &distance);
		op.n = (int64_t)distance;
	} else if (section.per_cpu && section.head.sh_addr == 0) {
		op.kind = LO_CONST;
		op.n = (int64_t)address;
	} else {
		const struct dwarf_symbol *first = dwarf_symbols_named(db, "_stext", NULL);

		op.name = first ? dwarf_symbols_name(db, first) : NULL;
		op.n = first ? (int64_t)(address - first->address) : 0;
	}
	if (op.kind == LO_SYMBOL && !op.name)
		return false;
	vec_push(db->arena, &ret->v, op);
	return true;
}
