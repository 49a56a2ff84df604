/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the C that probec emits. The script unit includes this file and no kernel
 * header; the runtime includes it after the kernel's headers. It has fixed-width types and no
 * bit-fields, because the two are compiled separately and joined by `ld -r`.
 *
 * How emitted code behaves
 *   A handler is `void probe_N(struct prt_ctx *c)`. Every call that can fail sets c->err and
 *   returns a harmless value; the caller tests c->err and goes to its way out (or to the catch of a
 *   try). The runtime reports c->err when the handler returns. Hot handlers run with interrupts off
 *   on this CPU's context: they never sleep, allocate or fault. Process-context handlers (begin,
 *   end, error, timers) run in the session's thread, on its context; only there PRT_IS_PROCESS(c)
 *   is true, prt_breathe() may wait, and c->bank is the session's totals.
 *
 * Strings are {pointer, length} pairs without a NUL, never longer than MAXSTRINGLEN - 1; a pair
 * points into a literal, a global, the workspace or the context, and is copied when it is assigned.
 */
#ifndef PRT_SCRIPT_H
#define PRT_SCRIPT_H

#ifdef PRT_SCRIPT_UNIT
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed long long s64;
typedef signed int s32;
typedef unsigned long size_t;
typedef _Bool bool;
#define true 1
#define false 0
#ifndef NULL
#define NULL ((void *)0)
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
#include "records.h"
#else
#include <linux/types.h>
#include "records.h"
#endif
#include "../arch/x86_script.h"
#include "match.h"

#define PRT_INLINE static inline __attribute__((always_inline, unused))

/* Some kernels clear every variable on the stack. */
#if __has_attribute(uninitialized)
#define PRT_UNCLEARED __attribute__((uninitialized))
#else
#define PRT_UNCLEARED
#endif

struct prt_str {
	const char *s; /* never NULL when len > 0 */
	u32 len;
};
#define PRT_LIT(text) ((struct prt_str){ text, sizeof(text) - 1 })

/* A string variable: a local, a global, a function's result. `s` has MAXSTRINGLEN bytes. */
struct prt_strbuf {
	u32 len;
	char s[];
};
/* Declares storage for one: PRT_STRBUF(name, 512) */
#define PRT_STRBUF(name, size) union { struct prt_strbuf b; char room[sizeof(u32) + (size)]; } name

struct prt_probe;
struct prt_site;
struct prt_map;
struct prt_iter;
struct prt_tally;
struct prt_ring;

/* ---- the context of one hit ---- */

/* CALL: hot, too: where the function of a return probe is entered. */
enum prt_level { PRT_LEVEL_PROCESS, PRT_LEVEL_HOT, PRT_LEVEL_CALL };

/* A group of a hot handler. BRIEFLY: one short record, which needs nothing but c->out. */
enum prt_open { PRT_OPEN_NOT, PRT_OPEN_FULLY, PRT_OPEN_BRIEFLY };
enum { PRT_BRIEF = 4096 };       /* bytes of a record: far less than half of a ring */

#define PRT_TALLY_SIZE 128       /* bytes of the counts of a probe on a CPU */

/* A match and its string, so that the groups outlive it; in the workspace of a handler. */
struct prt_matched {
	struct prt_match m;
	u32 len;
	char text[]; /* MAXSTRINGLEN bytes */
};

