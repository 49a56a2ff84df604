/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of a record, one after another (runtime/abi/records.h describes the layout). */
#ifndef LOADER_ARGS_H
#define LOADER_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct args {
	const char *types; /* of the remaining arguments */
	const char *p, *end;
};

struct arg {
	char type;          /* l d s k H; 0: there was none */
	int64_t number;     /* l; d: its bits; k: enum prt_stack_style */
	const char *s;      /* s: @len bytes, no NUL; k: its parts (stack.h) */
	size_t len;
	struct prt_hist_data hist; /* H */
	const char *counts;        /* H: hist.n numbers of 8 bytes, not aligned */
};

/* A bucket of a histogram: how many values were from low to high, both inclusive. */
struct args_bucket {
	bool has_low, has_high; /* false: open at that end */
	int64_t low, high;
	uint64_t count;
};

/** args_next - get the next argument, valid as long as the record; -1: the bytes do not hold one of
 * that type. */
int args_next(struct args *a, struct arg *ret);
/** args_double - the text of a d argument, from which the number can be read again. */
enum { ARGS_DOUBLE = 32 }; /* bytes, with the NUL */
void args_double(const struct arg *a, char room[ARGS_DOUBLE]);
/** args_bucket - return bucket @i of hist.n of an H argument. */
struct args_bucket args_bucket(const struct arg *hist, uint32_t i);
/** args_next_bucket - get the next bucket that counts something, as output shows them: those of
 * @hist_log are whole doublings, however fine the record is. @at: 0 at first. False: there are no
 * more. */
bool args_next_bucket(const struct arg *hist, uint32_t *at, struct args_bucket *ret);

#endif
