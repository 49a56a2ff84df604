/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel interfaces that include/ declares, in user space. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/time.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "budget.h"
#include "clock.h"
#include "context.h"
#include "global.h"
#include "grow.h"
#include "lock.h"
#include "machine.h"
#include "part.h"
#include "script_read.h"
#include "stacks.h"
#include "twin.h"

struct prt_script twin_script __asm__("prt_script") __weak;

/* ---- memory ---- */

static unsigned allocated, fail_in;

static bool fails(void)
{
	return __atomic_load_n(&fail_in, __ATOMIC_RELAXED) &&
	       __atomic_sub_fetch(&fail_in, 1, __ATOMIC_RELAXED) == 0;
}

void machine_fail(unsigned nth)
{
	fail_in = nth;
}

unsigned machine_allocated(void)
{
	return allocated;
}

void *twin_alloc(size_t size, unsigned int gfp)
{
	char *p;

	if (fails())
		return NULL;
	/* As in the kernel, memory that is not requested in whole cache lines begins anywhere in
	 * one. */
	p = aligned_alloc(64, ALIGN(size + 8, 64));
	p += size % 64 ? 8 : 0;
	memset(p, gfp & __GFP_ZERO ? 0 : 0xa5, size);
	__atomic_add_fetch(&allocated, 1, __ATOMIC_RELAXED);
	return p;
}

void twin_free(void *p)
{
	if (p)
		__atomic_sub_fetch(&allocated, 1, __ATOMIC_RELAXED);
	free((void *)((unsigned long)p & ~63ul));
}

/* Pages belong to a file in memory, so that one page can be mapped at several addresses. */
struct page {
	off_t at;
	void *address;
};

static int pages_fd = -1;
static off_t pages_end;
static pthread_mutex_t pages_lock = PTHREAD_MUTEX_INITIALIZER; /* of the file, as it grows */

static void *map_page(struct page *p, void *where)
{
	return mmap(where, PAGE_SIZE, PROT_READ | PROT_WRITE,
		    MAP_SHARED | (where ? MAP_FIXED : 0), pages_fd, p->at);
}

struct page *alloc_pages_node(int node, unsigned int gfp, unsigned int order)
{
	struct page *p;

	if (fails())
		return NULL;
	p = calloc(1, sizeof(*p));
	pthread_mutex_lock(&pages_lock);
	if (pages_fd < 0)
		pages_fd = memfd_create("pages", MFD_CLOEXEC);
	p->at = pages_end;
	pages_end += PAGE_SIZE;
	if (ftruncate(pages_fd, pages_end))
		abort();
	pthread_mutex_unlock(&pages_lock);
	p->address = map_page(p, NULL);
	__atomic_add_fetch(&allocated, 1, __ATOMIC_RELAXED);
	return p;
}

void __free_page(struct page *p)
{
	munmap(p->address, PAGE_SIZE);
	free(p);
	if (__atomic_sub_fetch(&allocated, 1, __ATOMIC_RELAXED) == 0) {
		close(pages_fd);
		pages_fd = -1;
		pages_end = 0;
	}
}

void *page_address(struct page *p)
{
	return p->address;
}

/* Whether page @i stands for memory that there is not: the only one that is there three times in a
 * row. */
static bool is_no_memory(struct page **pages, unsigned n, unsigned i)
{
	unsigned before = 0, after = 0;

	while (before < 2 && before < i && pages[i - before - 1] == pages[i])
		before++;
	while (after < 2 && i + after + 1 < n && pages[i + after + 1] == pages[i])
		after++;
	return before + after >= 2;
}

/* The length is stored in a page before the mapping. */
void *vmap(struct page **pages, unsigned int n, unsigned long flags, int prot)
{
	size_t len = (n + 1) * PAGE_SIZE;
	char *p;
	unsigned i;

	if (fails())
		return NULL;
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*(size_t *)p = len;
	for (i = 0; i < n; i++) {
		if (is_no_memory(pages, n, i))
			mprotect(p + (i + 1) * PAGE_SIZE, PAGE_SIZE, PROT_NONE);
		else
			map_page(pages[i], p + (i + 1) * PAGE_SIZE);
	}
	return p + PAGE_SIZE;
}

void vunmap(const void *p)
{
	char *start = (char *)p - PAGE_SIZE;

	munmap(start, *(size_t *)start);
}

int vm_insert_page(struct vm_area_struct *vma, unsigned long addr, struct page *p)
{
	return map_page(p, (void *)addr) == MAP_FAILED ? -ENOMEM : 0;
}

static const char *readable;
static size_t readable_len;
bool (*machine_fetch)(void *to, u64 from, size_t n);

void machine_readable(const void *from, size_t len)
{
	readable = from;
	readable_len = len;
}

long copy_from_kernel_nofault(void *to, const void *from, size_t n)
{
	u64 at = (u64)from - (u64)readable;

	if (machine_fetch)
		return machine_fetch(to, (u64)from, n) ? 0 : -EFAULT;
	if (at > readable_len || n > readable_len - at)
		return -EFAULT;
	memcpy(to, readable + at, n);
	return 0;
}

/* The process's memory is that of the test. */
static bool read_own(void *arg, prt_u64 address, unsigned size, prt_u64 *ret)
{
	*ret = 0;
	return !copy_from_kernel_nofault(ret, (const void *)address, 1u << size);
}

enum prt_script_event prt_script_event(struct prt_script_run *run, unsigned *end)
{
	return prt_script_next(run, read_own, NULL, end);
}

/* ---- processors, time ---- */

