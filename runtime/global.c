/* SPDX-License-Identifier: GPL-2.0 */
/* Globals: types, banks, initial values, collecting. global.h has the theory. */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "grow.h"
#include "lock.h"
#include "map.h"
#include "memory.h"

static struct prt_map_type *types; /* one for each global; unused for scalars */
static struct prt_hists *stocks;   /* likewise; used for arrays that have t->hists */
static struct prt_hists cells;     /* blocks of the exponential histograms of all scalars */

#define for_each_global(g)                                                                     \
	for (g = prt_script.globals; g < prt_script.globals + prt_script.nglobals; g++)

static struct prt_map_type *type_of(const struct prt_global *g)
{
	return &types[g - prt_script.globals];
}

int prt_global_init(void)
{
	const struct prt_global *g;

	types = prt_alloc(prt_script.nglobals + 1, sizeof(*types), NUMA_NO_NODE);
	stocks = prt_alloc(prt_script.nglobals + 1, sizeof(*stocks), NUMA_NO_NODE);
	if (!types || !stocks) {
		prt_global_exit();
		return -ENOMEM;
	}
	for_each_global(g)
		if (g->kind == PRT_G_MAP)
			prt_map_type_init(&types[g - prt_script.globals], g,
					  &stocks[g - prt_script.globals]);
	return 0;
}

void prt_global_exit(void)
{
	kvfree(types);
	kvfree(stocks);
	types = NULL;
	stocks = NULL;
}

u32 prt_global_capacity(void)
{
	const struct prt_global *g;
	u32 most = 0;

	for_each_global(g)
		if (g->kind == PRT_G_MAP)
			most = max(most, type_of(g)->capacity);
	return most;
}

/* The number of banks of a processor: a second one is only needed to read the first while hits
 * run. */
static u32 banks_each(void)
{
	const struct prt_probe *p = prt_script.probes;
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		if (p[i].flags & PRT_READS_PERCPU && p[i].kind != PRT_BEGIN &&
		    p[i].kind != PRT_END && p[i].kind != PRT_ERROR)
			return 2;
	return 1;
}

/* Processors that come later are not counted: nobody knows how many there will be. */
static u32 copies_of(const struct prt_global *g)
{
	return g->percpu ? banks_each() * num_online_cpus() + 1 : 1;
}

static u64 hists_memory(const struct prt_global *g)
{
	return type_of(g)->hists ? prt_hists_memory(&prt_hists_of_array,
						    prt_stat_hist_size(&g->stat), copies_of(g),
						    type_of(g)->capacity + 1) : 0;
}

static bool has_cells(const struct prt_global *g)
{
	return g->kind == PRT_G_STAT && g->stat.ops & PRT_STAT_HIST_EXP;
}

/* The copies of all scalars with exponential histograms; @most: of each that is in banks. */
static u32 copies_with_cells(u32 most)
{
	const struct prt_global *g;
	u32 sum = 0;

	for_each_global(g)
		if (has_cells(g))
			sum += g->percpu ? most : 1;
	return sum;
}

static u64 cells_memory(void)
{
	return prt_hists_memory(&prt_hists_of_scalars, PRT_EXP_PIECE_BYTES,
				copies_with_cells(banks_each() * num_online_cpus() + 1),
				PRT_EXP_PIECES);
}

/* Bytes of a bank with its arrays, of a processor or of the totals. */
static u64 bank_memory(bool of_cpu)
{
	u64 sum = prt_script.bank_size;
	const struct prt_global *g;

	for_each_global(g)
		if (g->kind == PRT_G_MAP && g->percpu)
			sum += prt_map_memory(type_of(g), of_cpu);
	return sum;
}

u64 prt_global_memory(void)
{
	u64 sum = bank_memory(false) + cells_memory();
	const struct prt_global *g;

	for_each_global(g) {
		if (g->kind != PRT_G_MAP)
			continue;
		sum += hists_memory(g);
		if (!g->percpu)
			sum += prt_map_memory(type_of(g), false);
	}
	return sum;
}

u64 prt_global_cpu_memory(void)
{
	return banks_each() * bank_memory(true);
}

