/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the C that probec emits. The script unit includes this file and no kernel
 * header; the runtime includes it after the kernel's headers. It has fixed-width types and no
 * bit-fields, because the two are compiled separately and linked into one module.
 *
 * Conventions of emitted code
 *   A handler is `void probe_N(struct prt_ctx *c)`. A call that fails sets c->err and returns a
 *   harmless value; the caller tests c->err and jumps to its exit (or to the catch of a try). The
 *   runtime reports c->err after the handler. Hot handlers run with interrupts off on the context
 *   of this CPU: they never sleep, allocate or fault. Process-context handlers (begin, end, error
 *   and timers) run in the session thread, on its context. Only there PRT_IS_PROCESS(c) is true,
 *   prt_breathe() may wait, and c->bank has the totals of the session.
 *
 * Unless a declaration says otherwise, functions may be called in any context with interrupts off,
 * they own nothing that they are passed, and @srcloc is the source location to report errors at.
 * Sizes and lengths are in bytes. Enumerators PRT_E_* in a comment are the errors that the function
 * sets.
 *
 * Strings are pairs of pointer and length without a NUL, never longer than MAXSTRINGLEN - 1. A pair
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
/* The facts about the processor: x86_script.h describes them. */
#if defined(__x86_64__)
#include "../arch/x86_script.h"
#elif defined(__aarch64__)
#include "../arch/arm64_script.h"
#endif
#include "floating.h"
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

/* A string variable: a local, a global or the result of a function. `s` has MAXSTRINGLEN bytes. */
struct prt_strbuf {
	u32 len;
	char s[];
};
/* Declares storage for a string variable of @size bytes: PRT_STRBUF(name, 512). */
#define PRT_STRBUF(name, size) union { struct prt_strbuf b; char room[sizeof(u32) + (size)]; } name

struct prt_probe;
struct prt_site;
struct prt_map;
struct prt_iter;
struct prt_tally;
struct prt_ring;

/* ---- the context of one hit ---- */

/* CALL is a hot level as well: the entry of a return probe's function. */
enum prt_level { PRT_LEVEL_PROCESS, PRT_LEVEL_HOT, PRT_LEVEL_CALL };

/* The state of a hot handler's group. BRIEFLY: a brief group, which has one short record and needs
 * no field of the context but c->out. */
enum prt_open { PRT_OPEN_NOT, PRT_OPEN_FULLY, PRT_OPEN_BRIEFLY };
enum { PRT_BRIEF = 4096 };       /* most bytes of its record: far less than half of a ring */

#define PRT_TALLY_SIZE 128       /* bytes of struct prt_tally, the counts of a probe on a CPU */

/* A match with a copy of its string, from which matched() takes capture groups later; in the
 * workspace of a handler. */
struct prt_matched {
	struct prt_match m;
	u32 len;
	char text[]; /* MAXSTRINGLEN bytes */
};

/* Most calls of the script's functions that the message of an error shows. */
#define PRT_CALLED_MAX 3

