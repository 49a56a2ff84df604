/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The device: abi/records.h says what each call does and in which order. Opened once in the
 * module's life.
 *
 * Close never waits: it sets the flags and leaves the rest to a work item, which waits for the
 * thread, frees everything and gives back the reference that keeps the module. The module's exit
 * waits for that work.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "attach/attach.h"
#include "attach/procfs.h"
#include "attach/returns.h"
#include "attach/rights.h"
#include "budget.h"
#include "cgroup.h"
#include "clock.h"
#include "context.h"
#include "demand.h"
#include "flight.h"
#include "global.h"
#include "grow.h"
#include "lock.h"
#include "mapped.h"
#include "marks.h"
#include "memory.h"
#include "part.h"
#include "pids.h"
#include "ring.h"
#include "script_objects.h"
#include "session.h"
#include "signal.h"
#include "spaces.h"
#include "stacks.h"
#include "symbol.h"
#include "vmcore.h"

#include "abi/mark_names.h"

enum { EXIT_PAUSE_MS = 20 };

static DEFINE_MUTEX(lock);           /* serialises the calls */
static atomic_t opened;
static u32 events_seen;              /* by STATUS */

/* ---- memory of a session ---- */

static void free_all(void)
{
	prt_grow_end();
	prt_rights_free();
	prt_procfs_free();
	prt_attach_free();
	prt_cgroup_free();
	prt_marks_free();
	prt_timer_free();
	prt_lock_free();
	prt_vmcore_free();
	prt_part_free();
	prt_global_free();
	prt_spaces_free();
	prt_stacks_free();
	prt_context_free();
}

static int setup_all(const struct prt_setup *set)
{
	int err = prt_context_setup();

	prt_stack_setup();
	if (!err)
		err = prt_stacks_setup();
	if (!err)
		err = prt_spaces_setup();
	if (!err)
		err = prt_global_setup();
	if (!err && prt_flight_on())
		err = prt_vmcore_setup();
	if (!err)
		err = prt_part_setup(set);
	if (!err)
		err = prt_lock_setup();
	if (!err)
		err = prt_timer_setup();
	if (!err)
		err = prt_attach_setup();
	if (!err)
		err = prt_procfs_setup();
	if (!err)
		err = prt_rights_setup();
	if (err)
		free_all();
	return err;
}

/* ---- calls ---- */

static bool ring_size_ok(u32 size)
{
	return size >= PRT_RING_MIN && size <= PRT_RING_MAX && is_power_of_2(size);
}

static long do_hello(void __user *to)
{
	struct prt_hello h = {
		.abi = PRT_ABI_VERSION,
		.nsites = prt_script.nsites,
		.nprobes = prt_script.nprobes,
		.nrings = prt_part_rings(),
		.parts = num_online_cpus(),
		.output = prt_script.hot_output,
		.memory = prt_demand_tables(),
		.calls = prt_returns_least(),
		.text = prt_script.maxstringlen - 1,
	};

	prt_part_hotplug(&h.prepare, &h.online);
	return copy_to_user(to, &h, sizeof(h)) ? -EFAULT : 0;
}

static long do_setup(const void __user *from)
{
	struct prt_setup set;
	int err;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	if (prt_session.state != PRT_STATE_NEW)
		return -EBUSY;
	if (!ring_size_ok(set.ring_size) || !ring_size_ok(set.session_ring_size) ||
	    (set.ring_most && !ring_size_ok(set.ring_most)) ||
	    (set.session_ring_most && !ring_size_ok(set.session_ring_most)) ||
	    set.flags & ~(u64)(PRT_SETUP_NO_TIME_LIMITS | PRT_SETUP_FORGIVE_ERRORS |
			       PRT_SETUP_NO_FAST_USER | PRT_SETUP_USERS_TARGET |
			       PRT_SETUP_DESCENDANTS | PRT_SETUP_FLIGHT |
			       PRT_SETUP_NATIVE_FRAMES | PRT_SETUP_COST |
			       PRT_SETUP_SUBTRACT_COST) ||
	    (set.calls && set.calls < prt_returns_least()))
		return -EINVAL;
	set.target = prt_pids_machine(set.target);
	if (set.target < 0)
		return -ESRCH;
	prt_session.setup = set;
	prt_session.loader = current->tgid;
	prt_budget_setup();
	prt_returns_setup();
	err = prt_demand_check(&set);
	if (err)
		return err;
	err = setup_all(&set);
	if (err == -ENOMEM)
		prt_demand_failed();
	if (!err)
		smp_store_release(&prt_session.state, PRT_STATE_READY);
	return err;
}

