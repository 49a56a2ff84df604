/* SPDX-License-Identifier: GPL-2.0 */
/* Sections of ELF files by their names. */
#ifndef OBJECT_SECTION_H
#define OBJECT_SECTION_H

#include <gelf.h>

/** section_find - the first section of that name, with its header in @head; NULL if there is none.
 *  It belongs to @elf. */
Elf_Scn *section_find(Elf *elf, const char *name, GElf_Shdr *head);

#endif
