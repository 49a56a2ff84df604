/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef OBJECT_PRIVATE_H
#define OBJECT_PRIVATE_H

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <sys/stat.h>

#include "target/object/object.h"

/* A mapped part of the file. */
struct object_segment {
	uint64_t address, offset, size;
	bool is_code, is_writable;
	uint64_t memory;       /* bytes in memory; `size` of them come from the file */
};

/* A word of the global offset table, to which a relocation belongs. */
struct object_word {
	uint64_t address;
	const char *name;      /* of the function whose address it gets */
};

/* A word that is relocated. */
struct object_pointer {
	uint64_t address, value;
	bool is_known;         /* `value` is an address of the same file */
};

/* A mapping of a process. */
struct object_mapping {
	uint64_t start, end, offset;
	bool is_code;
	const char *path;      /* as the process knows it, or a word in brackets */
};
struct object_mappings { VEC(struct object_mapping) v; };

struct map;                    /* base/map.h */
struct object_code;            /* exits.c */

struct object_file {
	struct program_file o;       /* first */
	struct state *s;
	Dwfl *dwfl;            /* until object_close() */
	Dwfl_Module *module;
	bool asked;            /* its debug information was requested from servers already */
	struct object_code *code; /* NULL: not requested yet */
	VEC(struct object_segment) segments;
	uint64_t frame_table;  /* address of .eh_frame_hdr; 0: it has none */
	uint64_t relro, relro_size; /* memory that is only read once the file is relocated */
	VEC(struct object_symbol) variables; /* unsorted */
	/* By address; several with one address, if their function has several names. */
	VEC(struct object_word) words;
	const unsigned char *bytes; /* the file as libelf has mapped it; NULL: not requested yet */
	size_t nbytes;
	bool has_pointers;     /* `pointers` has been filled: by address */
	VEC(struct object_pointer) pointers;
	struct map *choices;   /* struct object_choices by address; NULL: none was requested */
};

/** object_root_of - "/proc/PID/root" if the path begins with it: below it, links and names are
 *  those of that process. Otherwise "". */
const char *object_root_of(struct state *s, const char *path);
/** object_path_below - the path of the file @path of process @pid, by way of its root directory;
 *  @path itself if that is not possible. */
const char *object_path_below(struct state *s, int64_t pid, const char *path);
/** object_real_path - without symbolic links; NULL if there is none. Owned by the arena. */
const char *object_real_path(struct state *s, const char *path);
/** object_is_loadable - whether it is a program or library for this processor; if not, *@why has
 *  the reason. @elf may be NULL. */
bool object_is_loadable(Elf *elf, const char **why);
/** object_is_32bit - whether it is for programs of 32 bits, and these can be probed. */
bool object_is_32bit(Elf *elf);
/** object_find_debug_file - libdwfl's callback that looks for a separate file; *@data is the struct
 *  object_file. */
int object_find_debug_file(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			   const char *file, const char *link, GElf_Word crc, char **ret);
/** object_dynamic - the dynamic section, found by the program header, or NULL. */
Elf_Data *object_dynamic(Elf *elf);
/** object_dynamic_value - the value of a tag in the dynamic section; 0 if it is not there. @dynamic
 *  may be NULL. */
uint64_t object_dynamic_value(Elf_Data *dynamic, int64_t tag);
/** object_dynamic_symbols - the data of .dynsym, for gelf_getsym(), or NULL. *@head is its header,
 *  whose sh_link is the section of the names. */
Elf_Data *object_dynamic_symbols(Elf *elf, GElf_Shdr *head);
/** object_word_name - the name of the function whose address is in the word at @address of the
 *  global offset table, or NULL. */
const char *object_word_name(const struct object_file *f, uint64_t address);
/** object_read_plt - fill f->words, and f->o.imports from the sections of the procedure linkage
 *  table. */
void object_read_plt(struct state *s, Elf *elf, struct object_file *f);
/** object_read_stacks - fill is_go and switches_stacks; the symbols have been read. */
void object_read_stacks(Elf *elf, struct program_file *o);
/** object_read_marks - fill f->o.marks; stops at a damaged note. */
void object_read_marks(struct state *s, Elf *elf, struct object_file *f);
/** object_rebuilt - add the symbols of @other, another build of the same program, to those of @f
 *  where the same code is, and the rest to f->o.unfound. Returns NULL, or why nothing can be
 *  compared. */
const char *object_rebuilt(struct state *s, struct object_file *f,
			   const struct program_file *other);
/** object_close_code - close what object_exits() has opened. */
void object_close_code(struct object_file *f);
/** object_size_at - the size of the function at @address, by its largest symbol; 0: not known. */
uint64_t object_size_at(const struct program_file *o, uint64_t address);
/** object_code_at - the bytes of the code at @address, of which *@left follow in its segment; NULL
 *  if there is none. */
const unsigned char *object_code_at(struct object_file *f, uint64_t address, size_t *left);
/** object_data_at - the same for data, of which @n bytes are needed. @fixed: only data that no code
 *  changes once the file is relocated. */
const unsigned char *object_data_at(struct object_file *f, uint64_t address, size_t n, bool fixed);
/** object_pointer_at - the address that a word of data has once the file is relocated. Returns
 *  false if it may be changed later, or belongs to another file. */
bool object_pointer_at(struct state *s, struct object_file *f, uint64_t address, uint64_t *ret);
/** object_is_same_file - whether @path is the file of @as. */
bool object_is_same_file(const char *path, const struct stat *as);
/** object_mappings_read - the mappings of process @pid that have a name, from /proc/PID/maps; none
 *  if it can't be read. */
void object_mappings_read(struct state *s, int64_t pid, struct object_mappings *ret);
/** object_data_offset - as object_offset(), also for data. */
bool object_data_offset(const struct object_file *f, uint64_t address, uint64_t *ret);

#endif
