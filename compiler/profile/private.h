/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the readers of profiles. */
#ifndef PROFILE_PRIVATE_H
#define PROFILE_PRIVATE_H

#include "base/buf.h"
#include "base/lines.h"
#include "profile/profile.h"

/* A stack under construction. Other keys and notes stand where they were read. */
struct builder {
	struct profile *p;
	struct line_reader *l;
	VEC(struct profile_step) steps;
	size_t stacks; /* of this element: "--" stands between them */
};

/** builder_start - a new, empty stack. */
void builder_start(struct builder *b);
/** builder_add - append a frame of @len bytes; "": "(empty)". @module: NULL for none. */
void builder_add(struct builder *b, enum frame_kind kind, const char *name, size_t len,
		 const char *module, uint64_t address);
/** builder_stack - a further stack of the same element begins here. Returns the number of steps so
 *  far, for builder_reverse(). */
size_t builder_stack(struct builder *b);
/** builder_reverse - the steps from number @from on were read innermost first: reverse them. */
void builder_reverse(struct builder *b, size_t from);
/** builder_end - add the stack to the set @name. False: too many frames, or numbers that add up to
 *  more than INT64_MAX, which was reported at the line. */
bool builder_end(struct builder *b, const char *name, bool aggregate, uint64_t count, uint64_t sum);

/** read_folded / read_json / read_text - the rest of a file whose first line with text is the
 *  current one. False: it is not understood, which was reported. */
bool read_folded(struct profile *p, struct line_reader *l);
bool read_json(struct profile *p, struct line_reader *l);
bool read_text(struct profile *p, struct line_reader *l);
/** read_kernel_address - whether that is an address of the kernel: in the upper half. */
bool read_kernel_address(uint64_t address);
/** read_number - parse @len digits, with no sign. False: no number up to INT64_MAX. */
bool read_number(const char *s, size_t len, uint64_t *ret);

#endif
