/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line reader: a process that the loader starts for a file whose addresses are to be shown with
 * source lines and inlined functions. The file may be anyone's, and reading debug information takes
 * a large library, so the process first gives up all that it does not need (confine.c): whatever
 * the file makes it do, it can only spend a bounded time, and answer wrongly or not at all.
 * shared/lines.h has the protocol between the two.
 */
#ifndef LINES_LINES_H
#define LINES_LINES_H

struct arena;

/** lines_main - probec --read-lines, which only the loader starts. Returns the status. */
int lines_main(struct arena *a, int argc, char **argv);

#endif
