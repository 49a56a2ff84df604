/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's list of kprobes, and its marks. */
#ifndef LOADER_KPROBES_H
#define LOADER_KPROBES_H

#include <stddef.h>
#include <stdint.h>

struct meta;
struct buf;

#define KPROBES_LIST "/sys/kernel/debug/kprobes/list"

/* The marks, as bits. */
enum {
	KPROBES_FTRACE = 1,    /* it uses ftrace, without an exception */
	KPROBES_OPTIMIZED = 2, /* it was optimised to a jump, also without an exception */
	KPROBES_DISABLED = 4,
	KPROBES_GONE = 8,      /* its module was removed */
};
enum { KPROBES_MARKS = 4 };

/** kprobes_marks - fill in @marks, one for each site of @m, from the list at @path @addresses: of
 * the sites; 0: not known, the site is searched by name Sites that are not in the list get 0.
 * Returns 0, or -errno if the list cannot be read. */
int kprobes_marks(const char *path, const struct meta *m, const uint64_t *addresses,
		  uint8_t *marks);
/** kprobes_words - append @marks as the kernel writes them: "[OPTIMIZED]". */
void kprobes_words(unsigned marks, struct buf *to);
/** kprobes_word - return the name of mark number @bit: "OPTIMIZED". */
const char *kprobes_word(unsigned bit);

#endif
