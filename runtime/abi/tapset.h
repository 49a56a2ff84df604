/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The primitives of tapset functions; script.h includes this file. All of them may be called in any
 * context, and none faults. @buf has MAXSTRINGLEN bytes; the result is in it, cut to its size.
 * `current` is the task that was hit.
 */
#ifndef PRT_TAPSET_H
#define PRT_TAPSET_H

s64 prt_pid(struct prt_ctx *c);       /* thread group id of current, in the initial namespace */
s64 prt_tid(struct prt_ctx *c);
s64 prt_ppid(struct prt_ctx *c);      /* 0 if RCU is not watching */
s64 prt_uid(struct prt_ctx *c);       /* this and the next three: in the initial user namespace */
s64 prt_gid(struct prt_ctx *c);
s64 prt_euid(struct prt_ctx *c);
s64 prt_egid(struct prt_ctx *c);
s64 prt_pid_namespace(struct prt_ctx *c); /* the inode number of its pid namespace in nsfs */
s64 prt_cpu(struct prt_ctx *c);
s64 prt_this_cpu(struct prt_ctx *c, u64 addr); /* address of this processor's copy of the per-CPU
						* variable at @addr */
s64 prt_target(struct prt_ctx *c);    /* pid of the target process; 0: none */
s64 prt_loader(struct prt_ctx *c);    /* that of the process that runs the session */
/* Whether the current task is in the control group of PRT_IOC_CGROUP or below it, as 0 or 1; 0
 * without such a group. @c may be NULL. */
s64 prt_in_cgroup(struct prt_ctx *c);
struct prt_str prt_execname(struct prt_ctx *c, char *buf);
struct prt_str prt_pexecname(struct prt_ctx *c, char *buf); /* of the parent; "" if RCU is not
							     * watching */
struct prt_str prt_pp(struct prt_ctx *c);         /* the probe point of this hit */
struct prt_str prt_pn(struct prt_ctx *c);         /* the alias by which the script names it, or
						   * pp */
struct prt_str prt_probefunc(struct prt_ctx *c);  /* the function that was hit, or "" */
s64 prt_user_mode(struct prt_ctx *c); /* 1: user space was hit; 0 if not, or without all
				       * registers */
s64 prt_user_mode_32bit(struct prt_ctx *c); /* the same for code of 32 bits */
/** prt_returnval - the result of the probed function: the part of the result register that struct
 *  prt_probe describes, extended to 64 bits. PRT_E_BAD_VALUE outside of return probes. */
s64 prt_returnval(struct prt_ctx *c, u32 srcloc);
/** prt_argument - integer argument @n (from 1) at a function's entry; at the entry of a system call
 * by its alias (prt_probe.interface), an argument of the call. PRT_E_BAD_VALUE: it has none. */
s64 prt_argument(struct prt_ctx *c, s64 n, u32 srcloc);
/** prt_argument_signed - the same as a long, which has 32 bits in a program of 32 bits. */
s64 prt_argument_signed(struct prt_ctx *c, s64 n, u32 srcloc);
s64 prt_time_ns(struct prt_ctx *c);   /* CLOCK_REALTIME, ns since 1970 */
s64 prt_cycles(struct prt_ctx *c);    /* this processor's time stamp counter */
s64 prt_elapsed_ns(struct prt_ctx *c); /* ns since the entry; 0 outside of return probes */
s64 prt_misses(struct prt_ctx *c);     /* skipped hits of all probes so far */
s64 prt_jiffies(struct prt_ctx *c);
void prt_exit(struct prt_ctx *c);     /* the session ends after this handler */
void prt_warn(struct prt_ctx *c, struct prt_str text);
void prt_debug(struct prt_ctx *c, struct prt_str text); /* a warning, shown as it is */
/* asks for a snapshot of what was recorded; nothing in a session that does not record */
void prt_snapshot(struct prt_ctx *c, struct prt_str reason);
/** prt_system - make the loader run @command after it has written the output that precedes it. */
void prt_system(struct prt_ctx *c, struct prt_str command);
/** prt_switch_file - let the loader write what follows to the next file (proberun -S). */
void prt_switch_file(struct prt_ctx *c);
/** prt_substr - @len bytes of @s from @start (from 0) on; the range is cut to @s. */
struct prt_str prt_substr(char *buf, struct prt_str s, s64 start, s64 len);
/** prt_strtol - the number at the start of @s, as the kernel's simple_strtol() reads it: after an
 * optional '-', "0x" in bases 0 and 16, then digits up to 'f' in every base; the low 64 bits of one
 * that does not fit. */
