/* SPDX-License-Identifier: GPL-2.0 */
/* Headers and symbols of ELF files of 32 bits in the form of those of 64 bits: System V ABI,
 * chapters 4 and 5. */
#ifndef LOADER_ELF_32BIT_H
#define LOADER_ELF_32BIT_H

#include <elf.h>
#include <stdbool.h>
#include <string.h>

/** elf_is_32bit - whether the file that begins with @ident is one of 32 bits. */
static inline bool elf_is_32bit(const unsigned char *ident)
{
	return ident[EI_CLASS] == ELFCLASS32;
}

/** elf_widen_head - the header whose bytes were read into *@head. */
static inline void elf_widen_head(Elf64_Ehdr *head)
{
	Elf32_Ehdr in;

	memcpy(&in, head, sizeof(in));
	*head = (Elf64_Ehdr){
		.e_type = in.e_type, .e_machine = in.e_machine, .e_version = in.e_version,
		.e_entry = in.e_entry, .e_phoff = in.e_phoff, .e_shoff = in.e_shoff,
		.e_flags = in.e_flags, .e_ehsize = in.e_ehsize, .e_phentsize = in.e_phentsize,
		.e_phnum = in.e_phnum, .e_shentsize = in.e_shentsize, .e_shnum = in.e_shnum,
		.e_shstrndx = in.e_shstrndx,
	};
	memcpy(head->e_ident, in.e_ident, EI_NIDENT);
}

/** elf_wide_segment, elf_wide_section, elf_wide_symbol - an entry of a table. */
static inline Elf64_Phdr elf_wide_segment(const Elf32_Phdr *in)
{
	return (Elf64_Phdr){
		.p_type = in->p_type, .p_flags = in->p_flags, .p_offset = in->p_offset,
		.p_vaddr = in->p_vaddr, .p_paddr = in->p_paddr, .p_filesz = in->p_filesz,
		.p_memsz = in->p_memsz, .p_align = in->p_align,
	};
}

static inline Elf64_Shdr elf_wide_section(const Elf32_Shdr *in)
{
	return (Elf64_Shdr){
		.sh_name = in->sh_name, .sh_type = in->sh_type, .sh_flags = in->sh_flags,
		.sh_addr = in->sh_addr, .sh_offset = in->sh_offset, .sh_size = in->sh_size,
		.sh_link = in->sh_link, .sh_info = in->sh_info, .sh_addralign = in->sh_addralign,
		.sh_entsize = in->sh_entsize,
	};
}

static inline Elf64_Sym elf_wide_symbol(const Elf32_Sym *in)
{
	return (Elf64_Sym){
		.st_name = in->st_name, .st_info = in->st_info, .st_other = in->st_other,
		.st_shndx = in->st_shndx, .st_value = in->st_value, .st_size = in->st_size,
	};
}

static inline Elf64_Dyn elf_wide_dynamic(const Elf32_Dyn *in)
{
	return (Elf64_Dyn){ .d_tag = in->d_tag, .d_un.d_val = in->d_un.d_val };
}

#endif