static long do_cgroup(const u32 __user *from)
{
	u32 fd;

	if (get_user(fd, from))
		return -EFAULT;
	return prt_session.state == PRT_STATE_READY ? prt_cgroup_set((int)fd) : -EBUSY;
}

static long do_refusal(void __user *to)
{
	const struct prt_refusal *r = prt_demand_refusal();

	return copy_to_user(to, r, sizeof(*r)) ? -EFAULT : 0;
}

static long do_global(const void __user *from)
{
	struct prt_global_set *set;
	long err;

	if (prt_session.state != PRT_STATE_READY)
		return -EBUSY;
	set = memdup_user(from, sizeof(*set));
	if (IS_ERR(set))
		return PTR_ERR(set);
	set->name[sizeof(set->name) - 1] = 0;
	set->value[sizeof(set->value) - 1] = 0;
	err = prt_global_set(set->name, set->value);
	kfree(set);
	return err;
}

static bool range_ok(u32 first, u32 n, u32 all)
{
	return first <= all && n <= all - first;
}

static long do_sites(const void __user *from)
{
	struct prt_sites_set set;
	const u64 __user *p;
	u64 addr;
	u32 i;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	if (prt_session.state != PRT_STATE_READY)
		return -EBUSY;
	if (!range_ok(set.first, set.n, prt_script.nsites))
		return -EINVAL;
	p = u64_to_user_ptr(set.addresses);
	for (i = 0; i < set.n; i++) {
		if (get_user(addr, p + i))
			return -EFAULT;
		prt_attach_address(set.first + i, addr);
	}
	return 0;
}

static long do_start(void)
{
	int err;

	if (prt_session.state != PRT_STATE_READY)
		return -EBUSY;
	smp_store_release(&prt_session.state, PRT_STATE_BEGIN);
	err = prt_session_start();
	if (err)
		smp_store_release(&prt_session.state, PRT_STATE_READY);
	return err;
}

static long do_status(void __user *to)
{
	struct prt_status st = {
		.clock_khz = prt_clock.khz,
		.epoch_ns = prt_clock.epoch_ns,
		.epoch_clock = prt_clock.epoch,
	};
	const struct prt_ring *r;
	struct prt_cpu *cpu;
	unsigned int nr;

	/* In this order: a state that is older than these events would never be reported. */
	WRITE_ONCE(events_seen, smp_load_acquire(&prt_session.events));
	st.state = smp_load_acquire(&prt_session.state);
	st.ran = READ_ONCE(prt_session.ran);
	st.exit_error = READ_ONCE(prt_session.error);
	if (prt_part_present()) {
		st.tried = READ_ONCE(prt_sites_tried);
		prt_attach_totals(&st.armed, &st.failed, &st.absent);
		st.dropped = READ_ONCE(prt_thread_cpu.ctx.ring->dropped);
		st.not_stored = READ_ONCE(prt_thread_cpu.not_stored);
		prt_for_each_cpu(nr, cpu) {
			r = cpu->ctx.ring;
			st.dropped += READ_ONCE(r->dropped);
			st.not_stored += READ_ONCE(cpu->not_stored);
		}
	}
	st.now = prt_clock_now();
	/* A ring that comes after this has no group of an earlier time. */
	rmb();
	st.rings = prt_part_present();
	return copy_to_user(to, &st, sizeof(st)) ? -EFAULT : 0;
}

static long do_site_status(const void __user *from)
{
	struct prt_site_status __user *p;
	struct prt_site_status st;
	struct prt_sites_get get;
	u32 i;

	if (copy_from_user(&get, from, sizeof(get)))
		return -EFAULT;
	if (!prt_part_present() || !range_ok(get.first, get.n, prt_script.nsites))
		return -EINVAL;
	p = u64_to_user_ptr(get.status);
	for (i = 0; i < get.n; i++) {
		prt_attach_status(get.first + i, &st);
		if (copy_to_user(p + i, &st, sizeof(st)))
			return -EFAULT;
	}
	return 0;
}

