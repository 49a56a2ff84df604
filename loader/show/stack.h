/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks in records as text and as JSON; the kernel gives the names of addresses. */
#ifndef LOADER_STACK_H
#define LOADER_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "common/text.h"
#include "show/args.h"

/* Names of addresses: how to ask the kernel, and the answers so far. All zero: no names. */
struct stack_names {
	/* The kernel's name of an address into @get; 0, or -1: there is none. */
	int (*ask)(void *arg, struct prt_symbol_get *get);
	void *arg;
	struct stack_name *known; /* by address; open addressing */
	size_t n, room;
};

enum stack_style {
	STACK_PLAIN, /* "0xADDRESS 0xADDRESS" */
	STACK_NAMED, /* a line a frame: " 0xADDRESS : NAME+0x10/0x20 [kernel]" */
};

/** stack_valid - whether the bytes of a k argument are whole parts. */
int stack_valid(const char *parts, size_t len);
/** stack_text - append the k argument @a; what is missing of it is said. */
void stack_text(struct stack_names *names, struct text *to, const struct arg *a,
		enum stack_style style);
/** stack_json - the same as an array: an object a frame, and one for what is missing. */
void stack_json(struct stack_names *names, struct text *to, const char *key, const struct arg *a);
/** stack_names_deinit - forget them. */
void stack_names_deinit(struct stack_names *names);

#endif
