/* SPDX-License-Identifier: GPL-2.0 */
#include "hits.h"

#include "context.h"
#include "global.h"
#include "machine.h"
#include "twin.h"

static void (*run_hits)(void);
static int writing; /* processors that still have hits */

static void on_processor(int nr)
{
	run_hits();
}

static void on_any_thread(int nr)
{
	if (nr < TWIN_CPUS) {
		run_hits();
		__atomic_sub_fetch(&writing, 1, __ATOMIC_RELEASE);
		return;
	}
	while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE)) {
		if (nr == TWIN_CPUS)
			prt_global_collect(&prt_thread_cpu.ctx);
		else
			machine_work();
	}
}

void hits_alone(void (*hits)(void))
{
	run_hits = hits;
	twin_threads(1, on_processor);
}

void hits_together(void (*hits)(void))
{
	run_hits = hits;
	writing = TWIN_CPUS;
	twin_threads(TWIN_CPUS + 2, on_any_thread);
}
