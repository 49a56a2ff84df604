/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions and variables of a program or library, by address. All that a file says is
 * untrusted: it belongs to a process of any user.
 *
 * Symbols come from .symtab and .dynsym; if there is no .symtab, from that of the separate debug
 * file, which is found by build-id or by .gnu_debuglink, or else from .gnu_debugdata. Entries of
 * .plt, .plt.sec and .plt.got are called NAME@plt.
 *
 * Several symbols may have an address. The innermost one that reaches it is found. Among those that
 * begin at one address, the first of these differences decides: a sized one before one without
 * size, a function before a symbol of no type, a global one before a weak one before a local one,
 * one of type GNU_IFUNC before others, fewer underscores at its beginning, the first in its table.
 * A symbol without size reaches to the next symbol or to its section's end, and is none if it
 * begins inside a sized one. Behind the end of a sized symbol there is no name.
 */
#ifndef LOADER_SYMBOLS_H
#define LOADER_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"

struct symbols;

struct symbol {
	const char *name;     /* decoded; without control characters; lives as long as the table,
			       * of a map until the next call */
	uint64_t start;       /* address of the file, as in its program headers */
	uint64_t size;        /* bytes; 0: unknown */
};

/**
 * symbols_read - the symbols of a file, which are read when symbols_find() is first called
 *
 * @fd:   of the file as the process has it mapped; stays the caller's, and may be closed
 * @path: where the process has it, for .gnu_debuglink
 *
 * Returns the table, to symbols_free(); NULL: it is no program or library. Until the first call of
 * symbols_find(), the table has a descriptor of its own, unless none is left.
 */
struct symbols *symbols_read(int fd, const char *path);
/**
 * symbols_read_perf_map - the names of code that a process made at run time, from /tmp/perf-PID.map
 * or a jitdump file, whose first bytes tell
 *
 * @fd: of the file; stays the caller's, and may be closed
 *
 * Its lines are "START SIZE NAME", both numbers in hexadecimal and START an address in the process;
 * a line that is not finished is left out. Code that a later line's code overlaps is gone. Whoever
 * can write the file chooses the names: the caller checks its owner. As the process appends to it,
 * symbols_find() reads on if its size has changed, ten times a second and for a tenth of the time
 * at most; where the last lines that were read are not there any more, from the beginning. A
 * jitdump file is always read as a whole. The file ends for the reader at its first NUL, or after
 * 64 MiB or a quarter of what names may have; the names of a jitdump file, after 64 MiB. The table
 * keeps a descriptor. NULL: it is not a regular file, or too many are open.
 */
struct symbols *symbols_read_perf_map(int fd);
/** symbols_end_map - the process of a map has ended: read it for the last time and close it. In the
 *  thread that calls symbols_find(). */
void symbols_end_map(struct symbols *s);
/** symbols_left_out - how many files have no names so far because of a limit: the names of all
 *  files have at most 512 MiB, or an eighth of the machine's memory if that is less, and 512 maps
 *  are open at a time. @mb: of memory that names may have. Any thread. */
unsigned symbols_left_out(unsigned *mb);
/** symbols_find - find what is at an address of the file. false: nothing that has a name. */
bool symbols_find(const struct symbols *s, uint64_t address, struct symbol *ret);
/** symbols_table - all names as the kernel half wants them, to free(). */
struct prt_name_table *symbols_table(const struct symbols *s);
/** symbols_free - accepts NULL. In the thread that calls symbols_find(), or when it has ended. */
void symbols_free(struct symbols *s);

#endif
