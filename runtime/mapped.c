/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code that the current process has mapped: mapped.h.
 *
 * The lock that a hit holds keeps its struct mm_struct, by a reference of its own: the process may
 * go on to another processor and end there before the irq_work runs here. The last reference is
 * dropped in process context.
 *
 * On PREEMPT_RT giving the lock back may sleep, so hits do not take it.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "arch/user.h"
#include "code_files.h"
#include "compat/fs.h"
#include "compat/mm.h"
#include "context.h"
#include "mapped.h"
#include "spaces.h"

enum {
	MAPPED_CODES = 128,          /* of a process */
	MAPPINGS_MOST = 1024,        /* that a hit looks at */
	MAPPED_FILES = 16,
	MAPPED_FILE_PAUSE = HZ,      /* between two times that the loader gets a file */
};

struct prt_mapped {
	u64 id;                      /* of the address space; 0: none */
	unsigned long pages;         /* of its code */
	u32 turn;
	u32 keys;                    /* prt_code_files_keys() before it was made */
	bool is_whole;               /* all its code fits in */
	bool has_unknown;            /* a file of it is not known */
	u64 last;                    /* number of descriptions so far */
	struct mm_struct *locked;    /* NULL: none */
	struct irq_work unlock;
	struct work_struct drop;
	struct prt_space space;      /* the last member */
};

/* A file that is not known. */
struct mapped_file {
	const struct inode *inode;   /* for comparison only; NULL: the row is free */
	struct file *file;           /* NULL: the loader has it */
	unsigned long until;         /* jiffies: the row is not free before */
};

static struct mapped_file mapped_files[MAPPED_FILES];

/* ---- files that are not known ---- */

static bool is_free(const struct mapped_file *it)
{
	return !READ_ONCE(it->file) && (!READ_ONCE(it->inode) ||
					time_after(jiffies, READ_ONCE(it->until)));
}
NOKPROBE_SYMBOL(is_free);

/* Several hits may leave a file at once; the loader knows it the second time. */
static void want_file(struct file *file)
{
	struct mapped_file *it, *to = NULL;

	for (it = mapped_files; it < mapped_files + MAPPED_FILES; it++) {
		if (is_free(it))
			to = it;
		else if (READ_ONCE(it->inode) == file_inode(file))
			return;
	}
	if (!to)
		return;
	get_file(file);
	WRITE_ONCE(to->inode, file_inode(file));
	WRITE_ONCE(to->until, jiffies + MAPPED_FILE_PAUSE);
	if (cmpxchg(&to->file, NULL, file))
		fput(file);
	else
		prt_session_kick();
}
NOKPROBE_SYMBOL(want_file);

bool prt_mapped_wants_file(void)
{
	const struct mapped_file *it;

	for (it = mapped_files; it < mapped_files + MAPPED_FILES; it++)
		if (READ_ONCE(it->file))
			return true;
	return false;
}

static struct file *take_file(void)
{
	struct mapped_file *it;

	for (it = mapped_files; it < mapped_files + MAPPED_FILES; it++) {
		struct file *file = xchg(&it->file, NULL);

		if (file)
			return file;
	}
	return NULL;
}

/* The mapped file itself may be one that only the kernel may use, of a layered file system. */
static struct file *open_path(struct file *mapped)
{
	struct file *ret = dentry_open(prt_compat_file_path(mapped), O_PATH, current_cred());

	fput(mapped);
	return ret;
}

long prt_mapped_file(void)
{
	struct file *file = take_file();
	int fd;

	if (!file)
		return -EAGAIN;
	file = open_path(file);
	if (IS_ERR(file))
		return PTR_ERR(file);
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		fput(file);
	else
		fd_install(fd, file);
	return fd;
}

/* ---- the lock ---- */

/* Lockdep does not know that interrupts are off in hits. */
static bool lock_mappings(struct prt_mapped *m, struct mm_struct *mm)
{
	bool locked;

	if (IS_ENABLED(CONFIG_PREEMPT_RT) || READ_ONCE(m->locked))
		return false;
	lockdep_off();
	locked = down_read_trylock(&mm->mmap_lock);
	lockdep_on();
	if (!locked)
		return false;
	mmgrab(mm);
	WRITE_ONCE(m->locked, mm);
	return true;
}
NOKPROBE_SYMBOL(lock_mappings);

static void drop_locked(struct work_struct *work)
{
	struct prt_mapped *m = container_of(work, struct prt_mapped, drop);
	struct mm_struct *mm = m->locked;

	/* From here on a hit may store another one, which the load above cannot read. */
	smp_store_release(&m->locked, NULL);
	mmdrop(mm);
}

static void unlock_mappings(struct irq_work *work)
{
	struct prt_mapped *m = container_of(work, struct prt_mapped, unlock);
	struct mm_struct *mm = m->locked;

	up_read_non_owner(&mm->mmap_lock);
	if (atomic_add_unless(&mm->mm_count, -1, 1))
		smp_store_release(&m->locked, NULL);
	else
		schedule_work(&m->drop);
}

void prt_mapped_unlock(struct prt_cpu *cpu)
{
	irq_work_queue(&cpu->mapped->unlock);
}
NOKPROBE_SYMBOL(prt_mapped_unlock);

/* ---- descriptions ---- */

