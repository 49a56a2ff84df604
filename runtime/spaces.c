/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Address spaces: spaces.h.
 *
 * Rows. Each address space that is known or wanted has one, found by its number. Handlers take
 * free ones by a compare-and-exchange of the number, and mark them; all else is done in calls of
 * the loader, one at a time. A row is given back when no free one is left near another number, and
 * its process has ended.
 *
 * Order. The number of a row is cleared last, by a release, and looked at by an acquire: what is
 * then read in the row is not of a process that had it before. `described` is set after `space`, by
 * a release, and read before it, by an acquire: a description that is not marked as replaced is not
 * the replaced one. `wanted` of a row is set before `wanted_any` is read, which is cleared before
 * each `wanted` is read, with a full barrier between the two on both sides: one of them sees what
 * the other has set.
 *
 * How a change is seen. The kernel counts the pages of code that an address space has mapped; a
 * description keeps that number, and is old when it differs. Code that is unmapped and replaced by
 * as many pages of other code between two looks is not seen in this way; uprobe_munmap(), which the
 * kernel calls before pages of a file go, is watched for that.
 */
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "arch/user.h"
#include "attach/attach.h"
#include "code_files.h"
#include "compat/ftrace.h"
#include "context.h"
#include "global.h"
#include "mapped.h"
#include "memory.h"
#include "pids.h"
#include "spaces.h"

enum {
	SPACE_ROWS = 4096,
	SPACE_WAYS = 16,              /* neighbours that one number may have */
	PAUSE = HZ / 20 + 1,         /* between two looks at one process */
	PAUSE_STRANGE = HZ,          /* the same where a walk found an unknown address */
	WAIT = HZ,                   /* of a process for its description, at most */
	SWEEP = HZ,                  /* between two looks for space_rows of ended processes */
};

struct space_row {
	u64 id;                      /* of the address space; 0: free */
	struct prt_space *space;     /* NULL: it is not described */
	unsigned long code_pages;    /* that it had when it was described */
	unsigned long next;          /* jiffies: it is not wanted again before */
	u32 pid;                     /* of a process that has it; 0: the row is being taken */
	u32 turn;                    /* how often some of its code was unmapped */
	u32 described;               /* `turn` of the description */
	bool wanted;
	bool hopeless;               /* a process has waited for the description in vain */
};

static DEFINE_MUTEX(describing);
static struct space_row *space_rows;           /* NULL: the session takes no stacks of processes */
static bool wanted_any, crowded;
static unsigned long next_sweep;
static u64 last_serial;              /* of a description */
static DECLARE_WAIT_QUEUE_HEAD(described_wait);

/* ---- space_rows ---- */

static __always_inline struct space_row *first_space(u64 id)
{
	return &space_rows[hash_64(id, ilog2(SPACE_ROWS / SPACE_WAYS)) * SPACE_WAYS];
}

static __always_inline struct space_row *find_space(u64 id)
{
	struct space_row *s = first_space(id);
	u32 i;

	for (i = 0; i < SPACE_WAYS; i++, s++)
		if (smp_load_acquire(&s->id) == id)
			return s;
	return NULL;
}

/* From an NMI or with interrupts off: a waiter is woken by the kernel's own interrupt work. */
static void want(struct space_row *s)
{
	if (READ_ONCE(s->wanted) || time_before(jiffies, READ_ONCE(s->next)))
		return;
	/* The first thread of a process may end before the others do. */
	WRITE_ONCE(s->pid, READ_ONCE(current->group_leader->mm) ? current->tgid : current->pid);
	smp_store_release(&s->wanted, true);
	smp_mb(); /* pairs with that of next_wanted() */
	if (READ_ONCE(wanted_any))
		return;
	WRITE_ONCE(wanted_any, true);
	prt_session_kick();
}
NOKPROBE_SYMBOL(want);

static struct space_row *take_space(u64 id)
{
	struct space_row *s = first_space(id);
	u32 i;

	for (i = 0; i < SPACE_WAYS; i++, s++) {
		/* An exchange that fails orders nothing. */
		if (!cmpxchg64(&s->id, 0, id) || smp_load_acquire(&s->id) == id)
			return s;
	}
	WRITE_ONCE(crowded, true);
	return NULL;
}
NOKPROBE_SYMBOL(take_space);

