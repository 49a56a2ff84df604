/* SPDX-License-Identifier: GPL-2.0 */
/* A frame of a stack with its source line and the functions that are inlined there, and these as
 * text, folded and as JSON. */
#ifndef LOADER_FRAME_H
#define LOADER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"
#include "unwind/lines.h"

struct stack_names;

struct shown_frame {
	uint64_t word;
	const struct line_frame *lines; /* innermost first; valid until those of the next frame */
	size_t inlined;                 /* how many of them are */
	const struct line_frame *own;   /* of the function itself; NULL: not known */
};

/** frame_with_lines - the frame @word of a part of that kind. @called: of the kernel, it is an
 *  address after a call; frames of processes say so themselves. */
struct shown_frame frame_with_lines(struct stack_names *names, int kind, uint64_t word,
				    bool called);

/** frame_put_address - append " 0xADDRESS : ", which begins a line. frame_json_address - append
 *  "address":"0xADDRESS" to an object. */
void frame_put_address(struct buf *to, uint64_t address);
void frame_json_address(struct buf *to, uint64_t address);
/** frame_put_line - append the number. frame_put_source - append " at FILE:LINE", or nothing if it
 *  is not known; @at may be NULL. */
void frame_put_line(struct buf *to, const struct line_frame *at);
void frame_put_source(struct buf *to, const struct line_frame *at);
/** frame_put_inlined - append a line for each function that is inlined. @module: NULL if unknown;
 *  may have its brackets. */
void frame_put_inlined(struct buf *to, const struct shown_frame *f, uint64_t address,
		       const char *module);
/** frame_put_folded - the same in a folded line that begins at byte @start, outermost first. */
void frame_put_folded(struct buf *to, size_t start, const struct shown_frame *f);
/** frame_json_source - append "file":"fs/read_write.c","line":450 to an object, or nothing. */
void frame_json_source(struct buf *to, const struct line_frame *at);
/** frame_json_inlined - append an object for each function that is inlined:
 *  {"address":"0x...","symbol":"get","inlined":1,"file":"a.c","line":4,"module":"kernel"}. @module
 *  ends at its NUL, in the kernel at a bracket. */
void frame_json_inlined(struct buf *to, const struct shown_frame *f, uint64_t address,
			const char *module, bool is_user);

#endif
