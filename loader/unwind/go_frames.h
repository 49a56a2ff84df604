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

/* How a function of Go's runtime differs from others. */
enum go_kind {
	GO_OUTERMOST,   /* it has no caller */
	GO_UNKNOWN,     /* its caller is on another stack, and nobody knows where */
	GO_SIGNAL,      /* the return from a signal */
	GO_SWITCH,      /* a part of it runs on the stack of the thread, its caller on that of the
			 * goroutine; the stack pointer there is that of the function itself */
	GO_SWITCH_LEFT, /* the same; the stack pointer there is that of its caller */
	GO_SCHEDULE,    /* the thread has left the goroutine of which the functions below it were */
};

/* A function that .debug_frame does not describe as it is. */
struct go_special {
	struct frames_function fn;
	enum go_kind kind;
	uint64_t from, to;      /* of GO_SWITCH...: the part */
};

enum { GO_SPECIALS = 16 };

struct go_frames {
	struct image_part part;
	uint64_t depths;                   /* where the tables of stack depths begin in it */
	struct frames_function *functions; /* in the order of addresses; `at`: of the table */
	size_t nfunctions;
	struct go_special specials[GO_SPECIALS];
	size_t nspecials;
	int links[4];                      /* of PRT_UNWIND_SWITCH, to the goroutine's stack */
};

/** go_frames_read - find the functions of a program in Go; none in other files. To
 *  go_frames_deinit(). */
void go_frames_read(const struct image *f, struct go_frames *ret);
/** go_frames_deinit - accepts one that is all zero. */
void go_frames_deinit(struct go_frames *g);
/** go_frames_rule - the rule that holds in all of a function; NULL: it has rows. */
const struct prt_unwind_rule *go_frames_rule(const struct go_special *special);
/** go_frames_run - call @row, as rows_run() does, for each row of a function before @limit.
 *
 * @special: NULL: the function is one of `functions` */
void go_frames_run(const struct go_frames *g, const struct frames_function *fn,
		   const struct go_special *special, uint64_t limit,
		   void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
		   void *arg);

#endif
