/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the readers of profiles. */
#ifndef PROFILE_PRIVATE_H
#define PROFILE_PRIVATE_H

#include "saved/saved_lines.h"
#include "profile/profile.h"
#include "shared/buf.h"

/* A stack under construction. Other keys and notes are among its steps, where they were read. */
struct builder {
	struct profile *p;
	struct line_reader *l;
	VEC(struct profile_step) steps;
	size_t stacks; /* number of stacks of this element; "--" separates them */
};

/** builder_start - begin an empty stack. */
void builder_start(struct builder *b);
/** builder_add - append a frame with a name of @len bytes; an empty name becomes "(empty)".
 *  @module: or NULL. */
void builder_add(struct builder *b, enum frame_kind kind, const char *name, size_t len,
		 const char *module, uint64_t address);
/** builder_add_script - append a frame of a script, a function with a name of @len bytes. @file:
 *  its path, of @file_len bytes; 0: not known. */
void builder_add_script(struct builder *b, const char *name, size_t len, const char *file,
			size_t file_len);
/** builder_stack - begin another stack of the same element. Returns the number of steps so far, for
 *  builder_reverse(). */
size_t builder_stack(struct builder *b);
/** builder_reverse - reverse the steps from number @from on, which were read innermost first. */
void builder_reverse(struct builder *b, size_t from);
/** builder_end - add the stack to the set @name. Returns false after a report if it has too many
 *  frames, or if numbers add up to more than INT64_MAX. */
bool builder_end(struct builder *b, const char *name, bool aggregate, uint64_t count, uint64_t sum);

/** read_folded / read_json / read_text - read the rest of a file whose first non-empty line is the
 *  current one. Return false after a report if its contents are invalid. */
bool read_folded(struct profile *p, struct line_reader *l);
bool read_json(struct profile *p, struct line_reader *l);
bool read_text(struct profile *p, struct line_reader *l);
/** read_kernel_address - whether it is an address of the kernel, in the upper half. */
bool read_kernel_address(uint64_t address);
/** read_number - parse @len digits. Returns false unless they are a number up to INT64_MAX. */
bool read_number(const char *s, size_t len, uint64_t *ret);

#endif
