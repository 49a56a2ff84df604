/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_ASM_FTRACE_H
#define TWIN_ASM_FTRACE_H

#define MCOUNT_INSN_SIZE 5

extern void __fentry__(void);

#endif
