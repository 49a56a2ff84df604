/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's list of its kprobes, and how it marks them. */
#ifndef LOADER_KPROBES_H
#define LOADER_KPROBES_H

#include <stddef.h>
#include <stdint.h>

struct meta;
struct text;

#define KPROBES_LIST "/sys/kernel/debug/kprobes/list"

/* The marks, as bits. */
enum {
	KPROBES_FTRACE = 1,    /* it stands on a site of ftrace, and costs no exception */
	KPROBES_OPTIMIZED = 2, /* it is a jump, and costs no exception either */
	KPROBES_DISABLED = 4,
	KPROBES_GONE = 8,      /* with its module */
};
enum { KPROBES_MARKS = 4 };

/** kprobes_marks - fill @marks, one a site of @m, from the list at @path
 *  @addresses: of the sites; 0: not known, looked for by name
 * Marks of what is not in the list are 0. 0 or -errno: it can't be read. */
int kprobes_marks(const char *path, const struct meta *m, const uint64_t *addresses,
		  uint8_t *marks);
/** kprobes_words - append @marks as the kernel writes them: "[OPTIMIZED]". */
void kprobes_words(unsigned marks, struct text *to);
/** kprobes_word - the name of mark number @bit: "OPTIMIZED". */
const char *kprobes_word(unsigned bit);

#endif
