/* SPDX-License-Identifier: GPL-2.0 */
/* The code that a process has mapped, and the files that it is of. */
#ifndef LOADER_MAPPINGS_H
#define LOADER_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwind.h"
#include "unwind/image.h"

/* A file whose code was found mapped; several processes share it. */
struct mapped_file {
	dev_t device;
	ino_t inode;                    /* 0: the vdso */
	bool is_map;                    /* perf_map.h: not of code, but of its names */
	bool is_gone;                   /* its process has ended: another file may get the inode */
	int64_t size, changed;          /* bytes; ns: another file may get the inode */
	char *path;                     /* where the first process had it */
	int fd;                         /* -1: the caller has closed it */
	struct image_segment *segments; /* NULL: it is no program or library */
	size_t nsegments;
	struct prt_unwind_table *table; /* NULL: it has none, or the caller has taken it */
	uint32_t number;                /* for the caller; 0 at first */
	struct mapped_file *next;
};

/* All files that were found, the last one first. One that is all zero is empty. */
struct mapped_files {
	struct mapped_file *first;
	const char *store;              /* directory of table_store.h; NULL: none is used */
};

/* Code at [start, end); an address there, less `bias`, is one of the file. Code that the process
 * made at run time has the file of its names, whose addresses are those of the process. */
struct mapping {
	uint64_t start, end, bias;
	struct mapped_file *file;       /* NULL: there is none that can be read */
	bool is_unread;                 /* there is one that can't */
};

struct mappings {
	struct mapping *v;   /* in the order of their addresses */
	size_t n;
	uint64_t pages;      /* of code, as the kernel counts them (struct prt_space_wanted) */
};

/** mappings_file - the file that @fd, which it closes or keeps, is open for; read if it is new.
 *  @path: where it is mapped. NULL: it can't be read. */
struct mapped_file *mappings_file(struct mapped_files *files, int fd, const char *path);
/**
 * mappings_open / mappings_read - find the code that a process has mapped
 *
 * @files: where files are looked up, or put when they are found first; must outlive @ret
 *
 * The descriptor that mappings_open() returns stays with the address space that the process had
 * then; -errno: the process has ended, or is another user's. mappings_read() closes it and returns
 * 0 or -errno. Files are opened by /proc/PID/map_files, so that those of other mount namespaces and
 * those that have been removed are read as well; the vdso is read from the process's memory. In a
 * process that names the code that it makes (perf_map.h), that code is taken to keep frame
 * pointers, as it has no call frame information.
 */
int mappings_open(pid_t pid);
int mappings_read(struct mapped_files *files, pid_t pid, int fd, struct mappings *ret);
/** mappings_deinit - accepts one that is all zero. */
void mappings_deinit(struct mappings *m);
/** mappings_find - the mapping at @address, or NULL. */
const struct mapping *mappings_find(const struct mappings *m, uint64_t address);
/** mappings_free_files - free all files. */
void mappings_free_files(struct mapped_files *files);

#endif
