/* SPDX-License-Identifier: GPL-2.0 */
/* Contexts: their memory, errors of a hit, recursion. */
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "budget.h"
#include "context.h"
#include "iter.h"
#include "mapped.h"
#include "memory.h"
#include "output.h"
#include "signal.h"
#include "stacks.h"

DEFINE_PER_CPU(struct prt_ctx *, prt_contexts);
struct prt_cpu prt_thread_cpu;

static size_t tallies_size(void)
{
	return prt_script.nprobes * sizeof(struct prt_tally);
}

static void put_tallies(struct prt_ctx *c, char *memory)
{
	u32 i;

	c->tally = (struct prt_tally *)memory;
	for (i = 0; i < prt_script.nprobes; i++)
		c->tally[i].until = c->tally[i].every = 1;
}

void prt_context_init(void)
{
	prt_thread_cpu.ctx.level = PRT_LEVEL_PROCESS;
}

/* The tallies of a CPU precede its context in memory, on which abi/hit.h relies. */
struct prt_cpu *prt_context_of(unsigned int nr)
{
	size_t tallies = tallies_size();
	struct prt_cpu *cpu;
	char *memory;

	if (per_cpu(prt_contexts, nr))
		return prt_cpu_of(per_cpu(prt_contexts, nr));
	memory = prt_alloc(1, tallies + sizeof(*cpu), cpu_to_node(nr));
	if (!memory)
		return NULL;
	cpu = (struct prt_cpu *)(memory + tallies);
	put_tallies(&cpu->ctx, memory);
	cpu->ctx.cpu = nr;
	cpu->ctx.level = PRT_LEVEL_HOT;
	cpu->ctx.shut = 1;
	smp_store_release(&per_cpu(prt_contexts, nr), &cpu->ctx);
	return cpu;
}

void prt_context_exit(void)
{
	unsigned int nr;

	for_each_possible_cpu(nr)
		if (per_cpu(prt_contexts, nr))
			kvfree(per_cpu(prt_contexts, nr)->tally);
}

void prt_context_shut(bool shut)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	/* Pairs with prt_context_publish(): it sees `running`, or we see its processor. */
	smp_mb();
	prt_for_each_cpu(nr, cpu)
		smp_store_release(&cpu->ctx.shut, shut);
}
NOKPROBE_SYMBOL(prt_context_shut);

/* `shut` is set again if the session has been stopped by someone who did not see the processor
 * yet. */
void prt_context_publish(struct prt_cpu *cpu)
{
	smp_store_release(&cpu->made, true);
	smp_mb();
	if (!READ_ONCE(prt_session.running))
		return;
	WRITE_ONCE(cpu->ctx.shut, 0);
	smp_mb();
	if (!READ_ONCE(prt_session.running))
		WRITE_ONCE(cpu->ctx.shut, 1);
}

/* The number of bytes of one context's memory, in the order in which carve() divides it. */
static size_t context_size(bool hot)
{
	return (hot ? 0 : tallies_size()) + ALIGN(prt_script.workspace_size, 8) +
	       2 * ALIGN(prt_script.maxstringlen, 8) + prt_stacks_room_size() +
	       prt_user_stack_frames_size() + prt_mapped_size() + prt_task_stack_room() +
	       prt_iter_memory(hot);
}

u64 prt_context_memory(void)
{
	return context_size(false) + PRT_STAGE_FIRST;
}

u64 prt_context_cpu_memory(void)
{
	return tallies_size() + sizeof(struct prt_cpu) + context_size(true);
}

static void carve(struct prt_cpu *cpu, bool hot)
{
	struct prt_ctx *c = &cpu->ctx;
	char *p = cpu->memory;

	if (!hot) {
		put_tallies(c, p);
		p += tallies_size();
	}
	c->workspace = p;
	p += ALIGN(prt_script.workspace_size, 8);
	c->workspace_end = p;
	c->err_text = p;
	p += ALIGN(prt_script.maxstringlen, 8);
	cpu->token = p;
	p += ALIGN(prt_script.maxstringlen, 8);
	cpu->stack = prt_stacks_room_size() ? (struct prt_stack_room *)p : NULL;
	p += prt_stacks_room_size();
	cpu->frames = prt_user_stack_frames_size() ? (struct prt_frame_known *)p : NULL;
	p += prt_user_stack_frames_size();
	cpu->mapped = prt_mapped_size() ? (struct prt_mapped *)p : NULL;
	p += prt_mapped_size();
	if (cpu->mapped)
		prt_mapped_init(cpu->mapped);
	cpu->other = prt_task_stack_place(p);
	p += prt_task_stack_room();
	cpu->iters = prt_iter_carve(p, hot);
}

int prt_context_make(struct prt_cpu *cpu, int node)
{
	cpu->memory = prt_alloc(1, context_size(true), node);
	if (!cpu->memory)
		return -ENOMEM;
	carve(cpu, true);
	return 0;
}

static void free_memory(struct prt_cpu *cpu)
{
	if (cpu->memory && cpu->mapped)
		prt_mapped_wait(cpu->mapped);
	kvfree(cpu->memory);
	cpu->memory = NULL;
}

