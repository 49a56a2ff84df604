/* SPDX-License-Identifier: GPL-2.0 */
/* The stacks of a profile merged from their outermost frames on: each node is a call path. */
#ifndef PROFILE_TREE_H
#define PROFILE_TREE_H

#include "profile/profile.h"

struct tree_node {
	const struct profile_frame *frame; /* NULL: the root */
	uint64_t value;                    /* of all stacks through here */
	uint64_t start;                    /* what lies left of it, in the same unit */
	uint32_t depth;                    /* the root: 0 */
	struct tree_node *child, *next;    /* children in the order of their names */
};

/** tree_build - the root of the tree of @set, whose values are the counts or the sums. Owned by
 *  @a. */
struct tree_node *tree_build(struct arena *a, const struct profile_set *set, bool counts);

#endif
