/* SPDX-License-Identifier: GPL-2.0 */
/* The stacks of a profile, merged from their outermost frames on: each node is a call path. */
#ifndef PROFILE_TREE_H
#define PROFILE_TREE_H

#include "profile/profile.h"

struct tree_node {
	const struct profile_frame *frame; /* NULL: the root */
	uint64_t value;                    /* total of all stacks through this node */
	uint64_t start;                    /* its left end, in the same unit */
	uint32_t depth;                    /* 0 for the root */
	struct tree_node *child, *next;    /* children, sorted by name */
};

/** tree_build - make the tree of @set, whose values are the counts or the sums; returns the root,
 *  owned by @a. */
struct tree_node *tree_build(struct arena *a, const struct profile_set *set, bool counts);

#endif
