/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The process that reads the debug information of one file, because reading what anyone may have
 * written is not for a process with rights: shared/lines.h. One thread only.
 */
#ifndef LOADER_LINE_READER_H
#define LOADER_LINE_READER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct line_reader {
	pid_t pid;               /* 0: there is none */
	int fd;                  /* its socket */
	unsigned opened;         /* files that it has asked for */
};

/* Descriptors, at least LINES_UNUSED; -1: there is none. */
struct line_files {
	int file, alternate, package;
};

/* Opens the .dwo file of that name, of a unit that was compiled in @folder, which the reader has
 * read in the file. Returns a descriptor, which is closed afterwards, or -1. */
typedef int line_reader_open(void *arg, const char *folder, const char *name);

/** line_reader_start - start one for these files, which stay the caller's. 0 or -errno. */
int line_reader_start(struct line_reader *r, const struct line_files *files);
/** line_reader_ask - ask about an address; returns the bytes of the answer, at most @room, or -1 if
 *  the reader has ended or does not answer in time: then it is to be stopped. It may call @open. */
ssize_t line_reader_ask(struct line_reader *r, uint64_t address, line_reader_open *open, void *arg,
			void *answer, size_t room);
/** line_reader_stop - end it, without waiting for an answer; accepts one that does not run. Returns
 *  its status if it has ended by itself, otherwise 0. */
int line_reader_stop(struct line_reader *r);

#endif
