/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks in records as text, folded and as JSON; the kernel gives the names of addresses. */
#ifndef LOADER_STACK_H
#define LOADER_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"
#include "show/args.h"

struct kernel_lines;
struct service;

/* A cache of names of addresses, and the function that queries the kernel. All zero: no names. */
struct stack_names {
	/* Looks up the kernel's name of an address into @get. Returns 0, or -1 if there is none. */
	int (*ask)(void *arg, struct prt_symbol_get *get);
	void *arg;
	struct service *service; /* has the names of frames of processes; may be NULL */
	struct kernel_lines *kernel; /* the kernel's source lines; may be NULL */
	bool lines;              /* stacks with names are shown with lines, too */
	struct stack_name *known; /* by address; a hash table with open addressing */
	size_t n, capacity;
};

enum stack_style {
	STACK_PLAIN, /* "0xADDRESS 0xADDRESS" */
	STACK_NAMED, /* a line per frame: " 0xADDRESS : NAME+0x10/0x20 [kernel]" */
	STACK_LINES, /* the same with " at FILE:LINE" at the end; functions that are inlined there
		      * come first: " 0xADDRESS : NAME [inlined] [kernel] at FILE:LINE" */
	STACK_BRIEF, /* a line per frame: " NAME+0x10", or " 0xADDRESS" without a name */
};

/** stack_valid - return whether the bytes of a k argument are complete parts. */
bool stack_valid(const char *parts, size_t len);
/** stack_text - append the k argument @a, with a note if frames are missing. */
void stack_text(struct stack_names *names, struct buf *to, const struct arg *a,
		enum stack_style style);
/** stack_is_place - whether the k argument @a is to be shown as a source file or line.
 *  stack_place - append that; the address in hexadecimal if it is not known. */
bool stack_is_place(const struct arg *a);
void stack_place(struct stack_names *names, struct buf *to, const struct arg *a);
/** stack_json - the same as an array: an object for each frame, and one for missing frames. */
void stack_json(struct stack_names *names, struct buf *to, const char *key, const struct arg *a);
/** stack_folded - append the frames of the k argument @a, outermost first, to a folded line that
 * begins at byte @start of @to. Frames of the kernel end in "_[k]", the usual mark of the kernel in
 * folded stacks, and functions that are inlined, which are shown with `lines`, in "_[i]". "[no
 * stack]": there are none. */
void stack_folded(struct stack_names *names, struct buf *to, size_t start, const struct arg *a);
/** stack_folded_frame - append one frame to such a line, after a semicolon if it is not the first.
 * What would end the frame or the line is replaced: a semicolon by a colon, a control character by
 * a blank. */
void stack_folded_frame(struct buf *to, size_t start, const char *s, size_t len);
/** stack_names_deinit - free the cache. */
void stack_names_deinit(struct stack_names *names);

#endif
