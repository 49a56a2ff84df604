/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Compiles unwind tables. The first byte of the input tells the section: .eh_frame by its header,
 * by its segment, .debug_frame, or .gopclntab; the rest are its bytes, those of the last one XORed
 * with MASK, so that its input in the corpus has no NUL. It is loaded behind its code. */
#include "fuzz.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/unwind_check.h"
#include "runtime/unwind_step.h"
#include "unwind/table.h"

enum { CODE = 0x10000, CODE_SIZE = 0x8000, FRAMES = 0x20000, HEADER = 0x1f000, SECTIONS = 3 };
enum { MASK = 0x85 };
enum { AT_SECTION, AT_SEGMENT, AT_DEBUG, AT_GO, PLACES };

struct file {
	Elf64_Ehdr head;
	Elf64_Phdr segments[4];
	Elf64_Shdr sections[SECTIONS];
	char names[48];
	struct { unsigned char words[4]; uint32_t frames; } header;
	unsigned char code[CODE_SIZE];
};

static void describe(struct file *f, unsigned where, size_t size)
{
	static const char names[] = "\0.names\0.eh_frame\0.debug_frame\0.gopclntab";
	static const unsigned at[PLACES] = { 8, 8, 18, 31 };

	memcpy(f->head.e_ident, ELFMAG, SELFMAG);
	f->head.e_ident[EI_CLASS] = ELFCLASS64;
	f->head.e_ident[EI_DATA] = ELFDATA2LSB;
	f->head.e_type = ET_DYN;
	f->head.e_machine = EM_X86_64;
	f->head.e_phoff = offsetof(struct file, segments);
	f->head.e_phentsize = sizeof(*f->segments);
	f->head.e_phnum = 4;
	f->segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = CODE,
				       .p_offset = offsetof(struct file, code),
				       .p_filesz = CODE_SIZE };
	f->segments[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = FRAMES,
				       .p_offset = sizeof(*f), .p_filesz = size };
	f->segments[2] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = HEADER,
				       .p_offset = offsetof(struct file, header),
				       .p_filesz = sizeof(f->header) };
	f->segments[3] = (Elf64_Phdr){ .p_type = PT_GNU_EH_FRAME, .p_vaddr = HEADER };
	memcpy(f->header.words, "\1\3\3\3", 4); /* version; the pointer: 4 bytes, absolute */
	f->header.frames = FRAMES;
	if (where == AT_SEGMENT)
		return;
	f->head.e_shoff = offsetof(struct file, sections);
	f->head.e_shentsize = sizeof(*f->sections);
	f->head.e_shnum = SECTIONS;
	f->head.e_shstrndx = 1;
	memcpy(f->names, names, sizeof(names));
	f->sections[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_STRTAB,
				       .sh_offset = offsetof(struct file, names),
				       .sh_size = sizeof(names) };
	f->sections[2] = (Elf64_Shdr){ .sh_name = at[where],
				       .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
				       .sh_addr = FRAMES, .sh_offset = sizeof(*f),
				       .sh_size = size };
}

static void check_rule(const struct prt_unwind_rule *rule)
{
	FUZZ_MUST(rule->cfa <= PRT_UNWIND_SWITCH && rule->reg < 16 && rule->ra_reg <= 16);
	FUZZ_MUST(!(rule->stored & rule->gone) && !(rule->by_base & ~rule->stored));
	FUZZ_MUST(rule->base < 16);
	if (rule->cfa > PRT_UNWIND_END && rule->cfa != PRT_UNWIND_SIGNAL)
		FUZZ_MUST(rule->ra_reg || rule->stored & 1u << PRT_UNWIND_RA);
}

static void check(const struct prt_unwind_table *t)
{
	const uint32_t *pages = prt_unwind_pages(t);
	uint32_t rows = 0;

	FUZZ_MUST(t->magic == PRT_UNWIND_MAGIC && t->nrules && t->nrows && t->npages);
	FUZZ_MUST(t->size == prt_unwind_size(t->npages, t->nrules, t->nrows));
	FUZZ_MUST(pages[0] == 0 && pages[t->npages] == t->nrows);
	for (uint32_t page = 0; page < t->npages; page++) {
		FUZZ_MUST(pages[page] <= pages[page + 1]);
		for (uint32_t i = pages[page]; i < pages[page + 1]; i++, rows++) {
			uint64_t address = t->start + page * (uint64_t)PRT_UNWIND_PAGE +
					   prt_unwind_low(t)[i];
			const struct prt_unwind_rule *rule;

			FUZZ_MUST(prt_unwind_rules_of(t)[i] < t->nrules);
			FUZZ_MUST(i == pages[page] ||
				  prt_unwind_low(t)[i - 1] < prt_unwind_low(t)[i]);
			rule = &prt_unwind_rules(t)[prt_unwind_rules_of(t)[i]];
			check_rule(rule);
			FUZZ_MUST(prt_unwind_find(t, address) == (rule->cfa ? rule : NULL));
			FUZZ_MUST(address >= CODE && address <= CODE + CODE_SIZE);
		}
	}
	FUZZ_MUST(rows == t->nrows);
	FUZZ_MUST(!prt_unwind_find(t, t->start - 1) && !prt_unwind_find(t, UINT64_MAX));
}

static bool read_nothing(void *arg, prt_u64 address, prt_u64 *ret)
{
	(void)arg;
	*ret = address;
	return true;
}

/* Changes some words of the table. If it is still taken for one, a walk by it stays inside. */
static void damage(struct prt_unwind_table *t, const uint8_t *data, size_t size)
{
	uint64_t bytes = t->size, start = t->start;
	uint32_t npages = t->npages;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint32_t at, word;

		memcpy(&at, data + i, 4);
		memcpy(&word, data + i + 4, 4);
		memcpy((char *)t + at % (bytes - 3), &word, 4);
		if (!prt_unwind_ok(t, bytes))
			return;
		for (uint32_t page = 0; page < npages; page++) {
			struct prt_unwind_frame f = {
				.known = PRT_UNWIND_ALL | PRT_UNWIND_THREAD_KNOWN, .thread = 1 };
			uint64_t address = start + page * (uint64_t)PRT_UNWIND_PAGE + word % 256;

			struct prt_unwind_plan plan =
				prt_unwind_plan_of(prt_unwind_find(t, address), 0x7f);

			prt_unwind_step(&f, &plan, read_nothing, NULL);
		}
	}
}

static void put(int fd, const uint8_t *data, size_t size, uint8_t mask)
{
	uint8_t *bytes = malloc(size + 1);

	for (size_t i = 0; i < size; i++)
		bytes[i] = data[i] ^ mask;
	FUZZ_MUST(pwrite(fd, bytes, size, sizeof(struct file)) == (ssize_t)size);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static struct file f;
	struct prt_unwind_table *t = NULL;
	const char *why = NULL;
	struct image image;

	if (!size)
		return 0;
	if (fd < 0)
		fd = memfd_create("program", 0);
	memset(&f, 0, sizeof(f));
	describe(&f, data[0] % PLACES, size - 1);
	FUZZ_MUST(ftruncate(fd, 0) == 0 && pwrite(fd, &f, sizeof(f), 0) == sizeof(f));
	put(fd, data + 1, size - 1, data[0] % PLACES == AT_GO ? MASK : 0);
	if (image_open(fd, &image, &why) == 0)
		t = table_compile(&image, NULL, &why);
	image_close(&image);
	FUZZ_MUST(t || why);
	if (t) {
		check(t);
		FUZZ_MUST(prt_unwind_ok(t, t->size));
		damage(t, data, size);
	}
	free(t);
	return 0;
}
