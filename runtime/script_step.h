/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the program of a script table (abi/script_frames.h) up to its next event. It needs nothing
 * of the kernel, so that tests run the tables in programs of their own (testsuite/beside/).
 *
 * The table was checked (script_check.h): registers, jumps and addresses are valid. What it reads
 * is not trusted: each operation counts, and no value of the process is used as a position in the
 * kernel's memory.
 */
#ifndef PRT_SCRIPT_STEP_H
#define PRT_SCRIPT_STEP_H

#include "abi/script_frames.h"

/* @read of the kernel half may do nothing but what is inlined: the process's memory is open. */
#define PRT_SCRIPT_INLINE inline __attribute__((__always_inline__))

/* A program in progress. */
struct prt_script_run {
	const struct prt_script_table *table;
	prt_u64 bias;        /* an address of the process less this one is the file's */
	prt_u64 thread;      /* base of the thread's own memory */
	prt_u32 keys;        /* PRT_KEYS_...; 0: not known */
	prt_u32 at;          /* the next operation */
	prt_u32 left;        /* operations that may still run */
	const struct prt_script_op *event; /* the last one */
	prt_u64 r[PRT_SCRIPT_REGISTERS];
};

enum prt_script_event {
	PRT_SCRIPT_IS_FRAME, /* prt_script_position(), prt_script_key() */
	PRT_SCRIPT_IS_MEMO,  /* prt_script_key(), prt_script_recall() */
	PRT_SCRIPT_IS_SAME,  /* whoever keeps no frames just goes on */
	PRT_SCRIPT_IS_REMEMBER, /* prt_script_key(), prt_script_number() */
	PRT_SCRIPT_IS_YIELD,
	PRT_SCRIPT_IS_PIECE, /* of a description: prt_script_last() */
	PRT_SCRIPT_IS_END,
};

/* Reads 1 << @size bytes of the process; false: they can't be read. */
typedef bool prt_script_read(void *arg, prt_u64 address, unsigned size, prt_u64 *ret);

/** prt_script_last - the operation that was the event. */
static inline const struct prt_script_op *prt_script_last(const struct prt_script_run *s)
{
	return s->event;
}

/** prt_script_position - the position of a frame, which must be below 2^32. */
static inline prt_u32 prt_script_position(const struct prt_script_run *s)
{
	prt_u64 position = s->r[prt_script_last(s)->a];

	return position > PRT_FRAME_POSITION ? (prt_u32)PRT_FRAME_POSITION : (prt_u32)position;
}

/** prt_script_frame - a number that tells a frame from the others of its thread; never 0. */
static inline prt_u64 prt_script_frame(const struct prt_script_run *s)
{
	return s->r[prt_script_last(s)->n - 1] | 1;
}

/** prt_script_number - the number to remember; 0: none. */
static inline prt_u32 prt_script_number(const struct prt_script_run *s)
{
	prt_u64 number = s->r[prt_script_last(s)->a];

	return number > 0xffffffffu ? 0 : (prt_u32)number;
}

/** prt_script_recall - go on with a number that is remembered. */
static inline void prt_script_recall(struct prt_script_run *s, prt_u32 number)
{
	const struct prt_script_op *op = prt_script_last(s);

	s->r[op->a] = number;
	s->at = (prt_u32)op->n;
}

/** prt_script_key - the key of the operation, mixed: keys of objects and of numbers differ. A bit
 *  of a product affects higher bits only, so the upper half is mixed in each time. */
