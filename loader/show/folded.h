/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A print with stacks as a line "root;...;leaf COUNT", which tools for flame graphs read. Arguments
 * become frames in their order, all frames of a stack outermost first, and "--" stands between two
 * stacks. The count is the value of a shown global, the sum of an aggregate, or the last number of
 * a print; 1 if there is none. Literals of a print are left out.
 */
#ifndef LOADER_FOLDED_H
#define LOADER_FOLDED_H

#include "show/args.h"
#include "show/stack.h"

struct meta_print;

/** folded_line - append the line of one record of @p, whose types have a k, to @to. -1: its
 * arguments do not fit its types. */
int folded_line(struct stack_names *names, struct buf *to, const struct meta_print *p,
		struct args args);

#endif