s64 prt_strtol(struct prt_str s, s64 base);
/** prt_contains - whether @part occurs anywhere in @s. Spends steps. */
s64 prt_contains(struct prt_ctx *c, struct prt_str s, struct prt_str part, u32 srcloc);
/** prt_tokenize - the next token of this context's input, which ends before a byte of @delim. A
 * non-empty @input replaces the input first. "" if there are no more tokens. Spends steps. */
struct prt_str prt_tokenize(struct prt_ctx *c, char *buf, struct prt_str input,
			    struct prt_str delim, u32 srcloc);
/** prt_ctime - "Thu Jan  1 00:00:00 1970", UTC. PRT_E_BAD_VALUE outside of the years 1 to 9999. */
struct prt_str prt_ctime(struct prt_ctx *c, char *buf, s64 seconds, u32 srcloc);
/** struct prt_word - a number and its name, in a table of a tapset. */
struct prt_word {
	u64 value;
	const char *name;
};
#define PRT_COUNT(array) (sizeof(array) / sizeof((array)[0]))
/** prt_word_str - the name of @value among the @n words, or the number in hexadecimal. */
struct prt_str prt_word_str(char *buf, s64 value, const struct prt_word *words, u32 n);
/** prt_flags_str - the names of the bits in @flags as "A|B", in the order of @words: of each word
 *  whose bits are all set and are not all covered by earlier words. "|0x..." follows for bits
 *  without a word. If @flags is 0: the name of the word with value 0, or "0x0". */
struct prt_str prt_flags_str(char *buf, s64 flags, const struct prt_word *words, u32 n);
/** prt_errno_str - "ENOENT" for 2 and for -2; "E#1234" for an unknown number. */
struct prt_str prt_errno_str(char *buf, s64 err);

/*
 * ---- tasks, stacks, symbols and registers ----
 *
 * A task is the address of a task_struct that the script has stored and that may no longer exist.
 * Its members are read like any other memory, so a stale address gives PRT_E_BAD_ADDRESS or a
 * meaningless number, but does no harm.
 */

/* The properties of a task that prt_task() reads. */
enum prt_task_what {
	PRT_TASK_PID, PRT_TASK_TID, PRT_TASK_PARENT, PRT_TASK_STATE, PRT_TASK_UID, PRT_TASK_GID,
	PRT_TASK_EUID, PRT_TASK_EGID, PRT_TASK_PRIO, PRT_TASK_NICE, PRT_TASK_CPU,
	PRT_TASK_START,          /* ns since the machine was started */
	PRT_TASK_UTIME, PRT_TASK_STIME, /* ns, of this thread */
	PRT_TASK_SWITCHES,       /* how often it has left a processor */
	PRT_TASK_PGRP, PRT_TASK_SESSION,
	PRT_TASK_OPEN_FILES, PRT_TASK_MAX_FILES,
	PRT_TASK_ROOM,           /* pages of its address space; 0 in a kernel thread, as the next
				  * ones */
	PRT_TASK_RESIDENT, PRT_TASK_SHARED, PRT_TASK_TEXT, PRT_TASK_DATA,
	PRT_TASK_ARGS, PRT_TASK_ARGS_END, /* addresses of its command line */
	PRT_TASK_ENVIRONMENT, PRT_TASK_ENVIRONMENT_END,
};

