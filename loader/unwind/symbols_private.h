/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that read symbols. */
#ifndef SYMBOLS_PRIVATE_H
#define SYMBOLS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/image.h"

enum {
	SYMBOLS_MAX = 1 << 22,       /* of one file; fewer where the machine is small */
	SYMBOLS_NAME_MAX = 1 << 15,  /* bytes of a name; more are cut off */
};

/* A symbol of a section. */
struct found_symbol {
	uint64_t start, end;         /* end: of its section, if it has no size */
	uint32_t name;               /* offset */
	uint32_t rank : 8;           /* symbols_rank; the lowest is best */
	uint32_t number : 24;        /* in the order in which they were found */
};

/* A difference decides before all those with a lower number. */
enum symbols_rank {
	RANK_NO_CHOICE = 1,          /* not of type STT_GNU_IFUNC */
	RANK_WEAK = 2,
	RANK_LOCAL = 4,
	RANK_NO_FUNCTION = 8,
	RANK_NO_SIZE = 16,
};

/* One that is all zero is empty. */
struct found_symbols {
	struct found_symbol *v;
	size_t n, room;
	char *names;                 /* strings; the last byte is a NUL */
	size_t names_size;
	uint32_t dynamic;            /* offset of the names of .dynsym */
	uint32_t dynamic_size;       /* bytes; 0: they have not been read */
	bool full;                   /* a symbol had no room */
};

/* Symbols in the order of their addresses, each at the same place of all arrays. Where two begin at
 * one address, the longer one comes first. */
struct ordered_symbols {
	uint64_t *starts;
	uint32_t *sizes;             /* with SYMBOL_NO_SIZE: to where it reaches */
	uint32_t *names;             /* offset */
	uint32_t *outer;             /* number of the last one before that reaches further */
	char **texts;                /* as users see them; NULL: as they are, or not asked for */
	size_t n;
};

#define SYMBOL_NO_SIZE 0x80000000u

/** symbols_add - add a symbol. Without an effect but for @f->full if there are SYMBOLS_MAX, or so
 *  many that reading them takes as much as all names may have. */
void symbols_add(struct found_symbols *f, const struct found_symbol *one);
/** symbols_add_names - append @size strings' bytes and a NUL, and set *@ret to their offset. */
bool symbols_add_names(struct found_symbols *f, const void *bytes, size_t size, uint32_t *ret);
/** symbols_order - choose and order; @f's symbols are freed, its names are not. */
void symbols_order(struct found_symbols *f, struct ordered_symbols *ret);
/** symbols_at - the number of the symbol at an address; SIZE_MAX: none. */
size_t symbols_at(const struct ordered_symbols *o, uint64_t address);
/** symbols_deinit - accepts one that is all zero. */
void symbols_deinit(struct ordered_symbols *o);

/** symbols_read_table - add the symbols of the first section of that type, SHT_SYMTAB or
 *  SHT_DYNSYM. false: there is none. */
bool symbols_read_table(const struct image *f, uint32_t type, struct found_symbols *ret);
/** symbols_read_separate - add the symbols that were split from a file: those of its separate debug
 *  file, which is looked for below @root and beside @path, or else those of .gnu_debugdata. */
void symbols_read_separate(const struct image *f, const char *path, const char *root,
			   struct found_symbols *ret);
/** symbols_read_imports - add the entries of the procedure linkage table. @all: the symbols, after
 *  .dynsym was read to @ret, which has their names. */
void symbols_read_imports(const struct image *f, const struct ordered_symbols *all,
			  struct found_symbols *ret);

/** symbols_is_dump - whether a file of names of code that was made at run time is a jitdump file.
 *  symbols_read_dump() adds the code that it names, in the order of its records. */
bool symbols_is_dump(int fd);
void symbols_read_dump(int fd, struct found_symbols *ret);

/* Where a name comes from. */
enum symbols_origin {
	OF_SYMBOL,                   /* linkers append versions: "@@GLIBC_2.34", "@GLIBC_2.0" */
	OF_IMPORT,                   /* the same; gets "@plt" */
	OF_MAP,                      /* a file of names of code that was made at run time */
};

/** symbols_text - a name as users see it: decoded, without a version, without control characters.
 *  NULL: just as it is; otherwise to free(). */
char *symbols_text(const char *name, enum symbols_origin origin);

struct symbols {
	int fd;                      /* -1: the symbols have been read, and not of a map */
	char *path;                  /* NULL: of a map */
	int64_t size, next;          /* of a map: bytes it had; ns of the clock: it is not looked at
				      * again before */
	size_t read;                 /* of a map: bytes of its lines, which `names` begins with */
	struct ordered_symbols ordered;
	struct ordered_symbols imports;
	char *names;                 /* of both */
	size_t held;                 /* bytes of all that, as symbols_hold() counts them */
	bool left_out;               /* counted by symbols_left_out() */
};

/** symbols_hold - count the names and the symbols of @s, which have been read from @f. If these are
 *  not all that the file has, or all files together have too many, they are freed, and the file is
 *  counted as one that is left out. */
void symbols_hold(struct symbols *s, const struct found_symbols *f);
/** symbols_held_max - the most bytes that the symbols of all files may have. */
size_t symbols_held_max(void);
/** symbols_release - free them, before they are read again or for good. */
void symbols_release(struct symbols *s);
/** symbols_leave_out - count a file that has no names because of a limit; @s may be NULL. */
void symbols_leave_out(struct symbols *s);

/** symbols_refresh - read a map again if it has grown. */
void symbols_refresh(struct symbols *s);
/** symbols_close_map - close the file of a map, if it is open. */
void symbols_close_map(struct symbols *s);

#endif