struct prt_ctx {
	union {
		u16 unavailable;             /* runtime: not 0: no hit may run on this context */
		struct {
			u8 busy;             /* a handler is running on this context */
			u8 shut;             /* the session is not running, or is about to end */
		};
	};
	u8 level;                /* enum prt_level; CALL while a return probe handles the entry */
	u8 locked;               /* prt_lock() has taken locks */
	u32 cpu;
	union {
		u64 left;                    /* not 0: prt_hit_left() is needed after the handler */
		struct {
			u32 err;             /* enum prt_err; 0: no error */
			u8 out_failed;       /* this hit's group did not fit: later records are not
					      * written either */
			u8 out_open;         /* hot: the state of the group: enum prt_open */
			u8 later;            /* runtime, hot: enum prt_later */
		};
	};
	char *bank;              /* per-CPU globals: this CPU's deltas, or the session's totals; it
				  * does not change during a hit */
	struct prt_tally *tally; /* runtime: the counts of each probe on this context */
	const struct prt_probe *probe;
	const struct prt_site *site; /* entry, return: the site that was hit, else NULL; valid only
				      * with
				  * PRT_NEED_SITE */
	const void *regs;        /* struct pt_regs or NULL; without PRT_NEED_REGS, only the argument
				  * registers, sp and ip are valid */
	s64 steps;               /* steps left in this hit */
	char *workspace;         /* the next free byte of the workspace: prt_workspace() */
	char *workspace_end;
	char *out;               /* the next byte to write in the open group; NULL: no group is
				  * open */
	char *out_end;           /* the end of the memory for the group */
	struct prt_ring *ring;
	/* return probes: entry values, struct prt_probe.data_size bytes */
	u64 *saved;
	s64 retval;              /* return probes: the value returned */
	u32 err_srcloc;          /* the source location of c->err */
	u32 nesting;             /* calls of recursive functions that have not returned */
	u32 err_len;             /* bytes in err_text */
	u32 absent_size;         /* runtime: bytes of the access to memory of the process that
				  * failed last in the hit; 0: none. Valid after a rehearsal, and
				  * after an attempt that ends with an error */
	u32 ncalled;             /* of called */
	u32 called[PRT_CALLED_MAX]; /* the source locations of the calls that c->err has left,
				     * innermost first */
	struct prt_matched *matched; /* the last match of a regular expression; NULL: not needed */
	char *err_text;          /* MAXSTRINGLEN bytes: the detail of c->err */
};
#define PRT_IS_PROCESS(c) ((c)->level == PRT_LEVEL_PROCESS)

/** prt_here - the context of the handler that runs on this CPU; NULL if there is none. Any
 * context. */
struct prt_ctx *prt_here(void);

/* ---- errors, steps, the workspace ---- */

/** prt_error - set c->err and its source location, unless an error is set; @text is its detail. */
void prt_error(struct prt_ctx *c, enum prt_err err, u32 srcloc, struct prt_str text);
/** prt_error_called - record that c->err has left the function that was called at @srcloc.
 *  Returns true. */
bool prt_error_called(struct prt_ctx *c, u32 srcloc);

/** prt_error_text - the message that catch (e) gets, such as "division by zero", in @buf of
 *  MAXSTRINGLEN bytes. */
struct prt_str prt_error_text(struct prt_ctx *c, char *buf);
/** prt_error_clear - clear an error that was caught. PRT_E_ABORT cannot be caught: test before. */
PRT_INLINE void prt_error_clear(struct prt_ctx *c) { c->err = PRT_OK; c->err_len = 0; }

/** prt_steps_out - called when the step budget is spent. true: the handler must end, with
 *  PRT_E_STEPS; in a session without time limits with PRT_E_ABORT if the session is to end, or
 *  PRT_E_OVERLOAD if the hit has run for seconds. false: the handler has got more steps. Any
 *  context. */
bool prt_steps_out(struct prt_ctx *c, u32 srcloc);

/** PRT_STEPS - spend @n steps; if the budget is spent, set an error and go to @label. */
#define PRT_STEPS(c, n, srcloc, label)                                                          \
	do {                                                                                   \
		if (unlikely(((c)->steps -= (n)) < 0) && prt_steps_out((c), (srcloc)))          \
			goto label;                                                            \
	} while (0)

/** prt_workspace - allocate @size bytes (a multiple of 8) of the workspace, for strings and large
 * locals of a handler or function. They are not zeroed, and are freed by setting c->workspace to
 * the result. NULL and PRT_E_NESTING if the workspace is used up. */
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

/** prt_enter, prt_leave - bracket the body of a recursive function. prt_enter() checks the depth
 *  (PRT_E_NESTING) and the room on the kernel's stack (PRT_E_STACK); false: do not enter. */
