/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Reads saved stacks of any form. A profile that is understood has numbers that add up, in its sets
 * and in the tree of its stacks; its image and its file for pprof can be written.
 */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "profile/pprof.h"
#include "profile/profile.h"
#include "profile/svg.h"

static void check_node(const struct tree_node *n)
{
	uint64_t children = 0;

	for (const struct tree_node *c = n->child; c; c = c->next) {
		FUZZ_MUST(c->start == n->start + children);
		FUZZ_MUST(c->depth == n->depth + 1 && c->value);
		children += c->value;
		check_node(c);
	}
	FUZZ_MUST(children <= n->value);
}

static void check_set(struct arena *a, const struct profile *p, const struct profile_set *set)
{
	const struct svg_options o = { .title = "t", .subtitle = "", .unit = "", .width = 1200,
				       .narrowest = 0.1 };
	struct tree_node *root = tree_build(a, set, false);
	uint64_t sum = 0, count = 0;
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	vec_each(s, &set->stacks) {
		sum += s->sum;
		count += s->count;
	}
	FUZZ_MUST(sum == set->sum && count == set->count && root->value == sum);
	check_node(root);
	if (sum)
		svg_write(to, root, &o);
	FUZZ_MUST(pprof_write(a, to, p, set, NULL));
	fclose(to);
	FUZZ_MUST(len);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct diag *d = diag_create(a, 0);
	int fd = memfd_create("profile", 0);
	char path[32];
	struct profile p;

	FUZZ_MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (profile_read(a, d, path, &p) == 0) {
		FUZZ_MUST(!diag_errors(d));
		map_each(it, &p.sets)
			check_set(a, &p, it->value);
	} else {
		FUZZ_MUST(diag_errors(d));
	}
	close(fd);
	arena_destroy(a);
	return 0;
}
