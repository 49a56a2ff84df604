/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places in programs and libraries: the kernel's uprobes, one consumer for each place.
 *
 * A uprobe belongs to a file (an inode) and an offset in it, whatever processes map it, so a site
 * has no address: points are told apart by the number of their file and the offset. The file is
 * looked up by its path in the loader's own context, and its path is held while the session lives,
 * as perf does: its file system cannot be unmounted in the meantime. Of a file on overlayfs the
 * inode below is the one that is mapped.
 *
 * The kernel calls a handler in the context of the process, where it might sleep. Ours runs as all
 * hot handlers do, with interrupts off, on this processor's context.
 *
 * Breakpoints are written only into processes that the probe wants: the kernel asks
 * prt_user_filter() for each address space, when the probe is registered and when a process maps
 * the file later (user_owner.c). The hit asks again, because a child inherits the breakpoints of
 * its parent, and other users of the same uprobe may want processes that we do not.
 *
 * Returns are user_return.c's. Most hits do not come through the kernel's uprobes: user_fast.c.
 */
#include <linux/dcache.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arch/arch.h"
#include "attach.h"
#include "context.h"
#include "global.h"
#include "memory.h"
#include "pids.h"
#include "process.h"
#include "rehearse.h"
#include "user.h"
#include "user_known.h"
#include "user_load.h"

/* A row of prt_script.files, opened. */
struct user_file {
	struct path path, program_path; /* held while the inode beside it is set */
	struct inode *inode;         /* the one that processes map; NULL: `error` says why not */
	struct inode *program;       /* that processes which are wanted were started from; NULL:
				      * any */
	int error;
};

static struct user_file *files;      /* one for each of prt_script.files */
s64 *prt_user_processes;
static bool unsettled;               /* handlers of places that were disarmed may still run */

/* ---- files ---- */

static int user_find(const char *name, struct path *path)
{
	int err = kern_path(name, LOOKUP_FOLLOW, path);

	if (err == -ENOENT || err == -ENOTDIR)
		return -ESRCH;
	if (err)
		return err;
	if (S_ISREG(d_backing_inode(path->dentry)->i_mode))
		return 0;
	path_put(path);
	return -EINVAL;
}

static int user_look_up(const struct prt_file *row, struct user_file *file)
{
	int err = user_find(row->path, &file->path);

	if (err)
		return err;
	file->inode = d_real_inode(file->path.dentry);
	if (!row->program)
		return 0;
	err = user_find(row->program, &file->program_path);
	if (!err)
		file->program = d_backing_inode(file->program_path.dentry);
	return err;
}

/* The number of the row and the offset, which no site at another place has. */
static u64 user_key_of(const struct prt_site *site)
{
	return (u64)site->file << 48 | (site->offset & (BIT_ULL(48) - 1));
}

int prt_user_setup(void)
{
	u32 i;

	if (!prt_script.nfiles)
		return 0;
	files = prt_alloc(prt_script.nfiles, sizeof(*files), NUMA_NO_NODE);
	prt_user_processes = prt_alloc(prt_script.nfiles, sizeof(*prt_user_processes),
				       NUMA_NO_NODE);
	if (!files || !prt_user_processes || prt_user_load_setup() || prt_user_owner_setup())
		return -ENOMEM;
	for (i = 0; i < prt_script.nfiles; i++) {
		files[i].error = user_look_up(&prt_script.files[i], &files[i]);
		prt_user_processes[i] = prt_pids_machine(prt_script.files[i].pid);
	}
	for (i = 0; i < prt_script.nsites; i++) {
		const struct prt_site *site = &prt_script.sites[i];

		if (!site->file)
			continue;
		prt_site_infos[i].error = files[site->file - 1].error;
		if (!prt_site_infos[i].error)
			prt_site_infos[i].addr = user_key_of(site);
	}
	return 0;
}

void prt_user_free(void)
{
	u32 i;

	for (i = 0; files && i < prt_script.nfiles; i++) {
		if (files[i].inode)
			path_put(&files[i].path);
		if (files[i].program)
			path_put(&files[i].program_path);
	}
	kvfree(files);
	kvfree(prt_user_processes);
	files = NULL;
	prt_user_processes = NULL;
	prt_user_owner_free();
	prt_user_load_free();
}

/* ---- processes: preemption is off, or rcu_read_lock() in force ---- */

/* The file may be given back and become another one meanwhile, so that of its fields only the inode
 * is read, and compared with one that is held. rcu_dereference_raw(): process.c says why. */
static __always_inline bool user_has_executed(const struct inode *program,
					      const struct mm_struct *mm)
{
	const struct file *exe = mm ? rcu_dereference_raw(mm->exe_file) : NULL;

	return exe && program && READ_ONCE(exe->f_inode) == program;
}

