/* SPDX-License-Identifier: GPL-2.0 */
/* The limits of the items of $value$ (show.h), which the compiler keeps. */
#ifndef PRT_SHOW_LIMITS_H
#define PRT_SHOW_LIMITS_H

enum {
	PRT_SHOW_STACK = 12,     /* most numbers on the stack */
	PRT_SHOW_DEPTH = 4,      /* most ELEMENTS and AT around an item */
};

#endif