bool prt_enter(struct prt_ctx *c, u32 srcloc);
PRT_INLINE void prt_leave(struct prt_ctx *c) { c->nesting--; }

/* ---- arguments, return values, memory ---- */

/** PRT_REG - the value of a register, such as PRT_REG(c, R12). Needs PRT_NEED_REGS. */
#define PRT_REG(c, name) (*(const u64 *)((const char *)(c)->regs + PRT_REG_OFF_##name))

/** prt_arg_reg - argument register @n at a function's entry; @n is a literal 0 to 5,
 *  and on arm64 up to 8: x8 has the address for a result in memory. */
#define prt_arg_reg(c, n) (*(const u64 *)((const char *)(c)->regs + PRT_REG_OFF_ARG_##n))
/** prt_arg_stack - stack slot @n at a function's entry (0: first above the return address). */
u64 prt_arg_stack(struct prt_ctx *c, unsigned n, u32 srcloc);
/** prt_arg_stack_user - the same for a function of the current process. */
u64 prt_arg_stack_user(struct prt_ctx *c, unsigned n, u32 srcloc);

/** prt_read - read a scalar of @size 1, 2, 4 or 8 bytes at a kernel address, sign- or zero-extended
 *  to 64 bits. 0 and PRT_E_BAD_ADDRESS (detail: the address) if it cannot be read. */
s64 prt_read(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc);
/** prt_read_1, prt_read_2, ... - prt_read() of that size, zero-extended. */
u64 prt_read_1(struct prt_ctx *c, u64 addr, u32 srcloc);
u64 prt_read_2(struct prt_ctx *c, u64 addr, u32 srcloc);
u64 prt_read_4(struct prt_ctx *c, u64 addr, u32 srcloc);
u64 prt_read_8(struct prt_ctx *c, u64 addr, u32 srcloc);
/** prt_read_kernel_str, prt_read_user_str - read a NUL-terminated string at an address of the
 *  kernel or of the current process into @buf, cut at MAXSTRINGLEN - 1. PRT_E_BAD_ADDRESS. */
struct prt_str prt_read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc);
struct prt_str prt_read_user_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc);
/** prt_read_str_n - the same, but read at most @n bytes. @user: an address of the process. */
struct prt_str prt_read_str_n(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc);
/** prt_save - copy @size bytes at a kernel address to @to, which is an object of the caller: in the
 * entry values of a return probe, or its own. PRT_E_BAD_ADDRESS; @to may have changed then. */
void prt_save(struct prt_ctx *c, void *to, u64 addr, u32 size, u32 srcloc);
/** prt_read_bytes - read @n bytes at an address of the kernel (or process: @user), NULs included,
 *  into @buf of MAXSTRINGLEN bytes. PRT_E_BAD_VALUE if @n is negative or too large;
 *  PRT_E_BAD_ADDRESS. */
struct prt_str prt_read_bytes(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc);

/** prt_cut - @v truncated to @size bytes, a constant, and extended to 64 bits again. */
#define prt_cut(v, size, is_signed)                                                            \
	({                                                                                     \
		u64 all = (v);                                                                 \
											       \
		(size) == 1 ? (is_signed) ? (s64)(signed char)all : (s64)(u8)all :             \
		(size) == 2 ? (is_signed) ? (s64)(short)all : (s64)(u16)all :                  \
		(size) == 4 ? (is_signed) ? (s64)(int)all : (s64)(u32)all : (s64)all;          \
	})
/** prt_read_sized - prt_read() with a constant for @size. */
#define prt_read_sized(c, addr, size, is_signed, srcloc)                                       \
	({                                                                                     \
		u64 read_at = (addr);                                                          \
											       \
		prt_cut((size) == 1 ? prt_read_1(c, read_at, srcloc) :                         \
			(size) == 2 ? prt_read_2(c, read_at, srcloc) :                         \
			(size) == 4 ? prt_read_4(c, read_at, srcloc) :                         \
				      prt_read_8(c, read_at, srcloc), size, is_signed);        \
	})
