/* SPDX-License-Identifier: GPL-2.0 */
/* Prints with stacks as folded lines. */
#include "show/folded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "module/meta.h"

/* Returns the number of the argument that is the count, or -1 if none is. */
static int count_of(const struct meta_print *p)
{
	int keys = p->global ? (int)meta_keys(p) : 0, last = -1;

	for (int i = keys; p->types[i]; i++) {
		size_t len;
		const char *name = meta_name(p, (unsigned)i, &len);

		if (p->types[i] != 'l')
			continue;
		last = i;
		if (p->global && name && len == 3 && memcmp(name, "sum", 3) == 0)
			break;
	}
	/* In a print it must be the last argument: other numbers are frames. */
	return p->global || last < 0 || !p->types[last + 1] ? last : -1;
}

static void put_frames(struct stack_names *names, struct buf *to, size_t start,
		       const struct arg *a)
{
	char number[24];

	if (stack_is_place(a)) {
		struct buf place = { 0 };

		stack_place(names, &place, a);
		stack_folded_frame(to, start, place.s, place.len);
		buf_deinit(&place);
	} else if (a->type == 'k') {
		stack_folded(names, to, start, a);
	} else if (a->type == 's') {
		stack_folded_frame(to, start, a->s, a->len);
	} else if (a->type == 'l') {
		snprintf(number, sizeof(number), "%" PRId64, a->number);
		stack_folded_frame(to, start, number, strlen(number));
	}
}

int folded_line(struct stack_names *names, struct buf *to, const struct meta_print *p,
		struct args args)
{
	unsigned frames = p->global ? meta_keys(p) : UINT32_MAX, stacks = 0;
	int count = count_of(p);
	size_t start = to->len;
	char number[24] = " 1\n";
	struct arg a;

	for (unsigned i = 0; *args.types; i++) {
		if (args_next(&args, &a))
			return -1;
		if ((int)i == count) {
			snprintf(number, sizeof(number), " %" PRId64 "\n", a.number);
			continue;
		}
		if ((i >= frames && a.type != 'k') || meta_literal(p, i))
			continue;
		if (a.type == 'k' && !stack_is_place(&a) && stacks++)
			stack_folded_frame(to, start, "--", 2);
		put_frames(names, to, start, &a);
	}
	buf_puts(to, number);
	return 0;
}
