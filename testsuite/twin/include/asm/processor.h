/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_ASM_PROCESSOR_H
#define TWIN_ASM_PROCESSOR_H

/* The one process's page tables are always in use: machine.c. */
#define read_cr3_pa() 0
#define __va(address) ((void *)(address))
#define PAGE_OFFSET   4096ul
/* Any address of the process may be one of the kernel's. */
#define __VIRTUAL_MASK_SHIFT 63 /* every address is one */

#endif