struct prt_ctx {
	union {
		u16 unavailable;             /* runtime: not 0: no hit may run on this context */
		struct {
			u8 busy;             /* a handler is running on it */
			u8 shut;             /* the session does not run, or is about to end */
		};
	};
	u8 level;                /* enum prt_level; CALL while a return probe handles the entry */
	u8 locked;               /* prt_lock() has taken locks */
	u32 cpu;
	union {
		u64 left;                    /* not 0: the hit has left something to do */
		struct {
			u32 err;             /* enum prt_err; 0: none */
			u8 out_failed;       /* this hit's group did not fit: the rest is not
					      * written either */
			u8 out_open;         /* hot: it is being written: enum prt_open */
		};
	};
	char *bank;              /* per-CPU globals: this CPU's deltas, or the session's totals; the
				  * same during a hit */
	struct prt_tally *tally; /* runtime: of each probe, on this context */
	const struct prt_probe *probe;
	const struct prt_site *site; /* entry, return: the site that was hit, else NULL; only valid
				  * with PRT_NEED_SITE */
	const void *regs;        /* struct pt_regs, or NULL; without PRT_NEED_REGS only the argument
				  * registers, sp and ip in it are valid */
	s64 steps;               /* steps left in this hit */
	char *workspace;         /* its next free byte: prt_workspace() */
	char *workspace_end;
	char *out;               /* open group: next byte to write; NULL: none open */
	char *out_end;           /* end of the writable memory */
	struct prt_ring *ring;
	/* return probes: entry values, struct prt_probe.data_size bytes */
	u64 *saved;
	s64 retval;              /* return probes: the value returned */
	u32 err_srcloc;          /* the source location of c->err */
	u32 nesting;             /* calls of recursive functions that are open */
	u32 err_len;             /* bytes in err_text */
	struct prt_matched *matched; /* result of the last regular expression; NULL: not wanted */
	char *err_text;          /* MAXSTRINGLEN bytes: detail of c->err */
};
#define PRT_IS_PROCESS(c) ((c)->level == PRT_LEVEL_PROCESS)

/** prt_here - the context of the handler that runs on this CPU; NULL if there is none. Any
 * context. */
struct prt_ctx *prt_here(void);

/* ---- errors, steps, the workspace ---- */

/** prt_error - set c->err, unless one is set already, with its source location; @text: details. */
void prt_error(struct prt_ctx *c, enum prt_err err, u32 srcloc, struct prt_str text);
/** prt_error_text - the message that catch (e) sees: "division by zero";
 *  into @buf of MAXSTRINGLEN. */
struct prt_str prt_error_text(struct prt_ctx *c, char *buf);
/** prt_error_clear - a catch took the error. PRT_E_ABORT is never taken: test before. */
PRT_INLINE void prt_error_clear(struct prt_ctx *c) { c->err = PRT_OK; c->err_len = 0; }

/** prt_steps_out - the budget is spent. true: the handler ends: PRT_E_STEPS; in a session without
 *  time limits, PRT_E_ABORT when it is to end, PRT_E_OVERLOAD after seconds in one hot hit. false:
 *  there is more. Any context. */
bool prt_steps_out(struct prt_ctx *c, u32 srcloc);

/** PRT_STEPS - spend @n steps; goto @label, with an error set, when there are no more. */
#define PRT_STEPS(c, n, srcloc, label)                                                          \
	do {                                                                                   \
		if (unlikely(((c)->steps -= (n)) < 0) && prt_steps_out((c), (srcloc)))          \
			goto label;                                                            \
	} while (0)

/** prt_workspace - @size bytes (multiple of 8) of the workspace, for strings and large locals of a
 * handler or function; freed by setting c->workspace to the value returned. NULL with PRT_E_NESTING
 * if it is used up. Not zeroed. */
PRT_INLINE void *prt_workspace(struct prt_ctx *c, size_t size, u32 srcloc)
{
	char *f = c->workspace;

	if (unlikely(size > (size_t)(c->workspace_end - f))) {
		prt_error(c, PRT_E_NESTING, srcloc, PRT_LIT(""));
		return NULL;
	}
	c->workspace = f + size;
	return f;
}

/** prt_enter / prt_leave - around the body of a recursive function: depth and kernel stack room. */
bool prt_enter(struct prt_ctx *c, u32 srcloc);
PRT_INLINE void prt_leave(struct prt_ctx *c) { c->nesting--; }

/* ---- arguments, return values, memory ---- */

/** PRT_REG - a register by its name: PRT_REG(c, R12). With PRT_NEED_REGS. */
#define PRT_REG(c, name) (*(const u64 *)((const char *)(c)->regs + PRT_REG_OFF_##name))