static inline prt_u64 prt_script_key(const struct prt_script_run *s)
{
	const struct prt_script_op *op = prt_script_last(s);
	prt_u64 h = s->bias ^ (op->op == PRT_SCRIPT_FRAME);
	unsigned i;

	for (i = 0; i < op->c; i++) {
		h = (h ^ s->r[op->b + i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
	}
	return h;
}

/** prt_script_begin - before the first event of a stack. */
static inline void prt_script_begin(struct prt_script_run *s, const struct prt_script_table *table,
				    prt_u64 bias, prt_u64 thread, prt_u32 keys)
{
	*s = (struct prt_script_run){ .table = table, .bias = bias, .thread = thread,
				      .keys = keys, .left = PRT_SCRIPT_STEPS };
}

/** prt_script_describing - the program that describes the object of the last frame. */
static inline struct prt_script_run prt_script_describing(const struct prt_script_run *s)
{
	struct prt_script_run ret = *s;

	ret.at = s->table->describe;
	ret.left = PRT_SCRIPT_DESCRIBE;
	return ret;
}

/* The value that pthread_getspecific() returns. */
static PRT_SCRIPT_INLINE bool prt_script_get_key(const struct prt_script_run *s, prt_u64 key,
						 prt_script_read *read, void *arg, prt_u64 *ret)
{
	prt_u64 at = s->thread + (s->keys & PRT_KEYS_OFFSET);

	if (key >= 1024)
		return false;
	if (s->keys & PRT_KEYS_ARRAY)
		return read(arg, at, 3, ret) && read(arg, *ret + 8 * key, 3, ret);
	if (!read(arg, at + 8 * (key / 32), 3, ret))
		return false;
	/* Without a block, no key of it was ever set. */
	return !*ret || read(arg, *ret + 16 * (key % 32) + 8, 3, ret);
}

/* A load, and those that are joined to it. Returns the operation after them; NULL: memory can't be
 * read. */
static PRT_SCRIPT_INLINE const struct prt_script_op *
prt_script_load(struct prt_script_run *s, const struct prt_script_op *op, prt_script_read *read,
		void *arg)
{
	for (;; op++) {
		prt_u64 word;

		if (!read(arg, s->r[op->b] + (prt_s64)op->n, op->c & 3, &word))
			return NULL;
		if (op->c & PRT_SCRIPT_SIGNED)
			word = (prt_u64)((prt_s64)(word << (64 - (8 << (op->c & 3)))) >>
					 (64 - (8 << (op->c & 3))));
		s->r[op->a] = word;
		if (!(op->c & PRT_SCRIPT_MORE))
			return op + 1;
		s->left--;
	}
}

/* Arithmetic: what every other operation of two registers and a number does. */
static PRT_SCRIPT_INLINE prt_u64 prt_script_compute(const struct prt_script_run *s,
						    const struct prt_script_op *op)
{
	prt_u64 b = s->r[op->b];

	switch (op->op) {
	case PRT_SCRIPT_ADD:
		return b + (prt_s64)op->n;
	case PRT_SCRIPT_SUM:
		return b + s->r[op->c];
	case PRT_SCRIPT_LESS:
		return b - s->r[op->c];
	case PRT_SCRIPT_TIMES:
		return b * (prt_s64)op->n;
	case PRT_SCRIPT_AND:
		return b & (prt_s64)op->n;
	case PRT_SCRIPT_SHIFT:
		return op->n < 0 ? b << (-op->n & 63) : b >> (op->n & 63);
	case PRT_SCRIPT_ADDRESS:
		return prt_script_addresses(s->table)[op->n] + s->bias;
	}
	return s->thread;
}

/* Whether a jump is taken. */
static PRT_SCRIPT_INLINE bool prt_script_jumps(const struct prt_script_run *s,
					       const struct prt_script_op *op)
{
	prt_u64 a = s->r[op->a], b = s->r[op->b];

	switch (op->op) {
	case PRT_SCRIPT_IF_ZERO:
		return !a;
	case PRT_SCRIPT_IF_NOT:
		return a;
	case PRT_SCRIPT_IF_SAME:
		return a == b;
	case PRT_SCRIPT_IF_OTHER:
		return a != b;
	case PRT_SCRIPT_IF_BELOW:
		return (prt_s64)a < (prt_s64)b;
	}
	return true;
}

static PRT_SCRIPT_INLINE enum prt_script_event prt_script_event_of(unsigned op)
{
	return op == PRT_SCRIPT_FRAME ? PRT_SCRIPT_IS_FRAME :
	       op == PRT_SCRIPT_YIELD ? PRT_SCRIPT_IS_YIELD :
	       op == PRT_SCRIPT_MEMO ? PRT_SCRIPT_IS_MEMO :
	       op == PRT_SCRIPT_REMEMBER ? PRT_SCRIPT_IS_REMEMBER :
	       op == PRT_SCRIPT_SAME ? PRT_SCRIPT_IS_SAME :
	       op == PRT_SCRIPT_END ? PRT_SCRIPT_IS_END : PRT_SCRIPT_IS_PIECE;
}

/**
 * prt_script_next - run up to the next event
 *
 * @end: with PRT_SCRIPT_IS_END: why, an enum prt_script_end
 *
 * After an end, it is not called again for the same run.
 */
static PRT_SCRIPT_INLINE enum prt_script_event
prt_script_next(struct prt_script_run *s, prt_script_read *read, void *arg, unsigned *end)
{
	const struct prt_script_op *ops = prt_script_ops(s->table), *op = ops + s->at;

	for (; (prt_s32)s->left > 0 && op < ops + s->table->nops; s->left--) {
		if (op->op == PRT_SCRIPT_LOAD) {
			op = prt_script_load(s, op, read, arg);
			if (!op)
				goto unread;
		} else if (op->op <= PRT_SCRIPT_THREAD) {
			s->r[op->a] = prt_script_compute(s, op);
			op++;
		} else if (op->op >= PRT_SCRIPT_JUMP && op->op <= PRT_SCRIPT_IF_BELOW) {
			op = prt_script_jumps(s, op) ? ops + op->n : op + 1;
		} else if (op->op == PRT_SCRIPT_KEY) {
			*end = PRT_SCRIPT_NO_THREAD;
			if (!s->keys)
				return PRT_SCRIPT_IS_END;
			if (!prt_script_get_key(s, s->r[op->b], read, arg, &s->r[op->a]))
				goto unread;
			op++;
		} else {
			*end = (unsigned)op->n;
			s->at = (prt_u32)(op - ops) + 1;
			s->event = op;
			if (op->op == PRT_SCRIPT_SAME)
				s->at += (prt_u32)op->n;
			s->left--;
			return prt_script_event_of(op->op);
		}
	}
	*end = (prt_s32)s->left > 0 ? PRT_SCRIPT_DAMAGED : PRT_SCRIPT_ENDLESS;
	return PRT_SCRIPT_IS_END;
unread:
	*end = PRT_SCRIPT_UNREAD;
	return PRT_SCRIPT_IS_END;
}

#endif