static long do_probes(const void __user *from)
{
	struct prt_probe_counts __user *p;
	struct prt_probe_counts counts;
	struct prt_probes_get get;
	u32 i;

	if (copy_from_user(&get, from, sizeof(get)))
		return -EFAULT;
	if (!prt_part_present() || !range_ok(get.first, get.n, prt_script.nprobes))
		return -EINVAL;
	p = u64_to_user_ptr(get.counts);
	for (i = 0; i < get.n; i++) {
		prt_context_counts(get.first + i, &counts);
		if (copy_to_user(p + i, &counts, sizeof(counts)))
			return -EFAULT;
	}
	return 0;
}

static long do_array(void __user *p)
{
	struct prt_array_get get;
	long err;

	if (copy_from_user(&get, p, sizeof(get)))
		return -EFAULT;
	if (smp_load_acquire(&prt_session.state) == PRT_STATE_NEW)
		return -EINVAL;
	err = prt_global_not_stored(&get);
	if (!err && copy_to_user(p, &get, sizeof(get)))
		err = -EFAULT;
	return err;
}

static long do_run(const void __user *from)
{
	struct prt_run run;

	if (copy_from_user(&run, from, sizeof(run)))
		return -EFAULT;
	return prt_session_ask_timers(&run);
}

static long do_switch(const void __user *from)
{
	struct prt_switch set;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	if (smp_load_acquire(&prt_session.state) != PRT_STATE_RUNNING)
		return -ESHUTDOWN;
	return prt_gate_switch(&set);
}

static long do_stacks(void __user *to)
{
	struct prt_stack_counts counts;

	prt_stacks_counts(&counts);
	return copy_to_user(to, &counts, sizeof(counts)) ? -EFAULT : 0;
}

static long do_snapshot(void __user *at)
{
	struct prt_snapshot s;
	int err;

	if (copy_from_user(&s, at, sizeof(s)))
		return -EFAULT;
	err = prt_flight_on() ? prt_flight_get(&s) : -EINVAL;
	if (err)
		return err;
	return copy_to_user(at, &s, sizeof(s)) ? -EFAULT : 0;
}

static long do_record(const void __user *from)
{
	struct prt_snapshot_end set;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	return prt_flight_on() ? prt_flight_record(&set) : -EINVAL;
}

static long do_symbol(void __user *at)
{
	struct prt_symbol_get *get = memdup_user(at, sizeof(*get));
	long err;

	if (IS_ERR(get))
		return PTR_ERR(get);
	prt_symbol_print(get->text, sizeof(get->text), get->address);
	err = copy_to_user(at, get, sizeof(*get)) ? -EFAULT : 0;
	kfree(get);
	return err;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *p = (void __user *)arg;
	long ret = -ENOTTY;

	switch (cmd) {
	case PRT_IOC_SPACE_WANTED: return prt_spaces_wanted(p);
	case PRT_IOC_CODE_FILE:    return prt_spaces_file(p);
	case PRT_IOC_SPACE:        return prt_spaces_describe(p);
	case PRT_IOC_CODE_KEY:     return prt_spaces_key(p);
	case PRT_IOC_FILE_WANTED:  return prt_mapped_file();
	case PRT_IOC_SCRIPT_OBJECT: return prt_script_get(p);
	case PRT_IOC_SCRIPT_COUNTS: return prt_script_get_counts(p);
	case PRT_IOC_INPUT:        return prt_procfs_input(p);
	}
	if (mutex_lock_interruptible(&lock))
		return -EINTR;
	switch (cmd) {
	case PRT_IOC_HELLO:       ret = do_hello(p); break;
	case PRT_IOC_SETUP:       ret = do_setup(p); break;
	case PRT_IOC_GLOBAL:      ret = do_global(p); break;
	case PRT_IOC_SITES:       ret = do_sites(p); break;
	case PRT_IOC_START:       ret = do_start(); break;
	case PRT_IOC_STATUS:      ret = do_status(p); break;
	case PRT_IOC_SITE_STATUS: ret = do_site_status(p); break;
	case PRT_IOC_PROBES:      ret = do_probes(p); break;
	case PRT_IOC_REFUSAL:     ret = do_refusal(p); break;
	case PRT_IOC_ARRAY:       ret = do_array(p); break;
	case PRT_IOC_STACKS:      ret = do_stacks(p); break;
	case PRT_IOC_SYMBOL:      ret = do_symbol(p); break;
	case PRT_IOC_RUN:         ret = do_run(p); break;
	case PRT_IOC_SWITCH:      ret = do_switch(p); break;
	case PRT_IOC_CGROUP:      ret = do_cgroup(p); break;
	case PRT_IOC_SNAPSHOT:    ret = do_snapshot(p); break;
	case PRT_IOC_RECORD:      ret = do_record(p); break;
	case PRT_IOC_MARKS:       ret = prt_marks_set(p); break;
	case PRT_IOC_MARKS_WANTED: ret = prt_marks_wanted(); break;
	case PRT_IOC_ABOUT:       ret = prt_vmcore_about(p); break;
	case PRT_IOC_STOP:        prt_session_stop(); ret = 0; break;
	}
	mutex_unlock(&lock);
	return ret;
}

