/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the runtime that do nothing here: attaching, gates, timers, processes. */
#include "attach/attach.h"
#include "attach/procfs.h"
#include "attach/user_counts.h"
#include "clock.h"
#include "code_files.h"
#include "context.h"
#include "machine.h"
#include "mapped.h"
#include "part.h"
#include "signal.h"
#include "spaces.h"
#include "stacks.h"

void (*machine_armed)(void);
void (*machine_disarmed)(void);
s64 (*machine_timers)(void);

bool prt_attach_arm(void)
{
	if (machine_armed)
		machine_armed();
	return true;
}

void prt_attach_disarm(void)
{
	if (machine_disarmed)
		machine_disarmed();
}

bool machine_in_breakpoint;
bool machine_sampling;

void prt_sample_begin(void)
{
	twin_begins_work();
	machine_sampling = true;
}

void prt_sample_watch(u64 until)
{
	if (!prt_context_later(PRT_LATER_SAMPLE))
		prt_sample_begin();
}

void prt_signals_send(void)
{
	twin_begins_work();
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

u32 prt_attach_probes_at(const struct prt_site *site)
{
	return 1;
}

void prt_gate_start(void)
{
}

int prt_attach_look(void)
{
	return 0;
}

void prt_perf_collect(void)
{
}

void prt_gate_run(void)
{
}

/* There is no physical memory. */
int prt_vmcore_add(const struct prt_ring *r, u32 cpu)
{
	return 0;
}

void prt_procfs_wake(void)
{
}

bool prt_procfs_pending(void)
{
	return false;
}

void prt_procfs_run(void)
{
}

void prt_procfs_end(void)
{
}

s64 prt_gate_due(s64 ns)
{
	return ns;
}

bool prt_gate_stale(void)
{
	return false;
}

void prt_timer_start(void)
{
}

s64 prt_timer_run(void)
{
	return machine_timers ? machine_timers() : -1;
}

/* Every address has the same name. No script here takes stacks of processes. */
const char *prt_code_files_name(u32 number)
{
	(void)number;
	return "";
}

size_t prt_user_stack_frames_size(void)
{
	return 0;
}

size_t prt_mapped_size(void)
{
	return 0;
}

size_t prt_task_stack_room(void)
{
	return 0;
}

struct prt_arch_stack_copy *prt_task_stack_place(char *room)
{
	(void)room;
	return NULL;
}

void prt_mapped_init(struct prt_mapped *m)
{
	(void)m;
}

void prt_mapped_wait(struct prt_mapped *m)
{
	(void)m;
}

void prt_mapped_unlock(struct prt_cpu *cpu)
{
	(void)cpu;
}

void prt_spaces_wake(void)
{
}

struct prt_str prt_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			  u32 srcloc)
{
	return prt_str_copy(buf, PRT_LIT("name+0x1/0x2 [kernel]"));
}