/** prt_bits - the bit-field of @bits bits at bit @shift of @v, extended to 64 bits. */
#define prt_bits(v, shift, bits, is_signed)                                                    \
	({                                                                                     \
		u64 high = (u64)(v) << (64 - (shift) - (bits));                                \
											       \
		(is_signed) ? (s64)high >> (64 - (bits)) : (s64)(high >> (64 - (bits)));       \
	})

/* ---- chains of calls ----
 *
 * Sites whose handler runs only if a chain of calls led to them. Addresses are those of debug
 * information: the distance between two addresses of a table is their distance in memory.
 */
struct prt_call {
	u64 at;                  /* address of a site; of a call: the return address */
	u32 calls;               /* number of calls in the chain that it stands for; at an entry:
				  * 0 */
	u32 callers;             /* index in `callers`: the calls of its function; 0: any caller */
};
struct prt_callers { u32 first, n; }; /* range of prt_chains.calls, ascending by `at` */
struct prt_chains {
	u32 site;                /* number of the probe's first site */
	u32 most;                /* the most calls that a chain has */
	const struct prt_call *places; /* one for each site of the probe */
	const struct prt_call *calls;
	const struct prt_callers *callers; /* index 0 is not used */
};
/** prt_called - whether one of @chains led to the site that was hit, or, at the entry of a return
 * probe, to the call. False if the kernel's unwinder cannot follow the calls. Needs PRT_NEED_SITE
 * and PRT_NEED_REGS. */
bool prt_called(struct prt_ctx *c, const struct prt_chains *chains);

/* ---- arithmetic that can fail or trap ---- */

/** prt_div, prt_mod - signed division and remainder. 0 and PRT_E_DIV_ZERO if @b is 0;
 *  INT64_MIN / -1 is INT64_MIN, and the remainder is 0. */
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
/** prt_udiv, prt_umod - the same for unsigned numbers. */
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

/** prt_str_cmp - compare as memcmp() does: less than, equal to or greater than 0. */
s64 prt_str_cmp(struct prt_str a, struct prt_str b);
PRT_INLINE bool prt_str_eq(struct prt_str a, struct prt_str b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}
/** prt_named - @s with the names that its marks stand for (mark_names.h), in @buf of MAXSTRINGLEN
 *  bytes, or @s itself if it has no marks. A mark that is not known becomes its id. */
struct prt_str prt_named(char *buf, struct prt_str s);
/** prt_str_set - assign to a string variable; source and destination may overlap. */
void prt_str_set(struct prt_strbuf *dst, struct prt_str src);
PRT_INLINE struct prt_str prt_str_get(const struct prt_strbuf *b)
{
	return (struct prt_str){ b->s, b->len };
}
/** prt_str_copy - copy to @buf of MAXSTRINGLEN bytes and return the copy. */
struct prt_str prt_str_copy(char *buf, struct prt_str src);
/** prt_str_returned - the same, unless @src is already in @buf. */
PRT_INLINE struct prt_str prt_str_returned(char *buf, struct prt_str src)
{
	return likely(src.s == buf) ? src : prt_str_copy(buf, src);
}
/** prt_str_concat - concatenate @a and @b in @buf of MAXSTRINGLEN bytes, where neither may be. */
struct prt_str prt_str_concat(char *buf, struct prt_str a, struct prt_str b);
/** prt_sprintf - format an argument block (laid out as in a record) into @buf of MAXSTRINGLEN
 *  bytes. */
struct prt_str prt_sprintf(char *buf, struct prt_str fmt, const char *types, const void *args,
			   u32 args_len);

/* ---- regular expressions ---- */

/** prt_match - whether @s has a match. If c->matched is set, the match and its groups are stored
 *  there. @scratch: PRT_REGEX_SCRATCH() bytes, or NULL if only the table is used. Spends steps for
 *  the length of @s: PRT_E_STEPS. */
