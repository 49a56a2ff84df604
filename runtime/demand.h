/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that a session requests, and when it is too much: struct prt_refusal. */
#ifndef PRT_DEMAND_H
#define PRT_DEMAND_H

#include "abi/records.h"

/* The bytes that a session takes without its rings. */
u64 prt_demand_tables(void);
/* SETUP, before anything is allocated. 0; -E2BIG: an array can't be counted; -ENOMEM: more than the
 * session's share of the machine's memory. */
int prt_demand_check(const struct prt_setup *set, u32 nrings);
/* The reason why the last SETUP failed; the sums are those of prt_demand_check. */
const struct prt_refusal *prt_demand_refusal(void);
/* The kernel had no memory for an amount that prt_demand_check() accepted. */
void prt_demand_failed(void);

#endif