/** prt_arg_reg - argument register @n at a function's entry; @n is one of the digits 0 to 5. */
#define prt_arg_reg(c, n) (*(const u64 *)((const char *)(c)->regs + PRT_REG_OFF_ARG_##n))
/** prt_arg_stack - stack slot @n at a function's entry (0: first above the return address). */
u64 prt_arg_stack(struct prt_ctx *c, unsigned n, u32 srcloc);
/** prt_arg_stack_user - the same of a function of the current process. */
u64 prt_arg_stack_user(struct prt_ctx *c, unsigned n, u32 srcloc);

/** prt_read - a scalar of 1, 2, 4 or 8 bytes at a kernel address, extended to 64 bits by sign or
 *  zero. PRT_E_BAD_ADDRESS (detail: the address) and 0 when it can't be read. */
s64 prt_read(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc);
/** prt_read_kernel_str / prt_read_user_str - a NUL-terminated string, cut at MAXSTRINGLEN - 1, into
 *  @buf. */
struct prt_str prt_read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc);
struct prt_str prt_read_user_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc);
/** prt_read_str_n - the same of a kernel (or @user) address, of which at most @n bytes are read. */
struct prt_str prt_read_str_n(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc);
/** prt_save - copy @size bytes at a kernel address to @to, where a return probe stores entry
 * values. PRT_E_BAD_ADDRESS. */
void prt_save(struct prt_ctx *c, void *to, u64 addr, u32 size, u32 srcloc);
/** prt_read_bytes - @n bytes at a kernel (or @user) address, whatever they are, into @buf of
 *  MAXSTRINGLEN bytes. PRT_E_BAD_VALUE for more than fit or fewer than 0. */
struct prt_str prt_read_bytes(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc);

/* One item of the output of $value$: a text, then the value at @offset from the address. */
enum prt_show_kind {
	PRT_SHOW_TEXT, PRT_SHOW_SIGNED, PRT_SHOW_UNSIGNED, PRT_SHOW_POINTER, PRT_SHOW_CHAR,
	PRT_SHOW_CHARS,          /* an array of char, to its end or a NUL */
	PRT_SHOW_STRING,         /* a pointer to a string */
};
struct prt_show {
	const char *text;        /* NUL-terminated */
	u32 offset, size;        /* bytes */
	u8 kind;                 /* enum prt_show_kind */
	u8 bit_offset, bit_size; /* of a bit-field in the @size bytes; bit_size 0: not one */
};
enum prt_show_where {
	PRT_SHOW_KERNEL,         /* at an address of the kernel */
	PRT_SHOW_USER,           /* at an address of the current process */
	PRT_SHOW_IN_HAND,        /* the value in the kernel, what it points to in the process */
};
/** prt_show - print @n items at an address into @buf of MAXSTRINGLEN bytes, cut there. Unreadable
 * items show as "?", an address whose whole range is invalid as the address. Spends steps by the
 * number of items: PRT_E_STEPS. */
struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc);

/** prt_cut - @v cut to @size bytes and extended. Constant size. */
#define prt_cut(v, size, is_signed)                                                            \
	({                                                                                     \
		u64 all = (v);                                                                 \
											       \
		(size) == 1 ? (is_signed) ? (s64)(signed char)all : (s64)(u8)all :             \
		(size) == 2 ? (is_signed) ? (s64)(short)all : (s64)(u16)all :                  \
		(size) == 4 ? (is_signed) ? (s64)(int)all : (s64)(u32)all : (s64)all;          \
	})
/** prt_bits - a bit-field of @bits bits at @shift of @v. */
#define prt_bits(v, shift, bits, is_signed)                                                    \
	({                                                                                     \
		u64 high = (u64)(v) << (64 - (shift) - (bits));                                \
											       \
		(is_signed) ? (s64)high >> (64 - (bits)) : (s64)(high >> (64 - (bits)));       \
	})

/* ---- chains of calls ----
 *
 * Places that count only where a chain of calls led to them. Addresses are as debug information
 * counts them: what lies between two of a table is what lies between them in memory.
 */
