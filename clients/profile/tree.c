/* SPDX-License-Identifier: GPL-2.0 */
/* Merges stacks into a tree. */
#include "profile/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct tree {
	struct arena *a;
	struct map children; /* (number of the parent, number of the frame) -> child */
	uint32_t n;          /* number of nodes without the root */
};

/* A node with its number, which is needed only here. */
struct numbered {
	struct tree_node node;
	uint32_t number;
};

static struct numbered *child_of(struct tree *t, struct numbered *parent,
				 const struct profile_frame *frame)
{
	uint64_t key = (uint64_t)parent->number << 32 | frame->number;
	struct numbered *n = map_get_number(&t->children, key);

	if (n)
		return n;
	n = NEW(t->a, struct numbered);
	n->number = ++t->n;
	n->node.frame = frame;
	n->node.depth = parent->node.depth + 1;
	n->node.next = parent->node.child;
	parent->node.child = &n->node;
	map_set_number(&t->children, key, n);
	return n;
}

static int by_name(const void *x, const void *y)
{
	const struct profile_frame *a = (*(struct tree_node *const *)x)->frame;
	const struct profile_frame *b = (*(struct tree_node *const *)y)->frame;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

/* Sorts the children and assigns positions. Recurses as deep as the longest stack. */
static void lay_out(struct arena *a, struct tree_node *n)
{
	VEC(struct tree_node *) all = { 0 };
	uint64_t start = n->start;

	for (struct tree_node *c = n->child; c; c = c->next)
		vec_push(a, &all, c);
	if (!all.n)
		return;
	qsort(all.v, all.n, sizeof(*all.v), by_name);
	n->child = all.v[0];
	for (size_t i = 0; i < all.n; i++) {
		struct tree_node *c = all.v[i];

		c->next = i + 1 < all.n ? all.v[i + 1] : NULL;
		c->start = start;
		start += c->value;
		lay_out(a, c);
	}
}

struct tree_node *tree_build(struct arena *a, const struct profile_set *set, bool counts)
{
	struct numbered *root = NEW(a, struct numbered);
	struct tree t = { .a = a };

	map_init(&t.children, a);
	vec_each(s, &set->stacks) {
		uint64_t value = counts ? s->count : s->sum;
		struct numbered *n = root;

		root->node.value += value;
		for (size_t i = 0; i < s->n && value; i++) {
			n = child_of(&t, n, s->steps[i].frame);
			n->node.value += value;
		}
	}
	lay_out(a, &root->node);
	return &root->node;
}
