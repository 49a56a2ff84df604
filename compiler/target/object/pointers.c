/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of data that contain addresses of the same file, once it is relocated: words of the global
 * offset table, and pointers in constant data.
 */
#include <stdlib.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/object/private.h"
#include "shared/search.h"
#include "state.h"

static int by_address(const void *x, const void *y)
{
	const struct object_pointer *a = x, *b = y;

	return (a->address > b->address) - (a->address < b->address);
}

/* The address that a relocation stores. Returns false if it is in another file or is not known. */
static bool relocated(Elf_Data *symbols, const GElf_Rela *one, uint64_t *ret)
{
	GElf_Sym sym;

	*ret = (uint64_t)one->r_addend;
	switch (arch_relocation(GELF_R_TYPE(one->r_info))) {
	case ARCH_RELOCATION_RELATIVE:
		return true;
	case ARCH_RELOCATION_SYMBOL:
		if (!symbols || !gelf_getsym(symbols, (int)GELF_R_SYM(one->r_info), &sym) ||
		    sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC)
			return false;
		*ret += sym.st_value;
		return true;
	default:
		return false;
	}
}

static void read_section(struct state *s, struct object_file *f, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = NULL;
	Elf_Scn *from = elf_getscn(elf, head->sh_link);
	GElf_Shdr symtab;
	GElf_Rela one;

	if (from && gelf_getshdr(from, &symtab) && symtab.sh_type == SHT_DYNSYM)
		symbols = elf_getdata(from, NULL);
	for (int i = 0; data && gelf_getrela(data, i, &one); i++) {
		struct object_pointer p = { .address = one.r_offset };

		p.is_known = relocated(symbols, &one, &p.value);
		vec_push(s->arena, &f->pointers, p);
	}
}

static void read_pointers(struct state *s, struct object_file *f)
{
	GElf_Addr bias;
	GElf_Shdr head;
	Elf *elf = f->module ? dwfl_module_getelf(f->module, &bias) : NULL;

	f->has_pointers = true;
	for (Elf_Scn *scn = NULL; elf && (scn = elf_nextscn(elf, scn));)
		if (gelf_getshdr(scn, &head) && head.sh_type == SHT_RELA &&
		    head.sh_flags & SHF_ALLOC)
			read_section(s, f, elf, scn, &head);
	if (f->pointers.n)
		qsort(f->pointers.v, f->pointers.n, sizeof(*f->pointers.v), by_address);
}

bool object_pointer_at(struct state *s, struct object_file *f, uint64_t address, uint64_t *ret)
{
	const unsigned char *data = object_data_at(f, address, sizeof(*ret), true);
	size_t i;

	if (!data)
		return false;
	if (!f->has_pointers)
		read_pointers(s, f);
	search_first(i, f->pointers.n, f->pointers.v[i].address < address);
	if (i < f->pointers.n && f->pointers.v[i].address == address) {
		*ret = f->pointers.v[i].value;
		return f->pointers.v[i].is_known;
	}
	/* Compressed relocations (DT_RELR) add to what is in the file. Other numbers are no
	 * addresses of code. */
	memcpy(ret, data, sizeof(*ret));
	return true;
}
