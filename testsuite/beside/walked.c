/* SPDX-License-Identifier: GPL-2.0 */
/*
 * walked N COMMAND... - stops a program at N random instructions, walks its stack by unwind tables,
 * and compares the frames with those that libdwfl finds in the same process. Prints the frames of
 * the first stacks that differ, and then one line for each kind of result:
 *   COUNT same|less WHY|other|more|frames|changed
 * "less" WHY: our walk ends earlier, for that reason; "more": one of "same" in which libdwfl's walk
 * ends earlier; "frames": in the stacks that are the same; "changed": those of "same" with a
 * function that has changed to another stack, up to which libdwfl is asked. The first of these are
 * printed after a line "changed:", for another judge. Used by host/unwind-walks.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frames.h"
#include "runtime/unwind_step.h"
#include "unwind/mappings.h"

enum { FRAMES = 4096, SHOWN = 5, CHANGED_SHOWN = 30, STEPS = 60, MICROSECONDS = 3000 };

struct stack {
	uint64_t ip[FRAMES];
	size_t n, switched;       /* frames before the change to another stack; 0: there is none */
	enum prt_unwind_result end;
};

static const char *const ends[] = { "too deep", "outermost frame", "no rule", "no value",
				    "no word", "no stack" };

static bool read_word(void *arg, prt_u64 address, prt_u64 *ret)
{
	struct iovec to = { ret, sizeof(*ret) };
	struct iovec from = { (void *)(uintptr_t)address, sizeof(*ret) };

	return process_vm_readv(*(pid_t *)arg, &to, 1, &from, 1, 0) == sizeof(*ret);
}

/* The same of a program of 32 bits. */
static bool read_word_32(void *arg, prt_u64 address, prt_u64 *ret)
{
	uint32_t word;
	struct iovec to = { &word, sizeof(word) };
	struct iovec from = { (void *)(uintptr_t)address, sizeof(word) };

	if (process_vm_readv(*(pid_t *)arg, &to, 1, &from, 1, 0) != sizeof(word))
		return false;
	*ret = word;
	return true;
}

static const struct prt_unwind_rule *rule_at(const struct mappings *m, uint64_t address)
{
	const struct mapping *it = mappings_find(m, address);

	return it && it->file && it->file->table ?
	       prt_unwind_find(it->file->table, address - it->bias) : NULL;
}

/* As the kernel half does it: registers that no table of the process refers to are not read. */
static uint8_t wanted_by(const struct mappings *m)
{
	uint8_t wanted = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].file && m->v[i].file->table)
			wanted |= prt_unwind_wanted(m->v[i].file->table);
	return wanted;
}

enum { CODE_SEGMENT_32 = 0x23 };

static struct prt_unwind_frame first_frame(pid_t pid, bool *of_32bit)
{
	struct user_regs_struct r;

	ptrace(PTRACE_GETREGS, pid, NULL, &r);
	*of_32bit = r.cs == CODE_SEGMENT_32;
	if (*of_32bit)
		return (struct prt_unwind_frame){
			.r = { r.rax, r.rdx, r.rcx, r.rbx, 0, 0, r.rbp, r.rsp,
			       [PRT_UNWIND_ESI] = r.rsi, [PRT_UNWIND_EDI] = r.rdi },
			.ip = r.rip, .is_inner = true, .known = PRT_UNWIND_ALL,
		};
	return (struct prt_unwind_frame){
		.r = { r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10,
		       r.r11, r.r12, r.r13, r.r14, r.r15 },
		.ip = r.rip, .thread = r.fs_base, .is_inner = true,
		.known = PRT_UNWIND_ALL | PRT_UNWIND_THREAD_KNOWN,

	};
}

static void walk(pid_t pid, const struct mappings *m, struct stack *ret)
{
	bool of_32bit;
	struct prt_unwind_frame f = first_frame(pid, &of_32bit);
	uint8_t wanted = wanted_by(m);

	ret->end = PRT_UNWIND_CALLER;
	ret->switched = 0;
	for (ret->n = 0; ret->n < FRAMES && ret->end == PRT_UNWIND_CALLER;) {
		struct prt_unwind_plan plan =
			prt_unwind_plan_of(rule_at(m, prt_unwind_address(&f)), wanted);

		ret->ip[ret->n++] = f.ip;
		if (plan.rule && plan.rule->cfa == PRT_UNWIND_SWITCH)
			ret->switched = ret->switched ? ret->switched : ret->n;
		ret->end = of_32bit ? prt_unwind_step(&f, &plan, read_word_32, &pid) :
				      prt_unwind_step(&f, &plan, read_word, &pid);
	}
}