void prt_context_unmake(struct prt_cpu *cpu)
{
	cpu->made = false;
	free_memory(cpu);
}

int prt_context_setup(void)
{
	prt_thread_cpu.memory = prt_alloc(1, context_size(false), NUMA_NO_NODE);
	if (!prt_thread_cpu.memory)
		return -ENOMEM;
	carve(&prt_thread_cpu, false);
	return prt_out_setup();
}

void prt_context_free(void)
{
	free_memory(&prt_thread_cpu);
	prt_out_free();
}

/* Each load is an acquire: after a new value of any of them, `turn` differs in the end. See
 * next_turn() in budget.c. */
u64 prt_context_hits(const struct prt_tally *t)
{
	u32 turn;
	u64 hits;

	do {
		turn = smp_load_acquire(&t->turn);
		hits = smp_load_acquire(&t->counts.hits) + smp_load_acquire(&t->every);
		hits -= smp_load_acquire(&t->until);
	} while (turn & 1 || READ_ONCE(t->turn) != turn);
	return hits;
}
NOKPROBE_SYMBOL(prt_context_hits);

static void add_counts(struct prt_probe_counts *sum, const struct prt_cpu *cpu, u32 nr)
{
	const struct prt_tally *t = &cpu->ctx.tally[nr];
	const struct prt_probe_counts *c = &t->counts;
	u32 every = READ_ONCE(t->every), until = READ_ONCE(t->until);

	sum->hits += prt_context_hits(t);
	sum->busy += READ_ONCE(c->busy);
	sum->locked_out += READ_ONCE(c->locked_out);
	sum->errors += READ_ONCE(c->errors);
	sum->missed += READ_ONCE(c->missed);
	sum->overruns += READ_ONCE(c->overruns);
	sum->timed += READ_ONCE(c->timed);
	sum->ticks += READ_ONCE(c->ticks);
	sum->slowest = max(sum->slowest, READ_ONCE(c->slowest));
	sum->estimate += READ_ONCE(c->estimate);
	/* Hits since the last timed one; the two values may be read at different moments. */
	if (until < every)
		sum->estimate += (every - until) * READ_ONCE(t->last);
}

void prt_context_counts(u32 nr, struct prt_probe_counts *ret)
{
	struct prt_cpu *cpu;
	unsigned int i;

	memset(ret, 0, sizeof(*ret));
	prt_for_each_cpu(i, cpu)
		add_counts(ret, cpu, nr);
	add_counts(ret, &prt_thread_cpu, nr);
}

s64 prt_misses(struct prt_ctx *c)
{
	s64 sum = READ_ONCE(prt_thread_cpu.skipped);
	struct prt_cpu *cpu;
	unsigned int nr;

	prt_for_each_cpu(nr, cpu)
		sum += READ_ONCE(cpu->skipped);
	return sum;
}
NOKPROBE_SYMBOL(prt_misses);

static bool forgiving(void)
{
	return prt_session.setup.flags & PRT_SETUP_FORGIVE_ERRORS;
}

void prt_context_report(struct prt_ctx *c)
{
	struct prt_str text = { c->err_text, c->err_len };
	s64 args[2] = { c->err, c->err_srcloc };
	u32 i;

	c->nesting = 0;
	c->err_len = 0;
	if (c->err == PRT_E_ABORT) {
		prt_session_stop();
		return;
	}
	c->tally[prt_probe_nr(c)].counts.errors++;
	if (forgiving() && !prt_budget_report())
		return;
	/* When an error has ended the session, errors of handlers on other CPUs are not reported as
	 * well. */
	if (atomic_inc_return(&prt_session.errors) - 1 > prt_script.maxerrors &&
	    !forgiving() && !PRT_IS_PROCESS(c)) {
		atomic_dec(&prt_session.errors);
		return;
	}
	for (i = 0; i < c->ncalled; i++) {
		s64 called = c->called[i];

		prt_out_message(c, PRT_REC_CALLED, &called, 1, NULL);
	}
	prt_out_message(c, PRT_REC_ERROR, args, 2, &text);
	if (!forgiving() && atomic_read(&prt_session.errors) > prt_script.maxerrors)
		prt_session_stop_by_error(c->err);
}
NOKPROBE_SYMBOL(prt_context_report);

void prt_hit_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site)
{
	prt_budget_refused(c, nr, site);
	/* A session that begins opens the contexts meanwhile; nobody but this CPU sets `busy`. */
	if (!READ_ONCE(c->busy) || READ_ONCE(c->shut) || prt_switched_off(nr))
		return;
	prt_arch_add_here(&c->tally[nr].counts.busy, 1);
	prt_arch_add_here(&prt_cpu_of(c)->skipped, 1);
}
NOKPROBE_SYMBOL(prt_hit_refused);

void prt_hit_off(struct prt_ctx *c, u32 nr)
{
	prt_budget_refused(c, nr, NULL);
	c->tally[nr].until++;
}
NOKPROBE_SYMBOL(prt_hit_off);

