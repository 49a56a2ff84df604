/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looking at any task, at the names of a path, and at the machine. Any context. A script may hold
 * the address of a task that is gone, so nothing is trusted: each member is read as foreign memory.
 */
#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/loadavg.h>
#include <linux/sched/prio.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/timekeeping.h>

#include "arch/arch.h"
#include "compat/fs.h"
#include "compat/mm.h"
#include "compat/task.h"
#include "context.h"

#define GET(p, member) prt_read(c, (u64)&(p)->member, sizeof((p)->member), true, srcloc)
#define GET_POINTER(type, p, member) ((type *)GET(p, member))

s64 prt_current(struct prt_ctx *c)
{
	return (s64)current;
}
NOKPROBE_SYMBOL(prt_current);

s64 prt_task_of_pid(struct prt_ctx *c, s64 nr)
{
	struct hlist_node *first = NULL;
	struct pid *pid = NULL;

	/* As in get_parent(), without rcu_read_lock(): lockdep does not know that interrupts are
	 * off. */
	preempt_disable_notrace();
	if (nr > 0 && nr <= INT_MAX && rcu_is_watching())
		pid = find_pid_ns(nr, &init_pid_ns);
	if (pid)
		first = READ_ONCE(pid->tasks[PIDTYPE_PID].first);
	preempt_enable_notrace();
	return first ? (s64)hlist_entry(first, struct task_struct, pid_links[PIDTYPE_PID]) : 0;
}
NOKPROBE_SYMBOL(prt_task_of_pid);

static s64 id_of(struct prt_ctx *c, const struct task_struct *task, enum pid_type type, u32 srcloc)
{
	const struct signal_struct *signal = GET_POINTER(const struct signal_struct, task, signal);
	const struct pid *pid = NULL;

	if (signal)
		pid = GET_POINTER(const struct pid, signal, pids[type]);
	return pid ? GET(pid, numbers[0].nr) : 0;
}

static s64 files_of(struct prt_ctx *c, const struct task_struct *task, bool open, u32 srcloc)
{
	const struct files_struct *files = GET_POINTER(const struct files_struct, task, files);
	const struct fdtable *fdt = files ? GET_POINTER(const struct fdtable, files, fdt) : NULL;
	const unsigned long *bits;
	s64 max, n = 0, i;

	if (!fdt || c->err)
		return 0;
	max = GET(fdt, max_fds);
	if (!open)
		return max;
	bits = GET_POINTER(const unsigned long, fdt, open_fds);
	for (i = 0; i < max / BITS_PER_LONG && !c->err; i++) {
		PRT_STEPS(c, 1, srcloc, out);
		n += hweight64(prt_read(c, (u64)(bits + i), 8, false, srcloc));
	}
out:
	return c->err ? 0 : n;
}

static s64 resident(struct prt_ctx *c, const struct mm_struct *mm, int kind, u32 srcloc)
{
	return max_t(s64, 0, prt_read(c, (u64)PRT_COMPAT_RSS(mm, kind), 8, true, srcloc));
}

static s64 memory_of(struct prt_ctx *c, const struct task_struct *task, enum prt_task_what what,
		     u32 srcloc)
{
	const struct mm_struct *mm = GET_POINTER(const struct mm_struct, task, mm);
	s64 shared;

	if (!mm)
		return 0;
	switch (what) {
	case PRT_TASK_RESIDENT:
	case PRT_TASK_SHARED:
		shared = resident(c, mm, MM_FILEPAGES, srcloc) +
			 resident(c, mm, MM_SHMEMPAGES, srcloc);
		return what == PRT_TASK_SHARED ? shared :
			shared + resident(c, mm, MM_ANONPAGES, srcloc);
	case PRT_TASK_TEXT:
		return (PAGE_ALIGN(GET(mm, end_code)) - (GET(mm, start_code) & PAGE_MASK)) >>
			PAGE_SHIFT;
	case PRT_TASK_DATA:
		return GET(mm, data_vm) + GET(mm, stack_vm);
	case PRT_TASK_ARGS:
		return GET(mm, arg_start);
	case PRT_TASK_ARGS_END:
		return GET(mm, arg_end);
	case PRT_TASK_ENVIRONMENT:
		return GET(mm, env_start);
	case PRT_TASK_ENVIRONMENT_END:
		return GET(mm, env_end);
	default:
		return GET(mm, total_vm);
	}
}

static s64 id_by_cred(struct prt_ctx *c, const struct task_struct *task, enum prt_task_what what,
		      u32 srcloc)
{
	const struct cred *cred = GET_POINTER(const struct cred, task, cred);

	if (c->err)
		return 0;
	switch (what) {
	case PRT_TASK_UID:
		return (u32)GET(cred, uid.val);
	case PRT_TASK_GID:
		return (u32)GET(cred, gid.val);
	case PRT_TASK_EUID:
		return (u32)GET(cred, euid.val);
	default:
		return (u32)GET(cred, egid.val);
	}
}

