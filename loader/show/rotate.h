/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output in files of a limited size: FILE.0, FILE.1, ... Lines are never split between two files,
 * so a file exceeds the limit only if a single line does; a heading is repeated in each file. Files
 * are always created anew, so that nothing is written to a link or a pipe that another user has put
 * there.
 */
#ifndef LOADER_ROTATE_H
#define LOADER_ROTATE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

struct rotate {
	int dir, fd;       /* -1: not open */
	char *name;        /* name of FILE within the directory */
	uint64_t limit;    /* bytes of a file */
	uint64_t written;  /* of the current file */
	unsigned number;   /* of the current file */
	unsigned keep;     /* number of files that remain, 0: all */
	int within_line;
	int full;          /* the next line belongs to another file */
	uint32_t *told;    /* number, for another process; NULL: for none */
	struct buf heading; /* the first line of each file */
};

/** rotate_open - begin with @path.0. Returns 0 or -errno. */
int rotate_open(struct rotate *r, const char *path, uint64_t limit, unsigned keep);
/** rotate_resume - continue with the file @number, which another process has begun. 0 or -errno;
 * accepts one that is not open. */
int rotate_resume(struct rotate *r, unsigned number);
/** rotate_write - the function for output_to(): append to a struct rotate. 0 or -errno. */
int rotate_write(void *rotate, const char *text, size_t len);
/** rotate_heading - the function for output's heading(): files begin with @line from here on. */
void rotate_heading(void *rotate, const char *line, size_t len);
/** rotate_next - the function for output's next_file(): begin the next file, at once or at the end
 *  of the line that has begun. 0 or -errno. */
int rotate_next(void *rotate);
/** rotate_close - returns 0, or -errno of the last file's close; accepts one that is not open. */
int rotate_close(struct rotate *r);

#endif