struct prt_call {
	u64 at;                  /* of a place or an entry: itself; of a call: where it returns */
	u32 calls;               /* number of calls that it counts for; of an entry: 0 */
	u32 callers;             /* list of the calls of the function it is in; 0: any caller */
};
struct prt_callers { u32 first, n; }; /* prt_chains.calls, ascending by `at` */
struct prt_chains {
	u32 site;                /* number of the probe's first */
	u32 most;                /* calls that a chain may have */
	const struct prt_call *places; /* of each of its sites */
	const struct prt_call *calls;
	const struct prt_callers *callers; /* lists; the first is for number 0 */
};
/** prt_called - whether one of @chains led to the place that was hit, or, at the entry of a return
 * probe, to the call. False if the kernel's unwinder does not know the way. With PRT_NEED_SITE and
 * PRT_NEED_REGS. */
bool prt_called(struct prt_ctx *c, const struct prt_chains *chains);

/* ---- arithmetic that can fail or trap ---- */

/** prt_div, prt_mod - PRT_E_DIV_ZERO; INT64_MIN / -1 is INT64_MIN, % -1 is 0. */
PRT_INLINE s64 prt_div(struct prt_ctx *c, s64 a, s64 b, u32 srcloc)
{
	if (unlikely(b == 0)) {
		prt_error(c, PRT_E_DIV_ZERO, srcloc, PRT_LIT(""));
		return 0;
	}
	return b == -1 ? (s64)(0 - (u64)a) : a / b;
}
PRT_INLINE s64 prt_mod(struct prt_ctx *c, s64 a, s64 b, u32 srcloc)
{
	if (unlikely(b == 0)) {
		prt_error(c, PRT_E_DIV_ZERO, srcloc, PRT_LIT(""));
		return 0;
	}
	return b == -1 ? 0 : a % b;
}
/** prt_udiv, prt_umod - the same without a sign. */
PRT_INLINE u64 prt_udiv(struct prt_ctx *c, u64 a, u64 b, u32 srcloc)
{
	if (unlikely(b == 0))
		prt_error(c, PRT_E_DIV_ZERO, srcloc, PRT_LIT(""));
	return b ? a / b : 0;
}
PRT_INLINE u64 prt_umod(struct prt_ctx *c, u64 a, u64 b, u32 srcloc)
{
	if (unlikely(b == 0))
		prt_error(c, PRT_E_DIV_ZERO, srcloc, PRT_LIT(""));
	return b ? a % b : 0;
}
/* Shift counts are taken modulo 64, as the processor does. */
PRT_INLINE s64 prt_shl(s64 a, s64 n) { return (s64)((u64)a << (n & 63)); }
PRT_INLINE s64 prt_shr(s64 a, s64 n) { return a >> (n & 63); }
PRT_INLINE s64 prt_ushr(s64 a, s64 n) { return (s64)((u64)a >> (n & 63)); }

/* ---- strings ---- */

/** prt_str_cmp - <0, 0, >0, bytes unsigned. */
s64 prt_str_cmp(struct prt_str a, struct prt_str b);
PRT_INLINE bool prt_str_eq(struct prt_str a, struct prt_str b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}
/** prt_str_set - copy into a variable of PRT_MAXSTRINGLEN bytes (cut there); source and destination
 * may overlap. */
void prt_str_set(struct prt_strbuf *dst, struct prt_str src);
PRT_INLINE struct prt_str prt_str_get(const struct prt_strbuf *b)
{
	return (struct prt_str){ b->s, b->len };
}
/** prt_str_copy - copy to @buf of MAXSTRINGLEN bytes and return the copy. */
struct prt_str prt_str_copy(char *buf, struct prt_str src);
/** prt_str_returned - the same, for what may have been made in @buf already. */
PRT_INLINE struct prt_str prt_str_returned(char *buf, struct prt_str src)
{
	return likely(src.s == buf) ? src : prt_str_copy(buf, src);
}
/** prt_str_concat - a then b, into @buf of MAXSTRINGLEN bytes (neither may lie in it). */
struct prt_str prt_str_concat(char *buf, struct prt_str a, struct prt_str b);
/** prt_sprintf - format an argument block (laid out as in a record) into @buf of MAXSTRINGLEN
 *  bytes. */
struct prt_str prt_sprintf(char *buf, struct prt_str fmt, const char *types, const void *args,
			   u32 args_len);

/* ---- regular expressions ---- */

