/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of an object's code, read and sorted from its symbol table. */
#include "target/dwarf/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

/* The parts of a section's header that are used. */
struct section {
	uint64_t address; /* added to the values of its symbols */
	bool code, init;
};

static void read_sections(Elf *elf, bool linked, struct section *sections, size_t n)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr head;
		size_t i = elf_ndxscn(scn);

		if (i >= n || !gelf_getshdr(scn, &head))
			continue;

		const char *name = elf_strptr(elf, names, head.sh_name);

		sections[i] = (struct section){
			.address = linked ? 0 : head.sh_addr,
			/* Linux 7.x has .data as code: shared/kernel_symbols.h. */
			.code = (head.sh_flags & SHF_EXECINSTR) && (head.sh_flags & SHF_ALLOC) &&
				strcmp(name ? name : "", ".data") != 0,
			.init = name && strncmp(name, ".init", 5) == 0,
		};
	}
}

/* Whether it is a label of assembler that kallsyms does not list. */
static bool is_local_label(const char *name)
{
	return name[0] == '.' && name[1] == 'L';
}

/* The names of a table, or NULL if they are damaged. */
static const char *names_of(Elf *elf, const GElf_Shdr *head, size_t *size)
{
	Elf_Data *data = elf_getdata(elf_getscn(elf, head->sh_link), NULL);
	const char *text = data ? data->d_buf : NULL;

	*size = text ? data->d_size : 0;
	return *size && text[*size - 1] == '\0' ? text : NULL;
}

static Elf_Scn *find_table(Elf *elf, GElf_Shdr *head)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		if (gelf_getshdr(scn, head) && head->sh_type == SHT_SYMTAB)
			return scn;
	}
	return NULL;
}

uint64_t dwarf_symtab_size(const struct dwarf_db *db)
{
	GElf_Shdr head;

	return find_table(db->elf, &head) ? head.sh_size : 0;
}

/* A program's .symtab appends versions to names: "popen@@GLIBC_2.2.5". */
static const char *unversioned(const struct dwarf_db *db, const char *name)
{
	const char *at = db->is_program ? strchr(name, '@') : NULL;

	return at && at > name ? arena_strndup(db->arena, name, (size_t)(at - name)) : name;
}

/* libelf's functions for symbols and names would take half of the time. */
static void read_table(const struct dwarf_db *db, const struct section *sections,
		       size_t nsections, struct dwarf_symtab *ret)
{
	Elf *elf = db->elf;
	GElf_Shdr head;
	Elf_Scn *scn = find_table(elf, &head);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	bool is_64bit = gelf_getclass(elf) == ELFCLASS64;
	size_t n = data ? data->d_size / (is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)) : 0;
	const Elf64_Sym *table = is_64bit && n ? data->d_buf : NULL;
	size_t names_size;
	const char *names = n ? names_of(elf, &head, &names_size) : NULL;

	ret->v = names ? memory_zeroed(n, sizeof(*ret->v)) : NULL;
	for (size_t i = 1; ret->v && i < n; i++) {
		GElf_Sym wide;
		const GElf_Sym *sym = table ? &table[i] : gelf_getsym(data, (int)i, &wide);
		unsigned type = sym ? ELF64_ST_TYPE(sym->st_info) : STT_SECTION;

		if ((type != STT_FUNC && type != STT_NOTYPE) || sym->st_shndx >= nsections ||
		    !sections[sym->st_shndx].code || sym->st_name >= names_size)
			continue;

		const char *name = names + sym->st_name;

		if (!*name || is_local_label(name))
			continue;
		ret->v[ret->n++] = (struct dwarf_symtab_entry){
			.address = sym->st_value + sections[sym->st_shndx].address,
			.size = sym->st_size, .name = unversioned(db, name),
			.nr = (uint32_t)i,
			.exact = type == STT_FUNC,
			.global = ELF64_ST_BIND(sym->st_info) != STB_LOCAL,
			.init = sections[sym->st_shndx].init,
		};
	}
}

/* ---- order ---- */

/*
 * A kernel has 100000 symbols, and comparing them took as long as the rest of pass 2. So this is a
 * radix sort by the digits of the address, the lowest one first.
 */
enum { DIGIT = 11 /* bits */, DIGITS = 1 << DIGIT };

struct dealt { uint64_t key; uint32_t at; };

static void deal(const struct dealt *from, struct dealt *to, size_t n, unsigned shift)
{
	uint32_t place[DIGITS + 1] = {0};

	for (size_t i = 0; i < n; i++)
		place[(from[i].key >> shift) % DIGITS + 1]++;
	for (size_t d = 1; d < DIGITS; d++)
		place[d] += place[d - 1];
	for (size_t i = 0; i < n; i++)
		to[place[(from[i].key >> shift) % DIGITS]++] = from[i];
}

/* Both have room for all symbols. Returns the one with the result. */
static const struct dealt *deal_all(const struct dwarf_symtab *all, struct dealt *to,
				    struct dealt *other)
{
	uint64_t lowest = UINT64_MAX, highest = 0;
	size_t n = all->n;

	for (size_t i = 0; i < n; i++) {
		if (all->v[i].address < lowest)
			lowest = all->v[i].address;
	}
	for (size_t i = 0; i < n; i++) {
		const struct dwarf_symtab_entry *sym = &all->v[n - 1 - i];

		to[i] = (struct dealt){
			.key = (sym->address - lowest) << 2 | sym->exact << 1 | sym->global,
			.at = (uint32_t)(n - 1 - i),
		};
		highest |= to[i].key;
	}
	for (unsigned shift = 0; shift < 64 && highest >> shift; shift += DIGIT) {
		struct dealt *from = to;

		deal(from, other, n, shift);
		to = other;
		other = from;
	}
	return to;
}

static void put_in_order(struct dwarf_symtab *all)
{
	size_t n = all->n;
	struct dwarf_symtab_entry *ordered = memory_zeroed(n + 1, sizeof(*ordered));
	struct dealt *room = memory_zeroed(n + 1, 2 * sizeof(*room));

	const struct dealt *order = deal_all(all, room, room + n);

	for (size_t i = 0; i < n; i++)
		ordered[i] = all->v[order[i].at];
	free(room);
	free(all->v);
	all->v = ordered;
}

void dwarf_symtab_read(const struct dwarf_db *db, struct dwarf_symtab *ret)
{
	GElf_Ehdr ehdr;
	size_t n;

	*ret = (struct dwarf_symtab){0};
	if (!gelf_getehdr(db->elf, &ehdr) || elf_getshdrnum(db->elf, &n) != 0)
		return;

	struct section *sections = arena_alloc(db->arena, n * sizeof(*sections));

	read_sections(db->elf, ehdr.e_type != ET_REL, sections, n);
	read_table(db, sections, n, ret);
	put_in_order(ret);
}
