/* SPDX-License-Identifier: GPL-2.0 */
/* The dynamic relocations of a file, which ld.so applies when it loads the file. */
#ifndef OBJECT_RELOCATIONS_H
#define OBJECT_RELOCATIONS_H

#include <gelf.h>

#include "target/arch/arch.h"
#include "target/object/private.h"

struct relocation {
	uint64_t address;      /* of the word */
	enum arch_relocation kind;
	bool is_import;        /* the word is one of the global offset table, for a function */
	uint64_t addend;
	const char *name;      /* of its symbol; NULL: it has none. Owned by libelf. */
	GElf_Sym symbol;       /* if it has a name */
};

/* Reads them one after another. */
struct relocation_reader {
	struct object_file *f;
	Elf *elf;
	Elf_Scn *scn;
	GElf_Shdr head;
	Elf_Data *data, *symbols;
	size_t names;          /* the section of the names of `symbols` */
	int next;
};

/** relocations_start - begin to read the relocations of @elf, the file of @f, whose segments are
 *  known. */
void relocations_start(struct relocation_reader *r, struct object_file *f, Elf *elf);
/** relocations_next - read the next one. Returns false behind the last one. */
bool relocations_next(struct relocation_reader *r, struct relocation *ret);

#endif
