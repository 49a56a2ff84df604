/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The task and the hit: what tapset functions are made of. Any context. The parent is looked at
 * under RCU, which does not watch everywhere a probe can be (idle, entry code); there it is
 * unknown: 0 or "".
 */
#include <linux/cred.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "arch/arch.h"
#include "arch/user.h"
#include "bytes.h"
#include "constant.h"
#include "context.h"
#include "errno_names.h"
#include "map.h"

/* These constants are for abi/fast.h. */
static noinline void __used task_constants(void)
{
	PRT_CONSTANT(prt_at_tgid, offsetof(struct task_struct, tgid));
	PRT_CONSTANT(prt_at_pid, offsetof(struct task_struct, pid));
}

/* A hot handler runs with interrupts off, so what runs on this CPU while its context is busy is
 * part of it. The session's thread has one context, and no interrupt may take that for its own. */
struct prt_ctx *prt_here(void)
{
	struct prt_ctx *c;
	unsigned long flags;

	raw_local_irq_save(flags);
	c = this_cpu_read(prt_contexts);
	if (!READ_ONCE(c->busy))
		c = NULL;
	raw_local_irq_restore(flags);
	if (!c && in_task() && current == READ_ONCE(prt_session.thread))
		c = &prt_thread_cpu.ctx;
	return c;
}
NOKPROBE_SYMBOL(prt_here);

s64 prt_pid(struct prt_ctx *c)
{
	return current->tgid;
}
NOKPROBE_SYMBOL(prt_pid);

s64 prt_tid(struct prt_ctx *c)
{
	return current->pid;
}
NOKPROBE_SYMBOL(prt_tid);

/* The parent, or NULL. Preemption is off until put_parent(), which keeps it from being freed as
 * rcu_read_lock() would, without calling lockdep, which does not know that interrupts are off. */
static __always_inline const struct task_struct *get_parent(void)
{
	preempt_disable_notrace();
	return rcu_is_watching() ? rcu_dereference_raw(current->real_parent) : NULL;
}

static __always_inline void put_parent(void)
{
	preempt_enable_notrace();
}

s64 prt_ppid(struct prt_ctx *c)
{
	const struct task_struct *parent = get_parent();
	s64 pid = parent ? parent->tgid : 0;

	put_parent();
	return pid;
}
NOKPROBE_SYMBOL(prt_ppid);

s64 prt_uid(struct prt_ctx *c)
{
	return from_kuid_munged(&init_user_ns, current_uid());
}
NOKPROBE_SYMBOL(prt_uid);

s64 prt_gid(struct prt_ctx *c)
{
	return from_kgid_munged(&init_user_ns, current_gid());
}
NOKPROBE_SYMBOL(prt_gid);

s64 prt_euid(struct prt_ctx *c)
{
	return from_kuid_munged(&init_user_ns, current_euid());
}
NOKPROBE_SYMBOL(prt_euid);

s64 prt_egid(struct prt_ctx *c)
{
	return from_kgid_munged(&init_user_ns, current_egid());
}
NOKPROBE_SYMBOL(prt_egid);

/* A task that is gone, but still runs, has no pid. */
s64 prt_pid_namespace(struct prt_ctx *c)
{
	struct pid *pid = READ_ONCE(current->thread_pid);

	return pid ? ns_of_pid(pid)->ns.inum : 0;
}
NOKPROBE_SYMBOL(prt_pid_namespace);

s64 prt_cpu(struct prt_ctx *c)
{
	return raw_smp_processor_id();
}
NOKPROBE_SYMBOL(prt_cpu);

s64 prt_this_cpu(struct prt_ctx *c, u64 addr)
{
	return (s64)per_cpu_ptr((void __percpu *)addr, raw_smp_processor_id());
}
NOKPROBE_SYMBOL(prt_this_cpu);

s64 prt_target(struct prt_ctx *c)
{
	return prt_session.setup.target;
}
NOKPROBE_SYMBOL(prt_target);

s64 prt_loader(struct prt_ctx *c)
{
	return prt_session.loader;
}
NOKPROBE_SYMBOL(prt_loader);

struct prt_str prt_probe_type(struct prt_ctx *c)
{
	static const struct prt_str names[] = {
#define PRT_KIND(NAME, word, type, site, runs, values, mechanism) [PRT_##NAME] = PRT_LIT(type),
		PRT_KINDS(PRT_KIND)
#undef PRT_KIND
	};

	return names[c->probe->kind];
}
NOKPROBE_SYMBOL(prt_probe_type);

/* The name may be changing: a copy of whole words is taken first, then measured. A buffer has room
 * for any name, MAXSTRINGLEN being no less (options.c). */
static __always_inline struct prt_str name_of(char *buf, const struct task_struct *task)
{
	const u64 *words = (const u64 *)task->comm;
	u64 first = READ_ONCE(words[0]), second = READ_ONCE(words[1]);
	u32 len = prt_word_strlen(first);

	BUILD_BUG_ON(sizeof(task->comm) != 16);
	if (len == 8)
		len += prt_word_strlen(second);
	__builtin_memcpy(buf, &first, 8);
	__builtin_memcpy(buf + 8, &second, 8);
	return (struct prt_str){ buf, len };
}

struct prt_str prt_execname(struct prt_ctx *c, char *buf)
{
	return name_of(buf, current);
}
NOKPROBE_SYMBOL(prt_execname);

