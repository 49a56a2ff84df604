/* SPDX-License-Identifier: GPL-2.0 */
#include "target/object/section.h"

#include <string.h>

Elf_Scn *section_find(Elf *elf, const char *name, GElf_Shdr *head)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		const char *found = gelf_getshdr(scn, head) ?
					    elf_strptr(elf, names, head->sh_name) : NULL;

		if (found && strcmp(found, name) == 0)
			return scn;
	}
	return NULL;
}
