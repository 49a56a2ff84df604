/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of a function, from its call frame information. */
#ifndef LOADER_ROWS_H
#define LOADER_ROWS_H

#include <stdint.h>

#include "unwind.h"
#include "unwind/frames.h"

/**
 * rows_run - execute the instructions of one function
 *
 * @row: called for each address from which on another rule holds, in ascending order; @rule lives
 *       during the call. Where an instruction is not understood, the rest of the function gets
 *       PRT_UNWIND_UNKNOWN.
 */
void rows_run(struct frames *f, const struct frames_function *fn,
	      void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
	      void *arg);

#endif