/* Returns the file's number, or 0: it is not known; then the loader gets it. */
static u32 number_of(struct prt_mapped *m, const struct vm_area_struct *vma, u64 *bias)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u32 number;

	if (vma->vm_file) {
		number = prt_code_files_of(file_inode(vma->vm_file));
		if (!number)
			want_file(vma->vm_file);
	} else if (vma->vm_start == prt_arch_vdso(vma->vm_mm)) {
		number = prt_code_files_vdso(vma->vm_end <= U32_MAX);
		offset = 0;
	} else {
		return 0;
	}
	m->has_unknown = !number;
	return number && prt_code_files_bias(number, vma->vm_start, offset, bias) ? number : 0;
}
NOKPROBE_SYMBOL(number_of);

/* Only the loader knows code that the process makes itself, and files that are laid out in an
 * unusual way. */
static void copy_old(struct prt_mapped *m, struct prt_code *code, const struct prt_space *old)
{
	const struct prt_code *was = old ? prt_spaces_code(old, code->start) : NULL;

	if (!was || was->start != code->start || !was->file)
		return;
	code->bias = was->bias;
	code->file = was->file;
	code->table = was->table;
	m->space.wanted |= old->wanted;
	prt_spaces_add_file(&m->space, was->file >> PRT_FRAME_FILE, was->bias);
}
NOKPROBE_SYMBOL(copy_old);

static void add_mapping(struct prt_mapped *m, const struct vm_area_struct *vma,
			const struct prt_space *old)
{
	struct prt_code *code = &m->space.code[m->space.n++];
	bool had_unknown = m->has_unknown;
	u64 bias = 0;
	u32 number;

	m->has_unknown = false;
	number = number_of(m, vma, &bias);
	*code = (struct prt_code){
		.start = vma->vm_start, .end = vma->vm_end, .bias = bias,
		.file = (u64)number << PRT_FRAME_FILE, .table = prt_code_files_table(number),
		.is_unknown = m->has_unknown,
	};
	prt_spaces_add_file(&m->space, number, bias);
	if (!number && !m->has_unknown)
		copy_old(m, code, old);
	m->has_unknown |= had_unknown;
}
NOKPROBE_SYMBOL(add_mapping);

/* The lock is held. */
static bool add_mappings(struct prt_mapped *m, struct mm_struct *mm, const struct prt_space *old)
{
	struct vm_area_struct *vma;
	u32 n = 0;

	PRT_COMPAT_EACH_MAPPING(vma, mm) {
		if (++n > MAPPINGS_MOST || m->space.n == MAPPED_CODES)
			return false;
		if (vma->vm_flags & VM_EXEC)
			add_mapping(m, vma, old);
	}
	return true;
}
NOKPROBE_SYMBOL(add_mappings);

static bool is_good(const struct prt_mapped *m, const struct mm_struct *mm, u64 id, u32 turn)
{
	return m->id == id && m->turn == turn && m->pages == READ_ONCE(mm->exec_vm);
}
NOKPROBE_SYMBOL(is_good);

/* Whether a file that was not known may be known by now. */
static bool may_know_more(const struct prt_mapped *m)
{
	return m->has_unknown && m->keys != prt_code_files_keys();
}
NOKPROBE_SYMBOL(may_know_more);

static void make_mapped(struct prt_mapped *m, struct mm_struct *mm, u64 id, u32 turn,
			const struct prt_space *old)
{
	m->id = id;
	m->turn = turn;
	m->pages = mm->exec_vm;
	m->keys = prt_code_files_keys();
	m->has_unknown = false;
	m->space.n = m->space.wanted = m->space.nscripts = 0;
	m->space.thread_keys = 0;
	/* The loader's descriptions have lower ones. */
	m->space.serial = ++m->last | 1ull << 63;
	lockdep_off();
	m->is_whole = add_mappings(m, mm, old);
	m->space.has_unknown = m->has_unknown;
	lockdep_on();
}
NOKPROBE_SYMBOL(make_mapped);

const struct prt_space *prt_mapped_find(struct prt_cpu *cpu, u64 id, u32 turn,
					const struct prt_space *old)
{
	struct mm_struct *mm = current->mm;
	struct prt_mapped *m = cpu->mapped;
	bool good = is_good(m, mm, id, turn);

	/* The hit that has made a good one holds the lock until it ends, and keeps it. */
	if (!good || may_know_more(m)) {
		if (lock_mappings(m, mm)) {
			make_mapped(m, mm, id, turn, old);
			if (!prt_context_later(PRT_LATER_UNLOCK))
				prt_mapped_unlock(cpu);
		} else if (!good) {
			return NULL;
		}
	}
	return m->is_whole ? &m->space : NULL;
}
NOKPROBE_SYMBOL(prt_mapped_find);

/* ---- memory ---- */

size_t prt_mapped_size(void)
{
	const struct prt_mapped *m;

	return prt_script.user_stacks ? sizeof(*m) + MAPPED_CODES * sizeof(*m->space.code) : 0;
}

void prt_mapped_init(struct prt_mapped *m)
{
	init_irq_work(&m->unlock, unlock_mappings);
	INIT_WORK(&m->drop, drop_locked);
}

void prt_mapped_wait(struct prt_mapped *m)
{
	irq_work_sync(&m->unlock);
	flush_work(&m->drop);
}

void prt_mapped_free(void)
{
	struct file *file;

	while ((file = take_file()))
		fput(file);
	memset(mapped_files, 0, sizeof(mapped_files));
}