static __always_inline bool user_runs_program(const struct prt_file *scope,
					      const struct mm_struct *mm)
{
	return !scope->program || user_has_executed(files[scope - prt_script.files].program, mm);
}

bool prt_user_executes(const struct prt_file *scope, const struct mm_struct *mm)
{
	const struct user_file *file = &files[scope - prt_script.files];

	return file->inode && user_has_executed(d_backing_inode(file->path.dentry), mm);
}

struct inode *prt_user_inode_of(const struct prt_point *p)
{
	return files[p->pairs[0].site->file - 1].inode;
}

bool prt_process_owner(u32 nr)
{
	const struct prt_file *scope = &prt_script.files[nr];

	return user_runs_program(scope, current->mm) && prt_user_wants_task(scope, current);
}
NOKPROBE_SYMBOL(prt_process_owner);

PRT_COMPAT_UPROBE_FILTER(prt_user_filter, mm)
{
	const struct prt_user_place *place = prt_user_place_of(self);
	bool wanted;

	rcu_read_lock();
	wanted = user_runs_program(prt_user_file_of(place->point), mm) &&
		 prt_user_owner_wanted(place->point, mm);
	rcu_read_unlock();
	return wanted;
}

static __always_inline bool is_for_all(const struct prt_file *scope)
{
	return !scope->pid && !scope->is_target && !scope->program;
}

bool prt_user_wanted_everywhere(const struct prt_point *p)
{
	return is_for_all(prt_user_file_of(p));
}

bool prt_user_wanted_here(const struct prt_point *p)
{
	const struct prt_file *scope = prt_user_file_of(p);
	bool wanted;

	if (likely(is_for_all(scope)))
		return true;
	rcu_read_lock();
	wanted = prt_process_owner(scope - prt_script.files);
	rcu_read_unlock();
	return wanted;
}
NOKPROBE_SYMBOL(prt_user_wanted_here);

/* ---- programs in memory ---- */

/* The loader of the kernel has set both fields before the program runs. */
u64 prt_program_code(struct prt_ctx *c, u32 nr, u32 srcloc)
{
	const struct prt_file *scope = &prt_script.files[nr];
	const struct mm_struct *mm;
	unsigned long code = 0;

	preempt_disable_notrace();
	mm = current->mm;
	if (mm && user_runs_program(scope, mm))
		code = READ_ONCE(mm->start_code);
	preempt_enable_notrace();
	if (!code)
		prt_error(c, PRT_E_OTHER_PROGRAM, srcloc,
			  (struct prt_str){ scope->program, strlen(scope->program) });
	return code;
}
NOKPROBE_SYMBOL(prt_program_code);

/* ---- events of processes ---- */

bool prt_process_event(enum prt_process_event event)
{
	bool first = current->pid == current->tgid;

	if (!current->mm || current->flags & (PF_KTHREAD | PF_IO_WORKER))
		return false;
	switch (event) {
	case PRT_PROCESS_BEGIN:
		return first;
	case PRT_PROCESS_END:
		return current->flags & PF_EXITING;
	case PRT_PROCESS_THREAD_BEGIN:
	case PRT_PROCESS_THREAD_END:
		return !first;
	default:
		return true;
	}
}
NOKPROBE_SYMBOL(prt_process_event);

/* ---- hits ---- */

void prt_user_run(const struct prt_pair *pair, struct pt_regs *regs, u64 *saved, s64 retval)
{
	unsigned long flags;

	if (unlikely(prt_script.probes[pair->probe].flags & PRT_NEED_SPACE))
		prt_spaces_wait();
	if (!prt_script.probes[pair->probe].rehearse) {
		prt_context_hit(pair->probe, pair->site, regs, saved, retval);
		return;
	}
	flags = prt_rehearse(pair, regs, saved, retval, false);
	prt_context_hit(pair->probe, pair->site, regs, saved, retval);
	raw_local_irq_restore(flags);
}

static int user_hit(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct prt_user_place *place = prt_user_place_of(self);
	const struct prt_point *p = place->point;
	unsigned long flags;
	u32 i;

	prt_user_load_at(prt_arch_ip(regs));
	if (place->sure_hit) {
		if (unlikely(place->needs_space))
			prt_spaces_wait();
		raw_local_irq_save(flags);
		place->sure_hit(regs);
		raw_local_irq_restore(flags);
	} else if (prt_user_wanted_here(p)) {
		for (i = 0; i < p->n; i++)
			prt_user_run(&p->pairs[i], regs, NULL, 0);
	} else {
		prt_user_load_alone(p);
	}
	prt_user_fast_learn(place, regs);
	return 0;
}