int prt_global_largest(struct prt_refusal *r)
{
	const struct prt_global *g;
	bool countable = true;

	for_each_global(g) {
		const struct prt_map_type *t = type_of(g);
		u64 bytes = g->kind != PRT_G_MAP ? 0 : prt_map_memory(t, false) + hists_memory(g) +
			    (copies_of(g) - 1) * prt_map_memory(t, true);

		/* An array of which a single copy is too large takes precedence over one with many
		 * copies. */
		if (bytes && (t->size ? countable && bytes > r->largest :
				countable || bytes > r->largest)) {
			countable = t->size;
			r->largest = bytes;
			r->elements = t->capacity;
			r->copies = copies_of(g);
			snprintf(r->name, sizeof(r->name), "%s", g->name);
		}
	}
	return countable ? 0 : -E2BIG;
}

static struct prt_map_ref *ref_in(char *bank, const struct prt_global *g)
{
	return (struct prt_map_ref *)(bank + g->offset);
}

static struct prt_stat *stat_in(char *bank, const struct prt_global *g)
{
	return (struct prt_stat *)(bank + g->offset);
}

static void free_bank(char **bank)
{
	const struct prt_global *g;

	if (!*bank)
		return;
	for_each_global(g)
		if (g->kind == PRT_G_MAP && g->percpu)
			prt_map_destroy(ref_in(*bank, g)->m);
	kvfree(*bank);
	*bank = NULL;
}

/* -ENOMEM. */
static int make_scalar(struct prt_stat *st, const struct prt_global *g)
{
	prt_stat_init(st, &g->stat, &cells);
	return has_cells(g) ? prt_hists_add_copy(&cells, PRT_EXP_PIECES) : 0;
}

/* @of_cpu: else it is that of the totals. */
static int make_bank(char **bank, int node, bool of_cpu)
{
	const struct prt_global *g;

	*bank = prt_alloc(1, max(prt_script.bank_size, 8u), node);
	if (!*bank)
		return -ENOMEM;
	for_each_global(g) {
		if (g->kind == PRT_G_STAT && g->percpu && make_scalar(stat_in(*bank, g), g))
			return -ENOMEM;
		if (g->kind != PRT_G_MAP || !g->percpu)
			continue;
		ref_in(*bank, g)->m = prt_map_create(type_of(g), node, of_cpu);
		if (!ref_in(*bank, g)->m)
			return -ENOMEM;
	}
	return 0;
}

static void first_values(void)
{
	const struct prt_global *g;

	for_each_global(g) {
		if (g->kind == PRT_G_STRING)
			prt_str_set(g->where, g->init_str);
		else if (g->kind == PRT_G_LONG && g->percpu)
			*(s64 *)(prt_thread_cpu.ctx.bank + g->offset) = g->init;
		else if (g->kind == PRT_G_LONG)
			*(s64 *)g->where = g->init;
	}
}

static int begin_hists(void)
{
	u32 most = banks_each() * num_possible_cpus() + 1;
	const struct prt_global *g;
	int err = 0;

	if (copies_with_cells(most))
		err = prt_hists_begin(&cells, &prt_hists_of_scalars, PRT_EXP_PIECE_BYTES,
				      copies_with_cells(most));
	for_each_global(g)
		if (!err && type_of(g)->hists)
			err = prt_hists_begin(type_of(g)->hists, &prt_hists_of_array,
					      prt_stat_hist_size(&g->stat), g->percpu ? most : 1);
	return err;
}

int prt_global_setup(void)
{
	const struct prt_global *g;
	int err;

	for_each_global(g)
		if (g->kind == PRT_G_MAP && !type_of(g)->size)
			return -E2BIG;
	err = prt_area_begin();
	if (!err)
		err = begin_hists();
	if (!err)
		err = make_bank(&prt_thread_cpu.banks[0], NUMA_NO_NODE, false);
	if (err)
		return err;
	prt_thread_cpu.ctx.bank = prt_thread_cpu.banks[0];
	for_each_global(g) {
		struct prt_map_ref *ref = g->where;

		if (g->kind == PRT_G_STAT && !g->percpu && make_scalar(g->where, g))
			return -ENOMEM;
		if (g->kind != PRT_G_MAP || g->percpu)
			continue;
		ref->m = prt_map_create(type_of(g), NUMA_NO_NODE, false);
		if (!ref->m)
			return -ENOMEM;
	}
	first_values();
	return 0;
}

void prt_global_free(void)
{
	const struct prt_global *g;

	free_bank(&prt_thread_cpu.banks[0]);
	for_each_global(g) {
		struct prt_map_ref *ref = g->where;

		if (g->kind != PRT_G_MAP || g->percpu)
			continue;
		prt_map_destroy(ref->m);
		ref->m = NULL;
	}
	for_each_global(g)
		if (type_of(g)->hists)
			prt_hists_end(type_of(g)->hists);
	prt_hists_end(&cells);
	prt_area_end();
}