/** prt_match - whether @s has a match; where c->matched is set, also where it and its groups are.
 *  @scratch: PRT_REGEX_SCRATCH() bytes, or NULL where the table is enough. Spends steps by the
 *  length of @s: PRT_E_STEPS. */
bool prt_match(struct prt_ctx *c, const struct prt_regex *re, struct prt_str s, void *scratch,
	       u32 srcloc);
/** prt_match_capture - text of group @n (0: all) of the last match, copied to @buf of MAXSTRINGLEN
 *  bytes; empty when the group was not taken. PRT_E_BAD_VALUE when there was no match or it has no
 *  such group. */
struct prt_str prt_match_capture(struct prt_ctx *c, char *buf, s64 n, u32 srcloc);
/** prt_match_captures - how many groups it has, number 0 among them. PRT_E_BAD_VALUE as above. */
s64 prt_match_captures(struct prt_ctx *c, u32 srcloc);

/* ---- output: one group a hit ---- */

struct page;

/* The ring of one CPU or of the session's thread; the runtime's ring.h explains it. */
struct prt_ring {
	struct prt_ring_head *hdr;
	char *data;             /* 2 * size bytes */
	u64 head;
	u64 half;               /* bytes: a ring with more in it may want its reader */
	u32 size, mask;
	u64 dropped, dropped_bytes;
	u32 npages;             /* of pages[]: the header, then the data twice */
	struct page **pages;
} __attribute__((aligned(64)));

/** prt_out_begin - memory for a record of @len bytes (header included, a multiple of 8) of print
 * @id in this hit's group, with its header written; opens the group at the first call. NULL: no
 * room, which is counted once for each hit. */
char *prt_out_begin(struct prt_ctx *c, u32 id, u32 len);
PRT_INLINE char *prt_put_long(char *p, s64 v)
{
	*(s64 *)p = v;
	return p + 8;
}
PRT_INLINE u32 prt_str_room(struct prt_str s) { return (4 + s.len + 7) & ~7u; }
/** prt_put_str - length, bytes, zero padding; @p has prt_str_room() bytes. */
char *prt_put_str(char *p, struct prt_str s);
/** prt_breathe - process context, between statements of a loop and holding no lock: hands over
 *  output that waits, gives the processor to others. Elsewhere it does nothing. */
void prt_breathe(struct prt_ctx *c);

#include "stat.h"

/* ---- arrays ---- */

/*
 * A map handle: where the map lives, in a bank (per CPU) or in the script unit's data (locked, read
 * mostly). The runtime makes and fills it from struct prt_global before begin probes run.
 *
 * Keys: a single long is passed as such (_l), a single string as such (_s), anything else packed
 * (_k) by prt_key_long/prt_key_str in order: longs 8 bytes, strings u16 length and the bytes, no
 * padding. The three families must not be mixed on one map; which one is used is fixed by its key
 * types. A value is an s64, a struct prt_strbuf or a struct prt_stat, zeroed when the entry is
 * made; the pointer is valid until the map is changed.
 */
struct prt_map_ref { struct prt_map *m; };

/** prt_map_get_* - the entry, which is made if it does not exist. If it does not fit, the element
 * is lost and counted, and the result is memory for its value that nobody reads. If the array or
 * the place says so (full_fails, PRT_FULL_FAILS), this is an error instead: NULL with
 * PRT_E_ARRAY_FULL. */
void *prt_map_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 srcloc);
void *prt_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key, u32 srcloc);
void *prt_map_get_k(struct prt_ctx *c, struct prt_map_ref *r, const void *key, u32 len, u32 srcloc);
/** prt_map_find_* - the entry or NULL; no error. */
void *prt_map_find_l(struct prt_map_ref *r, s64 key);
void *prt_map_find_s(struct prt_map_ref *r, struct prt_str key);
void *prt_map_find_k(struct prt_map_ref *r, const void *key, u32 len);
/** prt_map_del_* - remove the entry if it is there. */
void prt_map_del_l(struct prt_map_ref *r, s64 key);
void prt_map_del_s(struct prt_map_ref *r, struct prt_str key);
void prt_map_del_k(struct prt_map_ref *r, const void *key, u32 len);
/** prt_map_clear - remove all. */
void prt_map_clear(struct prt_map_ref *r);