/* ---- the file ---- */

static void close_session(struct work_struct *work)
{
	prt_session_end();
	prt_signals_end();
	free_all();
	module_put(THIS_MODULE);
}
static DECLARE_WORK(close_work, close_session);

static int device_open(struct inode *inode, struct file *file)
{
	if (atomic_xchg(&opened, 1))
		return -EBUSY;
	return stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	WRITE_ONCE(prt_session.closed, true);
	prt_session_stop();
	__module_get(THIS_MODULE);
	queue_work(system_long_wq, &close_work);
	return 0;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long nr = vma->vm_pgoff / PRT_RING_MMAP_PAGES;
	struct prt_ring *ring;

	/* mmap does not take the lock: its caller holds the lock of the address space, and a call
	 * that holds our lock may wait for that one when it copies from or to user space. After
	 * SETUP, nothing frees the rings while the file is open, and those that grow have a lock
	 * of their own. */
	if (smp_load_acquire(&prt_session.state) == PRT_STATE_NEW || nr >= prt_part_rings())
		return -EINVAL;
	ring = prt_part_ring(nr);
	return ring ? prt_ring_mmap(ring, vma, vma->vm_pgoff % PRT_RING_MMAP_PAGES) : -ENXIO;
}

static bool wants_reader(const struct prt_cpu *cpu)
{
	return !cpu->ctx.ring->flight && prt_ring_is_used(cpu->ctx.ring);
}

static __poll_t device_poll(struct file *file, poll_table *wait)
{
	struct prt_cpu *cpu;
	unsigned int nr;

	poll_wait(file, &prt_session.reader_wait, wait);
	if (smp_load_acquire(&prt_session.state) < PRT_STATE_READY)
		return 0;
	if (READ_ONCE(prt_session.events) != READ_ONCE(events_seen) || prt_flight_asked())
		return EPOLLIN | EPOLLRDNORM;
	if (wants_reader(&prt_thread_cpu))
		return EPOLLIN | EPOLLRDNORM;
	prt_for_each_cpu(nr, cpu)
		if (wants_reader(cpu))
			return EPOLLIN | EPOLLRDNORM;
	return 0;
}

static const struct file_operations device_ops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.mmap = device_mmap,
	.poll = device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.fops = &device_ops,
	.mode = 0600,
};

/* Functions that gcc may call in a script: modpost records the versions of their symbols here. The
 * runtime itself uses the return thunks and the stack protector. */
static const void * const used_by_scripts[] __used = {
	memcpy, memset, memcmp, memmove,
};

static int __init runtime_init(void)
{
	const struct prt_script *script = &prt_script;
	int err;

	/* The address of an undefined weak symbol: a runtime without a script. */
	OPTIMIZER_HIDE_VAR(script);
	if (!script || prt_script.abi != PRT_ABI_VERSION)
		return -ENOEXEC;
	prt_arch_check();
	prt_clock_init();
	prt_session_init();
	err = prt_global_init();
	if (err)
		return err;
	device.name = THIS_MODULE->name;
	prt_context_init();
	err = prt_register(misc_register(&device));
	if (err)
		prt_global_exit();
	return err;
}
module_init(runtime_init);

static void __exit runtime_exit(void)
{
	/* Only rmmod -f gets here while the device is open: wait until the session has ended. */
	while (module_refcount(THIS_MODULE) > 0) {
		prt_session_stop();
		msleep(EXIT_PAUSE_MS);
	}
	misc_deregister(&device);
	flush_work(&close_work);
	prt_context_exit();
	prt_global_exit();
}
module_exit(runtime_exit);

MODULE_DESCRIPTION("a probe script, made by probec");
MODULE_LICENSE("GPL");
