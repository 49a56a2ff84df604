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
#include "target/object/relocations.h"
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

/* A file calls its own indirect functions through words that have no symbol. */
static void add_own(struct state *s, const struct relocation *one, struct object_file *f)
{
	vec_each(it, &f->o.indirect)
		if (it->address == one->addend)
			add_word(s, it->name, one->address, f);
}

static void add_words(struct state *s, Elf *elf, struct object_file *f)
{
	struct relocation_reader reader;
	struct relocation one;

	relocations_start(&reader, f, elf);
	while (relocations_next(&reader, &one)) {
		if (one.kind == ARCH_RELOCATION_INDIRECT)
			add_own(s, &one, f);
		else if (one.is_import)
			add_word(s, one.name, one.address, f);
	}
}

static void add_entries(struct state *s, struct object_file *f, const GElf_Shdr *head,
			const Elf_Data *data, uint64_t got)
{
	const unsigned char *code = data->d_buf;
	size_t step = arch_plt_entry(head->sh_entsize, head->sh_addralign, f->o.is_32bit);

	for (size_t at = 0; at + step <= data->d_size; at += step) {
		uint64_t word;
		size_t i;

		if (!arch_plt_word(code + at, step, head->sh_addr + at, got, f->o.is_32bit, &word))
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

	uint64_t got = object_dynamic_value(object_dynamic(elf), DT_PLTGOT);

	add_words(s, elf, f);
	if (!f->words.n)
		return;
	qsort(f->words.v, f->words.n, sizeof(*f->words.v), by_address);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		Elf_Scn *scn = section_find(elf, sections[i], &head);
		Elf_Data *data = scn && head.sh_type == SHT_PROGBITS ? elf_getdata(scn, NULL) :
								      NULL;

		if (data && data->d_buf)
			add_entries(s, f, &head, data, got);
	}
}
