/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind tables: how the caller's registers are found at each instruction of a program or library.
 * The loader compiles one from .eh_frame for each file (loader/unwind/), and the kernel half walks
 * user stacks by them. What the columns mean: DWARF 5, section 6.4 (Call Frame Information), and
 * the System V ABI, AMD64, section 3.6.2 (numbers of registers) and 3.7 (.eh_frame).
 *
 * A table is one block of memory without pointers:
 *
 *   struct prt_unwind_table  the header
 *   u32 pages[npages + 1]    the first row of each page of PRT_UNWIND_PAGE bytes of code
 *   struct prt_unwind_rule rules[nrules]
 *   u16 rules_of[nrows]      the rule of each row, from that row's address to the next row's
 *   prt_u8  low[nrows]           the address of each row, as its distance from the page's beginning
 *
 * Rows are in the order of their addresses. The last row of a lower page holds for the beginning of
 * a page whose first row is after its beginning. Rule 0 is PRT_UNWIND_UNKNOWN. A table without
 * pages has one row, whose rule holds everywhere.
 */
#ifndef PRT_UNWIND_H
#define PRT_UNWIND_H

#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stddef.h>
#endif

/* The registers of the processor: x86_unwind.h describes them. */
#if defined(__x86_64__)
#include "../arch/x86_unwind.h"
#elif defined(__aarch64__)
#include "../arch/arm64_unwind.h"
#endif
#include "records.h"

#define PRT_UNWIND_MAGIC 0x33776e75u /* "unw3" */

enum {
	PRT_UNWIND_PAGE = 256,
	PRT_UNWIND_RULES = 65535, /* at most */
};

/* How the CFA, which is the caller's stack pointer, is computed. @reg is a DWARF number. */
enum prt_unwind_cfa {
	PRT_UNWIND_UNKNOWN, /* no function is known here, or its rule can't be expressed */
	PRT_UNWIND_END,     /* the outermost frame: it has no caller */
	PRT_UNWIND_REG,     /* reg + offset */
	PRT_UNWIND_LOAD,    /* `add` and the word at reg + offset */
	PRT_UNWIND_PLT,     /* reg + offset, and `add` from byte `at[0]` of the entry's 16 on */
	PRT_UNWIND_SIGNAL,  /* a signal's frame: struct sigcontext is at reg + offset, with all
			     * registers of what the signal interrupted */
	PRT_UNWIND_SWITCH,  /* the function has changed to another stack; offset + the word to which
			     * at[0...PRT_UNWIND_LINKS - 1] lead: the word at the thread's base +
			     * at[0] is an address, the word at that one + at[1] is the next. There
			     * is no caller where an address is 0, or the base is not known */
	PRT_UNWIND_SIGNAL_32, /* as PRT_UNWIND_SIGNAL, struct sigcontext_32 */
};

enum { PRT_UNWIND_LINKS = 4 };

/* Beside the columns: the base of the thread's own memory, in `gone` and in prt_unwind_wanted(). */
enum { PRT_UNWIND_THREAD = 1 << PRT_UNWIND_COLUMNS };

struct prt_unwind_rule {
	prt_u8 cfa;         /* enum prt_unwind_cfa */
	prt_u8 reg;
	prt_u8 base;        /* DWARF number of the register for `by_base` */
	prt_u8 stored;      /* columns that are in memory; others keep their value */
	prt_u8 by_base;     /* those of them that are at base + at[n], not at CFA + at[n] */
	prt_u8 gone;        /* columns whose value in the caller can't be known; PRT_UNWIND_THREAD:
			     * outer functions do not look for their caller there */
	prt_u8 ra_reg;      /* 1 and the DWARF number of the register that has the return address;
			     * 0: it is in memory */
	prt_u8 add;         /* of PRT_UNWIND_LOAD, PRT_UNWIND_PLT */
	int offset;
	int at[PRT_UNWIND_COLUMNS];
};

struct prt_unwind_table {
	prt_u32 magic;
	prt_u32 npages, nrules, nrows;
	prt_u64 start;      /* address of page 0, as in the file's program headers */
	prt_u64 size;       /* bytes of the whole block */
};

/* PRT_IOC_CODE_KEY: how hits find a file that was added (struct prt_code_file_set), in processes
 * that nobody has described: by its inode and the time of its last change. -EBADF: `fd` is none;
 * -EINVAL: there is no such file, or there are too many segments; -EEXIST: it has a key. */