/** prt_current - the address of the current task. */
s64 prt_current(struct prt_ctx *c);
/** prt_task - property @what of @task. PRT_E_BAD_ADDRESS. */
s64 prt_task(struct prt_ctx *c, s64 task, enum prt_task_what what, u32 srcloc);
/** prt_task_name - its name, into @buf of MAXSTRINGLEN bytes. */
struct prt_str prt_task_name(struct prt_ctx *c, char *buf, s64 task, u32 srcloc);
/** prt_task_of_pid - the task with the thread or process id @pid; 0 if there is none, or if RCU is
 * not watching at the hit. */
s64 prt_task_of_pid(struct prt_ctx *c, s64 pid);

/** prt_named_register - the register of the probed code with that name. "eax" is the lower half of
 *  "rax", extended according to @is_signed; "ax" is the same as "rax". PRT_E_BAD_VALUE if there is
 *  no such register, or if the probe has no registers. */
s64 prt_named_register(struct prt_ctx *c, struct prt_str name, bool is_signed, u32 srcloc);
/** prt_syscall_is_32bit - 1 if the system call that the process executes is one by the 32-bit
 *  interface, else 0; 0 outside a system call. */
s64 prt_syscall_is_32bit(struct prt_ctx *c);
/** prt_syscall_arg - argument @n (1..6) of the 64-bit system call that the process executes. */
s64 prt_syscall_arg(struct prt_ctx *c, s64 n);
/** prt_syscall32_arg - the same of a call by the 32-bit interface, from 0 to 0xffffffff. */
s64 prt_syscall32_arg(struct prt_ctx *c, s64 n);
/** prt_called_arg - the one of both that is for the interface by which the process calls. */
s64 prt_called_arg(struct prt_ctx *c, s64 n);
/** prt_user_register - the value that register @n (0..16, DWARF numbers) has when the process
 * continues in user space; 0 in a kernel thread. */
s64 prt_user_register(struct prt_ctx *c, s64 n);
/** prt_probe_type - the name of the probe kind (kinds.h). */
struct prt_str prt_probe_type(struct prt_ctx *c);
/** prt_channel_value - $value: the text that the process writes, or that it is to read so far; in
 *  @buf of MAXSTRINGLEN bytes. prt_channel_set - replace the text to be read. prt_channel_add -
 *  append to it; what exceeds the probe's size is lost, with one warning in a session. All do
 *  nothing in a handler of another kind. */
struct prt_str prt_channel_value(struct prt_ctx *c, char *buf);
void prt_channel_set(struct prt_ctx *c, struct prt_str s);
void prt_channel_add(struct prt_ctx *c, struct prt_str s);
/** prt_verdict - $verdict: what becomes of the packet after the handler; 1 (accept) unless it was
 *  set. prt_verdict_set - set it to 0 (drop) or 1; PRT_E_BAD_VALUE for others, with which somebody
 *  else would have to own the packet. In a handler of another kind, 1 and nothing. */
s64 prt_verdict(struct prt_ctx *c);
void prt_verdict_set(struct prt_ctx *c, s64 verdict, u32 srcloc);
/** prt_task_stack_size - the size of a task's kernel stack in bytes. prt_stack_used - the bytes of
 *  it above the stack pointer of the probed code, or above the runtime's own one if the former is
 *  not known. PRT_E_BAD_VALUE on another stack. */
s64 prt_task_stack_size(void);
s64 prt_stack_used(struct prt_ctx *c, u32 srcloc);
/** prt_user_ip - the address at which the process will continue in user space; 0 in a kernel
 * thread. */
s64 prt_user_ip(struct prt_ctx *c);

/** prt_stack_at - address number @n (from 0) of the kernel's stack at the hit; 0 after the end.
 *  Spends steps. prt_stack_take() is in stacks.h. */
s64 prt_stack_at(struct prt_ctx *c, s64 n, u32 srcloc);

