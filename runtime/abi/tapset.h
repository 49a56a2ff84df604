/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The primitives of the library's functions about tasks, stacks, symbols and registers; script.h
 * includes this file. All of them: any context, and nothing can fault. A task is the address of a
 * task_struct that a script holds and that may no longer exist. Its members are read as any memory
 * is, so a stale address gives PRT_E_BAD_ADDRESS or a meaningless number, and nothing worse.
 */
#ifndef PRT_TAPSET_H
#define PRT_TAPSET_H

/* Numbers of a task that prt_task() reads. */
enum prt_task_what {
	PRT_TASK_PID, PRT_TASK_TID, PRT_TASK_PARENT, PRT_TASK_STATE, PRT_TASK_UID, PRT_TASK_GID,
	PRT_TASK_EUID, PRT_TASK_EGID, PRT_TASK_PRIO, PRT_TASK_NICE, PRT_TASK_CPU,
	PRT_TASK_START,          /* ns since the machine was started */
	PRT_TASK_UTIME, PRT_TASK_STIME, /* ns, of this thread */
	PRT_TASK_PGRP, PRT_TASK_SESSION,
	PRT_TASK_OPEN_FILES, PRT_TASK_MAX_FILES,
	PRT_TASK_ROOM,           /* pages of its address space; 0 and the following: no process */
	PRT_TASK_RESIDENT, PRT_TASK_SHARED, PRT_TASK_TEXT, PRT_TASK_DATA,
	PRT_TASK_ARGS, PRT_TASK_ARGS_END, /* addresses of its command line */
	PRT_TASK_ENVIRONMENT, PRT_TASK_ENVIRONMENT_END,
};

/** prt_current - the task that runs. */
s64 prt_current(struct prt_ctx *c);
/** prt_task - a number of @task. */
s64 prt_task(struct prt_ctx *c, s64 task, enum prt_task_what what, u32 srcloc);
/** prt_task_name - its name, into @buf of MAXSTRINGLEN bytes. */
struct prt_str prt_task_name(struct prt_ctx *c, char *buf, s64 task, u32 srcloc);
/** prt_task_of_pid - the task whose id (of a thread or process) is @pid; 0 if there is none, or if
 * the hit is where RCU does not watch. */
s64 prt_task_of_pid(struct prt_ctx *c, s64 pid);

/** prt_named_register - a register of the probed code by its name ("rax", "eax": 32 bits, cut and
 *  extended as @is_signed says; "ax" is the same as "rax"). PRT_E_BAD_VALUE when there is none of
 *  that name or the probe has no registers. */
s64 prt_named_register(struct prt_ctx *c, struct prt_str name, bool is_signed, u32 srcloc);
/** prt_syscall_arg - argument @n (1..6) of the 64-bit system call that the process is in. */
s64 prt_syscall_arg(struct prt_ctx *c, s64 n);
/** prt_user_register - register @n (0..16, DWARF numbers) of the process, as it will continue in
 * user space; 0 in a kernel thread. */
s64 prt_user_register(struct prt_ctx *c, s64 n);
/** prt_probe_type - the kind of the probe for people. */
struct prt_str prt_probe_type(struct prt_ctx *c);
/** prt_task_stack_size - bytes of a task's kernel stack. prt_stack_used - how many of them lie
 *  above the stack pointer of the probed code, of ours where it is not known. PRT_E_BAD_VALUE on
 *  another stack. */
s64 prt_task_stack_size(void);
s64 prt_stack_used(struct prt_ctx *c, u32 srcloc);
/** prt_user_ip - the address at which the process will continue in user space; 0 in a kernel
 * thread. */
s64 prt_user_ip(struct prt_ctx *c);

/** prt_stack_at - address number @n (0..) of the kernel's stack at the hit (prt_stack_take() is in
 *  stacks.h); 0 after the end. */
s64 prt_stack_at(struct prt_ctx *c, s64 n, u32 srcloc);

enum prt_symbol_what {
	PRT_SYMBOL_NAME,         /* vfs_read; 0xADDRESS where there is no symbol */
	PRT_SYMBOL_DATA,         /* vfs_read+0x10/0x140 [kernel] */
	PRT_SYMBOL_MODULE,       /* kernel, name of the module; <unknown> */
};
/** prt_symbol - the symbol at @addr, into @buf of MAXSTRINGLEN bytes. Spends steps. */
struct prt_str prt_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			  u32 srcloc);

/** prt_dentry_path - the names from its file system's root down to @dentry, and with @mnt, the
 *  struct vfsmount that it was reached by, from the current root directory: "/usr/bin/cat". A part
 *  that does not fit is left out at the front. PRT_E_BAD_ADDRESS. */
struct prt_str prt_dentry_path(struct prt_ctx *c, char *buf, s64 dentry, s64 mnt, u32 srcloc);
/** prt_path - the same of a struct path. */
struct prt_str prt_path(struct prt_ctx *c, char *buf, s64 path, u32 srcloc);
/** prt_file_path - the address of a struct file's struct path. */
s64 prt_file_path(s64 file);
/** prt_dentry_name - its last name. PRT_E_BAD_ADDRESS. */
struct prt_str prt_dentry_name(struct prt_ctx *c, char *buf, s64 dentry, u32 srcloc);
/** prt_inode_dentry - one of the dentries of @inode; 0: it has none. PRT_E_BAD_ADDRESS. */
s64 prt_inode_dentry(struct prt_ctx *c, s64 inode, u32 srcloc);

/** prt_quoted - @from as C writes it in a literal, "a\n\u00E4", with or without the quotes: @room
 *  bytes at most, those of quotes among them (5 at least with quotes; 0: as many as fit in @buf of
 *  MAXSTRINGLEN bytes). With quotes, ... follows them where something was cut. */
struct prt_str prt_quoted(char *buf, struct prt_str from, s64 room, bool quotes);
/** prt_replace - @s with each @what in it replaced by @to, into @buf of MAXSTRINGLEN bytes. Spends
 *  steps. */
struct prt_str prt_replace(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str what,
			   struct prt_str to, u32 srcloc);

/** prt_clock_of - ns that the scheduler's clock of @cpu has counted; PRT_E_BAD_VALUE: no such
 *  CPU. */
s64 prt_clock_of(struct prt_ctx *c, s64 cpu, u32 srcloc);
/** prt_monotonic - ns since the machine was started. */
s64 prt_monotonic(struct prt_ctx *c);
s64 prt_hz(struct prt_ctx *c);        /* timer ticks a second */
/** prt_load - average of tasks that run or wait for a disk, in hundredths: 0: of 1 minute, 1: 5,
 *  2: 15. PRT_E_BAD_VALUE. */
s64 prt_load(struct prt_ctx *c, s64 which, u32 srcloc);
/** prt_perf - the count of counter @nr (struct prt_event.counter - 1): on this processor, or, in
 *  process context, on all of them when the handler began. PRT_E_BAD_VALUE: it can't count. Any
 *  context. */
s64 prt_perf(struct prt_ctx *c, s64 nr, u32 srcloc);
/** prt_random - a number from 0 to @below - 1; 0 if @below is not positive. Not fit for secrets. */
s64 prt_random(struct prt_ctx *c, s64 below);
/** prt_module_name - the name of the session's module. */
struct prt_str prt_module_name(struct prt_ctx *c);

/** prt_read_user - prt_read() at an address of the current process. */
PRT_INLINE s64 prt_read_user(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc)
{
	u64 v = 0;

	prt_read_bytes(c, (char *)&v, addr, size, true, srcloc);
	return c->err ? 0 : prt_cut(v, size, is_signed);
}

#endif