s64 prt_task(struct prt_ctx *c, s64 address, enum prt_task_what what, u32 srcloc)
{
	const struct task_struct *task = (const struct task_struct *)address;

	switch (what) {
	case PRT_TASK_PID:
		return GET(task, tgid);
	case PRT_TASK_TID:
		return GET(task, pid);
	case PRT_TASK_PARENT:
		return GET(task, real_parent);
	case PRT_TASK_STATE:
		return GET(task, PRT_COMPAT_STATE);
	case PRT_TASK_UID:
	case PRT_TASK_GID:
	case PRT_TASK_EUID:
	case PRT_TASK_EGID:
		return id_by_cred(c, task, what, srcloc);
	case PRT_TASK_PRIO:
		return GET(task, prio) - MAX_RT_PRIO;
	case PRT_TASK_NICE:
		return PRIO_TO_NICE(GET(task, static_prio));
	case PRT_TASK_CPU:
		return GET(task, PRT_COMPAT_CPU);
	case PRT_TASK_START:
		return GET(task, start_boottime);
	case PRT_TASK_UTIME:
		return GET(task, utime);
	case PRT_TASK_STIME:
		return GET(task, stime);
	case PRT_TASK_SWITCHES:
		return GET(task, nvcsw) + GET(task, nivcsw);
	case PRT_TASK_PGRP:
		return id_of(c, task, PIDTYPE_PGID, srcloc);
	case PRT_TASK_SESSION:
		return id_of(c, task, PIDTYPE_SID, srcloc);
	case PRT_TASK_OPEN_FILES:
	case PRT_TASK_MAX_FILES:
		return files_of(c, task, what == PRT_TASK_OPEN_FILES, srcloc);
	default:
		return memory_of(c, task, what, srcloc);
	}
}
NOKPROBE_SYMBOL(prt_task);

struct prt_str prt_task_name(struct prt_ctx *c, char *buf, s64 task, u32 srcloc)
{
	return prt_read_kernel_str(c, buf, (u64)((struct task_struct *)task)->comm, srcloc);
}
NOKPROBE_SYMBOL(prt_task_name);

/* Goes from a mount's root to the directory that it is mounted on; false: there is no such
 * directory. */
static bool leave_mount(struct prt_ctx *c, const struct dentry **d, const struct vfsmount **mnt,
			u32 srcloc)
{
	const struct prt_compat_mount *m, *up;
	const struct dentry *point;

	if (!PRT_COMPAT_MOUNT_KNOWN) {
		if (!(GET(*mnt, mnt_flags) & MNT_INTERNAL) && !c->err)
			prt_error(c, PRT_E_BAD_VALUE, srcloc,
				  PRT_LIT("a path above a mount, whose members this kernel "
					  "arranges at random"));
		return false;
	}
	m = container_of(*mnt, struct prt_compat_mount, mnt);
	up = GET_POINTER(const struct prt_compat_mount, m, parent);
	point = GET_POINTER(const struct dentry, m, mountpoint);
	if (c->err || up == m || !(GET(point, d_flags) & DCACHE_MOUNTED))
		return false;
	*d = point;
	*mnt = &up->mnt;
	return true;
}

/* The root directory of the current task. */
static struct path root_path(struct prt_ctx *c, u32 srcloc)
{
	const struct fs_struct *fs = GET_POINTER(const struct fs_struct, current, fs);
	struct path root = { .mnt = NULL };

	if (fs)
		prt_save(c, &root, (u64)&fs->root, sizeof(root), srcloc);
	return root;
}

/* Reads that cannot fault make up most of the cost. What stays the same from one component to the
 * next is read once, and the length of a name together with its address. */
struct prt_str prt_dentry_path(struct prt_ctx *c, char *buf, s64 dentry, s64 mount, u32 srcloc)
{
	const struct vfsmount *mnt = (const struct vfsmount *)mount;
	const struct dentry *d = (const struct dentry *)dentry, *top = NULL;
	struct path root = { .mnt = NULL };
	u32 end = prt_script.maxstringlen - 1, at = end;

	if (mnt) {
		root = root_path(c, srcloc);
		top = GET_POINTER(const struct dentry, mnt, mnt_root);
	}
	/* The path is written backwards from the end of the buffer. */
	for (;;) {
		const struct dentry *parent = GET_POINTER(const struct dentry, d, d_parent);
		struct qstr name = { };

		PRT_STEPS(c, 1, srcloc, out);
		if (c->err || (mnt && d == root.dentry && mnt == root.mnt))
			break;
		if (d == parent || (mnt && d == top)) {
			if (!mnt || !leave_mount(c, &d, &mnt, srcloc))
				break;
			top = GET_POINTER(const struct dentry, mnt, mnt_root);
			continue;
		}
		prt_save(c, &name, (u64)&d->d_name, sizeof(name), srcloc);
		if (name.len >= at)
			break;
		at -= name.len;
		if (prt_fetch_kernel(buf + at, (u64)name.name, name.len))
			prt_error(c, PRT_E_BAD_ADDRESS, srcloc, PRT_LIT("the name of a dentry"));
		buf[--at] = '/';
		d = parent;
	}
out:
	if (c->err)
		return (struct prt_str){ buf, 0 };
	if (at == end)
		buf[--at] = '/';
	return prt_str_copy(buf, (struct prt_str){ buf + at, end - at });
}
NOKPROBE_SYMBOL(prt_dentry_path);

