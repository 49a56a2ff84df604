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
};

/** line_reader_start - start one for the file that @file is open for; @file stays the caller's.
 *  0 or -errno. */
int line_reader_start(struct line_reader *r, int file);
/** line_reader_ask - ask about an address; returns the bytes of the answer, at most @room, or -1 if
 *  the reader has ended or does not answer in time: then it is to be stopped. */
ssize_t line_reader_ask(const struct line_reader *r, uint64_t address, void *answer, size_t room);
/** line_reader_stop - end it, without waiting for an answer; accepts one that does not run. */
void line_reader_stop(struct line_reader *r);

#endif
