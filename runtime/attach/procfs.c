/* SPDX-License-Identifier: GPL-2.0 */
/* Files in /proc and standard input: procfs.h. */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat/fs.h"
#include "context.h"
#include "memory.h"
#include "procfs.h"
#include "session.h"

/* A text that a process reads or writes. `requests_lock` protects all members but the text, which
 * the thread owns while `started`. */
struct proc_request {
	struct list_head list;
	refcount_t refs;         /* of the process, and of the list or the thread */
	u32 first;               /* the probe that stands for its channel */
	bool started;            /* the thread has taken it from the queue */
	bool running;            /* its handlers run or have run */
	bool done;
	bool cut;                /* not all of the text fitted */
	int err;
	u32 len, size;
	char text[];
};

/* An open file. */
struct reader {
	struct mutex lock;         /* serialises threads that share the file */
	struct proc_request *text; /* the request with the text that is read; NULL: none yet */
};

static DEFINE_SPINLOCK(requests_lock);
static LIST_HEAD(requests);                /* requests that have not started */
static DECLARE_WAIT_QUEUE_HEAD(requests_done);
static bool requests_over;
static struct proc_request *serving;       /* the session's thread: the request that it serves */
static struct proc_dir_entry *folder;

static bool is_procfs(const struct prt_probe *p)
{
	return p->kind == PRT_PROCFS_READ || p->kind == PRT_PROCFS_WRITE;
}

/* Whether @p is a probe of the same channel as @first. */
static bool same_channel(const struct prt_probe *p, const struct prt_probe *first)
{
	return p->kind == first->kind && strcmp(p->channel.name, first->channel.name) == 0;
}

/* ---- requests ---- */

static u32 size_of_channel(u32 first)
{
	const struct prt_probe *p = prt_script.probes;
	u32 size = 0, i;

	for (i = 0; i < prt_script.nprobes; i++)
		if (same_channel(&p[i], &p[first]))
			size = max(size, p[i].channel.size);
	return size ? size : prt_script.maxstringlen - 1;
}

static struct proc_request *request_new(u32 first)
{
	u32 size = size_of_channel(first);
	struct proc_request *r = kvmalloc(sizeof(*r) + size, PRT_GFP | __GFP_ACCOUNT);

	if (!r)
		return NULL;
	INIT_LIST_HEAD(&r->list);
	refcount_set(&r->refs, 1);
	r->first = first;
	r->size = size;
	return r;
}

static void request_put(struct proc_request *r)
{
	if (r && refcount_dec_and_test(&r->refs))
		kvfree(r);
}

static void request_finish(struct proc_request *r, int err)
{
	spin_lock(&requests_lock);
	r->err = err;
	smp_store_release(&r->done, true);
	spin_unlock(&requests_lock);
	wake_up_all(&requests_done);
	request_put(r);
}

/* Removes a request that the thread has not started from the queue. Returns false if it has. */
static bool request_cancel(struct proc_request *r)
{
	bool ret;

	spin_lock(&requests_lock);
	ret = !r->started && !r->done;
	if (ret)
		list_del_init(&r->list);
	spin_unlock(&requests_lock);
	if (ret)
		request_put(r);
	return ret;
}

/* Whether the process need not wait any longer. At the end of the session its thread may be blocked
 * by output that nobody reads. */
static bool may_leave(const struct proc_request *r)
{
	return smp_load_acquire(&r->done) || READ_ONCE(prt_session.stop);
}

/* Whether its handlers have begun to run. If the session ends and they have not, they never will:
 * request_begin(). */
static bool is_running(struct proc_request *r)
{
	bool ret;

	spin_lock(&requests_lock);
	ret = r->running;
	spin_unlock(&requests_lock);
	return ret;
}

/* Queues the request and waits until the thread has run its handlers. Returns 0; -EIO if one of
 * them failed or the session ends before they run; -ERESTARTSYS if a signal came before they ran;
 * 1 if it came, or if the session ended, while they ran. */
static int request_submit(struct proc_request *r)
{
	int err = 0;
	bool signal;

	spin_lock(&requests_lock);
	if (requests_over || READ_ONCE(prt_session.stop))
		err = -EIO;
	else
		list_add_tail(&r->list, &requests);
	if (!err)
		refcount_inc(&r->refs);
	spin_unlock(&requests_lock);
	if (err)
		return err;
	wake_up(&prt_session.thread_wait);
	signal = wait_event_interruptible(requests_done, may_leave(r)) != 0;
	if (smp_load_acquire(&r->done))
		return r->err;
	if (request_cancel(r))
		return signal ? -ERESTARTSYS : -EIO;
	if (smp_load_acquire(&r->done))
		return r->err;
	return signal || is_running(r) ? 1 : -EIO;
}

/* ---- the session's thread ---- */

void prt_procfs_wake(void)
{
	wake_up_all(&requests_done);
}

bool prt_procfs_pending(void)
{
	return !list_empty_careful(&requests);
}

