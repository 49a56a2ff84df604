/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of breakpoints in programs. The kernel's uprobes install and remove them, and their
 * consumers (user.c, user_return.c) handle each hit that is in any doubt. The processor reports a
 * breakpoint by an exception; the kernel then looks for the uprobe on its way back to the program.
 * The fast path is asked before, in the exception itself, with interrupts off. Where it knows the
 * place, it runs the handler, carries out the instruction that the breakpoint replaced
 * (arch/x86_emulate.h), and ends the exception there: the kernel does not see that hit. Otherwise
 * it leaves everything as it is, and the kernel goes its way. So each hit is handled once.
 *
 * How it is asked depends on the processor: user_ask.c, and user_redirect.c for arm64.
 *
 * The table. A hit is known by its address and the number of its address space, which no other
 * ever has. The consumer's handler enters them: it has been called for the place in this process,
 * and it finds the file mapped there. Whenever a part of a file that has places is unmapped
 * (munmap, mremap, a mapping on top of another), all entries of that address space become stale:
 * uprobe_munmap() is watched, which the kernel calls for that before any page goes. An entry is
 * made with the address space locked for reading, so either its mapping is found and the unmapping
 * comes later and makes the entry stale, or it is not found. exec and exit need nothing: another
 * program is another address space. The table is a cache: an entry that falls out of it is learned
 * again by one slow hit.
 *
 * Other consumers of a uprobe (perf, bpftrace, tracefs, another session) must see their hits. The
 * kernel links all of them, and each hit looks whether we are alone (compat/uprobes.h). Before 6.12
 * the list begins in struct uprobe, which modules don't see: set_swbp() is watched, which installs
 * breakpoints and is given a part of it. There the kernel's copy of the replaced instruction is
 * found as well.
 *
 * Traced processes, single steps, 32-bit code, stacks of return addresses that the processor keeps,
 * and memory that can't be reached without a fault are for the kernel.
 *
 * user_trap.c has what a hit does.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "arch/user.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "context.h"
#include "global.h"
#include "memory.h"
#include "user.h"
#include "user_counts.h"
#include "user_known.h"

enum {
	KNOWN_LEAST = 10, KNOWN_MOST = 16, /* order of the table */
	FILE_BITS = 1024,
};

static DEFINE_RAW_SPINLOCK(learning);
struct prt_user_known *prt_user_known;
unsigned long prt_user_known_mask;
bool prt_user_any_known;
u32 prt_user_unmappings[PRT_USER_SPACES];
static DECLARE_BITMAP(file_bits, FILE_BITS); /* of the inodes that have places; never cleared */
static u32 counts_used;              /* by places: struct prt_cpu.user_counts */
static u8 slow_why;                  /* enum prt_slow_why, if there is none */
static u32 victim;

static enum prt_user_way way_of(const struct prt_user_place *place)
{
	if (!place->wanted || !place->registered || place->insn.op == PRT_ARCH_NONE)
		return PRT_USER_SLOW;
	if (place->insn.op == PRT_ARCH_RET && place->hit_return)
		return place->leave ? PRT_USER_LEAVES : PRT_USER_RETURNS;
	if (place->insn.op == PRT_ARCH_RET)
		return PRT_USER_SLOW;
	if (place->keeps_time)
		return PRT_USER_KEEPS_TIME;
	if (place->attempt)
		return PRT_USER_ATTEMPTS;
	if (!place->sure_hit)
		return place->hit ? PRT_USER_ANY : PRT_USER_SLOW;
	if (place->needs_space)
		return PRT_USER_DESCRIBED;
	return place->insn.op == PRT_ARCH_PUSH ? PRT_USER_PUSHES : PRT_USER_COMPUTES;
}

/* Not while it is being registered: that may fail, and the kernel's uprobe goes at once. Under
 * `learning`. */
static void set_way(struct prt_user_place *place)
{
	smp_store_release(&place->way, way_of(place));
}

/* ---- learning ---- */

static bool is_stale_known(const struct prt_user_known *k)
{
	return !k->space || k->unmapped != *prt_user_unmappings_of(k->space);
}

