/* SPDX-License-Identifier: GPL-2.0 */
/* In place of user_fast.c, on a processor for which there is no fast path: the kernel's uprobes
 * handle each hit in a program. */
#include "attach.h"
#include "user.h"
#include "user_counts.h"

u64 prt_user_fast_memory(void)
{
	return 0;
}

u64 prt_user_fast_cpu_memory(void)
{
	return 0;
}

int prt_user_fast_make(struct prt_cpu *cpu, int node)
{
	return 0;
}

void prt_user_fast_unmake(struct prt_cpu *cpu)
{
}

int prt_user_fast_setup(void)
{
	return 0;
}

void prt_user_fast_free(void)
{
}

void prt_user_fast_begin(struct prt_user_place *place)
{
	place->slow_why = prt_session.setup.flags & PRT_SETUP_NO_FAST_USER ? PRT_SLOW_ASKED :
									     PRT_SLOW_PROCESSOR;
}

void prt_user_fast_registered(struct prt_user_place *place)
{
	place->registered = true;
}

void prt_user_fast_end(struct prt_user_place *place)
{
}

u64 prt_user_fast_hits(const struct prt_user_place *place)
{
	return 0;
}