PRT_INLINE char *prt_key_long(char *p, s64 v)
{
	__builtin_memcpy(p, &v, 8);
	return p + 8;
}
char *prt_key_str(char *p, struct prt_str s);

/* ---- foreach ---- */

/* The sort order of a foreach. key 0: none (order of insertion where that is cheap, else any); n:
 * that key; -1: the value (long, string or stack); -2: an aggregate's `agg` (numbers of enum agg_op
 * in compiler/ast/ast.h: count sum min max avg variance). dir +1 ascending, -1 descending. Equal
 * elements keep their order. */
struct prt_sort { int key, dir, agg; };

/** prt_iter_start - a snapshot of the entries' positions, sorted, at most @limit (< 0: all). Steps
 *  are spent by the work done. NULL with c->err when no iterator is free; else an iterator to give
 *  back by prt_iter_end on every way out. */
struct prt_iter *prt_iter_start(struct prt_ctx *c, struct prt_map_ref *r, struct prt_sort sort,
				s64 limit, u32 srcloc);
/** prt_iter_walk - the same for all entries, oldest first, in an array of any size: it holds none
 *  of them, so until its end no entry may be added, and only the current one removed. */
struct prt_iter *prt_iter_walk(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc);
/** prt_iter_next - advance to the first or next entry; false: there are no more. */
bool prt_iter_next(struct prt_iter *it);
/** prt_iter_key_long / _str - key number @i (0..) of the entry; strings point into the entry. */
s64 prt_iter_key_long(struct prt_iter *it, u32 i);
struct prt_str prt_iter_key_str(struct prt_iter *it, u32 i);
/** prt_iter_value - the entry's value, as prt_map_find gives it. */
void *prt_iter_value(struct prt_iter *it);
void prt_iter_end(struct prt_ctx *c, struct prt_iter *it); /* accepts NULL */

/* ---- locks ---- */

/** prt_lock - take the locks numbered @locks (ascending), all or none, within a bounded time.
 *  false: the hit is counted as locked out and must end without an error. In process context
 *  interrupts are off until prt_unlock. One prt_lock a handler at a time. */
bool prt_lock(struct prt_ctx *c, const u16 *locks, u32 n);
/** prt_unlock - the same locks. */
void prt_unlock(struct prt_ctx *c, const u16 *locks, u32 n);

/*
 * ---- the primitives of tapset functions ----
 *
 * All: any context. @buf has MAXSTRINGLEN bytes; the result is in it and cut to its size. The task
 * is the one that was hit.
 */

s64 prt_pid(struct prt_ctx *c);       /* thread group id of current */
s64 prt_tid(struct prt_ctx *c);
s64 prt_ppid(struct prt_ctx *c);      /* 0 where RCU does not watch */
s64 prt_uid(struct prt_ctx *c);       /* this and the next three: in the first user namespace */
s64 prt_gid(struct prt_ctx *c);
s64 prt_euid(struct prt_ctx *c);
s64 prt_egid(struct prt_ctx *c);
s64 prt_cpu(struct prt_ctx *c);
s64 prt_this_cpu(struct prt_ctx *c, u64 addr); /* address of this processor's part of a per-CPU
						* variable, whose own address is @addr */
s64 prt_target(struct prt_ctx *c);    /* -x, -c; 0: none */
struct prt_str prt_execname(struct prt_ctx *c, char *buf);
struct prt_str prt_pexecname(struct prt_ctx *c, char *buf); /* the parent's; "" likewise */
struct prt_str prt_pp(struct prt_ctx *c);         /* probe point of this hit */
struct prt_str prt_pn(struct prt_ctx *c);         /* the same, where an alias: its name */
struct prt_str prt_probefunc(struct prt_ctx *c);  /* its function, or "" */
s64 prt_user_mode(struct prt_ctx *c); /* 1: user space was hit; 0 without all registers, too */
/** prt_returnval - the part of the result register that struct prt_probe says the function sets,
 *  extended; PRT_E_BAD_VALUE outside a return probe. */
