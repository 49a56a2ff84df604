/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the dynamic relocations of a file: relocations.h. */
#include <string.h>

#include "target/object/relocations.h"

void relocations_start(struct relocation_reader *r, struct object_file *f, Elf *elf)
{
	*r = (struct relocation_reader){ .f = f, .elf = elf };
}

static bool is_dynamic(const GElf_Shdr *head)
{
	return (head->sh_type == SHT_RELA || head->sh_type == SHT_REL) &&
	       head->sh_flags & SHF_ALLOC;
}

/* Goes to the next section of relocations. */
static bool next_section(struct relocation_reader *r)
{
	Elf_Scn *from;
	GElf_Shdr symtab;

	do {
		r->scn = elf_nextscn(r->elf, r->scn);
		if (!r->scn)
			return false;
	} while (!gelf_getshdr(r->scn, &r->head) || !is_dynamic(&r->head));
	r->data = elf_getdata(r->scn, NULL);
	r->next = 0;
	from = elf_getscn(r->elf, r->head.sh_link);
	r->symbols = from && gelf_getshdr(from, &symtab) && symtab.sh_type == SHT_DYNSYM ?
		     elf_getdata(from, NULL) : NULL;
	r->names = r->symbols ? symtab.sh_link : 0;
	return true;
}

/* Files of 32 bits have addends in the words themselves, but none in those of the global offset
 * table. */
static bool read_plain(const struct relocation_reader *r, GElf_Rela *ret)
{
	GElf_Rel plain;
	uint32_t addend = 0;
	const unsigned char *word;

	if (!gelf_getrel(r->data, r->next, &plain))
		return false;
	word = arch_is_import(GELF_R_TYPE(plain.r_info), true) ? NULL :
	       object_data_at(r->f, plain.r_offset, sizeof(addend), false);
	if (word)
		memcpy(&addend, word, sizeof(addend));
	*ret = (GElf_Rela){ plain.r_offset, plain.r_info, addend };
	return true;
}

static bool read_one(const struct relocation_reader *r, GElf_Rela *ret)
{
	if (!r->data)
		return false;
	return r->head.sh_type == SHT_REL ? read_plain(r, ret) :
					    gelf_getrela(r->data, r->next, ret) != NULL;
}

bool relocations_next(struct relocation_reader *r, struct relocation *ret)
{
	bool of_32bit = r->f->o.is_32bit;
	uint64_t type;
	GElf_Rela one;

	while (!r->scn || !read_one(r, &one))
		if (!next_section(r))
			return false;
	r->next++;
	type = GELF_R_TYPE(one.r_info);
	*ret = (struct relocation){ .address = one.r_offset, .addend = (uint64_t)one.r_addend,
				    .kind = arch_relocation(type, of_32bit),
				    .is_import = arch_is_import(type, of_32bit) };
	if (r->symbols && GELF_R_SYM(one.r_info) &&
	    gelf_getsym(r->symbols, (int)GELF_R_SYM(one.r_info), &ret->symbol))
		ret->name = elf_strptr(r->elf, r->names, ret->symbol.st_name);
	return true;
}