/* Where code went, other code may be now. */
static bool is_replaced(const struct space_row *s)
{
	return READ_ONCE(s->turn) != smp_load_acquire(&s->described);
}
NOKPROBE_SYMBOL(is_replaced);

static bool has_other_pages(const struct space_row *s, const struct mm_struct *mm)
{
	return READ_ONCE(s->code_pages) != READ_ONCE(mm->exec_vm);
}
NOKPROBE_SYMBOL(has_other_pages);

/* If @space is old or NULL. Out of line, so that the usual case saves no registers. */
static noinline const struct prt_space *find_otherwise(struct prt_ctx *c, struct space_row *s,
						       const struct prt_space *space)
{
	const struct prt_space *mapped;

	want(s);
	mapped = prt_mapped_find(prt_cpu_of(c), s->id, READ_ONCE(s->turn), space);
	return mapped ? mapped : space;
}
NOKPROBE_SYMBOL(find_otherwise);

/* The row of the current process, which is taken if it has none; NULL: there is none, or it has no
 * address space. */
static __always_inline struct space_row *own_row(void)
{
	const struct mm_struct *mm = current->mm;
	struct space_row *s;

	if (!mm || !space_rows)
		return NULL;
	s = find_space(prt_arch_space_id(mm));
	return s ? s : take_space(prt_arch_space_id(mm));
}

const struct prt_space *prt_spaces_find(struct prt_ctx *c)
{
	struct space_row *s = own_row();
	const struct prt_space *space;
	bool replaced;

	if (!s)
		return NULL;
	replaced = is_replaced(s);
	space = smp_load_acquire(&s->space);
	if (likely(space && !replaced && !has_other_pages(s, current->mm)))
		return space;
	return find_otherwise(c, s, replaced ? NULL : space);
}
NOKPROBE_SYMBOL(prt_spaces_find);

void prt_spaces_strange(void)
{
	struct space_row *s = current->mm ? find_space(prt_arch_space_id(current->mm)) : NULL;

	if (s && time_after(jiffies, READ_ONCE(s->next) + PAUSE_STRANGE))
		want(s);
}
NOKPROBE_SYMBOL(prt_spaces_strange);

/* ---- waiting for a description ---- */

bool prt_spaces_ready(void)
{
	const struct mm_struct *mm = current->mm;
	struct space_row *s;

	if (!mm || !space_rows)
		return true;
	s = find_space(prt_arch_space_id(mm));
	if (!s)
		return READ_ONCE(crowded);
	if (READ_ONCE(s->hopeless))
		return true;
	return smp_load_acquire(&s->space) &&
	       (!(is_replaced(s) || has_other_pages(s, mm)) ||
		time_before(jiffies, READ_ONCE(s->next)));
}
NOKPROBE_SYMBOL(prt_spaces_ready);

/* The loader's own threads can't wait for each other. */
static bool may_wait(void)
{
	return current->tgid != prt_session.loader && !fatal_signal_pending(current) &&
	       !READ_ONCE(prt_session.stop);
}

void prt_spaces_wait(void)
{
	struct space_row *s;

	if (prt_spaces_ready() || !may_wait())
		return;
	s = own_row();
	if (s)
		want(s);
	if (wait_event_killable_timeout(described_wait, prt_spaces_ready() ||
					READ_ONCE(prt_session.stop), WAIT))
		return;
	s = find_space(prt_arch_space_id(current->mm));
	if (s)
		WRITE_ONCE(s->hopeless, true);
}

void prt_spaces_wake(void)
{
	wake_up_all(&described_wait);
}

/* ---- calls of the loader ---- */

/* Whether there is something to describe. SETUP, which makes the rows, may be under way in another
 * thread. */
static bool are_described(void)
{
	return smp_load_acquire(&prt_session.state) >= PRT_STATE_READY && space_rows;
}

/* The address space of a process if it has that number, or any number for 0; to be mmput(). */
static struct mm_struct *mm_of(u32 pid, u64 id)
{
	struct mm_struct *mm = prt_pids_space(pid);

	if (!mm || !id || prt_arch_space_id(mm) == id)
		return mm;
	mmput(mm);
	return NULL;
}

/* Gives back what handlers may still be reading. */
static void free_spaces(struct prt_space **old, u32 n)
{
	u32 i;

	if (!n)
		return;
	prt_global_grace();
	for (i = 0; i < n; i++)
		kvfree(old[i]);
}

