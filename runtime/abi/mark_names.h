/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks: container_name() and the like leave "\x1d" KIND ID "\x1d" in a string. In output, the
 * loader puts the name there (loader/show/marked.h). Where a handler looks into the string, it is
 * the name that the table of these calls has, and the id if it has none.
 */
#ifndef PRT_MARK_NAMES_H
#define PRT_MARK_NAMES_H

#include "records.h"

#define PRT_MARK 0x1d
#define PRT_MARK_ROWS_MAX (1u << 14)

struct prt_mark_row {
	char id[72];          /* KIND ID and a NUL */
	char name[144];       /* ends with a NUL */
};
struct prt_marks_set {
	prt_u64 rows;         /* address of `n` struct prt_mark_row, ascending by strcmp() of id */
	prt_u32 n, pad;
};

/* Replaces the table. -E2BIG: more than PRT_MARK_ROWS_MAX; -EINVAL: they do not ascend, or have no
 * NUL; -ENOMEM: also where a policy leaves no memory for it, and before SETUP. */
#define PRT_IOC_MARKS        _IOW('p', 26, struct prt_marks_set)
/* Whether a handler has looked for an id that the table did not have, since the last call: 1 or
 * 0. */
#define PRT_IOC_MARKS_WANTED _IO('p', 27)

#endif
