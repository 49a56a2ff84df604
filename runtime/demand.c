/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that a session asks for. Everything is allocated and zeroed at SETUP, so it takes
 * memory and not only addresses, and a session must not use up the memory of the machine that it
 * observes. Tables may take a quarter of it, tables and rings together a half.
 */
#include <linux/mm.h>
#include <linux/string.h>

#include "attach/attach.h"
#include "context.h"
#include "demand.h"
#include "global.h"
#include "map.h"
#include "spaces.h"
#include "stacks.h"

static struct prt_refusal refusal;

static u64 beside_arrays(void)
{
	return prt_context_memory() + prt_stacks_memory() + prt_spaces_memory() +
	       prt_attach_memory();
}

u64 prt_demand_tables(void)
{
	return prt_global_memory() + beside_arrays();
}

int prt_demand_check(const struct prt_setup *set, u32 nrings)
{
	u64 all = (u64)totalram_pages() * PAGE_SIZE, tables;
	struct prt_refusal *r = &refusal;

	*r = (struct prt_refusal){
		.rings = (u64)(nrings - 1) * set->ring_size + set->session_ring_size,
		.arrays = prt_global_memory(),
		.other = beside_arrays(),
	};
	if (prt_global_largest(r)) {
		r->why = PRT_REFUSED_TOO_LARGE;
		return -E2BIG;
	}
	tables = r->arrays + r->other;
	if (tables > all / PRT_TABLES_SHARE)
		r->limit = all / PRT_TABLES_SHARE;
	else if (tables + r->rings > all / PRT_MEMORY_SHARE)
		r->limit = all / PRT_MEMORY_SHARE;
	if (!r->limit)
		return 0;
	r->why = PRT_REFUSED_LIMIT;
	return -ENOMEM;
}

void prt_demand_failed(void)
{
	refusal.why = PRT_REFUSED_MEMORY;
}

const struct prt_refusal *prt_demand_refusal(void)
{
	return &refusal;
}
