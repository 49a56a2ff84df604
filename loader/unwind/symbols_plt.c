/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The procedure linkage table. A call of a function that another file has goes to an entry of this
 * table, which jumps to the address in a word of the global offset table; a relocation of the word
 * names the function. Which entry has which word is read from the entry's own jump, because the
 * number and the order of the sections depend on the linker. With indirect branch tracking, that
 * jump is in .plt.sec, and the entry of .plt, which calls the dynamic linker, has the relocation's
 * number. A word of a function that chooses its implementation has the address of that function.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/symbols_private.h"

enum {
	WORDS_MAX = 1 << 20,
	SECTIONS_MAX = 8,      /* of relocations; thousands of them could be the same 256 MiB */
};

#define NO_NAME UINT32_MAX

/* A word that a relocation names. */
struct got_word {
	uint64_t address;
	uint32_t name;         /* offset */
};

struct got_words {
	struct got_word *v;
	size_t n, room;
	uint32_t *by_number;   /* the names, in the order of .rela.plt */
	size_t nnumbers;
};

static void add_word(struct got_words *w, uint64_t address, uint32_t name)
{
	if (w->n == WORDS_MAX || name == NO_NAME)
		return;
	memory_grow(w->v, w->n, w->room, 64);
	w->v[w->n++] = (struct got_word){ address, name };
}

static uint32_t name_of(const Elf64_Rela *it, const struct image_part *dynsym,
			const struct ordered_symbols *all, const struct found_symbols *found)
{
	uint32_t type = ELF64_R_TYPE(it->r_info), number = ELF64_R_SYM(it->r_info);
	Elf64_Sym sym;

	if (type == ARCH_IRELATIVE) {
		size_t i = symbols_at(all, (uint64_t)it->r_addend);

		return i != SIZE_MAX && all->starts[i] == (uint64_t)it->r_addend ? all->names[i] :
										 NO_NAME;
	}
	if ((type != ARCH_GLOB_DAT && type != ARCH_JUMP_SLOT) ||
	    number >= dynsym->size / sizeof(sym))
		return NO_NAME;
	memcpy(&sym, dynsym->bytes + number * sizeof(sym), sizeof(sym));
	if (sym.st_name >= found->dynamic_size || !found->names[found->dynamic + sym.st_name])
		return NO_NAME;
	return found->dynamic + sym.st_name;
}

static void read_relocations(const struct image *f, size_t number, const struct image_part *dynsym,
			     const struct ordered_symbols *all, const struct found_symbols *found,
			     struct got_words *ret)
{
	struct image_head head = image_head(f, number);
	struct image_part part;
	const Elf64_Rela *v;
	size_t n;

	if (head.entry != sizeof(*v) || !image_bytes(f, number, &part))
		return;
	v = (const Elf64_Rela *)part.bytes;
	n = part.size / sizeof(*v);
	if (strcmp(head.name, ".rela.plt") == 0 && !ret->by_number && n && n <= WORDS_MAX) {
		ret->by_number = memory_zeroed(n, sizeof(*ret->by_number));
		ret->nnumbers = n;
		for (size_t i = 0; i < n; i++)
			ret->by_number[i] = name_of(&v[i], dynsym, all, found);
	}
	for (size_t i = 0; i < n; i++)
		add_word(ret, v[i].r_offset, name_of(&v[i], dynsym, all, found));
	free(part.bytes);
}

static int by_address(const void *x, const void *y)
{
	const struct got_word *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

static uint32_t name_of_entry(const struct got_words *w, const unsigned char *code, size_t size,
			      uint64_t address)
{
	uint64_t word;
	uint32_t number;
	size_t i;

	if (arch_plt_word(code, size, address, &word)) {
		search_first(i, w->n, w->v[i].address < word);
		return i < w->n && w->v[i].address == word ? w->v[i].name : NO_NAME;
	}
	return arch_plt_number(code, size, &number) && number < w->nnumbers ? w->by_number[number] :
									     NO_NAME;
}

static void add_entries(const struct image *f, size_t number, const struct got_words *w,
			struct found_symbols *ret)
{
	struct image_head head = image_head(f, number);
	/* Entries of static programs have 8 bytes, and their section does not say so. */
	size_t step = head.entry == ARCH_PLT_ENTRY ? ARCH_PLT_ENTRY : ARCH_PLT_SHORT_ENTRY;
	struct image_part part;
	size_t n;

	if (!image_bytes(f, number, &part))
		return;
	if (part.address > UINT64_MAX - part.size)
		part.size = 0;
	n = part.size / step;
	for (size_t i = 0; i < n; i++) {
		uint64_t address = part.address + i * step;
		size_t rest = part.size - i * step;
		size_t size = rest < ARCH_PLT_ENTRY ? rest : ARCH_PLT_ENTRY;
		uint32_t name = name_of_entry(w, part.bytes + i * step, size, address);

		if (name == NO_NAME)
			continue;
		if (ret->n && ret->v[ret->n - 1].end - address < ARCH_PLT_ENTRY)
			ret->v[ret->n - 1].end = address;
		symbols_add(ret, &(struct found_symbol){ .start = address, .name = name,
							 .end = address + size });
	}
	free(part.bytes);
}

static void read_dynsym(const struct image *f, struct image_part *ret)
{
	for (size_t i = 0; i < f->nsections; i++)
		if (image_head(f, i).type == SHT_DYNSYM) {
			if (!image_bytes(f, i, ret))
				*ret = (struct image_part){ 0 };
			return;
		}
}

void symbols_read_imports(const struct image *f, const struct ordered_symbols *all,
			  struct found_symbols *ret)
{
	static const char *const names[] = { ".plt", ".plt.got", ".plt.sec" };
	struct got_words words = { 0 };
	struct image_part dynsym = { 0 };
	unsigned left = SECTIONS_MAX;

	read_dynsym(f, &dynsym);
	for (size_t i = 0; i < f->nsections && left; i++) {
		struct image_head head = image_head(f, i);

		if (head.type == SHT_RELA && head.flags & SHF_ALLOC) {
			read_relocations(f, i, &dynsym, all, ret, &words);
			left--;
		}
	}
	if (words.n)
		qsort(words.v, words.n, sizeof(*words.v), by_address);
	for (size_t n = 0; n < sizeof(names) / sizeof(*names) && words.n; n++) {
		size_t i = image_find(f, names[n]);

		if (i < f->nsections)
			add_entries(f, i, &words, ret);
	}
	free(dynsym.bytes);
	free(words.v);
	free(words.by_number);
}