enum { PRT_CODE_SEGMENTS = 4, PRT_VDSO_64 = 1, PRT_VDSO_32 = 2 };
struct prt_code_segment {
	prt_u64 address, offset, size; /* of code, as in the program headers */
};
struct prt_code_key {
	prt_u32 number;     /* of the file */
	prt_u32 fd;         /* a descriptor of it; not used for the vdso */
	prt_u32 vdso;       /* PRT_VDSO_...: it is that; 0: it is a file */
	prt_u32 n;          /* segments; 0: it has no code that hits find */
	struct prt_code_segment segments[PRT_CODE_SEGMENTS];
};
#define PRT_IOC_CODE_KEY    _IOW('p', 20, struct prt_code_key)
/* Returns a descriptor, of O_PATH, of a file without a number that a hit has found mapped. -EAGAIN:
 * there is none. */
#define PRT_IOC_FILE_WANTED _IO('p', 21)

static inline prt_u64 prt_unwind_size(prt_u32 npages, prt_u32 nrules, prt_u32 nrows)
{
	return sizeof(struct prt_unwind_table) + (npages + 1ull) * sizeof(prt_u32) +
	       nrules * (prt_u64)sizeof(struct prt_unwind_rule) + nrows * 3ull;
}

static inline const prt_u32 *prt_unwind_pages(const struct prt_unwind_table *t)
{
	return (const prt_u32 *)(t + 1);
}

static inline const struct prt_unwind_rule *prt_unwind_rules(const struct prt_unwind_table *t)
{
	return (const struct prt_unwind_rule *)(prt_unwind_pages(t) + t->npages + 1);
}

static inline const prt_u16 *prt_unwind_rules_of(const struct prt_unwind_table *t)
{
	return (const prt_u16 *)(prt_unwind_rules(t) + t->nrules);
}

static inline const prt_u8 *prt_unwind_low(const struct prt_unwind_table *t)
{
	return (const prt_u8 *)(prt_unwind_rules_of(t) + t->nrows);
}

/** prt_unwind_wanted - the columns whose registers the rules of @t refer to, the return address,
 *  and PRT_UNWIND_THREAD: all that a walk by this table may have to read. */
static inline prt_u8 prt_unwind_wanted(const struct prt_unwind_table *t)
{
	prt_u8 wanted = 1u << PRT_UNWIND_RA;
	prt_u32 registers = 0, i;

	for (i = 0; i < t->nrules; i++) {
		const struct prt_unwind_rule *rule = &prt_unwind_rules(t)[i];

		if (rule->cfa == PRT_UNWIND_SWITCH)
			wanted |= PRT_UNWIND_THREAD;
		registers |= 1u << rule->reg;
		if (rule->by_base)
			registers |= 1u << rule->base;
		if (rule->ra_reg)
			registers |= 1u << (rule->ra_reg - 1);
	}
	for (i = 0; i < PRT_UNWIND_COLUMNS; i++)
		if (registers >> prt_arch_unwind_columns[i] & 1)
			wanted |= 1u << i;
	return wanted;
}

/** prt_unwind_find - the rule at @address, one of the file; NULL: it is not in the table, or no
 *  function is known there. Any context; bounded. @t has been checked. */
static inline const struct prt_unwind_rule *
prt_unwind_find(const struct prt_unwind_table *t, prt_u64 address)
{
	const prt_u32 *pages = prt_unwind_pages(t);
	const prt_u8 *low = prt_unwind_low(t);
	prt_u64 at = address - t->start, page = at / PRT_UNWIND_PAGE;
	const struct prt_unwind_rule *rule;
	prt_u32 row, end;

	if (!t->npages) {
		row = t->nrows;
	} else if (address < t->start || page >= t->npages) {
		return NULL;
	} else {
		at %= PRT_UNWIND_PAGE;
		for (row = pages[page], end = pages[page + 1]; row < end;) {
			prt_u32 mid = (row + end) / 2;

			if (low[mid] <= at)
				row = mid + 1;
			else
				end = mid;
		}
	}
	if (!row)
		return NULL;
	rule = &prt_unwind_rules(t)[prt_unwind_rules_of(t)[row - 1]];
	return rule->cfa == PRT_UNWIND_UNKNOWN ? NULL : rule;
}

#endif
