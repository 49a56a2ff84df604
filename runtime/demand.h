/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that a session requests, and the limit on it: struct prt_refusal. */
#ifndef PRT_DEMAND_H
#define PRT_DEMAND_H

#include "abi/records.h"

/* The number of bytes that a session allocates, without its rings. */
u64 prt_demand_tables(void);
/* SETUP, before anything is allocated. -E2BIG: an array would have 2 GiB or more; -ENOMEM: the
 * session would take more than its share of the machine's memory. */
int prt_demand_check(const struct prt_setup *set);
/* The reason why the last SETUP failed, with the sums of prt_demand_check(). */
const struct prt_refusal *prt_demand_refusal(void);
/* Notes that an allocation failed which prt_demand_check() had accepted. */
void prt_demand_failed(void);

#endif
