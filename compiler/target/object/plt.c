/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The procedure linkage table. A call of a function that another file has, or of an indirect
 * function, goes to an entry of this table, which jumps to the address in a word of the global
 * offset table; a relocation of the word names the function, or the resolver of an indirect one.
 * Which entry has which word is read from the entry's own jump, because the number and the order of
 * the sections (.plt, .plt.sec, .plt.got, .iplt) depend on the linker.
 */
#include <stdlib.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/object/private.h"
#include "target/object/section.h"
#include "shared/search.h"
#include "state.h"

static int by_address(const void *x, const void *y)
{
	const struct object_word *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void add_word(struct state *s, const char *name, uint64_t address, struct object_file *f)
{
	if (name && *name)
		vec_push(s->arena, &f->words,
			 ((struct object_word){ address, arena_strdup(s->arena, name) }));
}

/* The symbols of the dynamic section that belongs to the relocations; NULL: none does. */
static Elf_Data *symbols_of(Elf *elf, const GElf_Shdr *head, GElf_Shdr *symtab)
{
	Elf_Scn *from = elf_getscn(elf, head->sh_link);

	return from && gelf_getshdr(from, symtab) && symtab->sh_type == SHT_DYNSYM ?
	       elf_getdata(from, NULL) : NULL;
}

/* A file calls its own indirect functions through words that have no symbol. */
static void add_own(struct state *s, const GElf_Rela *one, struct object_file *f)
{
	vec_each(it, &f->o.indirect)
		if (it->address == (uint64_t)one->r_addend)
			add_word(s, it->name, one->r_offset, f);
}

/* Files of 32 bits have no addends here. */
static bool relocation_at(Elf_Data *data, const GElf_Shdr *head, int i, GElf_Rela *ret)
{
	GElf_Rel plain;

	if (head->sh_type == SHT_RELA)
		return gelf_getrela(data, i, ret) != NULL;
	if (!gelf_getrel(data, i, &plain))
		return false;
	*ret = (GElf_Rela){ plain.r_offset, plain.r_info, 0 };
	return true;
}

static void add_words(struct state *s, Elf *elf, Elf_Scn *scn, const GElf_Shdr *head,
		      struct object_file *f)
{
	GElf_Shdr symtab;
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = symbols_of(elf, head, &symtab);
	GElf_Rela one;
	GElf_Sym sym;

	for (int i = 0; data && relocation_at(data, head, i, &one); i++) {
		uint64_t type = GELF_R_TYPE(one.r_info);

		if (!f->o.is_32bit && arch_relocation(type) == ARCH_RELOCATION_INDIRECT)
			add_own(s, &one, f);
		else if (arch_is_import(type, f->o.is_32bit) && symbols &&
			 gelf_getsym(symbols, (int)GELF_R_SYM(one.r_info), &sym))
			add_word(s, elf_strptr(elf, symtab.sh_link, sym.st_name), one.r_offset, f);
	}
}

static void add_entries(struct state *s, struct object_file *f, const GElf_Shdr *head,
			const Elf_Data *data)
{
	const unsigned char *code = data->d_buf;
	size_t step = arch_plt_entry(head->sh_entsize, head->sh_addralign, f->o.is_32bit);

	for (size_t at = 0; at + step <= data->d_size; at += step) {
		uint64_t word;
		size_t i;

		if (!arch_plt_word(code + at, step, head->sh_addr + at, f->o.is_32bit, &word))
			continue;
		search_first(i, f->words.n, f->words.v[i].address < word);
		for (; i < f->words.n && f->words.v[i].address == word; i++)
			vec_push(s->arena, &f->o.imports,
				 ((struct object_symbol){ .name = f->words.v[i].name, .size = step,
							  .address = head->sh_addr + at }));
	}
}

const char *object_word_name(const struct object_file *f, uint64_t address)
{
	size_t i;

	search_first(i, f->words.n, f->words.v[i].address < address);
	return i < f->words.n && f->words.v[i].address == address ? f->words.v[i].name : NULL;
}

void object_read_plt(struct state *s, Elf *elf, struct object_file *f)
{
	static const char *const sections[] = { ".plt", ".plt.got", ".plt.sec", ".iplt" };
	GElf_Shdr head;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
		if (gelf_getshdr(scn, &head) &&
		    (head.sh_type == SHT_RELA || head.sh_type == SHT_REL))
			add_words(s, elf, scn, &head, f);
	if (!f->words.n)
		return;
	qsort(f->words.v, f->words.n, sizeof(*f->words.v), by_address);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		Elf_Scn *scn = section_find(elf, sections[i], &head);
		Elf_Data *data = scn && head.sh_type == SHT_PROGBITS ? elf_getdata(scn, NULL) :
								      NULL;

		if (data && data->d_buf)
			add_entries(s, f, &head, data);
	}
}
