/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of a file's sections: System V ABI, chapter 4. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/symbols_private.h"

/* Names that only tools use. */
static bool is_hidden(const char *name, unsigned type)
{
	return !*name || (name[0] == '.' && (name[1] == 'L' || type != STT_FUNC));
}

/* false: it names no address that a user could ask for. */
static bool rank_of(const Elf64_Sym *sym, const struct image_head *in, uint32_t *ret)
{
	unsigned type = ELF64_ST_TYPE(sym->st_info), binding = ELF64_ST_BIND(sym->st_info);
	bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;

	if (!is_function && type != STT_OBJECT && type != STT_NOTYPE)
		return false;
	if (!(in->flags & SHF_EXECINSTR) && !(type == STT_OBJECT && sym->st_size))
		return false;
	*ret = (is_function ? 0 : RANK_NO_FUNCTION) | (sym->st_size ? 0 : RANK_NO_SIZE) |
	       (binding == STB_LOCAL ? RANK_LOCAL : binding == STB_WEAK ? RANK_WEAK : 0) |
	       (type == STT_GNU_IFUNC ? 0 : RANK_NO_CHOICE);
	return true;
}

static void add_symbol(const struct image *f, const Elf64_Sym *sym, uint32_t names, size_t size,
		       struct found_symbols *ret)
{
	struct found_symbol one = { .start = sym->st_value };
	struct image_head in;
	uint64_t left;
	uint32_t rank;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= f->nsections || sym->st_name >= size)
		return;
	in = image_head(f, sym->st_shndx);
	if (!(in.flags & SHF_ALLOC) || in.flags & SHF_TLS || sym->st_value < in.address ||
	    sym->st_value - in.address >= in.size || in.size > UINT64_MAX - in.address)
		return;
	one.name = names + sym->st_name;
	if (is_hidden(ret->names + one.name, ELF64_ST_TYPE(sym->st_info)) ||
	    !rank_of(sym, &in, &rank))
		return;
	one.rank = rank & 0xff;
	left = in.address + in.size - sym->st_value;
	one.end = one.start + (sym->st_size && sym->st_size < left ? sym->st_size : left);
	symbols_add(ret, &one);
}

static void read_section(const struct image *f, size_t number, struct found_symbols *ret)
{
	struct image_head head = image_head(f, number);
	struct image_part table, strings;
	uint32_t names;

	if (head.entry != sizeof(Elf64_Sym) || !image_bytes(f, head.link, &strings))
		return;
	if (image_bytes(f, number, &table)) {
		const Elf64_Sym *all = (const Elf64_Sym *)table.bytes;

		if (!symbols_add_names(ret, strings.bytes, strings.size, &names))
			table.size = 0;
		if (table.size && head.type == SHT_DYNSYM) {
			ret->dynamic = names;
			ret->dynamic_size = (uint32_t)strings.size;
		}
		for (size_t i = 0; i < table.size / sizeof(*all); i++)
			add_symbol(f, &all[i], names, strings.size, ret);
		free(table.bytes);
	}
	free(strings.bytes);
}

bool symbols_read_table(const struct image *f, uint32_t type, struct found_symbols *ret)
{
	for (size_t i = 0; i < f->nsections; i++)
		if (image_head(f, i).type == type) {
			read_section(f, i, ret);
			return true;
		}
	return false;
}