int prt_hit_refuse(struct prt_ctx *c, u32 nr, unsigned long flags)
{
	prt_hit_refused(c, nr, NULL);
	raw_local_irq_restore(flags);
	return 0;
}
NOKPROBE_SYMBOL(prt_hit_refuse);

bool prt_context_later(enum prt_later what)
{
	struct prt_ctx *c;

	if (!raw_irqs_disabled())
		return false;
	c = this_cpu_read(prt_contexts);
	if (!c || !READ_ONCE(c->busy))
		return false;
	c->later |= what;
	return true;
}
NOKPROBE_SYMBOL(prt_context_later);

noinline void prt_context_do_later(struct prt_ctx *c)
{
	u8 later = c->later;

	c->later = 0;
	PRT_CONTEXT_RELEASE(c);
	if (later & PRT_LATER_KICK)
		prt_session_kick();
	if (later & PRT_LATER_SAMPLE)
		prt_sample_begin();
	if (later & PRT_LATER_SIGNALS)
		prt_signals_send();
	if (later & PRT_LATER_UNLOCK)
		prt_mapped_unlock(prt_cpu_of(c));
}
NOKPROBE_SYMBOL(prt_context_do_later);

int prt_hit_time(struct prt_ctx *c, const struct prt_probe *probe, const struct prt_site *site,
		 const void *regs, unsigned long flags)
{
	prt_context_fill(c, probe, site, regs, prt_session.hot_steps);
	prt_hit_timed(c);
	PRT_CONTEXT_RELEASE(c);
	raw_local_irq_restore(flags);
	return 0;
}
NOKPROBE_SYMBOL(prt_hit_time);

void prt_error(struct prt_ctx *c, enum prt_err err, u32 srcloc, struct prt_str text)
{
	if (c->err)
		return;
	c->err = err;
	c->ncalled = 0;
	c->err_srcloc = srcloc;
	c->err_len = min(text.len, prt_script.maxstringlen - 1);
	memcpy(c->err_text, text.s, c->err_len);
}
NOKPROBE_SYMBOL(prt_error);

bool prt_error_called(struct prt_ctx *c, u32 srcloc)
{
	if (c->ncalled < PRT_CALLED_MAX)
		c->called[c->ncalled++] = srcloc;
	return true;
}
NOKPROBE_SYMBOL(prt_error_called);

/* The beginning of the text that catch (e) gets for each error; the detail follows. */
static const char * const error_words[] = {
	[PRT_OK]                = "",
	[PRT_E_DIV_ZERO]        = "division by zero",
	[PRT_E_BAD_ADDRESS]     = "bad address: ",
	[PRT_E_ARRAY_FULL]      = "array is full: ",
	[PRT_E_EMPTY_AGGREGATE] = "empty aggregate",
	[PRT_E_STEPS]           = "too many steps",
	[PRT_E_NESTING]         = "calls nested too deeply",
	[PRT_E_SCRIPT]          = "",
	[PRT_E_BAD_VALUE]       = "bad value: ",
	[PRT_E_ABORT]           = "abort",
	[PRT_E_OVERLOAD]        = "overload",
	[PRT_E_STARVED]         = "overload",
	[PRT_E_STACK]           = "calls nested too deeply for the kernel's stack",
	[PRT_E_OTHER_PROGRAM]   = "the process does not run ",
	[PRT_E_OTHER_RIGHTS]    = "the target has other rights",
	[PRT_E_PROCESSOR]       = "no memory for a processor",
	[PRT_E_THREAD_LOCAL]    = "no thread-local memory: ",
};

struct prt_str prt_error_text(struct prt_ctx *c, char *buf)
{
	const char *word = error_words[c->err];
	struct prt_str text = { c->err_text, c->err_len };

	return prt_str_concat(buf, (struct prt_str){ word, strlen(word) }, text);
}
NOKPROBE_SYMBOL(prt_error_text);

bool prt_enter(struct prt_ctx *c, u32 srcloc)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);

	if (!c->nesting)
		prt_cpu_of(c)->stack_start = sp;
	if (c->nesting >= prt_script.maxnesting) {
		prt_error(c, PRT_E_NESTING, srcloc, PRT_LIT(""));
		return false;
	}
	if (prt_arch_stack_left(sp, prt_cpu_of(c)->stack_start) <= 0) {
		prt_error(c, PRT_E_STACK, srcloc, PRT_LIT(""));
		return false;
	}
	c->nesting++;
	return true;
}
NOKPROBE_SYMBOL(prt_enter);

static void call_here(void *f)
{
	struct prt_cpu *cpu = prt_cpu_nr(smp_processor_id());

	/* NULL: it came when there was no memory (part.h). */
	if (cpu)
		(*(void (**)(struct prt_cpu *))f)(cpu);
}

void prt_context_each(void (*f)(struct prt_cpu *cpu))
{
	struct prt_cpu *cpu;
	unsigned int nr;

	cpus_read_lock();
	prt_for_each_cpu(nr, cpu)
		if (!cpu_online(nr))
			f(cpu);
	on_each_cpu(call_here, &f, 1);
	cpus_read_unlock();
}
