/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef UNWIND_PRIVATE_H
#define UNWIND_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind.h"

struct bytes;
struct frames;

enum { ROW_REGISTERS = PRT_UNWIND_REGISTERS + 1 };

enum rule_kind { SAME, UNDEFINED, AT_CFA, AT_BASE, IN_REGISTER, OTHER };

struct register_rule {
	enum rule_kind kind;
	unsigned char base;
	int64_t offset;
};

/* One row. An expression for the CFA does not change the register and the offset: an instruction
 * that sets the register goes back to both, as OpenSSL's code relies on. One that sets the offset
 * alone keeps the expression, as libgcc and readelf have it. */
struct frame_row {
	enum prt_unwind_cfa cfa;
	uint64_t reg;
	int64_t offset;
	uint64_t expression_reg;
	int64_t expression_offset;
	unsigned plt;         /* of PRT_UNWIND_PLT: the entry's byte */
	unsigned char add;    /* of PRT_UNWIND_LOAD */
	struct register_rule rules[ROW_REGISTERS];
};

struct frames_common {
	size_t offset, at, at_end;
	uint64_t code_factor;
	int64_t data_factor;
	unsigned encoding;    /* of the functions' addresses */
	bool has_data;        /* entries of functions have augmentation data */
	bool is_signal, is_usable;
	bool has_run;
	struct frame_row first; /* after `has_run` */
};

/** frames_bytes - the bytes from position @at of the section to position @end. */
struct bytes frames_bytes(const struct frames *f, size_t at, size_t end);
/** frames_address - the address at which the next byte of @c is loaded. */
uint64_t frames_address(const struct frames *f, const struct bytes *c);

/** frames_word - bytes of a word of the program. */
unsigned frames_word(const struct frames *f);
/** frames_register - the number in tables of the register that the section calls @number. */
uint64_t frames_register(const struct frames *f, uint64_t number);

#endif