static void warn_cut(const struct proc_request *r)
{
	static bool warned;      /* one message for all files: a reader may come back often */
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	char text[120];

	if (warned)
		return;
	warned = true;
	prt_context_begin(c, &prt_script.probes[r->first], NULL, NULL, prt_session.process_steps);
	prt_warn(c, (struct prt_str){ text, scnprintf(text, sizeof(text), "the text of a file did "
		 "not fit into %u bytes; .maxsize(N) gives it more", r->size) });
	prt_hit_left(c);
	prt_out_flush(c);
}

/* false: the session ends. */
static bool request_begin(struct proc_request *r)
{
	spin_lock(&requests_lock);
	r->running = !READ_ONCE(prt_session.stop);
	spin_unlock(&requests_lock);
	return r->running;
}

static void request_serve(struct proc_request *r)
{
	const struct prt_probe *p = prt_script.probes;
	const struct prt_tally *tally = prt_thread_cpu.ctx.tally;
	bool failed = false;
	u64 errors;
	u32 i;

	serving = r;
	for (i = 0; i < prt_script.nprobes; i++) {
		if (!same_channel(&p[i], &p[r->first]) || READ_ONCE(prt_session.stop))
			continue;
		errors = tally[i].counts.errors;
		prt_session_run(i);
		failed |= tally[i].counts.errors != errors;
	}
	serving = NULL;
	if (r->cut)
		warn_cut(r);
	request_finish(r, failed ? -EIO : 0);
}

/* Starts the queued requests; @last: all further ones fail. Requests that are queued meanwhile wait
 * for the next turn, so that timers can run in between. */
static void take_requests(struct list_head *turn, bool last)
{
	struct proc_request *r;

	spin_lock(&requests_lock);
	requests_over |= last;
	list_splice_init(&requests, turn);
	list_for_each_entry(r, turn, list)
		r->started = true;
	spin_unlock(&requests_lock);
}

static struct proc_request *next_request(struct list_head *turn)
{
	struct proc_request *r = list_first_entry_or_null(turn, struct proc_request, list);

	if (r)
		list_del_init(&r->list);
	return r;
}

void prt_procfs_run(void)
{
	struct list_head turn = LIST_HEAD_INIT(turn);
	struct proc_request *r;

	take_requests(&turn, false);
	while ((r = next_request(&turn))) {
		if (request_begin(r))
			request_serve(r);
		else
			request_finish(r, -EIO);
	}
}

void prt_procfs_end(void)
{
	struct list_head turn = LIST_HEAD_INIT(turn);
	struct proc_request *r;

	take_requests(&turn, true);
	while ((r = next_request(&turn)))
		request_finish(r, -EIO);
}

/* ---- $value ---- */

/* The request that the handler on @c serves; NULL: none. */
static struct proc_request *request_of(struct prt_ctx *c)
{
	return c == &prt_thread_cpu.ctx ? serving : NULL;
}

struct prt_str prt_channel_value(struct prt_ctx *c, char *buf)
{
	struct proc_request *r = request_of(c);

	if (!r)
		return PRT_LIT("");
	return prt_str_copy(buf, (struct prt_str){ r->text, r->len });
}

void prt_channel_add(struct prt_ctx *c, struct prt_str s)
{
	struct proc_request *r = request_of(c);
	u32 n;

	if (!r || prt_script.probes[r->first].kind != PRT_PROCFS_READ)
		return;
	n = min(s.len, r->size - r->len);
	memcpy(r->text + r->len, s.s, n);
	r->len += n;
	r->cut |= n < s.len;
}

void prt_channel_set(struct prt_ctx *c, struct prt_str s)
{
	struct proc_request *r = request_of(c);

	if (!r || prt_script.probes[r->first].kind != PRT_PROCFS_READ)
		return;
	r->len = 0;
	r->cut = false;
	prt_channel_add(c, s);
}

/* ---- files ---- */

static int file_open(struct inode *inode, struct file *file)
{
	struct reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);

	if (!reader)
		return -ENOMEM;
	mutex_init(&reader->lock);
	file->private_data = reader;
	return 0;
}

static int file_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	request_put(reader->text);
	kfree(reader);
	return 0;
}

/* The first probe of kind @kind of the file. false: there is none. */
static bool find_probe(const struct file *file, u16 kind, u32 *ret)
{
	const struct prt_probe *p = prt_script.probes;
	u32 first = (u32)(unsigned long)pde_data(file_inode(file));

	for (*ret = first; *ret < prt_script.nprobes; ++*ret)
		if (p[*ret].kind == kind &&
		    strcmp(p[*ret].channel.name, p[first].channel.name) == 0)
			return true;
	return false;
}

/* A read from the beginning makes a new text, which later reads of this open file continue. */
static int file_make_text(struct file *file, struct reader *reader)
{
	struct proc_request *r;
	u32 first;
	int err;

	if (!find_probe(file, PRT_PROCFS_READ, &first))
		return -EINVAL;
	r = request_new(first);
	if (!r)
		return -ENOMEM;
	err = request_submit(r);
	if (err) {
		request_put(r);
		return err < 0 ? err : signal_pending(current) ? -ERESTARTSYS : -EIO;
	}
	request_put(reader->text);
	reader->text = r;
	return 0;
}