bool prt_match(struct prt_ctx *c, const struct prt_regex *re, struct prt_str s, void *scratch,
	       u32 srcloc);
/** prt_match_capture - copy the text of capture group @n (0: the whole match) of the last match to
 *  @buf of MAXSTRINGLEN bytes; empty if the group took no part in the match. PRT_E_BAD_VALUE if
 *  there was no match, or if it has no such group. */
struct prt_str prt_match_capture(struct prt_ctx *c, char *buf, s64 n, u32 srcloc);
/** prt_match_captures - the number of capture groups of the last match, including group 0.
 *  PRT_E_BAD_VALUE if there was no match. */
s64 prt_match_captures(struct prt_ctx *c, u32 srcloc);

/* ---- output: one group a hit ---- */

struct page;

/* The ring of a CPU or of the session thread: runtime/ring.h. */
struct prt_ring {
	struct prt_ring_head *hdr;
	char *data;             /* 2 * size bytes */
	u64 head;
	u64 half;               /* bytes: when the ring has more, the reader is woken and the ring
				 * is to grow */
	u32 size, mask;
	u64 dropped, dropped_bytes;
	struct prt_ring_pages *pages;
	struct prt_flight *flight; /* NULL: the reader moves the tail (flight.h) */
	u32 most, grow_at;      /* the size up to which it grows; when 1/N of it is unread */
	u8 asked;               /* it is to grow */
	struct prt_ring_next *next; /* what it has when it has grown; NULL: it does not grow now */
} __attribute__((aligned(64)));

/** prt_out_begin - begin a record of print statement @id, of @len bytes (a multiple of 8, with the
 * header) in this hit's group, which is opened by the first record. Returns where the arguments
 * begin; NULL: there is no room, which is counted once for each hit. */
char *prt_out_begin(struct prt_ctx *c, u32 id, u32 len);
PRT_INLINE char *prt_put_long(char *p, s64 v)
{
	*(s64 *)p = v;
	return p + 8;
}
PRT_INLINE u32 prt_str_room(struct prt_str s) { return (4 + s.len + 7) & ~7u; }
/** prt_put_str - write a string argument (length, bytes, padding) of prt_str_room() bytes at @p;
 *  returns the byte after it. */
char *prt_put_str(char *p, struct prt_str s);
/** prt_breathe - between statements of a loop, without locks: in process context, publishes staged
 *  output and calls cond_resched(). Elsewhere it does nothing. */
void prt_breathe(struct prt_ctx *c);

#include "stat.h"

/* ---- arrays ---- */

/*
 * A reference to the map of an array, in a bank (per CPU) or in the script unit's data. The runtime
 * creates the map from struct prt_global before begin probes run.
 *
 * Keys: a single long is passed as such (_l), and so is a single string (_s). All others are packed
 * (_k) by prt_key_long() and prt_key_str() in their order: longs as 8 bytes, strings as a u16
 * length and the bytes, without padding. The types of an array's keys decide which of the three it
 * uses. A value is an s64, a struct prt_strbuf or a struct prt_stat, and is zeroed in a new
 * element; a pointer to it is valid until the map is changed.
 */
struct prt_map_ref { struct prt_map *m; };

/** prt_map_get_* - the value of the element with that key, which is added if it does not exist. If
 * it does not fit, it is counted as lost, and the result is memory that nobody reads. If the array
 * (full_fails) or @srcloc (PRT_FULL_FAILS) says that this is an error: NULL and
 * PRT_E_ARRAY_FULL. */
