/* SPDX-License-Identifier: GPL-2.0 */
/* The script's output: one large buffer before a descriptor or a function. */
#ifndef LOADER_OUTPUT_H
#define LOADER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct meta_print;

struct output {
	int fd; /* -1: it goes to a function */
	int (*to)(void *arg, const char *text, size_t len);
	void (*heading)(void *arg, const char *line, size_t len); /* or NULL */
	int (*next_file)(void *arg); /* or NULL */
	void *to_arg;
	int (*flush)(void *arg); /* writes what is kept elsewhere, 0 or -errno; or NULL */
	void *flush_arg;
	char *buf;
	size_t len, size;
	bool broken; /* nobody reads any more, or a write failed: further output is discarded */
	int error;  /* errno of that write; EPIPE is not an error of ours */
};

/** output_init - write to @fd, which the caller still owns. */
void output_init(struct output *o, int fd);
/** output_to - write by a function instead, which returns 0 or -errno. */
void output_to(struct output *o, int (*to)(void *arg, const char *text, size_t len), void *arg);
/** output_heading - write a line that names the columns of the following lines. @o's heading() gets
 * it, so that a function which writes several files can begin each with it; "": no heading from
 * here on. */
void output_heading(struct output *o, const char *line, size_t len);
/** output_next_file - write the buffer and let @o's next_file(), which returns 0 or -errno, begin
 * another file; without that, do nothing. */
void output_next_file(struct output *o);
/** output_deinit - free; discards text that was not flushed, and leaves the descriptor open. */
void output_deinit(struct output *o);
/** output_print - write one record of print statement @p. Returns false if its arguments do not fit
 * its types. */
bool output_print(struct output *o, const struct meta_print *p, const void *args, size_t len);
/** output_write - write bytes unchanged. */
void output_write(struct output *o, const char *s, size_t len);
/** output_flush - write the buffer. A second signal ends the wait for a reader that does not
 * read. */
void output_flush(struct output *o);

#endif