static ssize_t file_read(struct file *file, char __user *to, size_t n, loff_t *pos)
{
	struct reader *reader = file->private_data;
	ssize_t ret = 0;

	if (!n)
		return 0;
	if (mutex_lock_interruptible(&reader->lock))
		return -ERESTARTSYS;
	if (READ_ONCE(requests_over))
		ret = -EIO;
	else if (!reader->text || *pos == 0)
		ret = file_make_text(file, reader);
	if (!ret)
		ret = simple_read_from_buffer(to, n, pos, reader->text->text, reader->text->len);
	mutex_unlock(&reader->lock);
	return ret;
}

/* One run of the handlers for each call, with at most MAXSTRINGLEN - 1 bytes; the caller writes the
 * rest by another call. */
static ssize_t file_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct proc_request *r;
	u32 first;
	int err;

	if (!find_probe(file, PRT_PROCFS_WRITE, &first))
		return -EINVAL;
	if (!n)
		return 0;
	r = request_new(first);
	if (!r)
		return -ENOMEM;
	r->len = min_t(size_t, n, r->size);
	err = copy_from_user(r->text, from, r->len) ? -EFAULT : request_submit(r);
	/* A signal or the session's end while the handlers run does not undo what they do. */
	n = r->len;
	request_put(r);
	if (err < 0)
		return err;
	*pos += n;
	return n;
}

static const struct proc_ops file_ops = {
	.proc_open = file_open,
	.proc_release = file_release,
	.proc_read = file_read,
	.proc_write = file_write,
	.proc_lseek = no_seek_end_llseek,
};

/* Whether an earlier probe has made the file of probe @nr. */
static bool is_made(u32 nr)
{
	const struct prt_probe *p = prt_script.probes;
	u32 i;

	for (i = 0; i < nr; i++)
		if (is_procfs(&p[i]) && strcmp(p[i].channel.name, p[nr].channel.name) == 0)
			return true;
	return false;
}

/* Readable if a probe reads and writable if one writes, less all umasks. */
static umode_t mode_of(u32 nr)
{
	const struct prt_probe *p = prt_script.probes;
	umode_t mode = 0, mask = 0;
	u32 i;

	for (i = nr; i < prt_script.nprobes; i++) {
		if (!is_procfs(&p[i]) || strcmp(p[i].channel.name, p[nr].channel.name) != 0)
			continue;
		mode |= p[i].kind == PRT_PROCFS_READ ? 0444 : 0222;
		mask |= p[i].channel.umask;
	}
	return mode & ~mask;
}

static int make_folder(void)
{
	static const char own[] = "probec_";
	const char *name = THIS_MODULE->name;
	char text[sizeof("probec-") + MODULE_NAME_LEN];

	/* The kernel warns of a second folder with one name. The names of modules are unique, and
	 * nothing else in /proc begins like this. */
	snprintf(text, sizeof(text), "%s%s",
		 strncmp(name, own, sizeof(own) - 1) == 0 ? "" : "probec-", name);
	folder = prt_fails() ? NULL : proc_mkdir(text, NULL);
	return folder ? 0 : -ENOMEM;
}

static int make_file(u32 nr)
{
	const struct prt_probe *p = &prt_script.probes[nr];
	struct proc_dir_entry *file = NULL;

	if (!prt_fails())
		file = proc_create_data(p->channel.name, mode_of(nr), folder, &file_ops,
					(void *)(unsigned long)nr);
	if (!file)
		return -ENOMEM;
	proc_set_user(file, current_uid(), current_gid());
	return 0;
}

int prt_procfs_setup(void)
{
	int err = 0;
	u32 i;

	requests_over = false;
	for (i = 0; i < prt_script.nprobes && !err; i++) {
		if (!is_procfs(&prt_script.probes[i]) || is_made(i))
			continue;
		if (!folder)
			err = make_folder();
		if (!err)
			err = make_file(i);
	}
	return err;
}

void prt_procfs_free(void)
{
	prt_procfs_end();
	/* Waits for processes that are inside of a call, and closes open files. */
	proc_remove(folder);
	folder = NULL;
}

/* ---- standard input ---- */

static bool find_input(bool by_char, u32 *ret)
{
	const struct prt_probe *p = prt_script.probes;

	for (*ret = 0; *ret < prt_script.nprobes; ++*ret)
		if (p[*ret].kind == PRT_INPUT && (p[*ret].channel.name[0] == 'c') == by_char)
			return true;
	return false;
}

long prt_procfs_input(const void __user *from)
{
	struct prt_input set;
	struct proc_request *r;
	u32 first;
	int err;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	if (set.by_char > 1 || smp_load_acquire(&prt_session.state) < PRT_STATE_READY)
		return -EINVAL;
	if (!find_input(set.by_char, &first))
		return 0;
	r = request_new(first);
	if (!r)
		return -ENOMEM;
	r->len = min(set.len, r->size);
	err = copy_from_user(r->text, u64_to_user_ptr(set.text), r->len) ? -EFAULT :
									   request_submit(r);
	request_put(r);
	return err > 0 ? 0 : err;
}