void *prt_map_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 srcloc);
void *prt_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key, u32 srcloc);
void *prt_map_get_k(struct prt_ctx *c, struct prt_map_ref *r, const void *key, u32 len, u32 srcloc);
/** prt_map_get_execname - prt_map_get_s() with the key prt_execname(). */
void *prt_map_get_execname(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc);
/** prt_map_find_* - the value of the element with that key; NULL if there is none. */
void *prt_map_find_l(struct prt_map_ref *r, s64 key);
void *prt_map_find_s(struct prt_map_ref *r, struct prt_str key);
void *prt_map_find_k(struct prt_map_ref *r, const void *key, u32 len);
/** prt_map_del_* - remove the element with that key if it exists. */
void prt_map_del_l(struct prt_map_ref *r, s64 key);
void prt_map_del_s(struct prt_map_ref *r, struct prt_str key);
void prt_map_del_k(struct prt_map_ref *r, const void *key, u32 len);
/** prt_map_clear - remove all elements. */
void prt_map_clear(struct prt_map_ref *r);

PRT_INLINE char *prt_key_long(char *p, s64 v)
{
	__builtin_memcpy(p, &v, 8);
	return p + 8;
}
char *prt_key_str(char *p, struct prt_str s);

/* ---- foreach ---- */

/* The sort order of a foreach. key 0: unsorted (in the order of insertion if that is cheap); n: by
 * key number n; -1: by the value (long, string or stack); -2: by the number `agg` of an aggregate
 * (enum agg_op in compiler/ast/ast.h: count sum min max avg variance). dir +1: ascending, -1:
 * descending. The sort is stable. */
struct prt_sort { int key, dir, agg; };

/** prt_iter_start - take a sorted snapshot of the positions of at most @limit elements (< 0: all).
 *  Spends steps for the work done. NULL with c->err set on failure; otherwise the caller must pass
 *  the iterator to prt_iter_end() on every path. */
struct prt_iter *prt_iter_start(struct prt_ctx *c, struct prt_map_ref *r, struct prt_sort sort,
				s64 limit, u32 srcloc);
/** prt_iter_walk - iterate over all elements of an array of any size without a snapshot, the oldest
 *  first. Until the end, no element may be added, and only the current one may be removed. */
struct prt_iter *prt_iter_walk(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc);
/** prt_iter_next - advance to the first or next element; false: there are no more. */
bool prt_iter_next(struct prt_iter *it);
/** prt_iter_key_long, prt_iter_key_str - key number @i (from 0) of the current element. A string
 *  points into the element. */
s64 prt_iter_key_long(struct prt_iter *it, u32 i);
struct prt_str prt_iter_key_str(struct prt_iter *it, u32 i);
/** prt_iter_value - the value of the current element. */
void *prt_iter_value(struct prt_iter *it);
void prt_iter_end(struct prt_ctx *c, struct prt_iter *it); /* accepts NULL */

/* ---- locks ---- */

/** prt_lock - take the @n locks with the ascending numbers @locks, all or none, within a bounded
 *  time. false: the hit has been counted as locked out, and must end without an error. In process
 *  context, interrupts are off until prt_unlock(). A handler must not nest it. */
bool prt_lock(struct prt_ctx *c, const u16 *locks, u32 n);
/** prt_unlock - release the locks that prt_lock() took with the same arguments. */
void prt_unlock(struct prt_ctx *c, const u16 *locks, u32 n);

#include "stacks.h"
#include "write.h"
#include "show.h"
#include "tapset.h"

#if defined(PRT_MAXACTION) && !defined(PRT_IN_USER_SPACE)
#include "fast.h"
#endif

#include "tables.h"

#ifdef PRT_IN_USER_SPACE
/* testsuite/emit: nothing is hit by these. */
#define PRT_HIT(nr, ...) enum { hit_##nr };
#define PRT_HIT_AT(nr, ...) enum { hit_##nr };
#define PRT_HIT_PLACE(nr, ...) enum { hit_##nr };
#define PRT_HIT_USER(nr, ...) enum { hit_##nr };
#define PRT_HIT_ATTEMPT(nr, ...) enum { hit_##nr };
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