int prt_global_make(struct prt_cpu *cpu, int node)
{
	int err = make_bank(&cpu->banks[0], node, true);

	if (!err && banks_each() > 1)
		err = make_bank(&cpu->banks[1], node, true);
	cpu->ctx.bank = cpu->banks[0];
	return err;
}

void prt_global_unmake(struct prt_cpu *cpu)
{
	free_bank(&cpu->banks[0]);
	free_bank(&cpu->banks[1]);
}

int prt_global_set(const char *name, const char *value)
{
	const struct prt_global *g;
	s64 v;

	for_each_global(g) {
		if (strcmp(g->name, name) != 0)
			continue;
		if (g->kind == PRT_G_STRING) {
			prt_str_set(g->where, (struct prt_str){ value, strlen(value) });
			return 0;
		}
		if (g->kind != PRT_G_LONG)
			continue;
		if (kstrtos64(value, 10, &v))
			return -EINVAL;
		*(s64 *)(g->percpu ? prt_thread_cpu.ctx.bank + g->offset : g->where) = v;
		return 0;
	}
	return -ENOENT;
}

/* Adds the losses of one copy, a struct prt_stat or a struct prt_map_ref. */
static void add_lost(struct prt_array_get *sum, const struct prt_global *g, const void *copy)
{
	const struct prt_map *m;
	u64 lost;

	if (g->kind == PRT_G_STAT) {
		sum->coarse += prt_stat_coarse(copy, &g->stat);
		sum->why = prt_hists_short(&cells) ?: PRT_SHORT_TIME;
		return;
	}
	m = ((const struct prt_map_ref *)copy)->m;
	lost = READ_ONCE(m->lost);
	if (lost)
		sum->srcloc = READ_ONCE(m->lost_srcloc);
	sum->not_stored += lost;
	if (READ_ONCE(m->late))
		sum->why = READ_ONCE(m->late);
	if (m->t->blocks)
		sum->coarse += READ_ONCE(prt_map_pool(m)->coarse);
}

static void add_all_lost(struct prt_array_get *sum, const struct prt_global *g)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	if (!g->percpu) {
		add_lost(sum, g, g->where);
		return;
	}
	add_lost(sum, g, prt_thread_cpu.banks[0] + g->offset);
	prt_for_each_cpu(nr, cpu) {
		add_lost(sum, g, cpu->banks[0] + g->offset);
		if (cpu->banks[1])
			add_lost(sum, g, cpu->banks[1] + g->offset);
	}
}

/* Excludes the work item of grow.h, which changes the addresses of arrays. After SETUP, nothing
 * frees them while the device is open. */
static DEFINE_MUTEX(arrays_stay);

int prt_global_not_stored(struct prt_array_get *ret)
{
	u32 nr = ret->at;

	for (; nr < prt_script.nglobals; nr++) {
		const struct prt_global *g = &prt_script.globals[nr];
		struct prt_array_get sum = { .at = nr, .size = type_of(g)->capacity };

		if (g->kind != PRT_G_MAP && g->kind != PRT_G_STAT)
			continue;
		mutex_lock(&arrays_stay);
		add_all_lost(&sum, g);
		mutex_unlock(&arrays_stay);
		if (!sum.not_stored && !sum.coarse)
			continue;
		*ret = sum;
		snprintf(ret->name, sizeof(ret->name), "%s", g->name);
		return 0;
	}
	return -ENOENT;
}

static void nothing(void *unused)
{
}

void prt_global_grace(void)
{
	on_each_cpu(nothing, NULL, 1);
}

static void merge_bank(struct prt_ctx *c, char *to, char *from)
{
	const struct prt_global *g;

	for_each_global(g) {
		u32 at = g->offset;

		if (!g->percpu)
			continue;
		if (g->kind == PRT_G_LONG) {
			*(u64 *)(to + at) += *(u64 *)(from + at);
			*(u64 *)(from + at) = 0;
		} else if (g->kind == PRT_G_STAT) {
			prt_stat_merge(stat_in(to, g), stat_in(from, g), &g->stat);
			prt_stat_clear(stat_in(from, g), &g->stat);
		} else if (g->kind == PRT_G_MAP) {
			prt_map_merge(c, ref_in(to, g)->m, ref_in(from, g)->m);
		}
	}
}