struct prt_str prt_path(struct prt_ctx *c, char *buf, s64 address, u32 srcloc)
{
	const struct path *path = (const struct path *)address;
	s64 mnt = GET(path, mnt), dentry = GET(path, dentry);

	if (c->err)
		return (struct prt_str){ buf, 0 };
	return prt_dentry_path(c, buf, dentry, mnt, srcloc);
}
NOKPROBE_SYMBOL(prt_path);

s64 prt_file_path(s64 file)
{
	return (s64)&((struct file *)file)->f_path;
}
NOKPROBE_SYMBOL(prt_file_path);

struct prt_str prt_dentry_name(struct prt_ctx *c, char *buf, s64 dentry, u32 srcloc)
{
	u64 name = GET((struct dentry *)dentry, d_name.name);

	return c->err ? (struct prt_str){ buf, 0 } : prt_read_kernel_str(c, buf, name, srcloc);
}
NOKPROBE_SYMBOL(prt_dentry_name);

s64 prt_inode_dentry(struct prt_ctx *c, s64 inode, u32 srcloc)
{
	s64 first = GET((struct inode *)inode, i_dentry.first);

	return first ? first - (s64)PRT_COMPAT_DENTRY_ALIAS : 0;
}
NOKPROBE_SYMBOL(prt_inode_dentry);

/* ---- the machine ---- */

s64 prt_clock_of(struct prt_ctx *c, s64 cpu, u32 srcloc)
{
	if (cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu))
		return prt_arch_cpu_clock(cpu);
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("there is no processor of that number"));
	return 0;
}
NOKPROBE_SYMBOL(prt_clock_of);

s64 prt_monotonic(struct prt_ctx *c)
{
	return ktime_get_mono_fast_ns();
}
NOKPROBE_SYMBOL(prt_monotonic);

s64 prt_hz(struct prt_ctx *c)
{
	return HZ;
}
NOKPROBE_SYMBOL(prt_hz);

s64 prt_load(struct prt_ctx *c, s64 which, u32 srcloc)
{
	if (which >= 0 && which < 3)
		return (READ_ONCE(avenrun[which]) * 100 + FIXED_1 / 2) >> FSHIFT;
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("averages of the load are 0, 1 and 2"));
	return 0;
}
NOKPROBE_SYMBOL(prt_load);

/* The kernel's own generators take locks. A hash of the cycle counter, which differs at each call,
 * needs none. */
s64 prt_random(struct prt_ctx *c, s64 below)
{
	u64 x = prt_arch_ticks() + (u64)(unsigned long)c;

	if (below <= 0)
		return 0;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	x ^= x >> 31;
	return (s64)((unsigned __int128)x * (u64)below >> 64);
}
NOKPROBE_SYMBOL(prt_random);

s64 prt_user_ip(struct prt_ctx *c)
{
	return current->flags & PF_KTHREAD ? 0 : prt_arch_ip(task_pt_regs(current));
}
NOKPROBE_SYMBOL(prt_user_ip);

s64 prt_syscall_is_32bit(struct prt_ctx *c)
{
	return prt_arch_is_32bit_call();
}
NOKPROBE_SYMBOL(prt_syscall_is_32bit);

/* The entry code has saved the registers there, and does not change them until the process
 * continues. */
s64 prt_syscall_arg(struct prt_ctx *c, s64 n)
{
	return prt_arch_syscall_arg(task_pt_regs(current), n);
}
NOKPROBE_SYMBOL(prt_syscall_arg);

s64 prt_syscall32_arg(struct prt_ctx *c, s64 n)
{
	return prt_arch_syscall32_arg(task_pt_regs(current), n);
}
NOKPROBE_SYMBOL(prt_syscall32_arg);

s64 prt_called_arg(struct prt_ctx *c, s64 n)
{
	return prt_arch_is_32bit_call() ? prt_syscall32_arg(c, n) : prt_syscall_arg(c, n);
}
NOKPROBE_SYMBOL(prt_called_arg);

struct prt_str prt_module_name(struct prt_ctx *c)
{
	return (struct prt_str){ THIS_MODULE->name, strlen(THIS_MODULE->name) };
}
NOKPROBE_SYMBOL(prt_module_name);
#undef GET
#undef GET_POINTER
