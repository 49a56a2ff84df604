/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program or library as a file on disk, of which parts are read. The file belongs to a process
 * of any user: nothing in it is trusted, and since it may be cut while it is read, it is not
 * mapped. Its format: System V ABI, chapters 4 and 5.
 */
#ifndef LOADER_IMAGE_H
#define LOADER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the file that is mapped when it is loaded. */
struct image_segment {
	uint64_t address, offset, size; /* size: of what is in the file */
	bool is_code;
};

struct image {
	int fd;
	uint64_t size;          /* of the file */
	bool is_32bit;          /* it is for programs of 32 bits */
	struct image_segment *segments;
	size_t nsegments;
	uint64_t entry;         /* address of its first instruction; 0: it has none */
	uint64_t frames_header; /* address of .eh_frame_hdr; 0: there is none */
	void *sections;         /* Elf64_Shdr, in the file's order, also if it is one of 32 bits */
	size_t nsections;
	char *names;            /* of the sections, and a NUL; NULL: unknown */
	size_t names_size;
};

/* Bytes of the file, and where they are when it is loaded. */
struct image_part {
	unsigned char *bytes;   /* to free() */
	size_t size;
	uint64_t address;       /* 0: they are not loaded */
};

/* The header of a section. */
struct image_head {
	const char *name;
	uint64_t address, size, flags; /* flags: SHF_... */
	uint64_t entry;         /* size of an entry, if it is a table */
	uint32_t type, link;    /* SHT_...; number of another section */
};

/**
 * image_open - read the headers of a file
 *
 * @fd:  of a regular file; stays the caller's, who keeps it open as long as @ret is in use
 * @why: on failure, the reason
 *
 * Returns 0 or -1; in both cases image_close() is needed.
 */
int image_open(int fd, struct image *ret, const char **why);
/** image_open_unloaded - the same for a file of any type, which has sections but may have no
 *  segments: a part of debug information, or that of a kernel module. */
int image_open_unloaded(int fd, struct image *ret, const char **why);
/** image_close - accepts one that is all zero; does not close the file. */
void image_close(struct image *f);
/** image_part_max - the most bytes of a section or a segment that are read, packed or not: 256 MB,
 *  or one in 32 of the machine's memory if that is less. */
uint64_t image_part_max(void);
/** image_section - read the section of that name, unpacked if zlib has packed it. false: there is
 *  none that is whole, it is packed otherwise, or larger than image_part_max(). */
bool image_section(const struct image *f, const char *name, struct image_part *ret);
/** image_head - the header of the section of that number, below `nsections`. */
struct image_head image_head(const struct image *f, size_t number);
/** image_find - the number of the first section of that name; `nsections`: there is none. */
size_t image_find(const struct image *f, const char *name);
/** image_has_debug_info - whether it has DWARF's descriptions of functions. A file from which
 *  they were taken has the section without bytes. */
bool image_has_debug_info(const struct image *f);
/** image_bytes - read the section of that number; otherwise as image_section(). In a file of 32
 *  bits, tables of symbols and the dynamic section are made what they are in one of 64. */
bool image_bytes(const struct image *f, size_t number, struct image_part *ret);
/** image_read - read @size bytes at @address, of what is loaded. false: they are not all in one
 *  segment. */
bool image_read(const struct image *f, uint64_t address, void *to, size_t size);
/** image_rest - read a segment from @address to its end. false: nothing is loaded there, or it is
 *  larger than image_part_max(). */
bool image_rest(const struct image *f, uint64_t address, struct image_part *ret);

#endif
