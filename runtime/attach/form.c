/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions on which a kprobe does harm. The kernel's kprobes execute some in a wrong way
 * (arch/x86_form.h). Others may fault, and have an entry in the exception table for that. A kprobe
 * runs a copy of them, and the kernel attributes only page faults in the copy to the original.
 * After any other fault, such as a general protection fault for a non-canonical address, it finds
 * no entry and crashes. Besides, such an instruction is hit twice when its page has to be brought
 * in first.
 *
 * A kprobe that has become a jump covers the following instructions as well. The kernel checks only
 * whether the function's own code, as it is now, jumps there. It does not see jumps from a part
 * that the compiler has moved elsewhere (NAME.cold), nor those of static branches, which come and
 * go. A kprobe at such an address is prevented from becoming a jump.
 *
 * The check reads the kernel's copy of the instruction in a kprobe that is registered and switched
 * off: the kernel has restored the original instruction there, even if another kprobe or a jump is
 * in the code.
 */
#include <linux/extable.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "arch/form.h"
#include "attach.h"
#include "compat/static_call.h"
#include "memory.h"

struct table {
	unsigned long start, end;
	bool tried;
};

/* The kernel's own tables, which have no name for modules; under prt_attach_lock. */
static struct table faults, labels;

/* Registering a kprobe at an address without code fails, but only after the kernel has looked it
 * up. */
unsigned long prt_form_address(const char *symbol)
{
	struct kprobe kp = { .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };

	if (!register_kprobe(&kp))
		unregister_kprobe(&kp);
	return (unsigned long)kp.addr;
}

static const struct table *find_table(struct table *table, const char *symbol)
{
	unsigned long addr, start;

	if (!table->tried) {
		table->tried = true;
		addr = prt_form_address(symbol);
		if (addr && prt_tail_bounds(addr, &start, &table->end) && start == addr)
			table->start = addr;
		else
			table->end = 0;
	}
	return table;
}

static bool has_entry(unsigned long addr, const struct exception_table_entry *entries, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((unsigned long)&entries[i].insn + entries[i].insn == addr)
			return true;
	return false;
}

/* The head of the list of modules is not a module, and lies in the kernel itself. */
static bool module_may_fault(unsigned long addr)
{
	struct module *mod;
	bool ret = false;

	rcu_read_lock();
	list_for_each_entry_rcu(mod, &THIS_MODULE->list, list) {
		if ((unsigned long)mod < MODULES_VADDR || (unsigned long)mod >= MODULES_END)
			continue;
		if (within_module(addr, mod))
			ret = has_entry(addr, mod->extable, mod->num_exentries);
	}
	rcu_read_unlock();
	return ret;
}

static bool may_fault(unsigned long addr)
{
	const struct table *t;

	if (addr >= MODULES_VADDR && addr < MODULES_END)
		return module_may_fault(addr);
	t = find_table(&faults, "__start___ex_table");
	return has_entry(addr, (const struct exception_table_entry *)t->start,
			 (t->end - t->start) / sizeof(struct exception_table_entry));
}

int prt_form_check(const struct kprobe *kp)
{
	u8 code[PRT_ARCH_FORM_MAX] = {}, around[PRT_ARCH_FORM_MAX] = {};

	if (kp->flags & KPROBE_FLAG_FTRACE)
		return 0;
	if (copy_from_kernel_nofault(code, prt_arch_copy_of(kp), sizeof(code)))
		return -ENOEXEC;
	copy_from_kernel_nofault(around, kp->addr, sizeof(around));
	if (prt_arch_form_goes_wrong(code) || prt_arch_is_trampoline(around) ||
	    prt_compat_is_trampoline((unsigned long)kp->addr))
		return -ENOEXEC;
	return may_fault((unsigned long)kp->addr) ? -ENOTRECOVERABLE : 0;
}

/* A label of a static branch that is switched the other way: in the code there is no jump to it
 * now. */
static bool is_branch_target(unsigned long start, unsigned long end)
{
#ifdef CONFIG_HAVE_ARCH_JUMP_LABEL_RELATIVE
	const struct table *t = find_table(&labels, "__start___jump_table");
	const struct jump_entry *entry = (const void *)t->start, *last = (const void *)t->end;

	if (!entry)
		return true;
	for (; entry + 1 <= last; entry++) {
		unsigned long target = jump_entry_target(entry);

		if (target >= start && target < end)
			return true;
	}
	return false;
#else
	return true;
#endif
}

bool prt_form_may_jump(const struct prt_point *point)
{
	u32 i;

	for (i = 0; i < point->n; i++) {
		const struct prt_site *site = point->pairs[i].site;

		if (prt_script.probes[site->probe].kind != PRT_PLACE || site->split)
			return false;
	}
	return !is_branch_target(point->addr + 1, point->addr + PRT_ARCH_JUMP);
}

int prt_form_enable(struct kprobe *kp)
{
	int err = prt_register(enable_kprobe(kp));

	/* If all kprobes are switched off, the kernel reports no error, and would not arm the
	 * kprobe later. */
	return !err && (kp->flags & KPROBE_FLAG_DISABLED) ? -ESHUTDOWN : err;
}