/* ---- libdwfl ---- */

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct stack *s = arg;
	Dwarf_Addr ip;

	if (s->n == FRAMES || !dwfl_frame_pc(frame, &ip, NULL))
		return DWARF_CB_ABORT;
	s->ip[s->n++] = ip;
	return DWARF_CB_OK;
}

/* ---- comparing ---- */

struct results {
	unsigned same, more, other, changed, less[PRT_UNWIND_NO_STACK + 1];
	size_t frames;            /* that both found */
	unsigned shown;
};

static void show(const struct stack *ours, const struct stack *theirs, const struct mappings *m)
{
	for (size_t i = 0; i < ours->n || i < theirs->n; i++) {
		uint64_t address = i < ours->n ? ours->ip[i] : theirs->ip[i];
		const struct mapping *it = mappings_find(m, address);

		printf("  %16" PRIx64 " %16" PRIx64 "  %" PRIx64 "\n",
		       i < ours->n ? ours->ip[i] : 0, i < theirs->n ? theirs->ip[i] : 0,
		       it ? address - it->bias : 0);
	}
}

static void compare(const struct stack *ours, const struct stack *theirs,
		    const struct mappings *m, struct results *r)
{
	size_t n = ours->n < theirs->n ? ours->n : theirs->n;
	bool same;

	if (ours->switched && n > ours->switched)
		n = ours->switched;
	same = memcmp(ours->ip, theirs->ip, n * sizeof(*ours->ip)) == 0;
	r->frames += same ? n : 0;
	if (same && n && ours->switched == n && ours->end == PRT_UNWIND_LAST) {
		r->same++;
		if (r->changed++ < CHANGED_SHOWN) {
			puts("changed:");
			show(ours, ours, m);
		}
		return;
	}
	if (same && ours->n >= theirs->n) {
		r->same++;
		r->more += ours->n > theirs->n;
		return;
	}
	if (same)
		r->less[ours->end]++;
	else
		r->other++;
	if (r->shown++ < SHOWN) {
		printf("%s, %s:\n", same ? "less" : "other", ends[ours->end]);
		show(ours, theirs, m);
	}
}

/* ---- the program ---- */

/* Waits until it stops; false: it has ended. */
static bool wait_stop(pid_t pid, int *signal)
{
	int status;

	if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
		return false;
	*signal = WSTOPSIG(status);
	return true;
}

/* Lets it run for a while, then for some instructions. false: it has ended. */
static bool run_on(pid_t pid)
{
	struct timespec pause = { 0, 1000l * (rand() % MICROSECONDS) };
	int signal = 0, steps = rand() % STEPS;

	ptrace(PTRACE_CONT, pid, NULL, NULL);
	nanosleep(&pause, NULL);
	tgkill(pid, pid, SIGSTOP);
	while (signal != SIGSTOP) {
		if (!wait_stop(pid, &signal))
			return false;
		/* SIGTRAP: it has executed another program. */
		if (signal != SIGSTOP)
			ptrace(PTRACE_CONT, pid, NULL,
			       (void *)(intptr_t)(signal == SIGTRAP ? 0 : signal));
	}
	while (steps--) {
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		if (!wait_stop(pid, &signal))
			return false;
	}
	return true;
}

static pid_t start(char **command)
{
	pid_t pid = fork();
	int signal;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(command[0], command);
		_exit(127);
	}
	return wait_stop(pid, &signal) ? pid : -1;
}

int main(int argc, char **argv)
{
	static struct stack ours, theirs;
	struct mapped_files files = { 0 };
	struct results r = { 0 };
	int n = argc > 2 ? atoi(argv[1]) : 0;
	pid_t pid = -1;

	srand(1);
	while (n > 0) {
		struct mappings m;

		if (pid < 0 && (pid = start(argv + 2)) < 0)
			return 1;
		if (!run_on(pid)) {
			pid = -1;
			continue;
		}
		if (mappings_read(&files, pid, mappings_open(pid), &m) != 0)
			return 1;
		walk(pid, &m, &ours);
		theirs.n = 0;
		each_frame(pid, true, add_frame, &theirs);
		compare(&ours, &theirs, &m, &r);
		mappings_deinit(&m);
		n--;
	}
	if (pid >= 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	mappings_free_files(&files);
	printf("%u same\n", r.same);
	for (unsigned i = 0; i <= PRT_UNWIND_NO_STACK; i++)
		if (r.less[i])
			printf("%u less %s\n", r.less[i], ends[i]);
	printf("%u other\n%u more\n%u changed\n%zu frames\n", r.other, r.more, r.changed,
	       r.frames);
	return 0;
}