/* Frees the space_rows of processes that have ended. */
static void sweep(void)
{
	struct prt_space *old[SPACE_WAYS];
	u32 i, n = 0;

	if (!READ_ONCE(crowded) || time_before(jiffies, next_sweep))
		return;
	WRITE_ONCE(crowded, false);
	next_sweep = jiffies + SWEEP;
	for (i = 0; i < SPACE_ROWS; i++) {
		struct space_row *s = &space_rows[i];
		u64 id = READ_ONCE(s->id);
		struct mm_struct *mm;

		if (!id || !READ_ONCE(s->pid))
			continue;
		mm = mm_of(s->pid, id);
		if (mm) {
			mmput(mm);
			continue;
		}
		old[n++] = s->space;
		WRITE_ONCE(s->space, NULL);
		s->next = 0;
		s->wanted = s->hopeless = false;
		s->pid = s->turn = s->described = 0;
		smp_store_release(&s->id, 0);
		if (n == ARRAY_SIZE(old)) {
			free_spaces(old, n);
			n = 0;
		}
	}
	free_spaces(old, n);
}

/* The state of the process before the loader looks at it: the next look sees what it maps
 * meanwhile. */
static bool take_wanted(struct space_row *s, struct prt_space_wanted *ret)
{
	struct mm_struct *mm;

	u32 pid = s->pid;

	*ret = (struct prt_space_wanted){ .space = s->id, .pid = prt_pids_loader(pid),
					  .turn = READ_ONCE(s->turn) };
	/* If it can't be described, it is not asked for again at once. */
	WRITE_ONCE(s->next, jiffies + PAUSE);
	smp_store_release(&s->wanted, false);
	/* A handler may have marked the row while it was given back. */
	mm = ret->space ? mm_of(pid, ret->space) : NULL;
	if (!mm)
		return false;
	/* The loader can't see the process: nothing is to wait for its description. */
	if (!ret->pid) {
		WRITE_ONCE(s->hopeless, true);
		wake_up_all(&described_wait);
		mmput(mm);
		return false;
	}
	ret->pages = READ_ONCE(mm->exec_vm);
	mmput(mm);
	return true;
}

static bool next_wanted(struct prt_space_wanted *ret)
{
	u32 i;

	WRITE_ONCE(wanted_any, false);
	smp_mb(); /* pairs with that of want() */
	for (i = 0; i < SPACE_ROWS; i++)
		if (smp_load_acquire(&space_rows[i].wanted) && take_wanted(&space_rows[i], ret)) {
			/* There may be others. */
			WRITE_ONCE(wanted_any, true);
			return true;
		}
	return false;
}

static bool is_over(void)
{
	return READ_ONCE(prt_session.stop) ||
	       READ_ONCE(prt_session.state) == PRT_STATE_DONE;
}

static bool find_wanted(struct prt_space_wanted *ret)
{
	bool found;

	mutex_lock(&describing);
	sweep();
	found = next_wanted(ret);
	mutex_unlock(&describing);
	return found;
}

long prt_spaces_wanted(void __user *at)
{
	struct prt_space_wanted wanted;
	u32 wait;

	if (!are_described())
		return -ESHUTDOWN;
	if (copy_from_user(&wanted, at, sizeof(wanted)))
		return -EFAULT;
	wait = wanted.wait;
	while (!is_over()) {
		if (find_wanted(&wanted))
			return copy_to_user(at, &wanted, sizeof(wanted)) ? -EFAULT : 0;
		if (!wait || prt_mapped_wants_file())
			return -EAGAIN;
		if (wait_event_interruptible(prt_session.reader_wait,
					     READ_ONCE(wanted_any) ||
					     prt_mapped_wants_file() || is_over()))
			return -EINTR;
	}
	return -ESHUTDOWN;
}

long prt_spaces_file(const void __user *from)
{
	struct prt_code_file_set *set;
	long err;

	if (!are_described())
		return -ESHUTDOWN;
	set = memdup_user(from, sizeof(*set));
	if (IS_ERR(set))
		return PTR_ERR(set);
	mutex_lock(&describing);
	err = prt_code_files_add(set);
	mutex_unlock(&describing);
	kfree(set);
	return err;
}

long prt_spaces_key(const void __user *from)
{
	struct prt_code_key key;
	long err;

	if (copy_from_user(&key, from, sizeof(key)))
		return -EFAULT;
	mutex_lock(&describing);
	err = prt_code_files_key(&key);
	mutex_unlock(&describing);
	return err;
}

