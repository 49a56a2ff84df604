/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call frame information of programs in Go, which keep their own for the collector and tracebacks,
 * in the section .gopclntab: it stays when a program is stripped. Go 1.18 and later: debug/gosym
 * and runtime/symtab.go have the format.
 */
#ifndef LOADER_GO_FRAMES_H
#define LOADER_GO_FRAMES_H

#include "unwind/frames.h"
#include "unwind/image.h"

struct prt_unwind_rule;

/* A function that .debug_frame does not describe as it is: the outermost one of a stack, one that
 * changes to another stack, the return from a signal. */
struct go_special {
	struct frames_function fn;
	const struct prt_unwind_rule *rule;
};

enum { GO_SPECIALS = 16 };

struct go_frames {
	struct image_part part;
	uint64_t depths;                   /* where the tables of stack depths begin in it */
	struct frames_function *functions; /* in the order of addresses; `at`: of the table */
	size_t nfunctions;
	struct go_special specials[GO_SPECIALS];
	size_t nspecials;
};

/** go_frames_read - find the functions of a program in Go; none in other files. To
 *  go_frames_deinit(). */
void go_frames_read(const struct image *f, struct go_frames *ret);
/** go_frames_deinit - accepts one that is all zero. */
void go_frames_deinit(struct go_frames *g);
/** go_frames_run - call @row, as rows_run() does, for each row of a function. */
void go_frames_run(const struct go_frames *g, const struct frames_function *fn,
		   void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
		   void *arg);

#endif