/* The mapping of @ip can't go meanwhile. */
static void enter_known(struct prt_user_place *place, u64 space, unsigned long ip)
{
	struct prt_user_known *first = prt_user_first_known(space, ip), *k = NULL;
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&learning, flags);
	for (i = 0; i < PRT_USER_KNOWN_WAYS; i++)
		if (first[i].space == space && first[i].ip == ip)
			k = &first[i];
	for (i = 0; i < PRT_USER_KNOWN_WAYS && !k; i++)
		if (is_stale_known(&first[i]))
			k = &first[i];
	if (!k)
		k = &first[victim++ % PRT_USER_KNOWN_WAYS];
	WRITE_ONCE(k->seq, k->seq + 1);
	smp_wmb();
	WRITE_ONCE(k->space, space);
	WRITE_ONCE(k->ip, ip);
	WRITE_ONCE(k->unmapped, *prt_user_unmappings_of(space));
	WRITE_ONCE(k->place, place);
	smp_store_release(&k->seq, k->seq + 1);
	WRITE_ONCE(prt_user_any_known, true);
	raw_spin_unlock_irqrestore(&learning, flags);
}

/* Whether the place is mapped at @ip, by the rules by which the kernel finds a uprobe. */
static bool is_mapped(const struct prt_user_place *place, const struct vm_area_struct *vma,
		      unsigned long ip)
{
	return vma && vma->vm_start <= ip && vma->vm_file &&
	       file_inode(vma->vm_file) == place->inode &&
	       ((u64)vma->vm_pgoff << PAGE_SHIFT) + (ip - vma->vm_start) == place->offset &&
	       (vma->vm_flags & (VM_HUGETLB | VM_MAYEXEC | VM_MAYSHARE)) == VM_MAYEXEC;
}

/* ---- watching the kernel ---- */

/* uprobe_munmap(vma, start, end). An address space that nobody uses any more needs nothing. */
static void notrace see_unmapping(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct vm_area_struct *vma = (void *)prt_arch_arg(prt_compat_ftrace_regs(fregs), 0);
	const struct mm_struct *mm = vma->vm_mm;
	u32 *turn = prt_user_unmappings_of(prt_arch_space_id(mm));
	unsigned long flags;

	if (!vma->vm_file || !atomic_read(&mm->mm_users) ||
	    !test_bit(hash_ptr(file_inode(vma->vm_file), ilog2(FILE_BITS)), file_bits))
		return;
	raw_spin_lock_irqsave(&learning, flags);
	WRITE_ONCE(*turn, *turn + 1);
	raw_spin_unlock_irqrestore(&learning, flags);
}
NOKPROBE_SYMBOL(see_unmapping);

/* set_swbp(arch_uprobe, mm, address). */
static void notrace see_breakpoint(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct arch_uprobe *arch = (void *)prt_arch_arg(prt_compat_ftrace_regs(fregs), 0);
	struct prt_compat_uprobe *u = prt_compat_uprobe_of(arch, prt_user_filter);
	struct prt_user_place *place;
	unsigned long flags;

	if (!u)
		return;
	place = container_of(u, struct prt_user_place, uprobe);
	if (!prt_compat_uprobe_has(arch, (unsigned long)place->inode) ||
	    !prt_compat_uprobe_has(arch, place->offset))
		return;
	raw_spin_lock_irqsave(&learning, flags);
	if (place->wanted && place->insn.op == PRT_ARCH_NONE) {
		prt_arch_decode_replaced(&place->insn, arch);
		if (place->insn.op == PRT_ARCH_NONE)
			place->slow_why = PRT_SLOW_CODE;
		set_way(place);
	}
	raw_spin_unlock_irqrestore(&learning, flags);
}
NOKPROBE_SYMBOL(see_breakpoint);

void prt_user_fast_enter(struct prt_user_place *place, const struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm;
	unsigned long ip = prt_arch_ip(regs);
	struct prt_user_place *known_one;
	u64 space;

	if (!mm)
		return;
	prt_user_ask_ready();
	space = prt_arch_space_id(mm);
	if ((prt_user_find_place(space, ip, &known_one) && known_one == place) ||
	    !mmap_read_trylock(mm))
		return;
	if (is_mapped(place, find_vma(mm, ip), ip))
		enter_known(place, space, ip);
	mmap_read_unlock(mm);
}

/* ---- setting up ---- */

struct kernel_watch {
	struct ftrace_ops ops;
	const char *symbol;
	bool registered;
};

static struct kernel_watch kernel_watches[] = {
	{ { .func = see_unmapping, .flags = PRT_COMPAT_FTRACE_FLAGS }, "uprobe_munmap" },
	{ { .func = see_breakpoint, .flags = PRT_COMPAT_FTRACE_FLAGS }, "set_swbp" },
};
static u32 count_places(void)
{
	u32 n = 0, i;

	for (i = 0; i < prt_script.nsites; i++)
		if (prt_script.sites[i].file)
			n += 1 + prt_script.sites[i].nexits;
	return n;
}

