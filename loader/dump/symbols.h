/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of a crashed kernel's functions: System.map has them for the addresses for which the
 * kernel was linked, and it chose others when it booted. Functions of modules are in no file.
 */
#ifndef LOADER_DUMP_SYMBOLS_H
#define LOADER_DUMP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"
#include "shared/buf.h"

struct dump_symbols {
	struct buf text;          /* of the file, in which lines have become strings */
	struct dump_symbol {
		uint64_t at;      /* in the crashed kernel */
		const char *name;
	} *v;                     /* by ascending address */
	size_t n;
};

/**
 * dump_symbols_open - find the System.map of the kernel @release where distributions have it, or
 * below the directories of --debuginfo
 *
 * @directories: these, or NULL
 * @loops_per_jiffy: the address of that variable in the crashed kernel. false: there is none, or
 * none that has the variable; then nothing is to be freed.
 */
bool dump_symbols_open(struct dump_symbols *ret, const char *release, uint64_t loops_per_jiffy,
		       const char *directories);
/** dump_symbols_parse - the same for a file whose text is @text, which @ret owns on success. */
bool dump_symbols_parse(struct dump_symbols *ret, struct buf text, uint64_t loops_per_jiffy);
/** dump_symbols_name - fill in the name of get->address: a function for struct stack_names. */
int dump_symbols_name(void *symbols, struct prt_symbol_get *get);
/** dump_symbols_close - accepts symbols that are all zero. */
void dump_symbols_close(struct dump_symbols *s);

#endif
