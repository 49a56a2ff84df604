/* SPDX-License-Identifier: GPL-2.0 */
/* The physical memory of a machine in an ELF dump: System V ABI, chapter 5, with p_paddr as
 * Documentation/admin-guide/kdump/vmcoreinfo.rst and QEMU's dump-guest-memory use it. The file is
 * not trusted. */
#ifndef LOADER_DUMP_MEMORY_H
#define LOADER_DUMP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_segment {
	uint64_t at, end;       /* physical addresses */
	uint64_t offset;        /* of `at` in the file */
	uint64_t reach;         /* the greatest end of this segment and of all before it */
};

struct dump_memory {
	const char *path;
	int fd;                 /* -1: not open */
	uint64_t size;          /* of the file */
	struct dump_segment *v; /* by ascending address; they may overlap */
	size_t n;
};

/** dump_open - open the dump @path. 0, or -1 after reporting E_IO or E_VMCORE; then there is
 * nothing to close. @path must outlive @ret. */
int dump_open(struct dump_memory *ret, const char *path);
/** dump_read - read @len bytes from the physical address @at on. false: the dump lacks some. */
bool dump_read(const struct dump_memory *m, uint64_t at, void *to, size_t len);
/**
 * dump_search - call @found for the address of each page of 4096 bytes that begins with the @len
 * bytes of @what, in no particular order, perhaps several times; shows its progress on a terminal
 *
 * 0, or -1: the file could not be read, which is reported, or a signal has come.
 */
int dump_search(const struct dump_memory *m, const void *what, size_t len,
		void (*found)(void *arg, uint64_t at), void *arg);
/** dump_close - accepts one that is not open. */
void dump_close(struct dump_memory *m);

#endif
