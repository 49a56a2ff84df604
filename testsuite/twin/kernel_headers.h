/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the kernel's headers that the files of runtime.c and of fuzz/array.c use. A line
 * "---- linux/x.h ----" begins what stands for that header: twin.mk makes a header of each such
 * name, which includes this one.
 */
#ifndef TWIN_KERNEL_HEADERS_H
#define TWIN_KERNEL_HEADERS_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- linux/compiler.h ---- */

#define __weak          __attribute__((weak))
#define __aligned(n)    __attribute__((aligned(n)))
#define __read_mostly
#define __user
#define noinline        __attribute__((noinline))
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define likely(x)       __builtin_expect(!!(x), 1)
#define unlikely(x)     __builtin_expect(!!(x), 0)
#define BUILD_BUG_ON(x) _Static_assert(!(x), #x)
#define barrier()       __asm__ __volatile__("" ::: "memory")

/* READ_ONCE orders what is reached by the address that was read, and nothing else. Acquire is the
 * only way to say so here; a number orders nothing, so that TSan sees what a processor may do that
 * is less orderly than x86. */
#define READ_ONCE(x)     __atomic_load_n(&(x), __builtin_classify_type(x) == 5 ?               \
						       __ATOMIC_ACQUIRE : __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define READ_ONCE_NOCHECK(x) READ_ONCE(x)

#define U32_MAX UINT32_MAX
#define S64_MAX INT64_MAX
#define U64_MAX UINT64_MAX
#define S64_MIN INT64_MIN

#define current_stack_pointer ((unsigned long)__builtin_frame_address(0))

#define ALIGN(x, a)  (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define IS_ERR(p)    ((unsigned long)(p) >= -4095ul)
#define PTR_ERR(p)   ((long)(p))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define check_mul_overflow(a, b, ret) __builtin_mul_overflow(a, b, ret)

/* ---- linux/types.h ---- */

#include_next <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s32 s32;
typedef __s64 s64;

/* ---- linux/smp.h ---- */

/* Threads stand for processors: machine.h. */
#define TWIN_CPUS 3

extern __thread int twin_cpu; /* TWIN_CPUS stands for the session thread or the test's own */

#define raw_smp_processor_id()    twin_cpu
#define smp_processor_id()        twin_cpu
#define num_possible_cpus()       TWIN_CPUS
#define nr_cpu_ids                TWIN_CPUS
#define for_each_possible_cpu(nr) for ((nr) = 0; (nr) < TWIN_CPUS; (nr)++)
#define cpu_to_node(nr)           NUMA_NO_NODE

/* Runs on each processor between two of its sections with interrupts off. */
void on_each_cpu(void (*f)(void *), void *arg, int wait);

/* ---- asm/cpufeature.h ---- */

#define boot_cpu_has(feature) 1

#define X86_FEATURE_XENPV 3

/* ---- asm/ftrace.h ---- */

#define MCOUNT_INSN_SIZE 5

extern void __fentry__(void);

/* ---- asm/processor.h ---- */

/* The one process's page tables are always in use: machine.c. */
#define read_cr3_pa() 0
#define __va(address) ((void *)(address))
#define PAGE_OFFSET   4096ul
/* Any address of the process may be one of the kernel's. */
#define __VIRTUAL_MASK_SHIFT 63 /* every address is one */

/* ---- asm/tsc.h ---- */

/* The clock counts how often it was read, so no two hits have the same time. */
u64 rdtsc_ordered(void);

extern unsigned int tsc_khz;

#define check_tsc_unstable() 0
#define get_cycles()         rdtsc_ordered()

/* ---- asm/vsyscall.h ---- */

#define VSYSCALL_ADDR (-10ul << 20)

/* ---- linux/atomic.h ---- */

typedef struct { int v; } atomic_t;

#define atomic_read(a)       __atomic_load_n(&(a)->v, __ATOMIC_RELAXED)
#define atomic_inc(a)        __atomic_add_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_add(n, a)     __atomic_add_fetch(&(a)->v, n, __ATOMIC_SEQ_CST)
#define atomic_dec(a)        __atomic_sub_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_inc_return(a) __atomic_add_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_xchg(a, new)  __atomic_exchange_n(&(a)->v, new, __ATOMIC_SEQ_CST)