void *prt_map_get_execname(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc)
{
	BUILD_BUG_ON(sizeof(current->comm) != 16);
	return prt_map_get_name(c, r->m, srcloc, current->comm);
}
NOKPROBE_SYMBOL(prt_map_get_execname);

struct prt_str prt_pexecname(struct prt_ctx *c, char *buf)
{
	const struct task_struct *parent = get_parent();
	struct prt_str name = { buf, 0 };

	if (parent)
		name = name_of(buf, parent);
	put_parent();
	return name;
}
NOKPROBE_SYMBOL(prt_pexecname);

static struct prt_str literal(const char *s)
{
	return (struct prt_str){ s, s ? strlen(s) : 0 };
}

struct prt_str prt_pp(struct prt_ctx *c)
{
	return literal(c->site ? c->site->pp : c->probe->pp);
}
NOKPROBE_SYMBOL(prt_pp);

struct prt_str prt_pn(struct prt_ctx *c)
{
	return c->probe->pn ? literal(c->probe->pn) : prt_pp(c);
}
NOKPROBE_SYMBOL(prt_pn);

struct prt_str prt_probefunc(struct prt_ctx *c)
{
	const struct prt_site *site = c->site;
	u16 kind = c->probe->kind;

	if (!site || (kind >= PRT_CLOCK && kind < PRT_USER))
		return PRT_LIT("");
	return (struct prt_str){ site->function ? site->function : site->symbol,
				 site->function_len };
}
NOKPROBE_SYMBOL(prt_probefunc);

s64 prt_user_mode(struct prt_ctx *c)
{
	return c->regs && (c->probe->flags & PRT_NEED_REGS) && user_mode((struct pt_regs *)c->regs);
}
NOKPROBE_SYMBOL(prt_user_mode);

s64 prt_user_mode_32bit(struct prt_ctx *c)
{
	return prt_user_mode(c) && !prt_arch_user_64bit((struct pt_regs *)c->regs);
}
NOKPROBE_SYMBOL(prt_user_mode_32bit);

/* The part of the result register that the function has set; the rest is undefined. */
static s64 returned_part(const struct prt_probe *p, s64 value)
{
	switch (p->result_size) {
	case 1: return prt_cut(value, 1, p->result_signed);
	case 2: return prt_cut(value, 2, p->result_signed);
	case 4: return prt_cut(value, 4, p->result_signed);
	default: return value;
	}
}
NOKPROBE_SYMBOL(returned_part);

static __always_inline bool is_return(const struct prt_ctx *c)
{
	return c->probe->kind == PRT_RETURN || c->probe->kind == PRT_USER_RETURN;
}

/* Whether the hit is in a function of a program of 32 bits. */
static bool is_of_32bit(const struct prt_ctx *c)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	return (c->probe->kind == PRT_USER || c->probe->kind == PRT_USER_RETURN) && regs &&
	       !prt_arch_user_64bit(regs);
}
NOKPROBE_SYMBOL(is_of_32bit);

s64 prt_returnval(struct prt_ctx *c, u32 srcloc)
{
	if (is_return(c) && c->level != PRT_LEVEL_CALL) {
		if (is_of_32bit(c) && c->probe->result_size == 8)
			return prt_arch_retval_pair(c->regs);
		if (is_of_32bit(c) && !c->probe->result_size)
			return (s32)c->retval;
		return returned_part(c->probe, c->retval);
	}
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("returnval() outside a return probe"));
	return 0;
}
NOKPROBE_SYMBOL(prt_returnval);

s64 prt_argument(struct prt_ctx *c, s64 n, u32 srcloc)
{
	if (is_return(c) && c->level != PRT_LEVEL_CALL) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("arguments are gone at the return: take them in @entry()"));
		return 0;
	}
	if (!(c->probe->kind == PRT_ENTRY || c->probe->kind == PRT_USER || is_return(c)) ||
	    !c->regs || n < 1 || n > (c->probe->interface ? 6 : 64)) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("no such argument here"));
		return 0;
	}
	if (c->probe->interface)
		return c->probe->interface == PRT_CALL_64 ? prt_syscall_arg(c, n) :
							     prt_syscall32_arg(c, n);
	if (is_of_32bit(c))
		return prt_read_user(c, prt_arch_slot_32(c->regs, n - 1), 4, false, srcloc);
	if (n <= PRT_ARCH_NARGS)
		return prt_arch_arg(c->regs, n - 1);
	if (user_mode((struct pt_regs *)c->regs))
		return prt_arg_stack_user(c, n - 1 - PRT_ARCH_NARGS, srcloc);
	return prt_arg_stack(c, n - 1 - PRT_ARCH_NARGS, srcloc);
}
NOKPROBE_SYMBOL(prt_argument);

s64 prt_argument_signed(struct prt_ctx *c, s64 n, u32 srcloc)
{
	s64 v = prt_argument(c, n, srcloc);

	return is_of_32bit(c) ? (s32)v : v;
}
NOKPROBE_SYMBOL(prt_argument_signed);

struct prt_str prt_errno_str(char *buf, s64 err)
{
	s64 v = err;

	switch (err < 0 ? -err : err) {
#define X(name) case name: return prt_str_copy(buf, PRT_LIT(#name));
	PRT_ERRNO_NAMES(X)
#undef X
	}
	return prt_sprintf(buf, PRT_LIT("E#%d"), "l", &v, sizeof(v));
}
NOKPROBE_SYMBOL(prt_errno_str);
