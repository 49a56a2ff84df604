/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of processors: part.h. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/mm.h>

#include "attach/user_counts.h"
#include "budget.h"
#include "context.h"
#include "flight.h"
#include "global.h"
#include "memory.h"
#include "part.h"
#include "session.h"
#include "vmcore.h"

static struct prt_ring *rings;   /* by processor, then that of the session's thread */
static u32 present;              /* of them */
static int hotplug;              /* the state in the kernel's hotplug; 0: none */

u32 prt_part_rings(void)
{
	return nr_cpu_ids + 1;
}

struct prt_ring *prt_part_ring(u32 i)
{
	return rings && i < prt_part_rings() && prt_ring_exists(&rings[i]) ? &rings[i] : NULL;
}

u32 prt_part_present(void)
{
	return READ_ONCE(present);
}

u64 prt_part_memory(void)
{
	return prt_context_cpu_memory() + prt_global_cpu_memory() + prt_user_fast_cpu_memory();
}

static void unmake_part(struct prt_cpu *cpu)
{
	prt_context_unmake(cpu);
	prt_global_unmake(cpu);
	prt_ring_deinit(&rings[cpu->ctx.cpu]);
}

static int make_part(struct prt_cpu *cpu)
{
	unsigned int nr = cpu->ctx.cpu;
	int node = cpu_to_node(nr), err = prt_context_make(cpu, node);

	if (!err)
		err = prt_global_make(cpu, node);
	if (!err)
		err = prt_ring_init(&rings[nr], prt_session.setup.ring_size, node);
	if (!err && prt_flight_on()) {
		err = prt_flight_make(&rings[nr], node);
		if (!err)
			err = prt_vmcore_add(&rings[nr], nr);
	} else if (!err) {
		prt_ring_grows(&rings[nr], prt_session.setup.ring_most, PRT_RING_GROW_AT);
	}
	if (err) {
		unmake_part(cpu);
		return err;
	}
	cpu->ctx.ring = &rings[nr];
	WRITE_ONCE(present, present + 1);
	prt_context_publish(cpu);
	prt_budget_adopt(cpu);
	return 0;
}

/* Returns the context of processor @nr with all that hits use while it is shut; NULL: there is no
 * memory. */
static struct prt_cpu *shut_context(unsigned int nr)
{
	struct prt_cpu *cpu = prt_context_of(nr);

	return cpu && !prt_user_fast_make(cpu, cpu_to_node(nr)) ? cpu : NULL;
}

/* Runs on another processor before @nr starts. Without a context, hits on @nr would not find that
 * it is shut, so then it does not start; a few KiB are missing. The reader is woken to map the
 * ring. */
static int on_prepare_part(unsigned int nr)
{
	struct prt_cpu *cpu = shut_context(nr);

	if (!cpu)
		return -ENOMEM;
	if (!cpu->made && make_part(cpu))
		prt_session_stop_by_error(PRT_E_PROCESSOR);
	prt_session_kick();
	return 0;
}

static int make_parts(bool possible)
{
	unsigned int nr;
	int err = 0;

	for_each_possible_cpu(nr) {
		struct prt_cpu *cpu;

		if (err || !(possible || cpu_online(nr)))
			continue;
		cpu = shut_context(nr);
		err = cpu ? make_part(cpu) : -ENOMEM;
	}
	return err;
}

static int follow_parts(void)
{
	int state = prt_fails() ? -ENOMEM :
		    cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "probec:prepare",
							 on_prepare_part, NULL);

	if (state >= 0)
		hotplug = state;
	return state < 0 ? state : 0;
}

/* The kernel has room for 20 such callbacks, of all its parts and all sessions, and warns when it
 * is used up. So they are only for machines on which they save much, and the loader counts those
 * that are free. */
static bool saves_much(void)
{
	return num_possible_cpus() > 2 * num_online_cpus();
}