static u32 order_of(u32 places)
{
	return clamp_t(u32, ilog2(places) + 5, KNOWN_LEAST, KNOWN_MOST);
}

static size_t counts_size(u32 places)
{
	return (places + 1) * sizeof(u64);
}

u64 prt_user_fast_memory(void)
{
	u32 places = count_places();

	return places ? sizeof(*prt_user_known) << order_of(places) : 0;
}

u64 prt_user_fast_cpu_memory(void)
{
	u32 places = count_places();

	return places ? counts_size(places) : 0;
}

int prt_user_fast_make(struct prt_cpu *cpu, int node)
{
	u32 places = count_places();

	if (places && !cpu->user_counts)
		cpu->user_counts = prt_alloc(1, counts_size(places), node);
	return !places || cpu->user_counts ? 0 : -ENOMEM;
}

void prt_user_fast_unmake(struct prt_cpu *cpu)
{
	kvfree(cpu->user_counts);
	cpu->user_counts = NULL;
}

static int start_watch(struct kernel_watch *w)
{
	unsigned long addr = prt_form_address(w->symbol);
	int err = addr ? 0 : -ENOENT;

	if (!err)
		err = prt_register(ftrace_set_filter_ip(&w->ops, addr, 0, 1));
	if (!err)
		err = prt_register(register_ftrace_function(&w->ops));
	w->registered = !err;
	return err;
}

/* Link-time optimisation might call a copy of a watched function. */
static int start_watches(void)
{
	int err = IS_ENABLED(CONFIG_LTO) ? -EOPNOTSUPP : 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kernel_watches) && !err; i++)
		err = start_watch(&kernel_watches[i]);
	return err;
}

static void stop_watches(void)
{
	u32 i;

	prt_user_ask_stop();
	for (i = 0; i < ARRAY_SIZE(kernel_watches); i++) {
		if (kernel_watches[i].registered)
			unregister_ftrace_function(&kernel_watches[i].ops);
		kernel_watches[i].registered = false;
		prt_compat_ftrace_free(&kernel_watches[i].ops);
	}
}

int prt_user_fast_setup(void)
{
	u32 places = count_places();
	int err;

	slow_why = PRT_SLOW_ASKED;
	if (!places || prt_session.setup.flags & PRT_SETUP_NO_FAST_USER)
		return 0;
	prt_user_known_mask = (sizeof(*prt_user_known) << order_of(places)) - PRT_USER_KNOWN_LINE;
	prt_user_known = prt_alloc(1u << order_of(places), sizeof(*prt_user_known), NUMA_NO_NODE);
	if (!prt_user_known)
		return -ENOMEM;
	err = start_watches();
	if (!err)
		err = prt_user_ask_start();
	if (!err)
		return 0;
	slow_why = err == -EBUSY ? PRT_SLOW_BUSY : PRT_SLOW_KERNEL;
	prt_user_fast_free();
	return err == -ENOMEM ? err : 0;
}

void prt_user_fast_free(void)
{
	stop_watches();
	kvfree(prt_user_known);
	prt_user_known = NULL;
}

/* ---- places ---- */

static bool needs_the_kernel(const struct prt_user_place *place)
{
	return !(place->hit || place->sure_hit || place->hit_return) ||
	       prt_point_flags(place->point) & (PRT_SETS_REGS | PRT_OVERRIDES);
}

void prt_user_fast_begin(struct prt_user_place *place)
{
	if (!prt_user_known) {
		place->slow_why = slow_why;
	} else if (needs_the_kernel(place)) {
		place->slow_why = PRT_SLOW_HANDLER;
	} else {
		if (!place->nr)
			place->nr = ++counts_used;
		set_bit(hash_ptr(place->inode, ilog2(FILE_BITS)), file_bits);
		place->slow_why = PRT_SLOW_FIRST;
		place->insn.op = PRT_ARCH_NONE;
		smp_store_release(&place->wanted, true);
	}
}

void prt_user_fast_registered(struct prt_user_place *place)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&learning, flags);
	place->registered = true;
	set_way(place);
	raw_spin_unlock_irqrestore(&learning, flags);
}

void prt_user_fast_end(struct prt_user_place *place)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&learning, flags);
	place->wanted = false;
	set_way(place);
	raw_spin_unlock_irqrestore(&learning, flags);
}

u64 prt_user_fast_hits(const struct prt_user_place *place)
{
	struct prt_cpu *cpu;
	unsigned int nr;
	u64 ret = 0;

	if (!place->nr)
		return 0;
	prt_for_each_cpu(nr, cpu)
		ret += READ_ONCE(cpu->user_counts[place->nr]);
	return ret;
}
