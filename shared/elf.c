/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/elf.h"

#include <elf.h>
#include <string.h>

bool elf_find_build_id(const void *notes, size_t size, struct elf_build_id *ret)
{
	const unsigned char *p = notes;

	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr head;
		size_t desc, end;

		memcpy(&head, p, sizeof(head));
		desc = sizeof(head) + ((size_t)head.n_namesz + 3) / 4 * 4;
		end = desc + ((size_t)head.n_descsz + 3) / 4 * 4;
		if (end > size)
			return false;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    memcmp(p + sizeof(head), "GNU", 4) == 0) {
			*ret = (struct elf_build_id){ p + desc, head.n_descsz };
			return true;
		}
		p += end;
		size -= end;
	}
	return false;
}

bool elf_plt_word_x86_64(const unsigned char *code, size_t n, uint64_t address, uint64_t *ret)
{
	size_t at = n >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
	int32_t displacement;

	at += at < n && code[at] == 0xf2;
	if (n - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&displacement, code + at + 2, sizeof(displacement));
	*ret = address + at + 6 + (uint64_t)(int64_t)displacement;
	return true;
}

static uint32_t instruction(const unsigned char *code)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	return word;
}

bool elf_plt_word_arm64(const unsigned char *code, size_t n, uint64_t address, uint64_t *ret)
{
	size_t at = n >= 4 && instruction(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (n < at + 8)
		return false;
	adrp = instruction(code + at);
	ldr = instruction(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	*ret = ((address + at) & ~(uint64_t)0xfff) + (uint64_t)(pages * 4096) +
	       (ldr >> 10 & 0xfff) * 8;
	return true;
}