/* TSan does not know fences. */
#define smp_wmb()               __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb()                __asm__ __volatile__("mfence" ::: "memory")
#define xchg(p, new)            __atomic_exchange_n(p, new, __ATOMIC_SEQ_CST)
#define smp_load_acquire(p)     __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
/* One that fails orders nothing. */
#define cmpxchg(p, old, new)                                                                   \
	({                                                                                     \
		__typeof__(*(p)) old_ = (old);                                                 \
		__atomic_compare_exchange_n(p, &old_, new, false, __ATOMIC_SEQ_CST,            \
					    __ATOMIC_RELAXED);                                 \
		old_;                                                                          \
	})

/* ---- linux/bitops.h ---- */

#define __ffs(v) ((unsigned)__builtin_ctzl(v))

/* ---- linux/cache.h ---- */

#define ____cacheline_aligned __attribute__((aligned(64)))
#define L1_CACHE_BYTES        64
#define L1_CACHE_ALIGN(size)  ALIGN(size, 64)

/* ---- linux/cpu.h ---- */

/* machine_bring_up() has it for writing. */
void cpus_read_lock(void);
void cpus_read_unlock(void);

/* ---- linux/cpuhotplug.h ---- */

#define CPUHP_BP_PREPARE_DYN     0
#define CPUHP_BP_PREPARE_DYN_END 20
#define CPUHP_AP_ONLINE_DYN      30
#define CPUHP_AP_ONLINE_DYN_END  70

/* machine_bring_up() calls @startup. */
int cpuhp_setup_state_nocalls_cpuslocked(int state, const char *name,
					 int (*startup)(unsigned int nr),
					 int (*teardown)(unsigned int nr));
void cpuhp_remove_state_nocalls(int state);

/* ---- linux/cpumask.h ---- */

extern bool twin_online[TWIN_CPUS];

#define cpu_online(nr) __atomic_load_n(&twin_online[nr], __ATOMIC_ACQUIRE)
#define for_each_online_cpu(nr) for_each_possible_cpu(nr) if (cpu_online(nr))
unsigned int num_online_cpus(void);

/* ---- linux/delay.h ---- */

#define msleep(ms)  twin_pause()
#define cpu_relax() __builtin_ia32_pause()

/* ---- linux/gfp.h ---- */

/* Only __GFP_ZERO has an effect here; memory that is not zeroed is filled with 0xa5. */
#define GFP_KERNEL           0u
#define __GFP_ZERO           1u
#define __GFP_RETRY_MAYFAIL  0u
#define __GFP_NOWARN         0u
#define NUMA_NO_NODE         (-1)

struct page;
struct page *alloc_pages_node(int node, unsigned int gfp, unsigned int order);
void __free_page(struct page *p);
void *page_address(struct page *p);

/* ---- linux/irq_work.h ---- */

struct irq_work {
	void (*func)(struct irq_work *work);
};

/* Fails if a hit runs on this processor: the kernel may pass tracepoints here. */
void twin_begins_work(void);

#define init_irq_work(w, f) ((w)->func = (f))
#define irq_work_queue(w)   (twin_begins_work(), (w)->func(w))
#define irq_work_sync(w)    do { } while (0)

/* ---- linux/irqflags.h ---- */

/* A mutex of the processor stands for interrupts off. on_each_cpu() takes it as well. */
unsigned long twin_irq_save(void);
void twin_irq_restore(unsigned long flags);
_Bool raw_irqs_disabled(void);

#define raw_local_irq_save(flags)    ((flags) = twin_irq_save())
#define raw_local_irq_restore(flags) twin_irq_restore(flags)

/* ---- linux/jiffies.h ---- */

#define NSEC_PER_MSEC         1000000l
#define msecs_to_jiffies(ms)  (ms)
#define get_jiffies_64()      ((u64)rdtsc_ordered() / 1000)

/* ---- linux/kernel.h ---- */

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

int kstrtos64(const char *s, unsigned int base, s64 *ret);

/* ---- linux/kprobes.h ---- */

#define NOKPROBE_SYMBOL(name) _Static_assert(1, #name)

/* ---- linux/kthread.h ---- */