static long describe(const struct prt_space_set *set)
{
	const struct prt_space_wanted *wanted = &set->wanted;
	struct space_row *s = wanted->space ? find_space(wanted->space) : NULL;
	struct mm_struct *mm = s ? mm_of(s->pid, wanted->space) : NULL;
	struct prt_space *space, *old;

	/* The loader opened its mappings before now: they are of this address space. */
	if (!mm)
		return -ESRCH;
	mmput(mm);
	space = prt_spaces_make(set);
	if (IS_ERR(space))
		return PTR_ERR(space);
	old = s->space;
	space->serial = ++last_serial;
	WRITE_ONCE(s->code_pages, wanted->pages);
	smp_store_release(&s->space, space);
	WRITE_ONCE(s->next, jiffies + PAUSE);
	smp_store_release(&s->described, wanted->turn);
	WRITE_ONCE(s->hopeless, false);
	free_spaces(&old, !!old);
	wake_up_all(&described_wait);
	return 0;
}

long prt_spaces_describe(const void __user *from)
{
	struct prt_space_set set;
	long err;

	if (!are_described())
		return -ESHUTDOWN;
	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	mutex_lock(&describing);
	err = describe(&set);
	mutex_unlock(&describing);
	return err;
}

/* ---- watching unmappings ---- */

/* uprobe_munmap(vma, start, end). An address space that nobody uses any more needs nothing. */
static void notrace see_code_go(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				prt_ftrace_regs *fregs)
{
	const struct vm_area_struct *vma = (void *)prt_arch_arg(prt_compat_ftrace_regs(fregs), 0);
	const struct mm_struct *mm = vma->vm_mm;
	struct space_row *s;

	if (!(vma->vm_flags & VM_EXEC) || !atomic_read(&mm->mm_users))
		return;
	s = find_space(prt_arch_space_id(mm));
	if (s)
		__atomic_fetch_add(&s->turn, 1, __ATOMIC_RELAXED);
}
NOKPROBE_SYMBOL(see_code_go);

static struct ftrace_ops code_ops = { .func = see_code_go, .flags = PRT_COMPAT_FTRACE_FLAGS };
static bool code_watched;

/* Without it, what the number of pages shows has to do. */
static int watch_code(void)
{
	unsigned long addr = prt_form_address("uprobe_munmap");
	int err;

	if (!addr || IS_ENABLED(CONFIG_LTO))
		return 0;
	err = prt_register(ftrace_set_filter_ip(&code_ops, addr, 0, 1));
	if (!err)
		err = prt_register(register_ftrace_function(&code_ops));
	code_watched = !err;
	return err == -ENOMEM ? err : 0;
}

/* ---- memory ---- */

u64 prt_spaces_memory(void)
{
	if (!prt_script.user_stacks)
		return 0;
	return SPACE_ROWS * sizeof(*space_rows) + prt_code_files_memory();
}

/* The process of -x is known before its first stack is taken. */
static void want_target(void)
{
	u32 pid = prt_session.setup.target;
	struct mm_struct *mm = pid ? mm_of(pid, 0) : NULL;
	struct space_row *s;

	if (!mm)
		return;
	s = take_space(prt_arch_space_id(mm));
	s->pid = pid;
	s->wanted = wanted_any = true;
	mmput(mm);
}

int prt_spaces_setup(void)
{
	if (!prt_script.user_stacks)
		return 0;
	BUILD_BUG_ON(SPACE_ROWS % SPACE_WAYS || PRT_FRAME_FILE < 48);
	next_sweep = jiffies;
	space_rows = prt_alloc(SPACE_ROWS, sizeof(*space_rows), NUMA_NO_NODE);
	if (!space_rows || prt_code_files_setup())
		return -ENOMEM;
	want_target();
	return watch_code();
}

void prt_spaces_free(void)
{
	u32 i;

	if (code_watched)
		unregister_ftrace_function(&code_ops);
	code_watched = false;
	prt_compat_ftrace_free(&code_ops);
	prt_mapped_free();
	for (i = 0; space_rows && i < SPACE_ROWS; i++)
		kvfree(space_rows[i].space);
	kvfree(space_rows);
	space_rows = NULL;
	prt_code_files_free();
}