/* The bank that hits do not write. */
static char *idle_bank(const struct prt_cpu *cpu)
{
	return cpu->banks[cpu->ctx.bank == cpu->banks[0]];
}

/* Switches to the other bank, which the last turn left empty. */
static void turn(struct prt_cpu *cpu)
{
	WRITE_ONCE(cpu->ctx.bank, idle_bank(cpu));
}

void prt_global_collect(struct prt_ctx *c)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	if (!prt_script.bank_size)
		return;
	if (cells.kind)
		prt_hists_fill(&cells);
	if (!prt_session.quiet)
		prt_context_each(turn);
	prt_for_each_cpu(nr, cpu) {
		char *bank = prt_session.quiet ? cpu->ctx.bank : idle_bank(cpu);

		mutex_lock(&arrays_stay);
		merge_bank(c, prt_thread_cpu.ctx.bank, bank);
		mutex_unlock(&arrays_stay);
		cond_resched();
	}
}

/* ---- growing ---- */

void prt_global_fill_hists(void)
{
	const struct prt_global *g;

	if (cells.kind)
		prt_hists_fill(&cells);
	for_each_global(g)
		if (type_of(g)->hists)
			prt_hists_fill(type_of(g)->hists);
}

/* Calls @f for the arrays of @cpu that grow. */
static void for_each_growing(struct prt_cpu *cpu, void (*f)(struct prt_map *m))
{
	const struct prt_global *g;
	u32 i;

	for_each_global(g)
		for (i = 0; type_of(g)->grows && i < ARRAY_SIZE(cpu->banks) && cpu->banks[i]; i++)
			f(ref_in(cpu->banks[i], g)->m);
}

void prt_global_promise(void)
{
	const struct prt_global *g;

	for_each_global(g)
		if (g->percpu && type_of(g)->grows_alone)
			prt_grow_promise(type_of(g));
}

static void measure_maps(struct prt_cpu *cpu)
{
	for_each_growing(cpu, prt_map_measure);
}

static void take_maps(struct prt_cpu *cpu)
{
	for_each_growing(cpu, prt_map_take);
}

static bool grown;                   /* by the work item, which runs once at a time */

static void extend_map(struct prt_map *m)
{
	grown |= prt_map_extend(m);
	cond_resched();
}

static void settle_map(struct prt_map *m)
{
	prt_area_settle(&m->area);
}

static void grow_banks(void)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	prt_context_each(measure_maps);
	grown = false;
	prt_for_each_cpu(nr, cpu)
		for_each_growing(cpu, extend_map);
	if (grown)
		prt_context_each(take_maps);
	prt_for_each_cpu(nr, cpu)
		for_each_growing(cpu, settle_map);
}

/* Grows an array that hits use under a lock. */
static void grow_locked(struct prt_map *m, u32 lock)
{
	if (!prt_lock_do(lock, prt_map_measure, m)) {
		prt_grow_ask();
		return;
	}
	if (!prt_map_extend(m))
		return;
	while (!prt_lock_do(lock, prt_map_take, m))
		;
	prt_area_settle(&m->area);
	cond_resched();
}

void prt_global_grow(void)
{
	const struct prt_global *g;

	mutex_lock(&arrays_stay);
	grow_banks();
	/* Else the thread uses these without their locks. */
	for_each_global(g)
		if (g->lock && type_of(g)->grows_alone && !prt_session.quiet)
			grow_locked(((struct prt_map_ref *)g->where)->m, g->lock - 1);
	mutex_unlock(&arrays_stay);
}

void prt_global_quiet(bool quiet)
{
	mutex_lock(&arrays_stay);
	prt_session.quiet = quiet;
	mutex_unlock(&arrays_stay);
}

/* The map of which the thread is the owner, or may be at times; NULL: none, or it does not grow. */
static struct prt_map *of_thread(const struct prt_global *g)
{
	if (g->kind != PRT_G_MAP || !type_of(g)->grows_alone)
		return NULL;
	return g->percpu ? ref_in(prt_thread_cpu.banks[0], g)->m :
			   ((struct prt_map_ref *)g->where)->m;
}

void prt_global_settle(void)
{
	const struct prt_global *g;

	for_each_global(g) {
		struct prt_map *m = of_thread(g);

		if (!m || !m->area.old)
			continue;
		/* prt_global_not_stored() may use the old addresses. */
		mutex_lock(&arrays_stay);
		prt_area_forget(&m->area);
		mutex_unlock(&arrays_stay);
	}
}