/* Clocks on each processor share one state, and events another one. */
void prt_part_hotplug(struct prt_hotplug *prepare, struct prt_hotplug *online)
{
	const struct prt_probe *p = prt_script.probes, *end = p + prt_script.nprobes;
	bool clocks = false, events = false;

	for (; p < end; p++) {
		clocks |= p->kind == PRT_CLOCK && p->flags & PRT_EACH_CPU;
		events |= p->kind == PRT_PERF || p->kind == PRT_WATCH;
	}
	*prepare = (struct prt_hotplug){ CPUHP_BP_PREPARE_DYN, CPUHP_BP_PREPARE_DYN_END,
					 saves_much() };
	*online = (struct prt_hotplug){ CPUHP_AP_ONLINE_DYN, CPUHP_AP_ONLINE_DYN_END,
					clocks + events };
}

int prt_part_setup(const struct prt_setup *set)
{
	int err = 0;

	rings = prt_alloc(prt_part_rings(), sizeof(*rings), NUMA_NO_NODE);
	if (!rings)
		return -ENOMEM;
	prt_thread_cpu.ctx.ring = &rings[nr_cpu_ids];
	err = prt_ring_init(&rings[nr_cpu_ids], set->session_ring_size, NUMA_NO_NODE);
	if (err)
		return err;
	prt_ring_grows(&rings[nr_cpu_ids], set->session_ring_most, 2);
	present = 1;
	cpus_read_lock();
	if (saves_much())
		err = follow_parts();
	/* Where no part is made later, all processors get theirs now. */
	if (!err || err == -ENOSPC)
		err = make_parts(!hotplug);
	cpus_read_unlock();
	return err;
}

/* ---- rings that grow ---- */

/* A hit that an NMI makes meanwhile is refused, as in a handler. */
static void take_ring(struct prt_cpu *cpu)
{
	WRITE_ONCE(cpu->ctx.busy, 1);
	barrier();
	prt_ring_take(cpu->ctx.ring);
	barrier();
	WRITE_ONCE(cpu->ctx.busy, 0);
}

/* Begins what each ring wants; false: none of them grows. */
static bool extend_rings(void)
{
	struct prt_cpu *cpu;
	unsigned int nr;
	bool ret = false;

	prt_for_each_cpu(nr, cpu)
		if (READ_ONCE(cpu->ctx.ring->asked))
			ret |= prt_ring_extend(cpu->ctx.ring, cpu_to_node(nr));
	return ret;
}

/* Ends it; false: a ring has not grown yet. */
static bool settle_rings(void)
{
	struct prt_cpu *cpu;
	unsigned int nr;
	bool ret = true;

	prt_for_each_cpu(nr, cpu) {
		struct prt_ring *r = cpu->ctx.ring;

		if (r->next && prt_ring_settle(r))
			WRITE_ONCE(r->asked, 0);
		ret &= !r->next;
	}
	return ret;
}

void prt_part_grow_rings(void)
{
	struct prt_cpu *cpu;
	unsigned int nr;
	u32 tries;

	for (tries = 0; tries < PRT_RING_TRIES && extend_rings(); tries++) {
		prt_context_each(take_ring);
		if (settle_rings())
			break;
	}
	/* Rings that have not grown ask again. */
	prt_for_each_cpu(nr, cpu)
		WRITE_ONCE(cpu->ctx.ring->asked, 0);
}

void prt_part_free(void)
{
	unsigned int nr;

	if (hotplug)
		cpuhp_remove_state_nocalls(hotplug);
	hotplug = 0;
	for_each_possible_cpu(nr) {
		if (!rings || !per_cpu(prt_contexts, nr))
			continue;
		unmake_part(prt_cpu_of(per_cpu(prt_contexts, nr)));
		prt_user_fast_unmake(prt_cpu_of(per_cpu(prt_contexts, nr)));
	}
	if (rings)
		prt_ring_deinit(&rings[nr_cpu_ids]);
	kvfree(rings);
	rings = NULL;
	present = 0;
}