static int user_hit_fast(struct prt_user_place *place, struct pt_regs *regs)
{
	const struct prt_point *p = place->point;
	u32 i = 0;

	if (!prt_user_wanted_here(p)) {
		prt_user_load_alone_now(p, 1);
		return 0;
	}
	if (place->needs_space && !prt_spaces_ready())
		return -EAGAIN;
	if (prt_script.probes[p->pairs[0].probe].flags & PRT_READS_FIRST) {
		if (!prt_attempt(p->pairs, regs))
			return -EFAULT;
		i = 1;
	} else if (prt_script.probes[p->pairs[0].probe].rehearse &&
		   !prt_rehearse_now(p->pairs, regs)) {
		return -EFAULT;
	}
	for (; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
	return 0;
}
NOKPROBE_SYMBOL(user_hit_fast);

/* Only the first handler can be rehearsed before anything is done: the others may read what depends
 * on its effects. */
static bool user_may_be_fast(const struct prt_point *p)
{
	u32 i;

	for (i = 1; i < p->n; i++)
		if (prt_script.probes[p->pairs[i].probe].rehearse)
			return false;
	return true;
}

static void choose_handler(struct prt_user_place *place, const struct prt_point *p)
{
	const struct prt_probe *own = prt_point_own(p);
	bool alone = own && is_for_all(prt_user_file_of(p));

	place->sure_hit = alone ? own->hit_user : NULL;
	place->needs_space = prt_point_flags(p) & PRT_NEED_SPACE;
	place->attempt = alone && !place->needs_space ? own->attempt : NULL;
	place->hit = !place->sure_hit && user_may_be_fast(p) ? user_hit_fast : NULL;
}

/* ---- arming ---- */

int prt_user_place_arm(struct prt_user_place *place, const struct prt_point *p, u64 offset)
{
	const struct prt_site *site = p->pairs[0].site;
	int err;

	place->point = p;
	place->inode = prt_user_inode_of(p);
	place->offset = offset;
	place->uprobe.consumer.filter = prt_user_filter;
	prt_user_load_expect(p);
	prt_user_fast_begin(place);
	err = prt_register(prt_compat_uprobe_register(&place->uprobe, place->inode, offset,
						      site->counter));
	if (err)
		prt_user_fast_end(place);
	else
		prt_user_fast_registered(place);
	return err;
}

void prt_user_place_disarm(struct prt_user_place *place)
{
	if (!place->registered)
		return;
	place->registered = false;
	unsettled = true;
	prt_compat_uprobe_unregister(&place->uprobe, place->inode, place->offset);
}

void prt_user_settle(void)
{
	if (!unsettled)
		return;
	unsettled = false;
	prt_compat_uprobe_sync();
}

static void user_arm(struct prt_point *p)
{
	struct prt_user_place *place = p->probe;

	p->mechanism = PRT_MECH_UPROBE;
	if (!place)
		place = prt_alloc(1, sizeof(*place), NUMA_NO_NODE);
	smp_store_release(&p->probe, place);
	p->error = -ENOMEM;
	if (!place)
		return;
	place->uprobe.consumer = (struct uprobe_consumer){ .handler = user_hit };
	choose_handler(place, p);
	p->error = prt_user_place_arm(place, p, p->pairs[0].site->offset);
	prt_point_set_armed(p, !p->error);
}

void prt_user_disarm(struct prt_point *points, u32 n, prt_user_each_place *each)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (points[i].probe)
			each(points[i].probe, prt_user_fast_end);
	prt_global_grace();
	/* The kernel then compares the page with the file's, up to the first breakpoint that is
	 * left. From the last point on, that is near the beginning. */
	for (i = n; i-- > 0;)
		if (points[i].probe)
			each(points[i].probe, prt_user_place_disarm);
}

static void user_each_place(void *probe, void (*f)(struct prt_user_place *place))
{
	f(probe);
}

static void user_disarm(struct prt_point *points, u32 n)
{
	prt_user_disarm(points, n, user_each_place);
}

void prt_user_place_status(const struct prt_user_place *place, struct prt_site_status *ret)
{
	ret->slow += atomic64_read(&place->slow);
	if (READ_ONCE(place->slow_why))
		ret->slow_why = place->slow_why;
	ret->fast += prt_user_fast_hits(place);
}

void prt_user_status(const struct prt_point *p, struct prt_site_status *ret)
{
	if (prt_script.probes[p->pairs[0].probe].kind == PRT_USER)
		prt_user_place_status(READ_ONCE(p->probe), ret);
	else
		prt_user_return_status(p, ret);
}

const struct prt_family prt_user_family = {
	.kind = PRT_USER, .arm = user_arm, .disarm = user_disarm,
	.settle = prt_user_settle,
};
