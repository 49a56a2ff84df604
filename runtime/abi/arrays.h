/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that could not store all elements, in the loader's calls. records.h includes this file. */
#ifndef PRT_ARRAYS_H
#define PRT_ARRAYS_H

#include "records.h"

/* Why an array that begins small had no room for a new element, though it had fewer than it is to
 * hold. */
enum prt_short {
	PRT_SHORT_NOT,        /* it had as many as it is to hold, or as many bytes of long keys */
	PRT_SHORT_MEMORY,     /* there was no memory for it to grow */
	PRT_SHORT_LIMIT,      /* prt_setup.growth */
	PRT_SHORT_TIME,       /* new elements came faster than it grew */
};

/* The next array that had no room for new elements, or the next aggregate or array with histograms
 * that had none for cells. -ENOENT: there are no more. */
struct prt_array_get {
	prt_u32 at;           /* number of the first global to look at; then of the one found */
	prt_u32 srcloc;       /* source location of a statement that could not store an element */
	prt_u64 not_stored;   /* such elements, in all copies of the array */
	prt_u64 coarse;       /* values of which only the logarithmic bucket was counted */
	prt_u64 size;         /* elements that it can hold; 0: it is no array */
	prt_u32 why;          /* enum prt_short, of one of its copies, or of the blocks of
			       * scalars */
	prt_u32 pad;
	char name[128];       /* as in the script */
};

#endif
