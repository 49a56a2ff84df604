/* SPDX-License-Identifier: GPL-2.0 */
/* foreach: iterators, made at SETUP: iter_depth of the thread, hot_iter_depth of each CPU. */
#ifndef PRT_ITER_H
#define PRT_ITER_H

#include "abi/script.h"

/* Bytes of one context's iterators. */
size_t prt_iter_memory(bool hot);
/* Makes them in @p and returns the first of the free ones. */
struct prt_iter *prt_iter_carve(char *p, bool hot);

#endif
