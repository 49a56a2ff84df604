/* SPDX-License-Identifier: GPL-2.0 */
/* Processes by what they run or come from: process.h. A program is its file's number on its device,
 * so links are followed, and nothing is held that would keep a disk from being unmounted. */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/namei.h>
#include <linux/sched.h>

#include "attach.h"
#include "memory.h"
#include "process.h"
#include "session.h"

struct executable {
	u64 inode;
	dev_t device;
	int error;
};

static struct executable *programs; /* by probe; NULL: no probe needs them */

static const char *name_of_program(u32 nr)
{
	return prt_script.probes[nr].event.program;
}

static void look_up(struct executable *program, const char *name)
{
	struct path path;

	program->error = kern_path(name, LOOKUP_FOLLOW, &path);
	if (program->error == -ENOENT || program->error == -ENOTDIR)
		program->error = -ESRCH;
	if (program->error)
		return;
	program->inode = d_backing_inode(path.dentry)->i_ino;
	program->device = d_backing_inode(path.dentry)->i_sb->s_dev;
	path_put(&path);
}

int prt_process_setup(void)
{
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++) {
		const char *name = name_of_program(i);

		if (!name || !*name)
			continue;
		if (!programs)
			programs = prt_alloc(prt_script.nprobes, sizeof(*programs), NUMA_NO_NODE);
		if (!programs)
			return -ENOMEM;
		look_up(&programs[i], name);
	}
	return 0;
}

void prt_process_free(void)
{
	kvfree(programs);
	programs = NULL;
}

int prt_process_error(u32 nr)
{
	return programs ? programs[nr].error : 0;
}

/* No rcu_read_lock(), as lockdep must not be called in an NMI: preemption is off, which keeps all
 * of this from being freed just as well. */
static __always_inline bool runs(const struct task_struct *task, const struct executable *program)
{
	const struct mm_struct *mm = READ_ONCE(task->mm);
	const struct file *file;
	const struct inode *inode;

	if (!mm || task->flags & PF_KTHREAD)
		return false;
	file = rcu_dereference_raw(mm->exe_file);
	inode = file ? READ_ONCE(file->f_inode) : NULL;
	return inode && inode->i_ino == program->inode && inode->i_sb->s_dev == program->device;
}

bool prt_process_comes_from(const struct task_struct *task, s64 pid)
{
	u32 i;

	for (i = 0; pid && i < PRT_PROCESS_ANCESTORS && task->pid; i++) {
		if (task->tgid == pid)
			return true;
		task = rcu_dereference_raw(task->real_parent);
	}
	return false;
}
NOKPROBE_SYMBOL(prt_process_comes_from);

bool prt_process_has(u32 nr, const struct task_struct *task)
{
	const char *name = name_of_program(nr);

	if (!name)
		return true;
	/* In the idle task, RCU is not watching. */
	if (!task->pid)
		return false;
	return *name ? runs(task, &programs[nr]) :
		       prt_process_comes_from(task, prt_session.setup.target);
}
NOKPROBE_SYMBOL(prt_process_has);
