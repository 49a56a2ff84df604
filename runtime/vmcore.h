/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the pages of a flight recorder for whoever reads a dump of the machine: abi/vmcore.h. All
 * functions are for process context. */
#ifndef PRT_VMCORE_LISTS_H
#define PRT_VMCORE_LISTS_H

#include "abi/vmcore.h"
#include "ring.h"

/* The anchor of abi/vmcore.h, for debuggers; NULL: there is none. */
extern struct prt_vmcore *probec_flight_recorder;

/* Makes the anchor of this session, before its rings. -ENOMEM: prt_vmcore_free() frees the rest. */
int prt_vmcore_setup(void);
/* Lists the pages of @r, the ring of processor @cpu, which exists until prt_vmcore_free(). -ENOMEM:
 * nothing has changed. */
int prt_vmcore_add(const struct prt_ring *r, u32 cpu);
/* PRT_IOC_ABOUT. */
int prt_vmcore_about(const struct prt_vmcore_about __user *from);
/* The bytes that the lists of a ring of @size bytes take. */
u64 prt_vmcore_memory(u32 size);
/* Before the rings are freed. */
void prt_vmcore_free(void);

#endif