enum prt_symbol_what {
	PRT_SYMBOL_NAME,         /* "vfs_read"; "0xADDRESS" if there is no symbol */
	PRT_SYMBOL_DATA,         /* "vfs_read+0x10/0x140 [kernel]" */
	PRT_SYMBOL_MODULE,       /* "kernel", the name of the module, or "<unknown>" */
};
/** prt_symbol - the symbol at @addr, into @buf of MAXSTRINGLEN bytes. Spends steps. */
struct prt_str prt_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			  u32 srcloc);
/** prt_user_symbol - the same of an address of the current process, whose "module" is a program or
 *  library: the last part of its path. */
struct prt_str prt_user_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			       u32 srcloc);

/** prt_dentry_path - the path of @dentry from the root of its file system; if @mnt is the struct
 *  vfsmount by which it was reached, from the current root directory: "/usr/bin/cat". If it does
 *  not fit, it is cut at the front. PRT_E_BAD_ADDRESS. */
struct prt_str prt_dentry_path(struct prt_ctx *c, char *buf, s64 dentry, s64 mnt, u32 srcloc);
/** prt_path - the same for the struct path at @path. */
struct prt_str prt_path(struct prt_ctx *c, char *buf, s64 path, u32 srcloc);
/** prt_file_path - the address of the struct path in the struct file at @file. */
s64 prt_file_path(s64 file);
/** prt_dentry_name - the last component of the path of @dentry. PRT_E_BAD_ADDRESS. */
struct prt_str prt_dentry_name(struct prt_ctx *c, char *buf, s64 dentry, u32 srcloc);
/** prt_inode_dentry - one of the dentries of @inode; 0: it has none. PRT_E_BAD_ADDRESS. */
s64 prt_inode_dentry(struct prt_ctx *c, s64 inode, u32 srcloc);

/** prt_quoted - @from as a string literal of C, such as "a\n\u00E4", with or without the quotes, in
 *  at most @room bytes, including quotes (with quotes at least 5; 0: as many as fit into @buf of
 *  MAXSTRINGLEN bytes). If it is cut, "..." follows the closing quote. */
struct prt_str prt_quoted(char *buf, struct prt_str from, s64 room, bool quotes);
/** prt_replace - @s with each occurrence of @what replaced by @to, in @buf of MAXSTRINGLEN bytes.
 *  Spends steps. */
struct prt_str prt_replace(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str what,
			   struct prt_str to, u32 srcloc);

/** prt_clock_of - the scheduler clock of @cpu in ns. PRT_E_BAD_VALUE: there is no such CPU. */
s64 prt_clock_of(struct prt_ctx *c, s64 cpu, u32 srcloc);
/** prt_monotonic - ns since boot (CLOCK_MONOTONIC). */
s64 prt_monotonic(struct prt_ctx *c);
s64 prt_hz(struct prt_ctx *c);        /* timer ticks a second */
/** prt_load - the load average in hundredths; @which 0: over 1 minute, 1: over 5, 2: over 15.
 *  PRT_E_BAD_VALUE. */
s64 prt_load(struct prt_ctx *c, s64 which, u32 srcloc);
/** prt_perf - the count of counter @nr (struct prt_event.counter - 1): on this processor, or in
 *  process context on all processors, as of the beginning of the handler. PRT_E_BAD_VALUE: no
 *  hardware counter is free for it. */
s64 prt_perf(struct prt_ctx *c, s64 nr, u32 srcloc);
/** prt_random - a pseudo-random number from 0 to @below - 1; 0 if @below is not positive. */
s64 prt_random(struct prt_ctx *c, s64 below);
/** prt_module_name - the name of the session's module. */
struct prt_str prt_module_name(struct prt_ctx *c);

/** prt_read_user - prt_read() for an address of the current process. */
PRT_INLINE s64 prt_read_user(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc)
{
	u64 v = 0;

	prt_read_bytes(c, (char *)&v, addr, size, true, srcloc);
	return c->err ? 0 : prt_cut(v, size, is_signed);
}

#endif
