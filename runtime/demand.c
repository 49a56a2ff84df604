/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that a session asks for. What SETUP allocates is zeroed, so it takes memory and not
 * only addresses, and a session must not use up the memory of the machine that it observes. Tables
 * may take a quarter of it, also when arrays have grown; tables and rings together a half.
 */
#include <linux/mm.h>
#include <linux/string.h>

#include "attach/attach.h"
#include "context.h"
#include "demand.h"
#include "flight.h"
#include "global.h"
#include "grow.h"
#include "map.h"
#include "part.h"
#include "spaces.h"
#include "stacks.h"
#include "vmcore.h"

static struct prt_refusal refusal;

/* Counts what each processor that is online takes; one that comes later takes it then. */
static u64 parts(u64 bytes)
{
	return num_online_cpus() * bytes;
}

static u64 arrays(void)
{
	return prt_global_memory() + parts(prt_global_cpu_memory());
}

static u64 beside_arrays(void)
{
	return prt_context_memory() + parts(prt_part_memory() - prt_global_cpu_memory()) +
	       prt_stacks_memory() + prt_spaces_memory() + prt_attach_memory();
}

u64 prt_demand_tables(void)
{
	return arrays() + beside_arrays();
}

int prt_demand_check(const struct prt_setup *set)
{
	u64 all = (u64)totalram_pages() * PAGE_SIZE, tables;
	u64 lists = prt_flight_on() ? prt_vmcore_memory(set->ring_size) : 0;
	struct prt_refusal *r = &refusal;

	*r = (struct prt_refusal){
		.rings = parts(set->ring_size + lists) + set->session_ring_size,
		.arrays = arrays(),
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
	if (!r->limit) {
		prt_grow_limit(min(set->growth ? set->growth : U64_MAX,
				   all / PRT_TABLES_SHARE - tables));
		return 0;
	}
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