__thread int twin_cpu = TWIN_CPUS;
static __thread char *stack_page;
static __thread unsigned long irqs_off;
static pthread_mutex_t irq_lock[TWIN_CPUS + 1] = { [0 ... TWIN_CPUS] = PTHREAD_MUTEX_INITIALIZER };
static u64 ticks = 1000;
unsigned int tsc_khz = 1000;

/* Now and then other threads run between reading the clock and using the value. A clock orders
 * nothing that other processors do. */
u64 rdtsc_ordered(void)
{
	u64 now = __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);

	if (now % 61 == 0)
		sched_yield();
	return now;
}

void machine_be_cpu(int nr)
{
	twin_cpu = nr;
	stack_page = (char *)__builtin_frame_address(0) - (THREAD_SIZE - 256);
}

void *task_stack_page(const struct task_struct *task)
{
	return stack_page;
}

struct task_struct *twin_current(void)
{
	static struct mm_struct mm;
	static struct task_struct task = { &mm };

	return &task;
}

unsigned long twin_irq_save(void)
{
	unsigned long flags = irqs_off;

	if (!flags)
		pthread_mutex_lock(&irq_lock[twin_cpu]);
	irqs_off = 1;
	return flags;
}

void twin_irq_restore(unsigned long flags)
{
	irqs_off = flags;
	if (!flags)
		pthread_mutex_unlock(&irq_lock[twin_cpu]);
}

bool raw_irqs_disabled(void)
{
	return irqs_off;
}

void twin_begins_work(void)
{
	CHECK(!irqs_off || !this_cpu_read(prt_contexts)->busy, "interrupt work begins in a hit");
}

void on_each_cpu(void (*f)(void *), void *arg, int wait)
{
	int caller = twin_cpu, nr;

	for (nr = 0; nr < TWIN_CPUS; nr++) {
		if (!cpu_online(nr))
			continue;
		pthread_mutex_lock(&irq_lock[nr]);
		twin_cpu = nr;
		f(arg);
		twin_cpu = caller;
		pthread_mutex_unlock(&irq_lock[nr]);
	}
}

void twin_pause(void)
{
	usleep(1000);
}

/* ---- miscellaneous ---- */

void get_random_bytes(void *p, size_t len)
{
	char *to = p;

	while (len--)
		*to++ = (char)twin_random();
}

int kstrtos64(const char *s, unsigned int base, s64 *ret)
{
	char *end;

	errno = 0;
	*ret = strtoll(s, &end, (int)base);
	return errno || end == s || *end ? -EINVAL : 0;
}

void time64_to_tm(s64 seconds, int offset, struct tm *ret)
{
	time_t t = seconds + offset;

	gmtime_r(&t, ret);
}

/* ---- sessions ---- */

u32 machine_rings_grow;
bool machine_records;

void machine_script(void)
{
	twin_script = (struct prt_script){
		.abi = PRT_ABI_VERSION, .workspace_size = 4096, .iter_depth = 4,
		.hot_iter_depth = 4,
		.maxstringlen = 512, .maxmapentries = 2048, .maxnesting = 10, .maxaction = 65536,
	};
}

/* The order of control.c. */
static int init(void)
{
	int err = prt_global_init();

	prt_context_init();
	prt_session_init();
	prt_clock_init();
	return err;
}

static void deinit(void)
{
	unsigned i;

	prt_global_exit();
	prt_context_exit();
	for (i = 0; i < TWIN_CPUS; i++)
		per_cpu(prt_contexts, i) = NULL;
}

static int setup(u32 ring_size)
{
	u32 size = max_t(u32, ring_size, PAGE_SIZE);
	struct prt_setup set = { .ring_size = size, .session_ring_size = size,
				 .ring_most = machine_rings_grow,
				 .session_ring_most = machine_rings_grow,
				 .flags = machine_records ? PRT_SETUP_FLIGHT : 0 };
	int err;

	prt_session.setup = set;
	prt_grow_limit(U64_MAX);
	prt_budget_setup();
	err = prt_context_setup();
	if (!err)
		err = prt_stacks_setup();
	if (!err)
		err = prt_global_setup();
	if (!err)
		err = prt_part_setup(&set);
	if (!err)
		err = prt_lock_setup();
	return err;
}

int machine_open(u32 ring_size)
{
	int err;

	prt_session = (struct prt_session){ 0 };
	prt_thread_cpu = (struct prt_cpu){ 0 };
	err = init();
	if (err) {
		deinit();
		return err;
	}
	err = setup(ring_size);
	if (err)
		machine_close();
	return err;
}

void machine_close(void)
{
	prt_grow_end();
	prt_lock_free();
	prt_part_free();
	prt_global_free();
	prt_stacks_free();
	prt_context_free();
	deinit();
}

void machine_run(void)
{
	prt_session.quiet = false;
	WRITE_ONCE(prt_session.running, true);
	prt_context_shut(false);
}

void machine_hit(u32 nr)
{
	prt_context_hit(nr, NULL, NULL, NULL, 0);
}

struct prt_ctx *machine_context(int nr, s64 steps)
{
	struct prt_cpu *cpu = nr == TWIN_CPUS ? &prt_thread_cpu : prt_cpu_nr(nr);

	prt_context_begin(&cpu->ctx, twin_script.probes, NULL, NULL, steps);
	cpu->ctx.left = 0;
	cpu->ctx.workspace = cpu->ctx.workspace_end - ALIGN(prt_script.workspace_size, 8);
	cpu->ctx.locked = 0;
	cpu->ctx.err_len = 0;
	cpu->ctx.nesting = 0;
	return &cpu->ctx;
}