struct task_struct *kthread_create(int (*f)(void *), void *arg, const char *fmt, ...);
int wake_up_process(struct task_struct *task);
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);

/* ---- linux/ktime.h ---- */

#define ns_to_ktime(ns) (ns)

/* ---- linux/log2.h ---- */

static inline u32 ilog2(u64 v)
{
	return 63 - __builtin_clzll(v);
}

static inline u64 roundup_pow_of_two(u64 v)
{
	return v <= 1 ? 1 : 2ull << ilog2(v - 1);
}

/* ---- linux/minmax.h ---- */

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(t, a, b) min((t)(a), (t)(b))
#define max_t(t, a, b) max((t)(a), (t)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define clamp_t(t, v, lo, hi) min_t(t, max_t(t, v, lo), hi)
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof(*(p)->member))
#define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

/* ---- linux/mm_types.h ---- */

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_flags;
};

struct mm_struct {
	void *pgd;
};

/* ---- linux/mm.h ---- */

#define PAGE_SIZE 4096ul
#define PAGE_ALIGN(n) (((n) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))

#define VM_WRITE      1ul
#define VM_MAYWRITE   2ul
#define VM_MAYEXEC    4ul
#define VM_DONTCOPY   8ul
#define VM_DONTEXPAND 16ul

#define vma_pages(vma) (((vma)->vm_end - (vma)->vm_start) / PAGE_SIZE)
int vm_insert_page(struct vm_area_struct *vma, unsigned long addr, struct page *p);

/* ---- linux/module.h ---- */

#define THIS_MODULE (&(struct { const char *name; }){ "twin" })

#define module_param(name, type, mode)
#define module_param_named(name, value, type, mode)
#define MODULE_PARM_DESC(name, text)

/* ---- linux/mutex.h ---- */

#define DEFINE_MUTEX(name) pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define mutex_lock(m)      pthread_mutex_lock(m)
#define mutex_unlock(m)    pthread_mutex_unlock(m)

/* ---- linux/percpu.h ---- */

#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name[TWIN_CPUS]
#define DEFINE_PER_CPU(type, name)  __typeof__(type) name[TWIN_CPUS]
#define per_cpu(name, nr)           (name)[nr]
#define this_cpu_read(name)         (name)[twin_cpu]
#define __this_cpu_read(name)       this_cpu_read(name)

/* ---- linux/preempt.h ---- */

extern bool machine_in_breakpoint;

#define in_nmi() machine_in_breakpoint

/* ---- linux/ptrace.h ---- */

#define __KERNEL_CS 0x10

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	unsigned long ip, cs, flags, sp, ss;
};

/* ---- linux/random.h ---- */

void get_random_bytes(void *p, size_t len);

/* ---- linux/sched.h ---- */

struct mm_struct;

struct task_struct {
	struct mm_struct *mm;
};

struct task_struct *twin_current(void);

#define current        twin_current()
#define cond_resched() do { } while (0)

/* From asm/thread_info.h, which the kernel's header includes. */
#define in_ia32_syscall() 0

#define MIN_NICE (-20)
#define set_user_nice(task, nice) do { } while (0)

/* ---- linux/sched/task_stack.h ---- */

#define THREAD_SIZE 16384ul

/* The test decides where the stack of a hit begins: machine.h. */
void *task_stack_page(const struct task_struct *task);

/* Not defined: no test has a process whose registers the kernel saved. */
struct pt_regs *task_pt_regs(const struct task_struct *task);

/* ---- linux/slab.h ---- */

void *twin_alloc(size_t size, unsigned int gfp);
void twin_free(void *p);

#define kzalloc(size, gfp)              twin_alloc(size, (gfp) | __GFP_ZERO)
#define kzalloc_node(size, gfp, node)   kzalloc(size, gfp)
#define kvmalloc(size, gfp)             twin_alloc(size, gfp)
#define kvmalloc_node(size, gfp, node)  twin_alloc(size, gfp)
#define kvcalloc(n, size, gfp)          kzalloc((size_t)(n) * (size), gfp)
/* Nothing has pages in a row: what is large is as of vmalloc(). */
#define KMALLOC_MAX_SIZE                0
#define get_order(size)                 0
#define split_page(page, order)         ((void)(page))
#define virt_to_page(p)                 ((struct page *)(p))
#define is_vmalloc_addr(p)              ((p) != NULL)
#define __vmalloc(size, gfp)            twin_alloc(size, gfp)
#define vfree(p)                        twin_free(p)
#define kfree(p)                        twin_free(p)
#define kvfree(p)                       twin_free(p)

