/* SPDX-License-Identifier: GPL-2.0 */
/* The names that marks in strings stand for, where handlers look into them (abi/mark_names.h). */
#ifndef PRT_RUNTIME_MARKS_H
#define PRT_RUNTIME_MARKS_H

/* PRT_IOC_MARKS, PRT_IOC_MARKS_WANTED: process context. */
long prt_marks_set(const void __user *from);
long prt_marks_wanted(void);
/* After the last hit. */
void prt_marks_free(void);

#endif
