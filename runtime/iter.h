/* SPDX-License-Identifier: GPL-2.0 */
/* Iterators of foreach, allocated at SETUP: iter_depth for the session thread and hot_iter_depth
 * for each CPU (struct prt_script). */
#ifndef PRT_ITER_H
#define PRT_ITER_H

#include "abi/script.h"

/* The number of bytes of the iterators of one context. @hot: of a CPU, not of the session
 * thread. */
size_t prt_iter_memory(bool hot);
/* Creates them in @p, which has so many bytes, and returns the head of the list of free
 * iterators. */
struct prt_iter *prt_iter_carve(char *p, bool hot);

#endif