/* ---- linux/spinlock.h ---- */

#define DEFINE_SPINLOCK(name) pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define spin_lock(lock)       pthread_mutex_lock(lock)
#define spin_unlock(lock)     pthread_mutex_unlock(lock)

/* ---- linux/time.h ---- */

void time64_to_tm(s64 seconds, int offset, struct tm *ret);

/* ---- linux/timekeeping.h ---- */

#define ktime_get_ns()           rdtsc_ordered()
#define ktime_get_mono_fast_ns() rdtsc_ordered()
#define ktime_get_real_fast_ns() (1700000000000000000ull + rdtsc_ordered())

struct system_time_snapshot {
	u64 cycles;
};
#define ktime_get_snapshot(now) ((now)->cycles = rdtsc_ordered())

/* ---- linux/uaccess.h ---- */

/* Returns -EFAULT unless the whole range is in the memory that the test made readable:
 * machine.h. */
long copy_from_kernel_nofault(void *to, const void *from, size_t n);

#define __get_kernel_nofault(to, from, type, fault)                             \
	do {                                                                    \
		if (copy_from_kernel_nofault(to, from, sizeof(type)))           \
			goto fault;                                             \
	} while (0)

/* A process has the same memory. */
#define TASK_SIZE_MAX                   (1ul << 47)
#define pagefault_disable()             do { } while (0)
#define pagefault_enable()              do { } while (0)
#define __uaccess_begin_nospec()        do { } while (0)
#define __uaccess_end()                 do { } while (0)
#define unsafe_put_user(x, to, fault)                                           \
	do {                                                                    \
		if (!(to))                                                      \
			goto fault;                                             \
		*(to) = (x);                                                    \
	} while (0)
#define unsafe_get_user(x, from, fault)                                         \
	do {                                                                    \
		if (copy_from_kernel_nofault(&(x), (const void *)(from), sizeof(x))) \
			goto fault;                                             \
	} while (0)

#define copy_from_user(to, from, n)      (memcpy(to, from, n), 0ul)
#define copy_to_user(to, from, n)        (memcpy(to, from, n), 0ul)
#define u64_to_user_ptr(address)         ((void *)(address))

/* ---- linux/vmalloc.h ---- */

#define VM_MAP      0
#define PAGE_KERNEL 0

void *vmap(struct page **pages, unsigned int n, unsigned long flags, int prot);
void vunmap(const void *p);

/* ---- linux/wait.h ---- */

/* A waiter checks its condition every millisecond: no wakeup can be lost, and none is tested
 * here. */
typedef struct { char unused; } wait_queue_head_t;

void twin_pause(void);

#define init_waitqueue_head(w) ((w)->unused = 0)
#define wake_up(w)             ((void)(w))
#define wait_event_idle(w, cond)                                                               \
	do {                                                                                   \
		(void)(w);                                                                     \
		while (!(cond))                                                                \
			twin_pause();                                                          \
	} while (0)
#define wait_event_idle_timeout(w, cond, jiffies)                                              \
	do {                                                                                   \
		(void)(w);                                                                     \
		if (!(cond))                                                                   \
			twin_pause();                                                          \
	} while (0)
#define wait_event_interruptible_hrtimeout(w, cond, t) wait_event_idle_timeout(w, cond, t)

/* ---- linux/string.h ---- */

/* The functions of libc. */

/* ---- linux/workqueue.h ---- */

/* A work item runs when a test calls machine_work(): machine.h. */
struct work_struct {
	void (*func)(struct work_struct *work);
	int pending;
};

#define DECLARE_WORK(name, f)    struct work_struct name = { (f), 0 }
#define system_unbound_wq        0
void twin_queue_work(struct work_struct *work);
#define queue_work(queue, work)  twin_queue_work(work)
#define cancel_work_sync(work)   ((void)__atomic_exchange_n(&(work)->pending, 0, __ATOMIC_SEQ_CST))

#endif