s64 prt_returnval(struct prt_ctx *c, u32 srcloc);
s64 prt_argument(struct prt_ctx *c, s64 n, u32 srcloc); /* n-th (1..) integer argument at
							* entry; PRT_E_BAD_VALUE: there
							* is none */
s64 prt_time_ns(struct prt_ctx *c);   /* CLOCK_REALTIME, ns since 1970 */
s64 prt_cycles(struct prt_ctx *c);    /* of this processor's counter */
s64 prt_elapsed_ns(struct prt_ctx *c); /* since the entry; 0 outside of return probes */
s64 prt_misses(struct prt_ctx *c);     /* hits of all probes that were not run, so far */
s64 prt_jiffies(struct prt_ctx *c);
void prt_exit(struct prt_ctx *c);     /* the session ends after this handler */
void prt_warn(struct prt_ctx *c, struct prt_str text);
/** prt_system - make the loader run @command when it has written the output before it. */
void prt_system(struct prt_ctx *c, struct prt_str command);
/** prt_substr - @len bytes from @start (0..); bytes outside of @s are left out. */
struct prt_str prt_substr(char *buf, struct prt_str s, s64 start, s64 len);
/** prt_strtol - like C's, without errors: the number ends at the first character that is not a
 * digit, one that does not fit wraps; 0 for an invalid base. */
s64 prt_strtol(struct prt_str s, s64 base);
/** prt_contains - whether @part occurs anywhere in @s. Spends steps. */
s64 prt_contains(struct prt_ctx *c, struct prt_str s, struct prt_str part, u32 srcloc);
/** prt_tokenize - the next part of this processor's current input, which ends before a byte of
 * @delim; an @input that is not empty becomes the current one. "" when there is no more. Spends
 * steps. */
struct prt_str prt_tokenize(struct prt_ctx *c, char *buf, struct prt_str input,
			    struct prt_str delim, u32 srcloc);
/** prt_ctime - "Thu Jan  1 00:00:00 1970", UTC. PRT_E_BAD_VALUE outside of the years 1 to 9999. */
struct prt_str prt_ctime(struct prt_ctx *c, char *buf, s64 seconds, u32 srcloc);
/** struct prt_word - a number and its name, of a tapset's table. */
struct prt_word {
	u64 value;
	const char *name;
};
#define PRT_COUNT(array) (sizeof(array) / sizeof((array)[0]))
/** prt_word_str - the name of @value among the @n words, or "0x..." in hexadecimal. */
struct prt_str prt_word_str(char *buf, s64 value, const struct prt_word *words, u32 n);
/** prt_flags_str - the names of the flags, "A|B", in the order of @words: of each word whose bits
 *  are all in @flags and not all named already. "|0x..." follows for bits that no word names. 0 is
 *  the name of the word of value 0, or "0x0". */
struct prt_str prt_flags_str(char *buf, s64 flags, const struct prt_word *words, u32 n);
/** prt_errno_str - "ENOENT" for 2 and for -2; "E#1234" for an unknown number. */
struct prt_str prt_errno_str(char *buf, s64 err);

#include "stacks.h"
#include "write.h"
#include "tapset.h"

#if defined(PRT_MAXACTION) && !defined(PRT_STAND_IN)
#include "fast.h"
#endif

#include "tables.h"

#ifdef PRT_STAND_IN
/* In user space, where nothing is hit (testsuite/emit). */
#define PRT_HIT(nr, ...) enum { hit_##nr };
#define PRT_HIT_PLACE(nr, ...) enum { hit_##nr };
#define PRT_HIT_USER(nr, ...) enum { hit_##nr };
#define PRT_CALL(nr, ...) enum { call_##nr };
#define PRT_RETURN_HIT(nr, ...) enum { return_##nr };
#define PRT_DIRECT_CALL(nr, ...) enum { enter_##nr };
#define PRT_DIRECT_HIT(nr, ...) enum { leave_##nr };
#define prt_fast_out_begin prt_out_begin
#elif defined(PRT_MAXACTION)
/* In a script. */
#include "hit.h"
#include "call.h"
#endif

#endif
